/* Cuts texts into tokens, a piece at a time. */
#include "text/tokenizer.h"

#include "base/bit_list.h"

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
    if (length == 0)
        spans->count = 0;
}

/* Compiled once with each way to list bits, so that it is part of the loop. */
__attribute__((always_inline)) static inline int next(akin_tokenizer *t, akin_spans *spans, akin_bit_lister list)
{
    while (!t->ended) {
        if (t->qgrams)
            next_qgrams(t, spans, list);
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

int akin_tokenizer_next(akin_tokenizer *tokenizer, akin_spans *spans)
{
#if defined(__x86_64__)
    if (tokenizer->normal.cpu >= AKIN_CPU_AVX512)
        return next_avx512(tokenizer, spans);
#endif
    return next(tokenizer, spans, akin_list_bits);
}
