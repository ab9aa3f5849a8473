/* Bits of a word as bytes, in AVX2. */
#ifndef AKIN_SETS_SPREAD_AVX2_H
#define AKIN_SETS_SPREAD_AVX2_H

#include <immintrin.h>
#include <stdint.h>

/* Bytes of ones where bits are ones. */
__attribute__((target("avx2"), always_inline)) static inline __m256i akin_spread_avx2(uint32_t bits)
{
    const __m256i bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i one = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i all = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), bytes);
    return _mm256_cmpeq_epi8(_mm256_and_si256(all, one), one);
}

#endif
