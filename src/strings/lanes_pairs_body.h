/*
 * Pairs in lanes, each with a pattern of its own, for one width: the end of lanes_body.h, for which the file of a SIMD
 * level has defined, besides,
 *
 *     NAME(load_word)(pattern, rows)          bytes of a pattern for one word, of which the first `rows` count
 *     NAME(equals)(loaded, symbol)            the bits of these that are the symbol in each byte of a word of 32 bits
 *     spread_symbols(text, length, all, out)  writes each symbol of a text into all bytes of a word, and then NOWHERE,
 *                                             up to word `all`; up to SPREAD words more are written. A register takes
 *                                             32 bits into all of its parts in the load, unlike 8
 *
 * First the places of all symbols are listed, lane by lane: each symbol of the text is compared with all bytes of a
 * word of the pattern at once. Then all lanes go on together. Edits are counted once, in the last column, which stays
 * as it is when the text of its lane has ended:
 *
 *     distance = symbols of the text + rows that are one more - rows that are one less than the row above
 */
#define GROUPS 2 /* that go on together where patterns take one word: each step waits for the one before */

/* LANES pairs, from pair `first` on; `none` is the bound of those without one. */
INLINE NAME(group) NAME(pairs_of)(const akin_lanes_pairs *pairs, uint32_t first, WORD none)
{
    NAME(group) g = {.first = first};
    WORD length[LANES], bound[LANES], rows[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const akin_lanes_pair *pair = akin_lanes_pair_at(pairs, first + lane);
        length[lane] = pair->length;
        rows[lane] = pair->rows;
        bound[lane] = pairs->bound ? akin_lanes_bound_at(pairs, first + lane) : none;
    }
    g.longest = akin_lanes_pair_at(pairs, first + LANES - 1)->length;
    memcpy(&g.length, length, sizeof length);
    memcpy(&g.bound, bound, sizeof bound);
    memcpy(&g.rows, rows, sizeof rows);
    return g;
}

/* Lists where the symbols of a text stand in its pattern; behind its end they stand nowhere. */
INLINE void NAME(list_places)(const akin_lanes_pair *pair, uint32_t words, uint32_t longest, WORD *places)
{
    uint32_t symbols[AKIN_LANES_LONGEST + SPREAD];
    spread_symbols(pair->text, pair->length, longest, symbols);
    for (uint32_t w = 0; w < words; w++) {
        const uint32_t begin = w * BITS, rows = pair->rows > begin ? pair->rows - begin : 0;
        WORD *place = places + w * LANES;
        const NAME(loaded) loaded = NAME(load_word)(pair->pattern + (rows ? begin : 0), rows < BITS ? rows : BITS);
#pragma GCC unroll 4
        for (uint32_t j = 0; j < longest; j++)
            place[j * words * LANES] = NAME(equals)(&loaded, symbols[j]);
    }
}

/* The distance of each lane after `columns` columns, or at the end of its text. */
INLINE void NAME(count_edits)(const NAME(group) * g, const NAME(column) * column, uint32_t words, uint32_t columns,
                              uint32_t distances[LANES])
{
    WORD up[AKIN_LANES_WORDS][LANES], down[AKIN_LANES_WORDS][LANES], rows[LANES], length[LANES];
    memcpy(rows, &g->rows, sizeof rows);
    memcpy(length, &g->length, sizeof length);
    for (uint32_t w = 0; w < words; w++) {
        memcpy(up[w], &column[w].up, sizeof up[w]);
        memcpy(down[w], &column[w].down, sizeof down[w]);
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        distances[lane] = length[lane] < columns ? (uint32_t)length[lane] : columns;
        for (uint32_t w = 0; w < words && w * BITS < rows[lane]; w++) {
            const WORD here = rows[lane] - w * BITS >= BITS ? ~(WORD)0 : ((WORD)1 << (rows[lane] - w * BITS)) - 1;
            distances[lane] += NAME(popcount)(up[w][lane] & here) - NAME(popcount)(down[w][lane] & here);
        }
    }
}

/* Whether no lane can keep to its bound any more: no distance falls by more than there are symbols left. */
INLINE int NAME(are_hopeless)(const NAME(group) * g, const NAME(column) * column, uint32_t words, uint32_t columns)
{
    uint32_t distances[LANES];
    NAME(count_edits)(g, column, words, columns, distances);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t length = (uint32_t)g->length[lane], left = length > columns ? length - columns : 0;
        if (distances[lane] <= g->bound[lane] + left)
            return 0;
    }
    return 1;
}

/* One column further in a group; is_live: lanes whose texts go on, or all if `is_whole`. */
INLINE void NAME(pairs_step)(NAME(column) * columns, const VECTOR *places, uint32_t words, int swaps, int is_whole,
                             VECTOR is_live)
{
    NAME(carry) carry = FIRST_CARRY;
    VECTOR more, less;
#pragma GCC unroll 8
    for (uint32_t w = 0; w < words; w++) {
        const NAME(column) before = columns[w];
        NAME(edit_step)(&columns[w], places[w], &carry, swaps, &more, &less);
        if (is_whole)
            continue;
        columns[w].up = (columns[w].up & is_live) | (before.up & ~is_live);
        columns[w].down = (columns[w].down & is_live) | (before.down & ~is_live);
    }
}

#define LOOK 16 /* columns between two looks at the bounds */

/* The distances of `groups` groups, whose places are listed one behind the other. */
INLINE void NAME(edit_pairs)(const NAME(group) * g, uint32_t groups, const VECTOR *places, uint32_t words, int swaps,
                             int is_bound, uint32_t *distances)
{
    NAME(column) one[AKIN_LANES_WORDS], two[AKIN_LANES_WORDS]; /* by name, so that they are in registers */
    const uint32_t longest = g[groups - 1].longest, shortest = (uint32_t)g[0].length[0], room = longest * words;
    for (uint32_t w = 0; w < words; w++)
        one[w] = two[w] = (NAME(column))FIRST_COLUMN;
    uint32_t j = 0;
    int is_over = 0;
    while (j < shortest && !is_over) {
        for (const uint32_t end = is_bound ? akin_min_u32(j + LOOK, shortest) : shortest; j < end; j++) {
            NAME(pairs_step)(one, places + j * words, words, swaps, 1, ALL(0));
            if (groups == 2)
                NAME(pairs_step)(two, places + room + j * words, words, swaps, 1, ALL(0));
        }
        is_over = is_bound && NAME(are_hopeless)(&g[0], one, words, j) &&
                  (groups == 1 || NAME(are_hopeless)(&g[1], two, words, j));
    }
    for (; j < longest && !is_over; j++) {
        NAME(pairs_step)(one, places + j * words, words, swaps, 0, WHERE(g[0].length > ALL(j)));
        if (groups == 2)
            NAME(pairs_step)(two, places + room + j * words, words, swaps, 0, WHERE(g[1].length > ALL(j)));
    }
    NAME(count_edits)(&g[0], one, words, j, distances + g[0].first);
    if (groups == 2)
        NAME(count_edits)(&g[1], two, words, j, distances + g[1].first);
}

/* All groups of pairs. */
INLINE void NAME(compare_pairs)(const akin_lanes_pairs *pairs, uint32_t words, int is_jaro, int swaps, void *results)
{
    const uint32_t most = !is_jaro && words == 1 ? GROUPS : 1;
    const NAME(source) source = {.places = pairs->room};
    for (uint32_t first = 0, groups; first < pairs->count; first += groups * LANES) {
        NAME(group) g[GROUPS];
        uint32_t longest = 0; /* that of the last group: longer pairs come later */
        groups = pairs->count - first > LANES ? most : 1;
        for (uint32_t k = 0; k < groups; k++) {
            g[k] = NAME(pairs_of)(pairs, first + k * LANES, is_jaro ? 0 : AKIN_LANES_LONGEST);
            longest = g[k].longest;
        }
        for (uint32_t i = 0; i < groups * LANES; i++) {
            WORD *places = (WORD *)pairs->room + i / LANES * (longest * words * LANES) + i % LANES;
            NAME(list_places)(akin_lanes_pair_at(pairs, first + i), words, longest, places);
        }
        if (is_jaro)
            NAME(jaro_group)(&g[0], source, words, pairs->room, results);
        else if (groups == 2)
            NAME(edit_pairs)(g, 2, pairs->room, words, swaps, pairs->bound != NULL, results);
        else
            NAME(edit_pairs)(g, 1, pairs->room, words, swaps, pairs->bound != NULL, results);
    }
}

#undef GROUPS
#undef LOOK
