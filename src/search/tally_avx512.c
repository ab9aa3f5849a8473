/* What counts enough in a range, in AVX-512: 64 objects an instruction. */
#include "search/tally.h"

#include <immintrin.h>

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,popcnt"))) void
akin_tally_find_avx512(const akin_tally_job *job, uint32_t first)
{
    akin_top *top = job->top;
    __m512i least = _mm512_set1_epi8((char)top->least);
    for (uint32_t i = 0; i < AKIN_RANGE && top->least <= UINT8_MAX; i += 64) {
        __m512i counts = _mm512_load_si512(job->counters + i);
        for (uint32_t b = first; b < job->bit_count; b++) {
            __mmask64 there = akin_load_word((const char *)(job->bits[b].cells + i / 16));
            counts = _mm512_mask_add_epi8(counts, there, counts, _mm512_set1_epi8((char)job->bits[b].weight));
        }
        const uint64_t found = _mm512_cmpge_epu8_mask(counts, least);
        if (found == 0)
            continue;
        _Alignas(64) uint8_t of[64];
        _mm512_store_si512(of, counts);
        akin_top_add_found(top, akin_tally_objects(job, i, found), of, job->first + i);
        least = _mm512_set1_epi8((char)top->least);
    }
}
