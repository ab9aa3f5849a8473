/*
 * Levenshtein and optimal string alignment, a column of the matrix at a time. Of column j (the first j symbols of the
 * text) bit i of these describes the cell of row i + 1 (the first i + 1 symbols of the pattern):
 *
 *     up, down    it is one more, one less than the cell above
 *     right, left it is one more, one less than the cell of the column before
 *     diagonal    it is the same as the cell above in the column before
 *
 * Rows beyond 64 continue in the next word: right and left of the row above its first one are carried over.
 *
 * A cell that is more than `most` rows off the diagonal holds more than `most`, whatever the strings. So of column j
 * only the words with rows j - most to j + most are worked on, a band:
 *
 *     words above it    each column is one more than the one before, which is the most that a cell can be
 *     words below it    each row is one more than the one above, as they were at the beginning
 *
 * Cells outside the band are too large at worst, and no path to a cell that holds `most` or less passes through them.
 * So a computed cell of `most` or less is exact. Another cell may be less than computed, but it is above `most`.
 */
#include "strings/edit.h"

#include <string.h>

/* The differences of a column, in the pattern's scratch. */
typedef struct column {
    uint64_t *up, *down, *diagonal;
} column;

static column first_column_of(akin_pattern *pattern)
{
    uint64_t words = pattern->words, *scratch = pattern->scratch;
    column c = {scratch, scratch + words, scratch + 2 * words};
    memset(c.up, 0xff, words * sizeof *c.up);
    memset(c.down, 0, 2 * words * sizeof *c.down);
    return c;
}

/* Whether a distance must be above `most`, with `left` symbols of the text still to be read. */
static inline int is_hopeless(uint32_t distance, uint32_t left, uint32_t most)
{
    return distance > left && distance - left > most;
}

/* The words of a column that are worked on: first to last. */
typedef struct band {
    uint32_t first, last;
} band;

/* The band at column j; two rows more at either side, as neighbours that change places reach two rows back. */
static inline band band_at(const akin_pattern *pattern, uint64_t j, uint64_t most)
{
    uint64_t last = (j + most + 2) / 64;
    uint32_t words = pattern->words;
    return (band){j > most + 2 ? (uint32_t)((j - most - 2) / 64) : 0, last < words ? (uint32_t)last : words - 1};
}

/* The rows up to the end of a word. */
static inline uint32_t rows_to(const akin_pattern *pattern, uint32_t word)
{
    return word + 1 < pattern->words ? (word + 1) * 64 : pattern->length;
}

/* What passes from a word of a column to the next one. */
typedef struct carry {
    uint64_t right, left;                /* of the row above the word's first: 0 or 1 */
    uint64_t last_places, last_diagonal; /* of the word above, and of the column before */
} carry;

/* One word further; `bit` is its last row. Without `before`, neighbours do not change places. */
static inline void step_word(column *c, uint32_t w, uint32_t bit, uint32_t fresh, uint64_t at, const uint64_t *before,
                             carry *k)
{
    const uint64_t up = c->up[w], down = c->down[w];
    uint64_t swapped = 0;
    if (before) {
        const uint64_t apart = ~c->diagonal[w] & at;
        swapped = w < fresh ? (apart << 1 | (~k->last_diagonal & k->last_places) >> 63) & before[w] : 0;
        k->last_places = at;
        k->last_diagonal = c->diagonal[w];
    }
    const uint64_t same = at | k->left;
    const uint64_t diagonal = (((same & up) + up) ^ up) | same | down | swapped;
    const uint64_t more = down | ~(diagonal | up), less = diagonal & up;
    const uint64_t more_below = more << 1 | k->right, less_below = less << 1 | k->left;
    c->up[w] = less_below | ~(diagonal | more_below);
    c->down[w] = more_below & diagonal;
    if (before)
        c->diagonal[w] = diagonal;
    k->right = more >> bit & 1;
    k->left = less >> bit & 1;
}

/*
 * One column further. The inputs are the places of the text's symbol in the pattern, and, if neighbours may change
 * places, those of the symbol before. The latter do not count in the words from `fresh` on: these begin here, so the
 * cells that they need are unknown. Returns the change of the last row of the band.
 */
static inline int32_t step(const akin_pattern *pattern, column *c, band b, uint32_t fresh, const uint64_t *places,
                           const uint64_t *before)
{
    const uint32_t bit = b.last + 1 < pattern->words ? 63 : (pattern->length - 1) % 64;
    carry k = {.right = 1};
    for (uint32_t w = b.first; w < b.last; w++)
        step_word(c, w, 63, fresh, places[w], before, &k);
    step_word(c, b.last, bit, fresh, places[b.last], before, &k);
    return (int32_t)k.right - (int32_t)k.left;
}

#define LOOK 32 /* columns between two looks at all cells of the band */

/* The least value of a cell in the band, whose last row holds `distance`. */
static uint32_t least_of(const akin_pattern *pattern, const column *c, band b, uint32_t distance)
{
    uint32_t least = distance;
    for (uint32_t row = rows_to(pattern, b.last); row > b.first * 64; row--) {
        uint32_t w = (row - 1) / 64, bit = (row - 1) % 64;
        distance -= (uint32_t)(c->up[w] >> bit & 1);
        distance += (uint32_t)(c->down[w] >> bit & 1);
        least = distance < least ? distance : least;
    }
    return least;
}

/* What both have in common; swaps: neighbours may change places. */
static inline uint32_t distance_of(akin_pattern *pattern, const akin_symbols *text, uint32_t most, int swaps)
{
    uint32_t rows = pattern->length, columns = text->length;
    uint32_t least = rows > columns ? rows - columns : columns - rows;
    if (rows == 0 || columns == 0 || least > most)
        return least;
    column c = first_column_of(pattern);
    band b = band_at(pattern, 0, most);
    int is_whole = b.last + 1 == pattern->words;  /* cells are what they are as long as the band has all words */
    uint32_t distance = rows_to(pattern, b.last); /* of the last row of the band */
    const uint64_t *before = akin_pattern_nowhere(pattern); /* there is no symbol before the first */
    for (uint32_t j = 0; j < columns; j++) {
        const uint64_t *places = akin_pattern_places(pattern, akin_symbol(text, j));
        band next = band_at(pattern, j, most);
        distance += rows_to(pattern, next.last) - rows_to(pattern, b.last);
        distance += (uint32_t)step(pattern, &c, next, b.last + 1, places, swaps ? before : NULL);
        b = next;
        before = places;
        is_whole &= b.first == 0;
        if (is_whole && is_hopeless(distance, columns - j - 1, most))
            return distance - (columns - j - 1);
        if (!is_whole && j % LOOK == LOOK - 1 && least_of(pattern, &c, b, distance) > most)
            return most + 1; /* no path gets cheaper on its way */
        if (!akin_pattern_goes_on(pattern))
            return least;
    }
    return distance;
}

uint32_t akin_levenshtein(akin_pattern *pattern, const akin_symbols *text, uint32_t most)
{
    return distance_of(pattern, text, most, 0);
}

uint32_t akin_osa(akin_pattern *pattern, const akin_symbols *text, uint32_t most)
{
    return distance_of(pattern, text, most, 1);
}
