/* Counts of symbols compared in AVX-512: a string takes one register, and four sums of 16 bits each one word. */
#include "strings/counts.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

/* The sum of the differences of bytes, in eight parts: at most 510 together. */
TARGET static inline __m512i parts_of(const akin_counts *counts, __m512i query)
{
    return _mm512_sad_epu8(_mm512_loadu_si512(counts), query);
}

TARGET void akin_counts_compare_avx512(const akin_counts *counts, const akin_counts *query, const uint32_t *places,
                                       uint32_t count, uint32_t *apart)
{
    const __m512i q = _mm512_loadu_si512(query);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m512i low = parts_of(&counts[places[i]], q), high = parts_of(&counts[places[i + 2]], q);
        low = _mm512_or_si512(low, _mm512_slli_epi64(parts_of(&counts[places[i + 1]], q), 16));
        high = _mm512_or_si512(high, _mm512_slli_epi64(parts_of(&counts[places[i + 3]], q), 16));
        const long long sums = _mm512_reduce_add_epi64(_mm512_or_si512(low, _mm512_slli_epi64(high, 32)));
        _mm_storeu_si128((__m128i *)(void *)(apart + i), _mm_cvtepu16_epi32(_mm_cvtsi64_si128(sums)));
    }
    for (; i < count; i++)
        apart[i] = (uint32_t)_mm512_reduce_add_epi64(parts_of(&counts[places[i]], q));
}
