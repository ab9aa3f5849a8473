/* The sweep of counters in AVX-512: 64 objects an instruction, and bitmaps as masks of an addition. */
#include "search/tally.h"

#if defined(__x86_64__)
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

TARGET static void find_best(const akin_sweep_job *job, uint32_t rest)
{
    akin_top *top = job->top;
    __m512i least = _mm512_set1_epi8((char)top->least);
    for (uint32_t i = 0; i < AKIN_RANGE && top->least <= UINT8_MAX; i += 64) {
        __m512i counts = _mm512_load_si512(job->counters + i);
        for (uint32_t b = rest; b < job->bit_count; b++) {
            __mmask64 there = akin_load_word((const char *)(job->bits[b].cells + i / 16));
            counts = _mm512_mask_add_epi8(counts, there, counts, _mm512_set1_epi8((char)job->bits[b].weight));
        }
        uint64_t found = _mm512_cmpge_epu8_mask(counts, least);
        if (found == 0)
            continue;
        _Alignas(64) uint8_t of[64];
        _mm512_store_si512(of, counts);
        akin_top_add_found(top, found, of, job->first + i);
        least = _mm512_set1_epi8((char)top->least);
    }
}

#include "search/tally_body.h"

akin_sweep akin_sweep_avx512(void)
{
    return sweep;
}
#else
akin_sweep akin_sweep_avx512(void)
{
    return NULL;
}
#endif
