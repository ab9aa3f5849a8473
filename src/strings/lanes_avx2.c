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

#define LOOKS_UP 0
#include "strings/lanes_level.h"

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
