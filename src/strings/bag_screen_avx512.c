/* The screen of bags in AVX-512 with VPOPCNTDQ: eight at a time. */
#include "strings/bag_screen.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define LIMIT_LOW                                                                                                      \
    12 /* bits that bags may differ in up to which few are so near each other in their first words alone */

typedef struct broadcast {
    __m512i words[AKIN_BAG_WORDS], limit;
    __m256i head;
    int by_prefix;
} broadcast;

/* In how many bits the bags from place i on differ in one of their words. */
INLINE __m512i apart(const akin_bag_strip *strip, const broadcast *b, uint32_t word, uint32_t i, __mmask8 there)
{
    __m512i words = _mm512_maskz_loadu_epi64(there, strip->bags[word] + i);
    return _mm512_popcnt_epi64(_mm512_xor_si512(words, b->words[word]));
}

/* The same in two of them. */
INLINE __m512i apart_in_two(const akin_bag_strip *strip, const broadcast *b, uint32_t word, uint32_t i, __mmask8 there)
{
    return _mm512_add_epi64(apart(strip, b, word, i, there), apart(strip, b, word + 1, i, there));
}

/* The limits of the eight from place i on, by their prefixes. */
INLINE __m512i limits_of(const akin_bag_strip *strip, const broadcast *b, uint32_t i, __mmask8 there)
{
    if (!b->by_prefix)
        return b->limit;
    __m256i x = _mm256_xor_si256(_mm256_maskz_loadu_epi32(there, strip->heads + i), b->head);
    __m256i prefix = _mm256_srli_epi32(_mm256_lzcnt_epi32(x), 3);
    return _mm512_permutexvar_epi64(_mm512_cvtepu32_epi64(prefix), b->limit);
}

/* Appends the places of those that passed. A whole vector is written, and `passed` grows by the valid ones. */
INLINE uint32_t append(uint32_t *passed, uint32_t count, uint32_t i, __mmask8 mask)
{
    const __m256i eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i places = _mm256_add_epi32(eight, _mm256_set1_epi32((int)i));
    _mm256_storeu_si256((__m256i *)(passed + count), _mm256_maskz_compress_epi32(mask, places));
    return count + (uint32_t)__builtin_popcount(mask);
}

/* Sixteen at a time, as long as all of them are too far apart in the first words: for few the others are looked at.
 * one: the first word alone may decide. */
INLINE uint32_t screen_with(const akin_bag_strip *strip, const broadcast *b, int one, uint32_t *passed)
{
    uint32_t count = 0, i = 0;
    for (; i + 16 <= strip->count; i += 16) {
        __m512i limit[2] = {limits_of(strip, b, i, 0xff), limits_of(strip, b, i + 8, 0xff)};
        __m512i sum[2] = {apart(strip, b, 0, i, 0xff), apart(strip, b, 0, i + 8, 0xff)};
        if (one && !(_mm512_cmple_epi64_mask(sum[0], limit[0]) | _mm512_cmple_epi64_mask(sum[1], limit[1])))
            continue;
        sum[0] = _mm512_add_epi64(sum[0], apart(strip, b, 1, i, 0xff));
        sum[1] = _mm512_add_epi64(sum[1], apart(strip, b, 1, i + 8, 0xff));
        if (!(_mm512_cmple_epi64_mask(sum[0], limit[0]) | _mm512_cmple_epi64_mask(sum[1], limit[1])))
            continue;
        sum[0] = _mm512_add_epi64(sum[0], apart_in_two(strip, b, 2, i, 0xff));
        sum[1] = _mm512_add_epi64(sum[1], apart_in_two(strip, b, 2, i + 8, 0xff));
        count = append(passed, count, i, _mm512_cmple_epi64_mask(sum[0], limit[0]));
        count = append(passed, count, i + 8, _mm512_cmple_epi64_mask(sum[1], limit[1]));
    }
    for (; i < strip->count; i += 8) {
        uint32_t left = strip->count - i;
        __mmask8 there = (__mmask8)(left < 8 ? (1u << left) - 1 : 0xff);
        __m512i sum = _mm512_add_epi64(apart_in_two(strip, b, 0, i, there), apart_in_two(strip, b, 2, i, there));
        count = append(passed, count, i, _mm512_mask_cmple_epi64_mask(there, sum, limits_of(strip, b, i, there)));
    }
    return count;
}

TARGET uint32_t akin_bag_screen_avx512(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed)
{
    broadcast b = {.head = _mm256_set1_epi32((int)query->head)};
    for (uint32_t w = 0; w < AKIN_BAG_WORDS; w++)
        b.words[w] = _mm512_set1_epi64((long long)query->bag.words[w]);
    if (query->by_prefix) {
        b.by_prefix = 1;
        b.limit = _mm512_maskz_loadu_epi64((1u << AKIN_PREFIXES) - 1, query->limit);
        return screen_with(strip, &b, 0, passed);
    }
    b.by_prefix = 0;
    b.limit = _mm512_set1_epi64(query->limit[0]);
    return query->limit[0] <= LIMIT_LOW ? screen_with(strip, &b, 1, passed) : screen_with(strip, &b, 0, passed);
}
