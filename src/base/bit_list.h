/* Lists the numbers of the bits that are set in a word, once for each SIMD level that has a way of its own. */
#ifndef AKIN_BASE_BIT_LIST_H
#define AKIN_BASE_BIT_LIST_H

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define AKIN_BIT_LIST_ROOM 64 /* the numbers behind those at hand that a call may overwrite with anything */

/* Writes the numbers of the bits, counted from `base`, behind `count` that are there; the new count. */
typedef uint32_t (*akin_bit_lister)(uint32_t *numbers, uint32_t count, uint64_t bits, uint64_t base);

static inline uint32_t akin_list_bits(uint32_t *numbers, uint32_t count, uint64_t bits, uint64_t base)
{
    for (; bits != 0; bits &= bits - 1)
        numbers[count++] = (uint32_t)(base + (uint64_t)__builtin_ctzll(bits));
    return count;
}

#if defined(__x86_64__)

#define AKIN_BIT_LIST_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt")))

/* 16 at a time, which is mostly all: a loop over the bits ends where no branch predictor knows. */
AKIN_BIT_LIST_AVX512 static inline uint32_t akin_list_bits_avx512(uint32_t *numbers, uint32_t count, uint64_t bits,
                                                                  uint64_t base)
{
    static const unsigned char all[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                          16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                          32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                          48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const uint32_t more = (uint32_t)__builtin_popcountll(bits);
    const __m512i first = _mm512_set1_epi32((int)(uint32_t)base);
    __m512i set = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(all));
    for (uint32_t i = 0; i < more; i += 16) {
        __m512i some = _mm512_add_epi32(first, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(set)));
        _mm512_storeu_si512(numbers + count + i, some);
        set = _mm512_alignr_epi64(set, set, 2);
    }
    return count + more;
}

#endif

#endif
