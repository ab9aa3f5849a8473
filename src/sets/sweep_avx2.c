/* Sweeps over counters in AVX2: 32 places an instruction, bitmaps spread to bytes. */
#include "sets/sweep.h"

#include "base/bits.h"
#include "sets/spread_avx2.h"

#define TARGET   __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 32
#define VECTOR   __m256i

#define most_of(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))

INLINE void add_words(uint8_t *counters, const uint64_t *words, uint32_t apart, uint32_t count, uint32_t weight)
{
    __m256i *halves = (__m256i *)(void *)counters;
    __m256i low = _mm256_load_si256(halves), high = _mm256_load_si256(halves + 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t word = words[(size_t)i * apart];
        const __m256i more = _mm256_set1_epi8((char)(weight << i));
        low = _mm256_add_epi8(low, _mm256_and_si256(akin_spread_avx2((uint32_t)word), more));
        high = _mm256_add_epi8(high, _mm256_and_si256(akin_spread_avx2((uint32_t)(word >> 32)), more));
    }
    _mm256_store_si256(halves, low);
    _mm256_store_si256(halves + 1, high);
}

TARGET static uint32_t find(const uint8_t *counters, uint32_t places, uint32_t least, uint16_t *found)
{
    const __m256i bar = _mm256_set1_epi8((char)least);
    uint32_t count = 0, i = 0;
    for (; i + 32 <= places; i += 32) {
        const __m256i counts = _mm256_loadu_si256((const __m256i *)(const void *)(counters + i));
        uint32_t most = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(counts, bar), counts));
        for (; most; most &= most - 1)
            found[count++] = (uint16_t)(i + (uint32_t)__builtin_ctz(most));
    }
    for (; i < places; i++)
        if (counters[i] >= least)
            found[count++] = (uint16_t)i;
    return count;
}

#include "sets/sweep_body.h"

const akin_sweep akin_sweep_avx2 = {add, add_groups, find};
