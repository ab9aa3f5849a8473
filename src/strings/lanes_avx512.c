/* Comparators in the lanes of AVX-512: 16 of 32 bits, or 8 of 64. */
#include "strings/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

typedef uint32_t vector_32 __attribute__((vector_size(64)));
typedef uint64_t vector_64 __attribute__((vector_size(64)));

TARGET static inline vector_32 gather_32(const uint8_t *symbols, vector_32 at)
{
    return (vector_32)_mm512_i32gather_epi32((__m512i)at, symbols, 1);
}

/* A gather reads lane by lane, and takes a few times as long as looking up in registers. */
TARGET static inline vector_32 look_up_32(const uint32_t *table, vector_32 index, int is_frequent)
{
    const __m512i places = (__m512i)index;
    if (!is_frequent)
        return (vector_32)_mm512_i32gather_epi32(places, table, 4);
    __mmask16 low = _mm512_cmplt_epu32_mask(places, _mm512_set1_epi32(32));
    __mmask16 high = _mm512_cmplt_epu32_mask(places, _mm512_set1_epi32(AKIN_LANES_FREQUENT));
    __m512i next =
        _mm512_maskz_permutex2var_epi32(high, _mm512_loadu_si512(table + 32), places, _mm512_loadu_si512(table + 48));
    return (vector_32)_mm512_mask_mov_epi32(
        next, low, _mm512_permutex2var_epi32(_mm512_loadu_si512(table), places, _mm512_loadu_si512(table + 16)));
}

TARGET static inline int any_32(vector_32 mask)
{
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
}

TARGET static inline vector_64 gather_64(const uint8_t *symbols, vector_64 at)
{
    return (vector_64)_mm512_i64gather_epi64((__m512i)at, symbols, 1);
}

TARGET static inline vector_64 look_up_64(const uint64_t *table, vector_64 index, int is_frequent)
{
    (void)is_frequent;
    return (vector_64)_mm512_i64gather_epi64((__m512i)index, table, 8);
}

TARGET static inline int any_64(vector_64 mask)
{
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
}

#define WORD    uint32_t
#define LANES   16
#define NAME(x) x##_32
#include "strings/lanes_body.h"
#undef WORD
#undef LANES
#undef NAME

#define WORD    uint64_t
#define LANES   8
#define NAME(x) x##_64
#include "strings/lanes_body.h"
#undef WORD
#undef LANES
#undef NAME

#define LOOKS_UP 1
#include "strings/lanes_level.h"

const akin_lanes *akin_lanes_avx512(void)
{
    return &lanes;
}
#else
const akin_lanes *akin_lanes_avx512(void)
{
    return NULL;
}
#endif
