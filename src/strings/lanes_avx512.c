/* Comparators in the lanes of AVX-512 with VBMI: 16 of 32 bits, or 8 of 64. */
#include "strings/lanes.h"

#include <immintrin.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi,bmi2,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

typedef uint32_t vector_32 __attribute__((vector_size(64)));
typedef uint64_t vector_64 __attribute__((vector_size(64)));

/* The slots of all symbols, 64 in a register. */
typedef struct slot_table {
    __m512i of[4];
} slot_table;

INLINE slot_table load_slots(const uint8_t *slots)
{
    slot_table t;
    for (int i = 0; i < 4; i++)
        t.of[i] = _mm512_loadu_si512(slots + 64 * i);
    return t;
}

INLINE __m512i slots_of(const slot_table *t, __m512i symbols)
{
    __m512i low = _mm512_permutex2var_epi8(t->of[0], symbols, t->of[1]);
    __m512i high = _mm512_permutex2var_epi8(t->of[2], symbols, t->of[3]);
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(symbols), high);
}

/* A table of few slots is in registers, where looking up takes an instruction or three; a gather reads lane by lane. */
typedef struct table_32 {
    slot_table slots;
    __m512i few[2];
    const uint32_t *places;
} table_32;

INLINE table_32 table_of_32(const uint8_t *slots, const uint32_t *places, uint32_t words, int is_few)
{
    table_32 t = {.places = places};
    (void)words;
    if (is_few) {
        t.slots = load_slots(slots);
        for (int i = 0; i < 2; i++)
            t.few[i] = _mm512_loadu_si512(places + 16 * i);
    }
    return t;
}

INLINE vector_32 gather_32(const uint8_t *symbols, vector_32 at)
{
    return (vector_32)_mm512_i32gather_epi32((__m512i)at, symbols, 1);
}

INLINE vector_32 slots_of_32(const table_32 *t, vector_32 symbols, int is_few)
{
    return is_few ? (vector_32)slots_of(&t->slots, (__m512i)symbols) : symbols;
}

INLINE vector_32 look_up_32(const table_32 *t, vector_32 slots, uint32_t w, int is_few)
{
    (void)w;
    if (is_few) /* the lowest five bits count */
        return (vector_32)_mm512_permutex2var_epi32(t->few[0], (__m512i)slots, t->few[1]);
    __m512i index = _mm512_and_si512((__m512i)slots, _mm512_set1_epi32(255));
    return (vector_32)_mm512_i32gather_epi32(index, t->places, 4);
}

INLINE int any_32(vector_32 mask)
{
    return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
}

typedef struct table_64 {
    slot_table slots;
    __m512i few[2][4]; /* of up to two words */
    const uint64_t *places;
} table_64;

INLINE table_64 table_of_64(const uint8_t *slots, const uint64_t *places, uint32_t words, int is_few)
{
    table_64 t = {.places = places};
    if (is_few) {
        t.slots = load_slots(slots);
        for (uint32_t i = 0; i < 4 * words; i++)
            t.few[i / 4][i % 4] = _mm512_loadu_si512(places + 8 * i);
    }
    return t;
}

INLINE vector_64 gather_64(const uint8_t *symbols, vector_64 at)
{
    return (vector_64)_mm512_i64gather_epi64((__m512i)at, symbols, 1);
}

INLINE vector_64 slots_of_64(const table_64 *t, vector_64 symbols, int is_few)
{
    return is_few ? (vector_64)slots_of(&t->slots, (__m512i)symbols) : symbols;
}

INLINE vector_64 look_up_64(const table_64 *t, vector_64 slots, uint32_t w, int is_few)
{
    const __m512i index = (__m512i)slots;
    if (!is_few)
        return (vector_64)_mm512_i64gather_epi64(_mm512_and_si512(index, _mm512_set1_epi64(255)), t->places + 256 * w,
                                                 8);
    __m512i low = _mm512_permutex2var_epi64(t->few[w][0], index, t->few[w][1]); /* the lowest four bits count */
    __m512i high = _mm512_permutex2var_epi64(t->few[w][2], index, t->few[w][3]);
    return (vector_64)_mm512_mask_mov_epi64(low, _mm512_test_epi64_mask(index, _mm512_set1_epi64(16)), high);
}

INLINE int any_64(vector_64 mask)
{
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
}

#define SPREAD 16

INLINE void spread_symbols(const uint8_t *text, uint32_t length, uint32_t all, uint32_t *out)
{
    const __m128i nowhere = _mm_set1_epi8(-1);
    const __m512i four = _mm512_set1_epi32(0x01010101);
    for (uint32_t j = 0; j < all; j += SPREAD) {
        const uint32_t left = length > j ? length - j : 0;
        const __mmask16 there = (__mmask16)(left < SPREAD ? (1u << left) - 1 : 0xffff);
        const __m128i symbols = _mm_mask_loadu_epi8(nowhere, there, text + j);
        _mm512_storeu_si512(out + j, _mm512_mullo_epi32(_mm512_cvtepu8_epi32(symbols), four));
    }
}

/* Bytes of a pattern, and which of them count. */
typedef struct loaded_32 {
    __m256i bytes;
    __mmask32 there;
} loaded_32;

INLINE loaded_32 load_word_32(const uint8_t *pattern, uint32_t rows)
{
    const __mmask32 there = rows < 32 ? (UINT32_C(1) << rows) - 1 : ~UINT32_C(0);
    return (loaded_32){_mm256_maskz_loadu_epi8(there, pattern), there};
}

INLINE uint32_t equals_32(const loaded_32 *loaded, uint32_t symbol)
{
    return _mm256_mask_cmpeq_epi8_mask(loaded->there, loaded->bytes, _mm256_set1_epi32((int)symbol));
}

typedef struct loaded_64 {
    __m512i bytes;
    __mmask64 there;
} loaded_64;

INLINE loaded_64 load_word_64(const uint8_t *pattern, uint32_t rows)
{
    const __mmask64 there = rows < 64 ? (UINT64_C(1) << rows) - 1 : ~UINT64_C(0);
    return (loaded_64){_mm512_maskz_loadu_epi8(there, pattern), there};
}

INLINE uint64_t equals_64(const loaded_64 *loaded, uint32_t symbol)
{
    return _mm512_mask_cmpeq_epi8_mask(loaded->there, loaded->bytes, _mm512_set1_epi32((int)symbol));
}

#define TERNARY(a, b, c, table) _mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table)

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

#define LEVEL    akin_lanes_avx512
#define NARROW   1
#define LOOKS_UP 1
#define JARO     akin_lanes_jaro_avx512
#define PAIRS    akin_lanes_short_avx512
#include "strings/lanes_level.h"
