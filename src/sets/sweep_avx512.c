/* Sweeps over counters in AVX-512: 64 places an instruction, and bitmaps as masks of an addition. */
#include "sets/sweep.h"

#include "base/bits.h"
#include <immintrin.h>

#define TARGET   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 64
#define VECTOR   __m512i

#define most_of(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xe8)

INLINE void add_words(uint8_t *counters, const uint64_t *words, uint32_t apart, uint32_t count, uint32_t weight)
{
    __m512i counts = _mm512_load_si512(counters);
    for (uint32_t i = 0; i < count; i++)
        counts = _mm512_mask_add_epi8(counts, words[(size_t)i * apart], counts, _mm512_set1_epi8((char)(weight << i)));
    _mm512_store_si512(counters, counts);
}

TARGET static uint32_t find(const uint8_t *counters, uint32_t places, uint32_t least, uint16_t *found)
{
    const __m512i bar = _mm512_set1_epi8((char)least);
    uint32_t count = 0;
    for (uint32_t i = 0; i < places; i += 64) {
        const __mmask64 there = places - i < 64 ? (UINT64_C(1) << (places - i)) - 1 : UINT64_MAX;
        const __m512i counts = _mm512_maskz_loadu_epi8(there, counters + i);
        for (uint64_t most = _mm512_cmpge_epu8_mask(counts, bar); most; most &= most - 1)
            found[count++] = (uint16_t)(i + (uint32_t)__builtin_ctzll(most));
    }
    return count;
}

#include "sets/sweep_body.h"

const akin_sweep akin_sweep_avx512 = {add, add_groups, find};
