/* Sums of differences of vectors, at each SIMD level. */
#include "search/apart.h"

#include "base/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536 /* bytes whose sums have 32 bits: 2^16 squares of bytes are below 2^32 */

/* ----------------------------------------------------------------------------------------------------------- scalar */

static inline uint32_t few_bytes(const uint8_t *a, const uint8_t *b, uint32_t count, int squared)
{
    uint32_t sum = 0;
    for (uint32_t d = 0; d < count; d++) {
        const int32_t by = (int32_t)a[d] - (int32_t)b[d];
        sum += (uint32_t)(squared ? by * by : abs(by));
    }
    return sum;
}

static inline double bytes_scalar(const uint8_t *a, const uint8_t *b, uint32_t dimensions, int squared)
{
    uint64_t sum = 0;
    for (uint32_t d = 0, now; d < dimensions; d += now) {
        now = akin_min_u32(BLOCK, dimensions - d);
        sum += few_bytes(a + d, b + d, now, squared);
    }
    return (double)sum;
}

/* Adds the last numbers, fewer than there are sums. */
static inline void few_floats(const float *a, const float *b, uint32_t count, int squared, double *sums)
{
    for (uint32_t d = 0; d < count; d++) {
        const double by = (double)a[d] - (double)b[d];
        sums[d] += squared ? by * by : fabs(by);
    }
}

static inline double floats_scalar(const float *a, const float *b, uint32_t dimensions, int squared)
{
    double sums[AKIN_APART_SUMS] = {0};
    for (uint32_t d = 0; d < dimensions; d += AKIN_APART_SUMS)
        few_floats(a + d, b + d, akin_min_u32(AKIN_APART_SUMS, dimensions - d), squared, sums);
    return akin_apart_add_up(sums);
}

#if defined(__x86_64__)
#include <immintrin.h>

/* ------------------------------------------------------------------------------------------------------------- AVX2 */

#define AVX2        __attribute__((target("avx2")))
#define INLINE_AVX2 AVX2 static inline __attribute__((always_inline))

INLINE_AVX2 __m256i add_bytes_avx2(__m256i sums, __m256i a, __m256i b, int squared)
{
    const __m256i zero = _mm256_setzero_si256();
    if (!squared)
        return _mm256_add_epi32(sums, _mm256_sad_epu8(a, b));
    const __m256i by = _mm256_sub_epi8(_mm256_max_epu8(a, b), _mm256_min_epu8(a, b));
    const __m256i low = _mm256_unpacklo_epi8(by, zero), high = _mm256_unpackhi_epi8(by, zero);
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(low, low));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(high, high));
}

INLINE_AVX2 uint64_t sum_of_avx2(__m256i sums)
{
    uint32_t each[8];
    uint64_t sum = 0;
    _mm256_storeu_si256((__m256i *)each, sums);
    for (int i = 0; i < 8; i++)
        sum += each[i];
    return sum;
}

INLINE_AVX2 double bytes_avx2(const uint8_t *a, const uint8_t *b, uint32_t dimensions, int squared)
{
    uint64_t sum = 0;
    uint32_t d = 0;
    while (dimensions - d >= 32) {
        const uint32_t end = d + akin_min_u32(BLOCK, dimensions - d) / 32 * 32;
        __m256i sums = _mm256_setzero_si256();
        for (; d < end; d += 32)
            sums = add_bytes_avx2(sums, _mm256_loadu_si256((const __m256i *)(a + d)),
                                  _mm256_loadu_si256((const __m256i *)(b + d)), squared);
        sum += sum_of_avx2(sums);
    }
    return (double)(sum + few_bytes(a + d, b + d, dimensions - d, squared));
}

INLINE_AVX2 __m256d add_floats_avx2(__m256d sums, const float *a, const float *b, int squared)
{
    const __m256d by = _mm256_sub_pd(_mm256_cvtps_pd(_mm_loadu_ps(a)), _mm256_cvtps_pd(_mm_loadu_ps(b)));
    return _mm256_add_pd(sums, squared ? _mm256_mul_pd(by, by) : _mm256_andnot_pd(_mm256_set1_pd(-0.0), by));
}

INLINE_AVX2 double floats_avx2(const float *a, const float *b, uint32_t dimensions, int squared)
{
    __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();
    double sums[AKIN_APART_SUMS];
    uint32_t d = 0;
    for (; dimensions - d >= AKIN_APART_SUMS; d += AKIN_APART_SUMS) {
        low = add_floats_avx2(low, a + d, b + d, squared);
        high = add_floats_avx2(high, a + d + 4, b + d + 4, squared);
    }
    _mm256_storeu_pd(sums, low);
    _mm256_storeu_pd(sums + 4, high);
    few_floats(a + d, b + d, dimensions - d, squared, sums);
    return akin_apart_add_up(sums);
}

/* ---------------------------------------------------------------------------------------------------------- AVX-512 */

#define AVX512        __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define INLINE_AVX512 AVX512 static inline __attribute__((always_inline))

INLINE_AVX512 __m512i add_bytes_avx512(__m512i sums, __m512i a, __m512i b, int squared)
{
    const __m512i zero = _mm512_setzero_si512();
    if (!squared)
        return _mm512_add_epi32(sums, _mm512_sad_epu8(a, b));
    const __m512i by = _mm512_sub_epi8(_mm512_max_epu8(a, b), _mm512_min_epu8(a, b));
    const __m512i low = _mm512_unpacklo_epi8(by, zero), high = _mm512_unpackhi_epi8(by, zero);
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(low, low));
    return _mm512_add_epi32(sums, _mm512_madd_epi16(high, high));
}

INLINE_AVX512 uint64_t sum_of_avx512(__m512i sums)
{
    const __m512i wide =
        _mm512_add_epi64(_mm512_and_si512(sums, _mm512_set1_epi64(UINT32_MAX)), _mm512_srli_epi64(sums, 32));
    return (uint64_t)_mm512_reduce_add_epi64(wide);
}

INLINE_AVX512 double bytes_avx512(const uint8_t *a, const uint8_t *b, uint32_t dimensions, int squared)
{
    uint64_t sum = 0;
    uint32_t d = 0;
    while (d < dimensions) {
        const uint32_t end = d + akin_min_u32(BLOCK, dimensions - d);
        __m512i sums = _mm512_setzero_si512();
        for (; end - d >= 64; d += 64)
            sums = add_bytes_avx512(sums, _mm512_loadu_si512(a + d), _mm512_loadu_si512(b + d), squared);
        if (d < end) {
            const __mmask64 rest = ~UINT64_C(0) >> (64 - (end - d));
            sums = add_bytes_avx512(sums, _mm512_maskz_loadu_epi8(rest, a + d), _mm512_maskz_loadu_epi8(rest, b + d),
                                    squared);
            d = end;
        }
        sum += sum_of_avx512(sums);
    }
    return (double)sum;
}

INLINE_AVX512 double floats_avx512(const float *a, const float *b, uint32_t dimensions, int squared)
{
    __m512d all = _mm512_setzero_pd();
    double sums[AKIN_APART_SUMS];
    uint32_t d = 0;
    for (; dimensions - d >= AKIN_APART_SUMS; d += AKIN_APART_SUMS) {
        const __m512d by =
            _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(a + d)), _mm512_cvtps_pd(_mm256_loadu_ps(b + d)));
        all = _mm512_add_pd(all, squared ? _mm512_mul_pd(by, by) : _mm512_abs_pd(by));
    }
    _mm512_storeu_pd(sums, all);
    few_floats(a + d, b + d, dimensions - d, squared, sums);
    return akin_apart_add_up(sums);
}
#elif defined(__aarch64__)
#include "base/neon.h"

/* ------------------------------------------------------------------------------------------------------------- NEON */

AKIN_NEON_INLINE uint32x4_t add_bytes_neon(uint32x4_t sums, uint8x16_t a, uint8x16_t b, int squared)
{
    const uint8x16_t by = vabdq_u8(a, b);
    if (!squared)
        return vpadalq_u16(sums, vpaddlq_u8(by));
    sums = vpadalq_u16(sums, vmull_u8(vget_low_u8(by), vget_low_u8(by)));
    return vpadalq_u16(sums, vmull_high_u8(by, by));
}

AKIN_NEON_INLINE double bytes_neon(const uint8_t *a, const uint8_t *b, uint32_t dimensions, int squared)
{
    uint64_t sum = 0;
    uint32_t d = 0;
    while (dimensions - d >= 32) {
        const uint32_t end = d + akin_min_u32(BLOCK, dimensions - d) / 32 * 32;
        uint32x4_t low = vdupq_n_u32(0), high = low;
        for (; d < end; d += 32) {
            low = add_bytes_neon(low, vld1q_u8(a + d), vld1q_u8(b + d), squared);
            high = add_bytes_neon(high, vld1q_u8(a + d + 16), vld1q_u8(b + d + 16), squared);
        }
        sum += vaddlvq_u32(low) + vaddlvq_u32(high);
    }
    return (double)(sum + few_bytes(a + d, b + d, dimensions - d, squared));
}

AKIN_NEON_INLINE float64x2_t add_floats_neon(float64x2_t sums, float64x2_t a, float64x2_t b, int squared)
{
    const float64x2_t by = vsubq_f64(a, b);
    return vaddq_f64(sums, squared ? vmulq_f64(by, by) : vabsq_f64(by));
}

AKIN_NEON_INLINE double floats_neon(const float *a, const float *b, uint32_t dimensions, int squared)
{
    float64x2_t all[AKIN_APART_SUMS / 2];
    double sums[AKIN_APART_SUMS];
    uint32_t d = 0;
    for (int i = 0; i < AKIN_APART_SUMS / 2; i++)
        all[i] = vdupq_n_f64(0);
    for (; dimensions - d >= AKIN_APART_SUMS; d += AKIN_APART_SUMS)
        for (int i = 0; i < AKIN_APART_SUMS / 2; i += 2) {
            const float32x4_t x = vld1q_f32(a + d + 2 * i), y = vld1q_f32(b + d + 2 * i);
            all[i] = add_floats_neon(all[i], vcvt_f64_f32(vget_low_f32(x)), vcvt_f64_f32(vget_low_f32(y)), squared);
            all[i + 1] = add_floats_neon(all[i + 1], vcvt_high_f64_f32(x), vcvt_high_f64_f32(y), squared);
        }
    for (int i = 0; i < AKIN_APART_SUMS / 2; i++)
        vst1q_f64(sums + 2 * i, all[i]);
    few_floats(a + d, b + d, dimensions - d, squared, sums);
    return akin_apart_add_up(sums);
}
#endif

/* --------------------------------------------------------------------------------------------------------- choosing */

/* TARGET is an attribute, or nothing: NOLINTBEGIN(bugprone-macro-parentheses) */
#define EACH(TARGET, LEVEL)                                                                                            \
    TARGET static double bytes_by_##LEVEL(const void *a, const void *b, uint32_t dimensions)                           \
    {                                                                                                                  \
        return bytes_##LEVEL(a, b, dimensions, 0);                                                                     \
    }                                                                                                                  \
    TARGET static double bytes_squared_##LEVEL(const void *a, const void *b, uint32_t dimensions)                      \
    {                                                                                                                  \
        return bytes_##LEVEL(a, b, dimensions, 1);                                                                     \
    }                                                                                                                  \
    TARGET static double floats_by_##LEVEL(const void *a, const void *b, uint32_t dimensions)                          \
    {                                                                                                                  \
        return floats_##LEVEL(a, b, dimensions, 0);                                                                    \
    }                                                                                                                  \
    TARGET static double floats_squared_##LEVEL(const void *a, const void *b, uint32_t dimensions)                     \
    {                                                                                                                  \
        return floats_##LEVEL(a, b, dimensions, 1);                                                                    \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
EACH(, scalar)
#if defined(__x86_64__)
EACH(AVX2, avx2)
EACH(AVX512, avx512)
#elif defined(__aarch64__)
EACH(, neon)
#endif

akin_apart akin_apart_choose(akin_cpu cpu, akin_apart_numbers numbers, int squared)
{
    static const akin_apart functions[2][2][AKIN_CPU_LEVELS] = {
        {AKIN_CPU_ROW(bytes_by_scalar, bytes_by_neon, bytes_by_avx2, bytes_by_avx512),
         AKIN_CPU_ROW(bytes_squared_scalar, bytes_squared_neon, bytes_squared_avx2, bytes_squared_avx512)},
        {AKIN_CPU_ROW(floats_by_scalar, floats_by_neon, floats_by_avx2, floats_by_avx512),
         AKIN_CPU_ROW(floats_squared_scalar, floats_squared_neon, floats_squared_avx2, floats_squared_avx512)}};
    return functions[numbers][squared != 0][cpu];
}
