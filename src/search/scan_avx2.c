/* The scan of columns in AVX2: 32 objects an instruction, or 16 where codes have 16 bits. */
#include "search/scan.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

INLINE __m256i load(const uint8_t *bytes)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

INLINE __m256i count_narrow(const akin_scan_job *job, uint32_t i)
{
    __m256i counts = _mm256_setzero_si256();
    for (uint32_t t = 0; t < job->narrow; t++) {
        const akin_scan_test *test = &job->tests[t];
        const __m256i above = _mm256_sub_epi8(load(test->codes + i), _mm256_set1_epi8((char)test->low));
        const __m256i there = _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8((char)test->span)), above);
        counts = _mm256_add_epi8(counts, _mm256_and_si256(there, _mm256_set1_epi8((char)test->weight)));
    }
    return counts;
}

INLINE __m256i contained(const uint8_t *codes, const akin_scan_test *test)
{
    const __m256i above = _mm256_sub_epi16(load(codes), _mm256_set1_epi16((short)test->low));
    return _mm256_cmpeq_epi16(_mm256_min_epu16(above, _mm256_set1_epi16((short)test->span)), above);
}

INLINE __m256i count_wide(const akin_scan_job *job, uint32_t i, __m256i counts)
{
    for (uint32_t t = job->narrow; t < job->count; t++) {
        const akin_scan_test *test = &job->tests[t];
        const uint8_t *codes = test->codes + 2 * (uint64_t)i;
        __m256i there = _mm256_packs_epi16(contained(codes, test), contained(codes + 32, test));
        there = _mm256_permute4x64_epi64(there, 0xd8);
        counts = _mm256_add_epi8(counts, _mm256_and_si256(there, _mm256_set1_epi8((char)test->weight)));
    }
    return counts;
}

INLINE __m256i count_both(const akin_scan_job *job, uint32_t i)
{
    return count_wide(job, i, count_narrow(job, i));
}

TARGET static void find_best(const akin_scan_job *job)
{
    akin_top *top = job->top;
    __m256i least = _mm256_set1_epi8((char)top->least);
    for (uint32_t i = job->first; i < job->end && top->least <= UINT8_MAX; i += 32) {
        const __m256i counts = count_both(job, i);
        uint32_t found = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(counts, least), counts));
        if (job->end - i < 32)
            found = _bzhi_u32(found, job->end - i);
        if (found == 0)
            continue;
        _Alignas(32) uint8_t of[32];
        _mm256_store_si256((__m256i *)(void *)of, counts);
        akin_top_add_found(top, found, of, i);
        least = _mm256_set1_epi8((char)top->least);
    }
}

TARGET void akin_scan_avx2(const akin_scan_job *job)
{
    if (job->top) {
        find_best(job);
        return;
    }
    for (uint32_t i = job->first; i < job->end; i += 32)
        _mm256_storeu_si256((__m256i *)(void *)(job->counts + (i - job->first)), count_both(job, i));
}
