/* Bounds by bags in AVX-512. */
#include "search/nearest_bounds.h"

#include "base/bits.h"

#include <string.h>

#include <immintrin.h>

#define TARGET   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 64

typedef uint8_t vector_8 __attribute__((vector_size(REGISTER)));

#define least(a, b)    ((vector_8)_mm512_min_epu8((__m512i)(a), (__m512i)(b)))
#define greatest(a, b) ((vector_8)_mm512_max_epu8((__m512i)(a), (__m512i)(b)))
#define bits_8(x)      ((uint64_t)_mm512_movepi8_mask((__m512i)(x)))

#include "search/nearest_level.h"

TARGET int akin_nearest_screen_avx512(const akin_bags_job *job)
{
    return screen(job);
}
