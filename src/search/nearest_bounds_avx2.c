/* Bounds by bags in AVX2. */
#include "search/nearest_bounds.h"

#include "base/bits.h"

#include <string.h>

#include <immintrin.h>

#define TARGET   __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 32

typedef uint8_t vector_8 __attribute__((vector_size(REGISTER)));

#define least(a, b)    ((vector_8)_mm256_min_epu8((__m256i)(a), (__m256i)(b)))
#define greatest(a, b) ((vector_8)_mm256_max_epu8((__m256i)(a), (__m256i)(b)))
#define bits_8(x)      ((uint64_t)(uint32_t)_mm256_movemask_epi8((__m256i)(x)))

#include "search/nearest_level.h"

TARGET int akin_nearest_screen_avx2(const akin_bags_job *job)
{
    return screen(job);
}
