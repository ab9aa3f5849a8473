/*
 * Pairs of strings in NEON, sixteen side by side, each with a pattern of its own of up to 64 symbols.
 *
 *     symbols    eight of each text are loaded and turned: a register has one symbol of each text
 *     patterns   are turned, too: register k has the symbols of rows k, k + 8, k + 16 .. of some patterns
 *     places     a symbol is compared with eight registers; bit k of each byte is taken from register k
 */
#include "strings/lanes_sixteen_neon.h"

#define BYTE 8 /* bits */

typedef struct source {
    const akin_lanes_pair *pairs[LANES];
    uint8x16_t patterns[MOST][BYTE]; /* of the lanes of each register */
    uint8x16_t rows[MOST];           /* the bits of lanes that have a row */
} source;

/* The next symbols of a text, or a copy of those before its end. */
INLINE const uint8_t *symbols_at(const akin_lanes_pair *pair, uint32_t begin, uint8_t copy[STEP])
{
    if (begin + STEP <= pair->length)
        return pair->text + begin;
    for (uint32_t j = begin; j < pair->length; j++)
        copy[j - begin] = pair->text[j];
    return copy;
}

/* Which lane each byte of register i belongs to. */
INLINE uint8x16_t lanes_of(uint32_t i, uint32_t bytes)
{
    static const uint8_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8x16_t bytes_before = vaddq_u8(vld1q_u8(all), vdupq_n_u8((uint8_t)(i * LANES)));
    return bytes == 2   ? vshrq_n_u8(bytes_before, 1)
           : bytes == 4 ? vshrq_n_u8(bytes_before, 2)
                        : vshrq_n_u8(bytes_before, 3);
}

/* The places of symbols in the patterns of register i. */
INLINE uint8x16_t compare_symbols(const source *s, uint8x16_t symbols, uint32_t i, uint32_t bytes)
{
    const uint8x16_t own = vqtbl1q_u8(symbols, lanes_of(i, bytes));
    uint8x16_t is[BYTE];
#pragma GCC unroll 8
    for (uint32_t k = 0; k < BYTE; k++)
        is[k] = vceqq_u8(s->patterns[i][k], own);
    for (uint32_t k = 0; k < BYTE; k += 2)
        is[k] = vsliq_n_u8(is[k], is[k + 1], 1);
    for (uint32_t k = 0; k < BYTE; k += 4)
        is[k] = vsliq_n_u8(is[k], is[k + 2], 2);
    return vandq_u8(vsliq_n_u8(is[0], is[4], 4), s->rows[i]);
}

INLINE void list_places(const source *s, uint32_t begin, uint32_t end, uint32_t bytes, uint8x16_t *places)
{
    uint8_t copies[LANES][STEP] = {{0}};
    uint8x16_t symbols[STEP];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < STEP; i++)
        symbols[i] = vcombine_u8(vld1_u8(symbols_at(s->pairs[i], begin, copies[i])),
                                 vld1_u8(symbols_at(s->pairs[i + STEP], begin, copies[i + STEP])));
    turn(symbols);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < bytes; i++)
        for (uint32_t j = begin; j < end; j++)
            places[(j - begin) * bytes + i] = compare_symbols(s, symbols[j - begin], i, bytes);
}

#include "strings/lanes_sixteen_neon_body.h"

/* Turns the patterns, each of as many bytes as a lane has bits. */
INLINE void turn_patterns(const uint8_t *patterns, uint32_t bytes, source *s)
{
    for (uint32_t i = 0; i < bytes; i++, patterns += LANES * BYTE) {
        for (uint32_t k = 0; k < BYTE; k++)
            s->patterns[i][k] = vcombine_u8(vld1_u8(patterns + k * BYTE), vld1_u8(patterns + (k + LANES / 2) * BYTE));
        turn(s->patterns[i]);
    }
}

INLINE void take_pairs(const akin_lanes_pairs *pairs, uint32_t first, uint32_t bytes, int is_jaro, source *s, group *g)
{
    const uint32_t bits = bytes * BYTE;
    uint8_t patterns[LANES * MOST * BYTE];
    uint64_t rows[LANES];
    memset(patterns, 0, LANES * bits);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const akin_lanes_pair *pair = akin_lanes_pair_at(pairs, first + lane);
        const uint32_t before = is_jaro ? 0 : bits - pair->rows;
        s->pairs[lane] = pair;
        g->length[lane] = pair->length;
        g->rows[lane] = pair->rows;
        g->bound[lane] = pairs->bound ? akin_lanes_bound_at(pairs, first + lane) : is_jaro ? 0 : INT16_MAX;
        rows[lane] = ~UINT64_C(0) >> (64 - pair->rows) << before;
        memcpy(patterns + lane * bits + before, pair->pattern, pair->rows);
    }
    load_lanes(rows, bytes, s->rows);
    turn_patterns(patterns, bytes, s);
}

INLINE void compare(const akin_lanes_pairs *pairs, uint32_t bytes, int is_jaro, int swaps, void *results)
{
    for (uint32_t first = 0; first < pairs->count; first += LANES) {
        source s;
        group g;
        take_pairs(pairs, first, bytes, is_jaro, &s, &g);
        if (is_jaro)
            compare_matches(&s, &g, bytes, pairs->room, (akin_jaro *)results + first);
        else
            compare_edits(&s, &g, bytes, swaps, (uint32_t *)results + first);
    }
}

/* One function for each number of bytes. */
#define COMPARE(bytes)                                                                                                 \
    static void compare_##bytes(const akin_lanes_pairs *pairs, int is_jaro, int swaps, void *results)                  \
    {                                                                                                                  \
        if (is_jaro)                                                                                                   \
            compare(pairs, bytes, 1, 0, results);                                                                      \
        else if (swaps)                                                                                                \
            compare(pairs, bytes, 0, 1, results);                                                                      \
        else                                                                                                           \
            compare(pairs, bytes, 0, 0, results);                                                                      \
    }

COMPARE(2)
COMPARE(4)
COMPARE(8)

int akin_lanes_short_neon(const akin_lanes_pairs *pairs, int is_jaro, int swaps, void *results)
{
    if (pairs->rows > MOST * BYTE)
        return 0;
    (pairs->rows <= 16 ? compare_2 : pairs->rows <= 32 ? compare_4 : compare_8)(pairs, is_jaro, swaps, results);
    return 1;
}
