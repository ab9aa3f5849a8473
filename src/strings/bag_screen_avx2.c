/* The screen of bags in AVX2: four at a time, bits counted by looking up half bytes. */
#include "strings/bag_screen.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

INLINE __m256i counts_of_bytes(__m256i x)
{
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1,
                                            2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15);
    return _mm256_add_epi8(_mm256_shuffle_epi8(counts, _mm256_and_si256(x, half)),
                           _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi32(x, 4), half)));
}

/* In how many bits the four bags from place i on differ in two of their words. */
INLINE __m256i apart(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t i, uint32_t word)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)(strip->bags[word] + i));
    __m256i b = _mm256_loadu_si256((const __m256i *)(strip->bags[word + 1] + i));
    a = _mm256_xor_si256(a, _mm256_set1_epi64x((long long)query->bag.words[word]));
    b = _mm256_xor_si256(b, _mm256_set1_epi64x((long long)query->bag.words[word + 1]));
    return _mm256_sad_epu8(_mm256_add_epi8(counts_of_bytes(a), counts_of_bytes(b)), _mm256_setzero_si256());
}

INLINE unsigned mask_of(__m256i bound, __m256i distance)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(bound, distance)));
}

/* The limit for each of four heads: its place among the limits is the number of bytes, from the highest, that agree. */
INLINE __m256i limits_of(const uint32_t *heads, const akin_bag_query *query, __m256i limits)
{
    __m256i x = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)heads));
    const __m256i zero = _mm256_setzero_si256();
    x = _mm256_xor_si256(x, _mm256_set1_epi64x((long long)query->head));
    __m256i prefix = zero;
    for (int bits = 24; bits >= 0; bits -= 8)
        prefix = _mm256_sub_epi64(prefix, _mm256_cmpeq_epi64(_mm256_srli_epi64(x, bits), zero));
    /* the upper half of each lane looks up place 7, which is 0 */
    __m256i place = _mm256_or_si256(prefix, _mm256_slli_epi64(_mm256_set1_epi64x(7), 32));
    return _mm256_permutevar8x32_epi32(limits, place);
}

TARGET uint32_t akin_bag_screen_avx2(const akin_bag_strip *strip, const akin_bag_query *query, uint32_t *passed)
{
    const int64_t *l = query->limit;
    /* limits of -1 come out as 2^32 - 1, so they are raised by one, and compared with "less" */
    const __m256i limits =
        _mm256_setr_epi32((int)(l[0] + 1), (int)(l[1] + 1), (int)(l[2] + 1), (int)(l[3] + 1), (int)(l[4] + 1), 0, 0, 0);
    const __m256i first = _mm256_set1_epi64x(l[0] + 1);
    uint32_t count = 0, i = 0;
    for (; i + 4 <= strip->count; i += 4) {
        __m256i bound = query->by_prefix ? limits_of(strip->heads + i, query, limits) : first;
        __m256i distance = apart(strip, query, i, 0);
        if (!mask_of(bound, distance))
            continue;
        unsigned mask = mask_of(bound, _mm256_add_epi64(distance, apart(strip, query, i, 2)));
        for (; mask; mask &= mask - 1)
            passed[count++] = i + (uint32_t)__builtin_ctz(mask);
    }
    for (; i < strip->count; i++) {
        passed[count] = i;
        count += (uint32_t)akin_bag_passes(strip, query, i);
    }
    return count;
}
