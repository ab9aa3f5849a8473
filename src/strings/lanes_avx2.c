/* Comparators in the lanes of AVX2: 8 of 32 bits, or 4 of 64. */
#include "strings/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

typedef uint32_t vector_32 __attribute__((vector_size(32)));
typedef uint64_t vector_64 __attribute__((vector_size(32)));

TARGET static inline vector_32 gather_32(const uint8_t *symbols, vector_32 at)
{
    return (vector_32)_mm256_i32gather_epi32((const int *)(const void *)symbols, (__m256i)at, 1);
}

TARGET static inline vector_32 look_up_32(const uint32_t *table, vector_32 index, int is_frequent)
{
    (void)is_frequent;
    return (vector_32)_mm256_i32gather_epi32((const int *)table, (__m256i)index, 4);
}

TARGET static inline int any_32(vector_32 mask)
{
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
}

TARGET static inline vector_64 gather_64(const uint8_t *symbols, vector_64 at)
{
    return (vector_64)_mm256_i64gather_epi64((const long long *)(const void *)symbols, (__m256i)at, 1);
}

TARGET static inline vector_64 look_up_64(const uint64_t *table, vector_64 index, int is_frequent)
{
    (void)is_frequent;
    return (vector_64)_mm256_i64gather_epi64((const long long *)table, (__m256i)index, 8);
}

TARGET static inline int any_64(vector_64 mask)
{
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
}

#define WORD    uint32_t
#define LANES   8
#define NAME(x) x##_32
#include "strings/lanes_body.h"
#undef WORD
#undef LANES
#undef NAME

#define WORD    uint64_t
#define LANES   4
#define NAME(x) x##_64
#include "strings/lanes_body.h"
#undef WORD
#undef LANES
#undef NAME

/* Whether lanes of 32 bits have room for the pattern, and for where texts begin. */
static int is_narrow(const akin_lanes_job *job)
{
    return job->length <= 32 && job->at[job->count - 1] - job->at[0] < INT32_MAX - AKIN_LANES_LONGEST;
}

INLINE void edit(const akin_lanes_job *job, int swaps, uint32_t *distances)
{
    if (is_narrow(job))
        edit_32(job, job->places32, swaps, 0, distances);
    else
        edit_64(job, job->places64, swaps, 0, distances);
}

TARGET static void levenshtein(const akin_lanes_job *job, uint32_t *distances)
{
    edit(job, 0, distances);
}

TARGET static void osa(const akin_lanes_job *job, uint32_t *distances)
{
    edit(job, 1, distances);
}

TARGET static void jaro(const akin_lanes_job *job, akin_jaro *matches)
{
    if (is_narrow(job))
        jaro_32(job, job->places32, 0, matches);
    else
        jaro_64(job, job->places64, 0, matches);
}

static const akin_lanes lanes = {levenshtein, osa, jaro};

const akin_lanes *akin_lanes_avx2(void)
{
    return &lanes;
}
#else
const akin_lanes *akin_lanes_avx2(void)
{
    return NULL;
}
#endif
