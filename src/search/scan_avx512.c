/* The scan of columns in AVX-512: 64 objects an instruction, or 32 where codes have 16 bits. */
#include "search/scan.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

INLINE __m512i count_narrow(const akin_scan_job *job, uint32_t i)
{
    __m512i counts = _mm512_setzero_si512();
    for (uint32_t t = 0; t < job->narrow; t++) {
        const akin_scan_test *test = &job->tests[t];
        const __m512i codes = _mm512_loadu_si512(test->codes + i);
        const __m512i above = _mm512_sub_epi8(codes, _mm512_set1_epi8((char)test->low));
        const __mmask64 there = _mm512_cmple_epu8_mask(above, _mm512_set1_epi8((char)test->span));
        counts = _mm512_mask_add_epi8(counts, there, counts, _mm512_set1_epi8((char)test->weight));
    }
    return counts;
}

INLINE __m512i count_wide(const akin_scan_job *job, uint32_t i, __m512i counts)
{
    for (uint32_t t = job->narrow; t < job->count; t++) {
        const akin_scan_test *test = &job->tests[t];
        const uint8_t *codes = test->codes + 2 * (uint64_t)i;
        const __m512i low = _mm512_set1_epi16((short)test->low), span = _mm512_set1_epi16((short)test->span);
        const __mmask32 a = _mm512_cmple_epu16_mask(_mm512_sub_epi16(_mm512_loadu_si512(codes), low), span);
        const __mmask32 b = _mm512_cmple_epu16_mask(_mm512_sub_epi16(_mm512_loadu_si512(codes + 64), low), span);
        counts = _mm512_mask_add_epi8(counts, _mm512_kunpackd(b, a), counts, _mm512_set1_epi8((char)test->weight));
    }
    return counts;
}

INLINE __m512i count_both(const akin_scan_job *job, uint32_t i)
{
    return count_wide(job, i, count_narrow(job, i));
}

TARGET static void find_best(const akin_scan_job *job)
{
    akin_top *top = job->top;
    __m512i least = _mm512_set1_epi8((char)top->least);
    for (uint32_t i = job->first; i < job->end && top->least <= UINT8_MAX; i += 64) {
        const __m512i counts = count_both(job, i);
        uint64_t found = _mm512_cmpge_epu8_mask(counts, least);
        if (job->end - i < 64)
            found = _bzhi_u64(found, job->end - i);
        if (found == 0)
            continue;
        _Alignas(64) uint8_t of[64];
        _mm512_store_si512(of, counts);
        akin_top_add_found(top, found, of, i);
        least = _mm512_set1_epi8((char)top->least);
    }
}

TARGET void akin_scan_avx512(const akin_scan_job *job)
{
    if (job->top) {
        find_best(job);
        return;
    }
    for (uint32_t i = job->first; i < job->end; i += 64)
        _mm512_storeu_si512(job->counts + (i - job->first), count_both(job, i));
}
