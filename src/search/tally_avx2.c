/* The sweep of counters in AVX2: 32 objects an instruction, bitmaps spread to bytes. */
#include "search/tally.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET   __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 32
#define VECTOR   __m256i

#define most_of(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))

/* Bytes of ones where bits are ones. */
INLINE __m256i spread(uint32_t bits)
{
    const __m256i bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i one = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i all = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), bytes);
    return _mm256_cmpeq_epi8(_mm256_and_si256(all, one), one);
}

INLINE void add_words(uint8_t *counters, const uint64_t *words, uint32_t apart, uint32_t count, uint32_t weight)
{
    __m256i *halves = (__m256i *)(void *)counters;
    __m256i low = _mm256_load_si256(halves), high = _mm256_load_si256(halves + 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t word = words[(size_t)i * apart];
        const __m256i more = _mm256_set1_epi8((char)(weight << i));
        low = _mm256_add_epi8(low, _mm256_and_si256(spread((uint32_t)word), more));
        high = _mm256_add_epi8(high, _mm256_and_si256(spread((uint32_t)(word >> 32)), more));
    }
    _mm256_store_si256(halves, low);
    _mm256_store_si256(halves + 1, high);
}

TARGET static void find_best(const akin_sweep_job *job, uint32_t rest)
{
    akin_top *top = job->top;
    __m256i least = _mm256_set1_epi8((char)top->least);
    for (uint32_t i = 0; i < AKIN_RANGE && top->least <= UINT8_MAX; i += 32) {
        __m256i counts = _mm256_load_si256((const __m256i *)(const void *)(job->counters + i));
        for (uint32_t b = rest; b < job->bit_count; b++) {
            uint32_t there;
            memcpy(&there, job->bits[b].cells + i / 16, sizeof there);
            const __m256i weight = _mm256_set1_epi8((char)job->bits[b].weight);
            counts = _mm256_add_epi8(counts, _mm256_and_si256(spread(there), weight));
        }
        uint32_t found = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(counts, least), counts));
        if (found == 0)
            continue;
        _Alignas(32) uint8_t of[32];
        _mm256_store_si256((__m256i *)(void *)of, counts);
        akin_top_add_found(top, found, of, job->first + i);
        least = _mm256_set1_epi8((char)top->least);
    }
}

#include "search/tally_body.h"

akin_sweep akin_sweep_avx2(void)
{
    return sweep;
}
#else
akin_sweep akin_sweep_avx2(void)
{
    return NULL;
}
#endif
