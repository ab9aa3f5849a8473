/* Comparators in the lanes of AVX2: 8 of 32 bits, or 4 of 64. */
#include "strings/lanes.h"

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

#define SPREAD 0

INLINE void spread_symbols(const uint8_t *text, uint32_t length, uint32_t all, uint32_t *out)
{
    for (uint32_t j = 0; j < length; j++)
        out[j] = text[j] * UINT32_C(0x01010101);
    for (uint32_t j = length; j < all; j++)
        out[j] = UINT32_MAX;
}

/* Bytes of a pattern, and which of them count. */
typedef struct loaded_32 {
    __m256i bytes;
    uint32_t there;
} loaded_32;

INLINE loaded_32 load_word_32(const uint8_t *pattern, uint32_t rows)
{
    _Alignas(32) uint8_t bytes[32] = {0};
    memcpy(bytes, pattern, rows);
    return (loaded_32){_mm256_load_si256((const __m256i *)(const void *)bytes),
                       rows < 32 ? (UINT32_C(1) << rows) - 1 : ~UINT32_C(0)};
}

INLINE uint32_t equals_32(const loaded_32 *loaded, uint32_t symbol)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(loaded->bytes, _mm256_set1_epi32((int)symbol))) &
           loaded->there;
}

typedef struct loaded_64 {
    loaded_32 low, high;
} loaded_64;

INLINE loaded_64 load_word_64(const uint8_t *pattern, uint32_t rows)
{
    return (loaded_64){load_word_32(pattern, rows < 32 ? rows : 32),
                       load_word_32(pattern + 32, rows > 32 ? rows - 32 : 0)};
}

INLINE uint64_t equals_64(const loaded_64 *loaded, uint32_t symbol)
{
    return equals_32(&loaded->low, symbol) | (uint64_t)equals_32(&loaded->high, symbol) << 32;
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

#define LEVEL    akin_lanes_avx2
#define NARROW   1
#define LOOKS_UP 0
#include "strings/lanes_level.h"
