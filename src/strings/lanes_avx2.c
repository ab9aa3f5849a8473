/* Comparators in the lanes of AVX2: 8 of 32 bits, or 4 of 64. */
#include "strings/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

typedef uint32_t vector_32 __attribute__((vector_size(32)));
typedef uint64_t vector_64 __attribute__((vector_size(32)));

typedef struct table_32 {
    const uint32_t *places;
} table_32;

INLINE table_32 table_of_32(const uint8_t *slots, const uint32_t *places, uint32_t words, int is_few)
{
    (void)slots, (void)words, (void)is_few;
    return (table_32){places};
}

INLINE vector_32 gather_32(const uint8_t *symbols, vector_32 at)
{
    return (vector_32)_mm256_i32gather_epi32((const int *)(const void *)symbols, (__m256i)at, 1);
}

INLINE vector_32 slots_of_32(const table_32 *t, vector_32 symbols, int is_few)
{
    (void)t, (void)is_few;
    return symbols;
}

INLINE vector_32 look_up_32(const table_32 *t, vector_32 slots, uint32_t w, int is_few)
{
    __m256i index = _mm256_and_si256((__m256i)slots, _mm256_set1_epi32(255));
    (void)w, (void)is_few;
    return (vector_32)_mm256_i32gather_epi32((const int *)t->places, index, 4);
}

INLINE int any_32(vector_32 mask)
{
    return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
}

typedef struct table_64 {
    const uint64_t *places;
} table_64;

INLINE table_64 table_of_64(const uint8_t *slots, const uint64_t *places, uint32_t words, int is_few)
{
    (void)slots, (void)words, (void)is_few;
    return (table_64){places};
}

INLINE vector_64 gather_64(const uint8_t *symbols, vector_64 at)
{
    return (vector_64)_mm256_i64gather_epi64((const long long *)(const void *)symbols, (__m256i)at, 1);
}

INLINE vector_64 slots_of_64(const table_64 *t, vector_64 symbols, int is_few)
{
    (void)t, (void)is_few;
    return symbols;
}

INLINE vector_64 look_up_64(const table_64 *t, vector_64 slots, uint32_t w, int is_few)
{
    __m256i index = _mm256_and_si256((__m256i)slots, _mm256_set1_epi64x(255));
    (void)is_few;
    return (vector_64)_mm256_i64gather_epi64((const long long *)t->places + 256 * w, index, 8);
}

INLINE int any_64(vector_64 mask)
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
