/* The sweep of counters in AVX2: 32 objects an instruction, bitmaps spread to bytes. */
#include "search/tally.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

/* Bytes of ones where bits are ones. */
INLINE __m256i spread(uint32_t bits)
{
    const __m256i bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i one = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i all = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), bytes);
    return _mm256_cmpeq_epi8(_mm256_and_si256(all, one), one);
}

TARGET static void sweep(const akin_sweep_job *job)
{
    akin_top *top = job->top;
    __m256i least = _mm256_set1_epi8((char)top->least);
    for (uint32_t i = 0; i < AKIN_RANGE && top->least <= UINT8_MAX; i += 32) {
        __m256i counts = _mm256_load_si256((const __m256i *)(const void *)(job->counters + i));
        for (uint32_t b = 0; b < job->bit_count; b++) {
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
    memset(job->counters, 0, AKIN_RANGE);
}

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
