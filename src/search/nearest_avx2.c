/* Bounds of nearest strings in AVX2. */
#include "search/nearest_lanes.h"

#include "base/bits.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET   __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 32

typedef uint8_t vector_8 __attribute__((vector_size(REGISTER)));
typedef uint32_t vector_32 __attribute__((vector_size(REGISTER)));
typedef uint64_t vector_64 __attribute__((vector_size(REGISTER)));

#define or_but(a, b, c) ((a) | ((b) & ~(c)))
#define least(a, b)     ((vector_8)_mm256_min_epu8((__m256i)(a), (__m256i)(b)))
#define greatest(a, b)  ((vector_8)_mm256_max_epu8((__m256i)(a), (__m256i)(b)))
#define bits_8(x)       ((uint64_t)(uint32_t)_mm256_movemask_epi8((__m256i)(x)))

/* The bits of each byte: of 4 at a time, by a table. */
INLINE __m256i popcounts_8(__m256i x)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
}

INLINE vector_32 popcounts_32(vector_32 x)
{
    const __m256i pairs = _mm256_maddubs_epi16(popcounts_8((__m256i)x), _mm256_set1_epi8(1));
    return (vector_32)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

INLINE vector_64 popcounts_64(vector_64 x)
{
    return (vector_64)_mm256_sad_epu8(popcounts_8((__m256i)x), _mm256_setzero_si256());
}

INLINE uint64_t within_32(vector_32 a, vector_32 b, vector_32 c, vector_32 d)
{
    return (uint64_t)(uint32_t)_mm256_movemask_ps((__m256)((a <= b) & (c <= d)));
}

INLINE uint64_t within_64(vector_64 a, vector_64 b, vector_64 c, vector_64 d)
{
    return (uint64_t)(uint32_t)_mm256_movemask_pd((__m256d)((a <= b) & (c <= d)));
}

#include "search/nearest_level.h"

const akin_nearest_level *akin_nearest_avx2(void)
{
    return &level;
}
#else
const akin_nearest_level *akin_nearest_avx2(void)
{
    return NULL;
}
#endif
