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

/* Writes the places of the bits, counted from `base`, behind `count` bounds; the new count. May write anything into the 64 bounds from
 * `count` on. */
typedef uint32_t (*bit_lister)(uint32_t *bounds, uint32_t count, uint64_t bits, uint64_t base);

static inline uint32_t list_bits(uint32_t *bounds, uint32_t count, uint64_t bits, uint64_t base)
{
    for (; bits != 0; bits &= bits - 1)
        bounds[count++] = (uint32_t)(base + (uint64_t)__builtin_ctzll(bits));
    return count;
}

#if defined(__x86_64__)
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt")))

/* 16 at a time, which is mostly all. */
AVX512 static inline uint32_t list_bits_avx512(uint32_t *bounds, uint32_t count, uint64_t bits, uint64_t base)
{
    static const unsigned char numbers[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                              16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                              32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                              48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const uint32_t more = (uint32_t)__builtin_popcountll(bits);
    const __m512i first = _mm512_set1_epi32((int)(uint32_t)base);
    __m512i places = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(numbers));
    for (uint32_t i = 0; i < more; i += 16) {
        __m512i some = _mm512_add_epi32(first, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places)));
        _mm512_storeu_si512(bounds + count + i, some);
        places = _mm512_alignr_epi64(places, places, 2);
    }
    return count + more;
}
#endif

/* Runs of bits: a bound is where a bit differs from the one before. */
__attribute__((always_inline)) static inline void next_runs(akin_tokenizer *t, akin_spans *spans, bit_lister list)
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
__attribute__((always_inline)) static inline void next_qgrams(akin_tokenizer *t, akin_spans *spans, bit_lister list)
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
__attribute__((always_inline)) static inline int next(akin_tokenizer *t, akin_spans *spans, bit_lister list)
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
AVX512 static int next_avx512(akin_tokenizer *t, akin_spans *spans)
{
    return next(t, spans, list_bits_avx512);
}
#endif

int akin_tokenizer_next(akin_tokenizer *tokenizer, akin_spans *spans)
{
#if defined(__x86_64__)
    if (tokenizer->normal.cpu >= AKIN_CPU_AVX512)
        return next_avx512(tokenizer, spans);
#endif
    return next(tokenizer, spans, list_bits);
}
