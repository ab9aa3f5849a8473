/* Counts of symbols compared in AVX2: a string takes two registers, and four sums of 16 bits each one word. */
#include "strings/counts.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

typedef struct registers {
    __m256i low, high;
} registers;

TARGET static inline registers load(const akin_counts *counts)
{
    const __m256i *words = (const __m256i *)(const void *)counts;
    return (registers){_mm256_loadu_si256(words), _mm256_loadu_si256(words + 1)};
}

/* The sum of the differences of bytes, in four parts: at most 510 together. */
TARGET static inline __m256i parts_of(const akin_counts *counts, registers query)
{
    const registers r = load(counts);
    return _mm256_add_epi64(_mm256_sad_epu8(r.low, query.low), _mm256_sad_epu8(r.high, query.high));
}

TARGET static inline uint64_t sum_of(__m256i parts)
{
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(parts), _mm256_extracti128_si256(parts, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}

TARGET void akin_counts_compare_avx2(const akin_counts *counts, const akin_counts *query, const uint32_t *places,
                                     uint32_t count, uint32_t *apart)
{
    const registers q = load(query);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m256i low = parts_of(&counts[places[i]], q), high = parts_of(&counts[places[i + 2]], q);
        low = _mm256_or_si256(low, _mm256_slli_epi64(parts_of(&counts[places[i + 1]], q), 16));
        high = _mm256_or_si256(high, _mm256_slli_epi64(parts_of(&counts[places[i + 3]], q), 16));
        const uint64_t sums = sum_of(_mm256_or_si256(low, _mm256_slli_epi64(high, 32)));
        _mm_storeu_si128((__m128i *)(void *)(apart + i), _mm_cvtepu16_epi32(_mm_cvtsi64_si128((long long)sums)));
    }
    for (; i < count; i++)
        apart[i] = (uint32_t)sum_of(parts_of(&counts[places[i]], q));
}
