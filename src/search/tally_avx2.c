/* What counts enough in a range, in AVX2: 32 objects an instruction. */
#include "search/tally.h"

#include "sets/spread_avx2.h"

__attribute__((target("avx2,bmi,bmi2,popcnt"))) void akin_tally_find_avx2(const akin_tally_job *job, uint32_t first)
{
    akin_top *top = job->top;
    __m256i least = _mm256_set1_epi8((char)top->least);
    for (uint32_t i = 0; i < AKIN_RANGE && top->least <= UINT8_MAX; i += 32) {
        __m256i counts = _mm256_load_si256((const __m256i *)(const void *)(job->counters + i));
        for (uint32_t b = first; b < job->bit_count; b++) {
            uint32_t there;
            memcpy(&there, job->bits[b].cells + i / 16, sizeof there);
            const __m256i weight = _mm256_set1_epi8((char)job->bits[b].weight);
            counts = _mm256_add_epi8(counts, _mm256_and_si256(akin_spread_avx2(there), weight));
        }
        uint32_t found = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(counts, least), counts));
        if (found == 0)
            continue;
        _Alignas(32) uint8_t of[32];
        _mm256_store_si256((__m256i *)(void *)of, counts);
        akin_top_add_found(top, akin_tally_objects(job, i, found), of, job->first + i);
        least = _mm256_set1_epi8((char)top->least);
    }
}
