/*
 * Sixteen texts side by side in NEON, a lane of 2, 4 or 8 bytes for each: to be included by a file that has included
 * lanes_sixteen_neon.h, and defined the type `source` and
 *
 *     list_places(source, begin, end, bytes, places)    where symbols `begin` to end - 1, at most STEP, of each text
 *                                                       stand in its pattern: `bytes` registers for each symbol, which
 *                                                       may be anything for texts that have ended
 *
 * For matches the pattern begins with the lowest bit of a lane. For edits it ends with the highest one. The rows before
 * it are one more than the column before, as row 0 is, in each column. So the bits of the last column give the distance
 *
 *     distance = symbols of the text + rows that are one more - rows that are one less than the row above
 */
#include "base/bits.h"

/* Sixteen texts, and the symbols of their patterns. */
typedef struct group {
    uint32_t length[LANES], rows[LANES], bound[LANES];
    int16_t hope[LANES]; /* length and bound; less than any number for texts that have ended */
} group;

/* ------------------------------------------------------------------------------------------------------------ edits */

/* A column of the matrix. See edit.c for the names; diagonal and at are for swaps alone. */
typedef struct column {
    uint8x16_t up[MOST], down[MOST], diagonal[MOST], at[MOST];
} column;

/* The first column: rows of the pattern are one more than the row above. */
INLINE column first_column(const group *g, uint32_t bytes)
{
    uint64_t up[LANES];
    column c;
    for (uint32_t lane = 0; lane < LANES; lane++)
        up[lane] = ~UINT64_C(0) << (8 * bytes - g->rows[lane]);
    load_lanes(up, bytes, c.up);
    for (uint32_t i = 0; i < bytes; i++)
        c.down[i] = c.diagonal[i] = c.at[i] = vdupq_n_u8(0);
    return c;
}

/* One column further. That row 0 is one more is a zero that is shifted into what is not. */
INLINE void next_column(column *c, const uint8x16_t *places, uint32_t bytes, int swaps)
{
#pragma GCC unroll 8
    for (uint32_t i = 0; i < bytes; i++) {
        const uint8x16_t up = c->up[i], down = c->down[i], at = places[i];
        uint8x16_t diagonal = vorrq_u8(veorq_u8(add(vandq_u8(at, up), up, bytes), up), vorrq_u8(at, down));
        if (swaps) {
            const uint8x16_t apart = vbicq_u8(at, c->diagonal[i]);
            diagonal = vorrq_u8(diagonal, vandq_u8(add(apart, apart, bytes), c->at[i]));
            c->diagonal[i] = diagonal;
            c->at[i] = at;
        }
        const uint8x16_t not_more = vbicq_u8(vorrq_u8(diagonal, up), down), less = vandq_u8(diagonal, up);
        const uint8x16_t not_below = add(not_more, not_more, bytes);
        c->up[i] = vorrq_u8(add(less, less, bytes), vbicq_u8(not_below, diagonal));
        c->down[i] = vbicq_u8(diagonal, not_below);
    }
}

/* Rows that are one more, without those that are one less: of each text. */
INLINE int8x16_t rise_of(const column *c, uint32_t bytes)
{
    int8x16_t sums[MOST];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < bytes; i++)
        sums[i] = vreinterpretq_s8_u8(vsubq_u8(vcntq_u8(c->up[i]), vcntq_u8(c->down[i])));
    return sum_bytes(sums, bytes);
}

/* Whether no text can keep to its bound any more: no distance falls by more than there are symbols left. */
INLINE int is_hopeless(const group *g, int8x16_t rise, uint32_t columns)
{
    const int16x8_t twice = vdupq_n_s16((int16_t)(2 * columns));
    const int16x8_t low = vaddw_s8(twice, vget_low_s8(rise)), high = vaddw_high_s8(twice, rise);
    const uint16x8_t hopeful = vorrq_u16(vcleq_s16(low, vld1q_s16(g->hope)), vcleq_s16(high, vld1q_s16(g->hope + 8)));
    return vmaxvq_u16(hopeful) == 0;
}

/* Writes the distances after `columns` columns, from a lane on: of texts that end here, or of all. Returns the next
 * lane. */
INLINE uint32_t put_distances(group *g, int8x16_t rise, uint32_t columns, int is_all, uint32_t lane,
                              uint32_t *distances)
{
    int8_t more[LANES];
    vst1q_s8(more, rise);
    for (; lane < LANES && (is_all || g->length[lane] == columns); lane++) {
        distances[lane] = (uint32_t)((int32_t)columns + more[lane]);
        g->hope[lane] = INT16_MIN;
    }
    return lane;
}

INLINE void compare_edits(const source *s, group *g, uint32_t bytes, int swaps, uint32_t *distances)
{
    const uint32_t longest = g->length[LANES - 1];
    column c = first_column(g, bytes);
    uint8x16_t places[STEP * MOST];
    for (uint32_t lane = 0; lane < LANES; lane++)
        g->hope[lane] = (int16_t)akin_min_u64((uint64_t)g->length[lane] + g->bound[lane], INT16_MAX);
    for (uint32_t j = 0, lane = 0; lane < LANES;) {
        const uint32_t begin = j, end = akin_min_u32(j + STEP, longest);
        if (is_hopeless(g, rise_of(&c, bytes), j)) {
            put_distances(g, rise_of(&c, bytes), j, 1, lane, distances);
            break;
        }
        list_places(s, begin, end, bytes, places);
        while (j < end) {
            for (const uint32_t stop = akin_min_u32(g->length[lane], end); j < stop; j++)
                next_column(&c, places + (j - begin) * bytes, bytes, swaps);
            if (j == g->length[lane])
                lane = put_distances(g, rise_of(&c, bytes), j, 0, lane, distances);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- matches */

/* What matched. See jaro.c for the names. */
typedef struct matching {
    uint8x16_t taken[MOST], within[MOST], window[MOST];
} matching;

INLINE matching first_matching(const group *g, uint32_t bytes)
{
    uint64_t window[LANES], within[LANES];
    matching m;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t half = akin_max_u32(g->length[lane], g->rows[lane]) / 2;
        window[lane] = half > 0 ? half - 1 : 0;
        within[lane] = window[lane] < 63 ? (UINT64_C(2) << window[lane]) - 1 : ~UINT64_C(0);
    }
    load_lanes(window, bytes, m.window);
    load_lanes(within, bytes, m.within);
    for (uint32_t i = 0; i < bytes; i++)
        m.taken[i] = vdupq_n_u8(0);
    return m;
}

/* Symbol j of each text takes the lowest free place in its window. `found` has where it stands, and then that of the
 * symbols that match. */
INLINE void match_symbols(matching *m, uint32_t j, uint32_t bytes, uint8x16_t *found)
{
#pragma GCC unroll 8
    for (uint32_t i = 0; i < bytes; i++) {
        const uint8x16_t open = vbicq_u8(vandq_u8(found[i], m->within[i]), m->taken[i]);
        m->taken[i] = vorrq_u8(m->taken[i], lowest_bit(open, bytes));
        m->within[i] = subtract(add(m->within[i], m->within[i], bytes), is_above(m->window[i], j, bytes), bytes);
        found[i] = vandq_u8(found[i], is_any(open, bytes));
    }
}

/* Closes the windows of texts that end after symbol j, from a lane on. Returns the next lane. */
INLINE uint32_t close_windows(matching *m, const group *g, uint32_t j, uint32_t lane, uint32_t bytes)
{
    uint64_t live[LANES];
    uint8x16_t is_live[MOST];
    while (lane < LANES && g->length[lane] == j)
        lane++;
    for (uint32_t i = 0; i < LANES; i++)
        live[i] = i < lane ? 0 : ~UINT64_C(0);
    load_lanes(live, bytes, is_live);
    for (uint32_t i = 0; i < bytes; i++) {
        m->within[i] = vandq_u8(m->within[i], is_live[i]);
        m->window[i] = vandq_u8(m->window[i], is_live[i]);
    }
    return lane;
}

/* The next symbol that matched, of each text, beside the next place taken: *missed has the places of those that are not
 * the same. */
INLINE void order_symbols(uint8x16_t *taken, const uint8x16_t *found, uint32_t bytes, uint8x16_t *missed)
{
#pragma GCC unroll 8
    for (uint32_t i = 0; i < bytes; i++) {
        const uint8x16_t next = vandq_u8(lowest_bit(taken[i], bytes), is_any(found[i], bytes));
        missed[i] = vorrq_u8(missed[i], vbicq_u8(next, found[i]));
        taken[i] = vbicq_u8(taken[i], next);
    }
}

/* Writes a pair of bytes of each lane. */
INLINE void put_matches(uint8x16_t matched, uint8x16_t apart, akin_jaro *out)
{
    const uint16x8_t first[] = {vmovl_u8(vget_low_u8(matched)), vmovl_high_u8(matched)};
    const uint16x8_t second[] = {vmovl_u8(vget_low_u8(apart)), vmovl_high_u8(apart)};
    uint32_t *at = &out->matched;
    for (uint32_t i = 0; i < 2; i++, at += LANES) {
        vst2q_u32(at, ((uint32x4x2_t){{vmovl_u16(vget_low_u16(first[i])), vmovl_u16(vget_low_u16(second[i]))}}));
        vst2q_u32(at + LANES / 2, ((uint32x4x2_t){{vmovl_high_u16(first[i]), vmovl_high_u16(second[i])}}));
    }
}

/* Whether any text has enough matches. */
INLINE int are_enough(const group *g, uint8x16_t matched)
{
    uint8_t counts[LANES];
    uint32_t is_enough = 0;
    vst1q_u8(counts, matched);
    for (uint32_t lane = 0; lane < LANES; lane++)
        is_enough |= counts[lane] >= g->bound[lane];
    return is_enough != 0;
}

_Static_assert(sizeof(uint8x16_t) * MOST * AKIN_LANES_LONGEST <= AKIN_LANES_ROOM, "the room has all places");

INLINE void compare_matches(const source *s, const group *g, uint32_t bytes, uint8x16_t *found, akin_jaro *out)
{
    const uint32_t longest = g->length[LANES - 1];
    matching m = first_matching(g, bytes);
    uint8x16_t missed[MOST];
    for (uint32_t j = 0; j < longest; j += STEP)
        list_places(s, j, akin_min_u32(j + STEP, longest), bytes, found + j * bytes);
    for (uint32_t j = 0, lane = 0; lane < LANES;) {
        for (; j < g->length[lane]; j++)
            match_symbols(&m, j, bytes, found + j * bytes);
        lane = close_windows(&m, g, j, lane, bytes);
    }
    const uint8x16_t matched = count_bits(m.taken, bytes);
    for (uint32_t i = 0; i < bytes; i++)
        missed[i] = vdupq_n_u8(0);
    if (are_enough(g, matched))
        for (uint32_t j = 0; j < longest; j++)
            order_symbols(m.taken, found + j * bytes, bytes, missed);
    put_matches(matched, count_bits(missed, bytes), out);
}
