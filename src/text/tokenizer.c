/* Cuts texts into tokens, a piece at a time. */
#include "text/tokenizer.h"

#include "base/bit_list.h"
#include "text/utf8.h"

#include <string.h>

/* The tokens that those of a kind are made of. */
static akin_tokens cut_of(akin_tokens tokens)
{
    switch (tokens) {
    case AKIN_TOKENS_SHINGLES:
    case AKIN_TOKENS_CODES:
        return AKIN_TOKENS_WORDS;
    case AKIN_TOKENS_LINES:
    case AKIN_TOKENS_PARAGRAPHS:
        return AKIN_TOKENS_WHITESPACE;
    case AKIN_TOKENS_WORDS:
    case AKIN_TOKENS_WHITESPACE:
    case AKIN_TOKENS_QGRAMS:
        break;
    }
    return tokens;
}

void akin_tokenizer_begin(akin_tokenizer *tokenizer, akin_cpu cpu, akin_account *account,
                          const akin_text_options *options)
{
    akin_normal_begin(&tokenizer->normal, cpu, account, cut_of(options->tokens), options->fold);
    tokenizer->tokens = options->tokens;
    tokenizer->q = options->q;
    tokenizer->ended = 1;
    tokenizer->counts = NULL;
}

void akin_tokenizer_clear(akin_tokenizer *tokenizer)
{
    akin_normal_clear(&tokenizer->normal);
}

/* Moves the bytes of a word towards the beginning. */
typedef void (*word_mover)(char *to, const char *from, uint64_t length);

static inline void move_word(char *to, const char *from, uint64_t length)
{
    memmove(to, from, (size_t)length);
}

#if defined(__x86_64__)
/* A word is mostly one vector, and the mask spares its tail a loop. */
AKIN_BIT_LIST_AVX512 static inline void move_word_avx512(char *to, const char *from, uint64_t length)
{
    for (uint64_t at = 0; at < length; at += 64) {
        const __mmask64 mask = _bzhi_u64(~UINT64_C(0), (uint32_t)akin_min_u64(length - at, 64));
        _mm512_mask_storeu_epi8(to + at, mask, _mm512_maskz_loadu_epi8(mask, from + at));
    }
}
#endif

/* Leaves of a text the words, one blank behind each, and of `inside` the bits where words end. As there is something
 * between words, they only move towards the beginning. */
__attribute__((always_inline)) static inline void join_words(akin_normal *n, word_mover move)
{
    const uint64_t words = (n->length >> 6) + 1;
    uint64_t carry = 0, start = 0, to = 0;
    int within = 0;
    for (uint64_t word = 0; word < words; word++) {
        uint64_t bits = n->inside[word], bounds = bits ^ (bits << 1 | carry);
        carry = bits >> 63;
        n->inside[word] = 0;
        for (; bounds; bounds &= bounds - 1) {
            const uint64_t at = (word << 6) + (uint64_t)__builtin_ctzll(bounds);
            within = !within;
            if (within) {
                start = at;
                continue;
            }
            move(n->text + to, n->text + start, at - start);
            to += at - start;
            n->inside[to >> 6] |= UINT64_C(1) << (to & 63);
            n->text[to++] = ' ';
        }
    }
    n->length = to > 0 ? to - 1 : 0;
}

static void join_words_plain(akin_normal *n)
{
    join_words(n, move_word);
}

#if defined(__x86_64__)
AKIN_BIT_LIST_AVX512 static void join_words_avx512(akin_normal *n)
{
    join_words(n, move_word_avx512);
}
#endif

static int is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Whether bytes of valid UTF-8 have a digit. */
static int has_digit(const char *text, uint64_t length)
{
    size_t size;
    for (uint64_t at = 0; at < length; at += size)
        if (akin_unicode_is_digit(akin_utf8_decode(text + at, (size_t)(length - at), &size)))
            return 1;
    return 0;
}

static inline void set_bits(uint64_t *bits, uint64_t begin, uint64_t end)
{
    for (uint64_t at = begin; at < end; at++)
        bits[at >> 6] |= UINT64_C(1) << (at & 63);
}

/* Leaves of a text the codes, one blank between. A word of `inside` is read before its bits become those of the codes,
 * which are never further than what is read. */
static void join_codes(akin_normal *n)
{
    const uint64_t words = (n->length >> 6) + 1;
    uint64_t to = 0, start = 0; /* where the run at hand begins */
    for (uint64_t word = 0, at = 0; word < words; word++) {
        const uint64_t bits = n->inside[word], end = akin_min_u64((word + 1) << 6, n->length);
        n->inside[word] = 0;
        for (; at < end; at++) {
            if (bits >> (at & 63) & 1)
                n->text[to++] = n->text[at];
            if ((at + 1 < n->length && !is_blank(n->text[at])) || to == start)
                continue;
            if (has_digit(n->text + start, to - start)) {
                set_bits(n->inside, start, to);
                n->text[to++] = ' ';
            } else {
                to = start;
            }
            start = to;
        }
    }
    n->length = to > 0 ? to - 1 : 0;
}

/* Leaves of a text the runs of anything but white space, one blank between. The blank is in a token unless there were
 * at least `ends` line ends: LF, CR, or both of them once. What is written is never beyond what is read. */
static void join_lines(akin_normal *n, uint32_t ends)
{
    const uint64_t length = n->length;
    uint64_t to = 0, bits = 0;
    uint32_t ended = 0;
    int was_inside = 1;
    char before = ' ', own;
    for (uint64_t at = 0; at < length; at++, before = own) {
        own = n->text[at];
        bits = at % 64 == 0 ? n->inside[at / 64] : bits >> 1;
        if (at % 64 == 0)
            n->inside[at / 64] = 0;
        if (!(bits & 1)) {
            ended += own == '\r' || (own == '\n' && before != '\r');
            was_inside = 0;
            continue;
        }
        if (to > 0 && !was_inside) {
            set_bits(n->inside, to, ended < ends ? to + 1 : to);
            n->text[to++] = ' ';
        }
        ended = 0;
        was_inside = 1;
        set_bits(n->inside, to, to + 1);
        n->text[to++] = own;
    }
    n->length = to;
}

akin_status akin_tokenizer_take(akin_tokenizer *tokenizer, const char *from, uint64_t length, uint64_t readable)
{
    static void (*const join_by_level[])(akin_normal *) =
        AKIN_CPU_ROW(join_words_plain, join_words_plain, join_words_plain, join_words_avx512);
    tokenizer->word = 0;
    tokenizer->carry = 0;
    tokenizer->start = 0;
    tokenizer->pending = tokenizer->begun = 0;
    tokenizer->ended = 0;
    tokenizer->is_brief = tokenizer->is_counted = 0;
    akin_status status = akin_normal_take(&tokenizer->normal, from, length, readable);
    if (status == AKIN_OK && tokenizer->tokens == AKIN_TOKENS_SHINGLES)
        join_by_level[tokenizer->normal.cpu](&tokenizer->normal);
    else if (status == AKIN_OK && tokenizer->tokens == AKIN_TOKENS_CODES)
        join_codes(&tokenizer->normal);
    else if (status == AKIN_OK && tokenizer->tokens == AKIN_TOKENS_LINES)
        join_lines(&tokenizer->normal, 1);
    else if (status == AKIN_OK && tokenizer->tokens == AKIN_TOKENS_PARAGRAPHS)
        join_lines(&tokenizer->normal, 2);
    return status;
}

/* Runs of bits: a bound is where a bit differs from the one before. */
__attribute__((always_inline)) static inline void next_runs(akin_tokenizer *t, akin_spans *spans, akin_bit_lister list)
{
    uint64_t words = (t->normal.length >> 6) + 1; /* the zeros behind the text end its last token */
    uint32_t count = 0;
    if (t->pending) {
        t->bounds[0] = t->bounds[t->begun];
        count = 1;
    }
    for (; t->word < words && count < AKIN_PIECE; t->word++) {
        uint64_t bits = t->normal.inside[t->word];
        count = list(t->bounds, count, bits ^ (bits << 1 | t->carry), t->word << 6);
        t->carry = bits >> 63;
    }
    t->ended = t->word == words;
    t->pending = count & 1;
    t->begun = count & ~1u;
    *spans = (akin_spans){t->normal.text, t->bounds, count / 2, 2, 1};
}

/* Runs of q code points, the last `pending` of those before being the first ones here. */
__attribute__((always_inline)) static inline void next_qgrams(akin_tokenizer *t, akin_spans *spans,
                                                              akin_bit_lister list)
{
    uint64_t length = t->normal.length, words = (length + 63) >> 6;
    uint32_t count = t->pending, gap = t->q;
    for (uint32_t i = 0; i < count; i++)
        t->bounds[i] = t->bounds[t->begun + i];
    for (; t->word < words && count < t->q + AKIN_PIECE; t->word++) {
        uint64_t bits = t->normal.inside[t->word], base = t->word << 6;
        if (bits == ~UINT64_C(0))
            for (uint32_t i = 0; i < 64; i++)
                t->bounds[count++] = (uint32_t)base + i;
        else
            count = list(t->bounds, count, bits, base);
    }
    t->ended = t->word == words;
    if (t->ended) {
        t->bounds[count] = (uint32_t)length; /* not a code point: where the last one ends */
        gap = count < gap ? count : gap;     /* a shorter text is one token */
        count++;
    }
    t->pending = count < gap + 1 ? count : gap;
    t->begun = count - t->pending;
    *spans = (akin_spans){t->normal.text, t->bounds, t->begun, 1, gap};
    t->is_brief = gap < t->q;
    if (length == 0)
        spans->count = 0;
}

/* Runs of q words; of those before, the last q - 1, which are pending, are the first ones here. */
static void next_shingles(akin_tokenizer *t, akin_spans *spans)
{
    const uint64_t words = (t->normal.length >> 6) + 1;
    const int is_first = t->word == 0;
    uint32_t count = t->pending, gap = t->q;
    for (uint32_t i = 0; i < count; i++)
        t->bounds[i] = t->bounds[t->begun + i];
    for (; t->word < words && count < 2 * t->q + AKIN_PIECE; t->word++)
        for (uint64_t ends = t->normal.inside[t->word]; ends; ends &= ends - 1) {
            t->bounds[count++] = t->start;
            t->bounds[count] = (uint32_t)(t->word << 6) + (uint32_t)__builtin_ctzll(ends);
            t->start = t->bounds[count++] + 1;
        }
    t->ended = t->word == words;
    if (is_first && t->ended && count / 2 < gap)
        gap = count / 2; /* fewer words are one token */
    const uint32_t tokens = gap > 0 && count / 2 >= gap ? count / 2 - gap + 1 : 0;
    t->begun = 2 * tokens;
    t->pending = count - t->begun;
    *spans = (akin_spans){t->normal.text, t->bounds, tokens, 2, gap > 0 ? 2 * gap - 1 : 1};
    t->is_brief = gap < t->q;
}

/* Compiled once with each way to list bits, so that it is part of the loop. */
__attribute__((always_inline)) static inline int next(akin_tokenizer *t, akin_spans *spans, akin_bit_lister list)
{
    while (!t->ended) {
        if (t->tokens == AKIN_TOKENS_QGRAMS)
            next_qgrams(t, spans, list);
        else if (t->tokens == AKIN_TOKENS_SHINGLES)
            next_shingles(t, spans);
        else
            next_runs(t, spans, list);
        if (spans->count > 0)
            return 1;
    }
    return 0;
}

#if defined(__x86_64__)
AKIN_BIT_LIST_AVX512 static int next_avx512(akin_tokenizer *t, akin_spans *spans)
{
    return next(t, spans, akin_list_bits_avx512);
}
#endif

static int next_plain(akin_tokenizer *t, akin_spans *spans)
{
    return next(t, spans, akin_list_bits);
}

int akin_tokenizer_next(akin_tokenizer *tokenizer, akin_spans *spans)
{
    static int (*const by_level[])(akin_tokenizer *, akin_spans *) =
        AKIN_CPU_ROW(next_plain, next_plain, next_plain, next_avx512);
    akin_tokenizer *t = tokenizer;
    const int has_tokens = by_level[t->normal.cpu](t, spans);
    if (has_tokens && t->counts && !t->is_counted) {
        t->counts->texts++;
        t->counts->brief += (uint64_t)t->is_brief;
        t->is_counted = 1;
    }
    return has_tokens;
}
