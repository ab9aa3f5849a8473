/*
 * The comparators in lanes, for one width: to be included by the file of a SIMD level, which has defined TARGET, its
 * attributes; WORD, what a lane is; LANES, how many there are; NAME(x), a name of its own; and, of vectors of its own
 *
 *     NAME(gather)(symbols, at)               the bytes from at on that fill a lane, for each lane
 *     NAME(any)(mask)                         whether any lane is not 0
 *     NAME(table)                             where symbols stand in the pattern: places[w * stride + slot] is word w
 *                                             of that
 *     NAME(table_of)(slots, places, words)    the same, held in registers
 *     NAME(slots_of)(table, symbols)          the slots of the symbols in all bytes, if there are few slots, else
 *                                             themselves
 *     NAME(look_up)(table, slots, w)          word w of the places of the slot in the lowest byte of each lane
 *     NAME(load_word)(pattern, rows)          bytes of a pattern for one word, of which the first `rows` count
 *     NAME(equals)(loaded, symbol)            the bits of these that are the symbol in each byte of a word of 32 bits
 *
 * and may define TERNARY(a, b, c, table), the bits that a table of 8 gives for those of a, b and c.
 *
 * Vectors are GNU C's; comparisons of vectors give lanes of all ones, or of zeros. The texts of a group run on until
 * the longest of them has ended; results behind the end of a text are masked out. `words` and `is_few` are constants
 * wherever this is inlined.
 */
#define VECTOR   NAME(vector)
#define BITS     (8 * sizeof(WORD))
#define ALL(w)   ((VECTOR){0} + (WORD)(w))
#define WHERE(c) ((VECTOR)(c))

/* LANES texts of a job, from text `first` on, and the rows of the pattern of each lane. */
typedef struct NAME(group) {
    VECTOR at, length, bound, rows;
    const uint8_t *base;
    uint32_t longest, first;
} NAME(group);

/* Where symbols of texts stand in the pattern of all lanes: by its table; or in a pattern for each lane: listed, word w
 * for symbol j of the texts in places[j * words + w]. */
typedef struct NAME(source) {
    const NAME(table) * table;
    int is_few;
    VECTOR *places; /* NULL: the table has them */
    VECTOR slots;   /* of the next symbols */
} NAME(source);

INLINE NAME(group) NAME(group_of)(const akin_lanes_job *job, uint32_t first)
{
    NAME(group)
    g = {.base = job->symbols + job->at[first], .longest = job->lengths[first + LANES - 1], .first = first};
    g.rows = ALL(job->length);
    WORD at[LANES], length[LANES], bound[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        at[lane] = (WORD)(job->at[first + lane] - job->at[first]);
        length[lane] = job->lengths[first + lane];
        bound[lane] = job->bound[first + lane];
    }
    memcpy(&g.at, at, sizeof at);
    memcpy(&g.length, length, sizeof length);
    memcpy(&g.bound, bound, sizeof bound);
    return g;
}

/* Sets the places of the pattern's symbols: those of a slot if there are few. */
INLINE void NAME(set_places)(const akin_lanes_job *job, const uint8_t *slots, uint32_t words, int is_few, WORD *places)
{
    const uint32_t stride = is_few ? AKIN_LANES_FEW : 256;
    memset(places, 0, (size_t)words * stride * sizeof *places);
    for (uint32_t i = 0; i < job->length; i++) {
        uint8_t symbol = job->pattern[i];
        places[i / BITS * stride + (is_few ? slots[symbol] : symbol)] |= (WORD)1 << i % BITS;
    }
}

/* Operations of three words, which are one instruction of AVX-512. */
INLINE VECTOR NAME(xor_or)(VECTOR a, VECTOR b, VECTOR c)
{
#ifdef TERNARY
    return (VECTOR)TERNARY(a, b, c, 0xbe);
#else
    return (a ^ b) | c;
#endif
}

INLINE VECTOR NAME(or_nor)(VECTOR a, VECTOR b, VECTOR c)
{
#ifdef TERNARY
    return (VECTOR)TERNARY(a, b, c, 0xf1);
#else
    return a | ~(b | c);
#endif
}

INLINE VECTOR NAME(or_and)(VECTOR a, VECTOR b, VECTOR c)
{
#ifdef TERNARY
    return (VECTOR)TERNARY(a, b, c, 0xf8);
#else
    return a | (b & c);
#endif
}

/* A column of the matrix in one word of the pattern. See edit.c for the names; diagonal and at are for swaps alone. */
typedef struct NAME(column) {
    VECTOR up, down, diagonal, at;
} NAME(column);

/* What goes from a word to the next one: right and left of its last row, and whether that may change places. */
typedef struct NAME(carry) {
    VECTOR right, left, swapped;
} NAME(carry);

/* One column further, in one word; *more and *less are right and left of all its rows. */
INLINE void NAME(edit_step)(NAME(column) * c, VECTOR at, NAME(carry) * carry, int swaps, VECTOR *more, VECTOR *less)
{
    const VECTOR same = at | carry->left;
    VECTOR diagonal = NAME(xor_or)((same & c->up) + c->up, c->up, same | c->down);
    if (swaps) {
        const VECTOR apart = ~c->diagonal & at;
        diagonal = NAME(or_and)(diagonal, (apart << 1) | carry->swapped, c->at);
        carry->swapped = apart >> (BITS - 1);
        c->diagonal = diagonal;
        c->at = at;
    }
    *more = NAME(or_nor)(c->down, diagonal, c->up);
    *less = diagonal & c->up;
    const VECTOR below = *more << 1 | carry->right;
    c->up = NAME(or_nor)(*less << 1 | carry->left, diagonal, below);
    c->down = below & diagonal;
    carry->right = *more >> (BITS - 1);
    carry->left = *less >> (BITS - 1);
}

#define FIRST_COLUMN                                                                                                   \
    {                                                                                                                  \
        ALL(-1), ALL(0), ALL(0), ALL(0)                                                                                \
    }
#define FIRST_CARRY                                                                                                    \
    {                                                                                                                  \
        ALL(1), ALL(0), ALL(0)                                                                                         \
    }

/* The distances of one group; swaps: neighbours may change places. */
INLINE void NAME(edit_group)(const akin_lanes_job *job, const NAME(group) * group, const NAME(table) * table,
                             uint32_t words, int is_few, int swaps, uint32_t *distances)
{
    const NAME(group) g = *group;
    const uint32_t top = (job->length - 1) % BITS, last = (job->length - 1) / BITS;
    NAME(column) columns[AKIN_LANES_WORDS];
    VECTOR distance = ALL(job->length), slots = ALL(0), more, less;
    for (uint32_t w = 0; w < words; w++)
        columns[w] = (NAME(column))FIRST_COLUMN;
    for (uint32_t j = 0; j < g.longest; j++) {
        if (j % sizeof(WORD) == 0) {
            /* no distance falls by more than there are symbols left */
            VECTOR left = (g.length - ALL(j)) & WHERE(g.length > ALL(j));
            if (!NAME(any)(WHERE(distance <= g.bound + left)))
                break;
            slots = NAME(slots_of)(table, NAME(gather)(g.base + j, g.at), is_few);
        }
        const VECTOR live = WHERE(g.length > ALL(j));
        NAME(carry) carry = FIRST_CARRY;
#pragma GCC unroll 8
        for (uint32_t w = 0; w < words; w++) {
            NAME(edit_step)(&columns[w], NAME(look_up)(table, slots, w, is_few), &carry, swaps, &more, &less);
            if (w == words - 1 || w == last)
                distance += live & (((more >> top) & ALL(w == last)) - ((less >> top) & ALL(w == last)));
        }
        slots >>= 8;
    }
    WORD result[LANES];
    memcpy(result, &distance, sizeof result);
    for (uint32_t lane = 0; lane < LANES; lane++)
        distances[g.first + lane] = (uint32_t)result[lane];
}

/* The places in word w of the pattern that the first symbol of a text may match: 0 to window. */
INLINE VECTOR NAME(first_window)(VECTOR window, uint32_t w)
{
    VECTOR within = (window - ALL(w * BITS)) & WHERE(window >= ALL(w * BITS));
    VECTOR bits = WHERE(within >= ALL(BITS - 1)) | ((ALL(2) << (within & ALL(BITS - 1))) - ALL(1));
    return bits & WHERE(window >= ALL(w * BITS));
}

/* The next symbols of each text, with 255, which stands nowhere, for those behind its end. */
INLINE VECTOR NAME(symbols_at)(const NAME(group) * g, uint32_t j)
{
    VECTOR left = (g->length - ALL(j)) & WHERE(g->length > ALL(j)), has_all = WHERE(left >= ALL(sizeof(WORD)));
    return NAME(gather)(g->base + j, g->at) | (~has_all & (ALL(-1) << (8 * (left & ALL(sizeof(WORD) - 1)))));
}

INLINE uint32_t NAME(popcount)(WORD word)
{
    return (uint32_t)__builtin_popcountll(word);
}

/* The matches of one group. See jaro.c for the names. */
INLINE void NAME(jaro_group)(const NAME(group) * group, NAME(source) source, uint32_t words, void *room,
                             akin_jaro *matches)
{
    const NAME(group) g = *group;
    /* where in the pattern the symbols stand that matched; 0 for those that did not */
    VECTOR *found = room;
    VECTOR taken[AKIN_LANES_WORDS], within[AKIN_LANES_WORDS], missed[AKIN_LANES_WORDS];
    VECTOR is_longer = WHERE(g.length > g.rows);
    VECTOR window = ((g.length & is_longer) | (g.rows & ~is_longer)) >> 1;
    window -= ALL(1) & WHERE(window > ALL(0));
    for (uint32_t w = 0; w < words; w++) {
        taken[w] = missed[w] = ALL(0);
        within[w] = NAME(first_window)(window, w);
    }
    for (uint32_t j = 0; j < g.longest; j++) {
        if (j % sizeof(WORD) == 0 && !source.places)
            source.slots = NAME(slots_of)(source.table, NAME(symbols_at)(&g, j), source.is_few);
        VECTOR free = ALL(-1), in = ALL(1) & WHERE(window > ALL(j)), at[AKIN_LANES_WORDS];
#pragma GCC unroll 8
        for (uint32_t w = 0; w < words; w++) {
            at[w] = source.places ? source.places[j * words + w]
                                  : NAME(look_up)(source.table, source.slots, w, source.is_few);
            VECTOR open = at[w] & within[w] & ~taken[w] & free, out = within[w] >> (BITS - 1);
            taken[w] |= open & -open;
            free &= WHERE(open == ALL(0));
            within[w] = within[w] << 1 | in;
            in = out;
        }
#pragma GCC unroll 8
        for (uint32_t w = 0; w < words; w++)
            found[j * words + w] = at[w] & ~free;
        source.slots >>= 8;
    }
    WORD all[AKIN_LANES_WORDS][LANES], wrong[AKIN_LANES_WORDS][LANES], least[LANES];
    uint32_t matched[LANES] = {0}, apart[LANES] = {0};
    int is_any = 0;
    memcpy(least, &g.bound, sizeof least);
    for (uint32_t w = 0; w < words; w++)
        memcpy(all[w], &taken[w], sizeof all[w]);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        for (uint32_t w = 0; w < words; w++)
            matched[lane] += NAME(popcount)(all[w][lane]);
        is_any |= matched[lane] >= least[lane];
    }
    /* the symbols that matched, in their order, beside the places taken, in theirs */
    for (uint32_t j = 0; j < g.longest && is_any; j++) {
        VECTOR next = ALL(0);
        for (uint32_t w = 0; w < words; w++)
            next |= found[j * words + w];
        next = WHERE(next != ALL(0));
#pragma GCC unroll 8
        for (uint32_t w = 0; w < words; w++) {
            VECTOR lowest = taken[w] & -taken[w] & next;
            missed[w] |= lowest & ~found[j * words + w];
            taken[w] &= ~lowest;
            next &= WHERE(lowest == ALL(0));
        }
    }
    for (uint32_t w = 0; w < words; w++)
        memcpy(wrong[w], &missed[w], sizeof wrong[w]);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        for (uint32_t w = 0; w < words; w++)
            apart[lane] += NAME(popcount)(wrong[w][lane]);
        matches[g.first + lane] = (akin_jaro){matched[lane], apart[lane]};
    }
}

/* All groups of a job. */
INLINE void NAME(compare)(const akin_lanes_job *job, const uint8_t *slots, uint32_t words, int is_few, int is_jaro,
                          int swaps, void *results)
{
    WORD places[AKIN_LANES_WORDS * 256];
    NAME(set_places)(job, slots, words, is_few, places);
    const NAME(table) table = NAME(table_of)(slots, places, words, is_few);
    const NAME(source) source = {.table = &table, .is_few = is_few};
    for (uint32_t first = 0; first < job->count; first += LANES) {
        const NAME(group) g = NAME(group_of)(job, first);
        if (is_jaro)
            NAME(jaro_group)(&g, source, words, job->room, results);
        else
            NAME(edit_group)(job, &g, &table, words, is_few, swaps, results);
    }
}

#include "strings/lanes_pairs_body.h"
#include "strings/lanes_tall_body.h"

#undef FIRST_COLUMN
#undef FIRST_CARRY
#undef VECTOR
#undef BITS
#undef ALL
#undef WHERE
