/* Cuts texts into tokens, a piece at a time. */
#include "text/tokenizer.h"

void akin_tokenizer_begin(akin_tokenizer *tokenizer, akin_cpu cpu, akin_account *account,
                          const akin_text_options *options)
{
    akin_normal_begin(&tokenizer->normal, cpu, account, options->tokens, options->fold);
    tokenizer->qgrams = options->tokens == AKIN_TOKENS_QGRAMS;
    tokenizer->q = options->q;
    tokenizer->ended = 1;
}

void akin_tokenizer_clear(akin_tokenizer *tokenizer)
{
    akin_normal_clear(&tokenizer->normal);
}

akin_status akin_tokenizer_take(akin_tokenizer *tokenizer, const char *from, uint64_t length, uint64_t readable)
{
    tokenizer->word = 0;
    tokenizer->carry = 0;
    tokenizer->pending = tokenizer->begun = 0;
    tokenizer->ended = 0;
    return akin_normal_take(&tokenizer->normal, from, length, readable);
}

/* Writes the places of the bits, counted from `base`, behind `count` bounds; the new count. */
static inline uint32_t list_bits(uint32_t *bounds, uint32_t count, uint64_t bits, uint64_t base)
{
    for (; bits != 0; bits &= bits - 1)
        bounds[count++] = (uint32_t)(base + (uint64_t)__builtin_ctzll(bits));
    return count;
}

/* Runs of bits: a bound is where a bit differs from the one before. */
static void next_runs(akin_tokenizer *t, akin_spans *spans)
{
    uint64_t words = (t->normal.length >> 6) + 1; /* the zeros behind the text end its last token */
    uint32_t count = 0;
    if (t->pending) {
        t->bounds[0] = t->bounds[t->begun];
        count = 1;
    }
    for (; t->word < words && count < AKIN_PIECE; t->word++) {
        uint64_t bits = t->normal.inside[t->word];
        count = list_bits(t->bounds, count, bits ^ (bits << 1 | t->carry), t->word << 6);
        t->carry = bits >> 63;
    }
    t->ended = t->word == words;
    t->pending = count & 1;
    t->begun = count & ~1u;
    *spans = (akin_spans){t->normal.text, t->bounds, count / 2, 2, 1};
}

/* Runs of q code points, the last `pending` of those before being the first ones here. */
static void next_qgrams(akin_tokenizer *t, akin_spans *spans)
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
            count = list_bits(t->bounds, count, bits, base);
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
    if (length == 0)
        spans->count = 0;
}

int akin_tokenizer_next(akin_tokenizer *tokenizer, akin_spans *spans)
{
    while (!tokenizer->ended) {
        if (tokenizer->qgrams)
            next_qgrams(tokenizer, spans);
        else
            next_runs(tokenizer, spans);
        if (spans->count > 0)
            return 1;
    }
    return 0;
}
