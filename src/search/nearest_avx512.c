/* Bounds of nearest strings in AVX-512. */
#include "search/nearest_lanes.h"

#include "base/bits.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi,bmi2,popcnt")))
#define INLINE   TARGET static inline __attribute__((always_inline))
#define REGISTER 64

typedef uint8_t vector_8 __attribute__((vector_size(REGISTER)));
typedef uint32_t vector_32 __attribute__((vector_size(REGISTER)));
typedef uint64_t vector_64 __attribute__((vector_size(REGISTER)));

#define or_but(a, b, c) ((VECTOR)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), 0xf4))
#define least(a, b)     ((vector_8)_mm512_min_epu8((__m512i)(a), (__m512i)(b)))
#define greatest(a, b)  ((vector_8)_mm512_max_epu8((__m512i)(a), (__m512i)(b)))
#define popcounts_32(x) ((vector_32)_mm512_popcnt_epi32((__m512i)(x)))
#define popcounts_64(x) ((vector_64)_mm512_popcnt_epi64((__m512i)(x)))
#define bits_8(x)       ((uint64_t)_mm512_movepi8_mask((__m512i)(x)))

INLINE uint64_t within_32(vector_32 a, vector_32 b, vector_32 c, vector_32 d)
{
    const __mmask16 mask = _mm512_cmple_epu32_mask((__m512i)a, (__m512i)b);
    return _mm512_mask_cmple_epu32_mask(mask, (__m512i)c, (__m512i)d);
}

INLINE uint64_t within_64(vector_64 a, vector_64 b, vector_64 c, vector_64 d)
{
    const __mmask8 mask = _mm512_cmple_epu64_mask((__m512i)a, (__m512i)b);
    return _mm512_mask_cmple_epu64_mask(mask, (__m512i)c, (__m512i)d);
}

#include "search/nearest_level.h"

const akin_nearest_level *akin_nearest_avx512(void)
{
    return &level;
}
#else
const akin_nearest_level *akin_nearest_avx512(void)
{
    return NULL;
}
#endif
