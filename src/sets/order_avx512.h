/*
 * The ordering of up to 32 tokens in registers of AVX-512, by Batcher's bitonic network: stretches of 2, then 4, 8 and
 * 16 tokens become ascending and descending in turn, each by halving. Behind the tokens there are the largest numbers.
 * order.c includes it.
 */
#include <immintrin.h>

#define NETWORK_MOST 32

#define IN_NETWORK __attribute__((target("avx512f"), always_inline)) static inline

/* The lanes in which the larger of two stays, where lanes `apart` from each other are compared: the upper one of them,
 * or the lower one in every other stretch of `stretch` lanes. */
#define UPPER(apart)           ((apart) == 1 ? 0xaaaa : (apart) == 2 ? 0xcccc : (apart) == 4 ? 0xf0f0 : 0xff00)
#define LARGER(apart, stretch) ((__mmask16)((stretch) == 16 ? UPPER(apart) : UPPER(apart) ^ UPPER(stretch)))
#define STEP(x, other, larger) _mm512_mask_max_epu32(_mm512_min_epu32(x, other), larger, x, other)
#define STEP_1(x, stretch)     STEP(x, _mm512_shuffle_epi32(x, 0xb1), LARGER(1, stretch))
#define STEP_2(x, stretch)     STEP(x, _mm512_shuffle_epi32(x, 0x4e), LARGER(2, stretch))
#define STEP_4(x, stretch)     STEP(x, _mm512_shuffle_i32x4(x, x, 0xb1), LARGER(4, stretch))
#define STEP_8(x)              STEP(x, _mm512_shuffle_i32x4(x, x, 0x4e), LARGER(8, 16))

/* Sixteen lanes that rise and then fall, or the other way round, rise. */
IN_NETWORK __m512i merge_16(__m512i x)
{
    x = STEP_8(x);
    x = STEP_4(x, 16);
    x = STEP_2(x, 16);
    return STEP_1(x, 16);
}

/* The first `count` lanes are in order. */
IN_NETWORK __m512i order_16(__m512i x, uint32_t count)
{
    x = STEP_1(x, 2);
    x = STEP_2(x, 4);
    x = STEP_1(x, 4);
    if (count <= 4)
        return x;
    x = STEP_4(x, 8);
    x = STEP_2(x, 8);
    x = STEP_1(x, 8);
    return count <= 8 ? x : merge_16(x);
}

IN_NETWORK void order_in_network(const uint32_t *from, uint32_t *to, uint32_t count)
{
    const __m512i largest = _mm512_set1_epi32(-1);
    const __mmask16 there = (__mmask16)(count < 16 ? (1u << count) - 1 : 0xffff);
    __m512i low = order_16(_mm512_mask_loadu_epi32(largest, there, from), count);
    if (count > 16) {
        const __m512i falling = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        const __mmask16 others = (__mmask16)((UINT64_C(1) << (count - 16)) - 1);
        __m512i high = order_16(_mm512_mask_loadu_epi32(largest, others, from + 16), 16);
        high = _mm512_permutexvar_epi32(falling, high);
        const __m512i least = _mm512_min_epu32(low, high);
        _mm512_mask_storeu_epi32(to + 16, others, merge_16(_mm512_max_epu32(low, high)));
        low = merge_16(least);
    }
    _mm512_mask_storeu_epi32(to, there, low);
}

/* Few tokens: in the network if they fit, else with vectors of 8. */
IN_NETWORK void order_few_16(const uint32_t *from, uint32_t *to, uint32_t count)
{
    if (count <= NETWORK_MOST)
        order_in_network(from, to, count);
    else
        order_few_8(from, to, count);
}
