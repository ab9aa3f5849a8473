/* Comparators in the lanes of NEON: two of 64 bits, which load word by word, as there are no gathers. Short patterns
 * have sixteen lanes: lanes_one_neon.c and, in pairs, lanes_short_neon.c. */
#include "base/neon.h"
#include "strings/lanes.h"

#include <string.h>

#define TARGET
#define INLINE AKIN_NEON_INLINE

typedef uint64_t vector_64 __attribute__((vector_size(16)));

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
    uint64_t words[2];
    memcpy(&words[0], symbols + at[0], sizeof words[0]);
    memcpy(&words[1], symbols + at[1], sizeof words[1]);
    return (vector_64){words[0], words[1]};
}

INLINE vector_64 slots_of_64(const table_64 *t, vector_64 symbols, int is_few)
{
    (void)t, (void)is_few;
    return symbols;
}

INLINE vector_64 look_up_64(const table_64 *t, vector_64 slots, uint32_t w, int is_few)
{
    const uint64_t *places = t->places + (size_t)256 * w;
    const uint8x16_t bytes = (uint8x16_t)slots;
    (void)is_few;
    return (vector_64){places[bytes[0]], places[bytes[8]]};
}

INLINE int any_64(vector_64 mask)
{
    return vmaxvq_u32((uint32x4_t)mask) != 0;
}

#define SPREAD 0

/* The first byte of a word is enough: a load takes it into all of a register. */
INLINE void spread_symbols(const uint8_t *text, uint32_t length, uint32_t all, uint32_t *out)
{
    for (uint32_t j = 0; j < length; j++)
        out[j] = text[j];
    for (uint32_t j = length; j < all; j++)
        out[j] = UINT8_MAX;
}

/* Rows k, k + 4, k + 8 .. of a word in register k, and the bits of those that are there. */
typedef struct loaded_64 {
    uint8x16x4_t rows;
    uint64_t there;
} loaded_64;

INLINE loaded_64 load_word_64(const uint8_t *pattern, uint32_t rows)
{
    uint8_t bytes[64] = {0};
    memcpy(bytes, pattern, rows);
    return (loaded_64){vld4q_u8(bytes), rows > 0 ? ~UINT64_C(0) >> (64 - rows) : 0};
}

/* Bits 4 to 7 of byte i become bit i % 4 of each of four rows; then neighbours share a byte. */
INLINE uint64_t equals_64(const loaded_64 *loaded, uint32_t symbol)
{
    const uint8x16_t all = vdupq_n_u8((uint8_t)symbol);
    uint8x16_t is[4];
    for (int k = 0; k < 4; k++)
        is[k] = vceqq_u8(loaded->rows.val[k], all);
    const uint8x16_t low = vsriq_n_u8(is[1], is[0], 1), high = vsriq_n_u8(is[3], is[2], 1);
    const uint8x16_t four = vsriq_n_u8(high, low, 2), twice = vsriq_n_u8(four, four, 4);
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(twice), 4)), 0) & loaded->there;
}

#define WORD    uint64_t
#define LANES   2
#define NAME(x) x##_64
#include "strings/lanes_body.h"
#undef WORD
#undef LANES
#undef NAME

#define LEVEL    akin_lanes_neon
#define NARROW   0
#define LOOKS_UP 0
#define ONE      akin_lanes_one_neon
#define PAIRS    akin_lanes_short_neon
#include "strings/lanes_level.h"
