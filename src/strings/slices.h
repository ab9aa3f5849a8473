/*
 * A lower bound of the edit distance in SIMD, of a query and a slice. A slice has strings side by side, one for each
 * bit of a register. An edit touches at most one symbol of either string. The same holds for an exchange of neighbours
 * that counts as one edit, if one of the two is kept. So with d edits the longer string keeps all its symbols but d, in
 * their order: d is at least its length without the longest common subsequence.
 *
 * The matrix of a slice has a row for each symbol of the query and a column for each place in the strings. A cell is
 * computed for all strings of the slice at once, in two instructions of three operands. From the differences at its
 * edges, a bit of each string,
 *
 *                        down[j]               one more symbol is in common than in the column before
 *                           |
 *           right[i] -> | cell i, j | ->       one more than in the row above
 *                           |
 *
 * it computes those of the next cells. The symbols that are the same are read from
 *
 *     places[tile]    | of kind 0: column 0 | 1 | .. | 7 | of kind 1: .. |    bit s: string s has such a symbol there
 *
 * where kinds are the symbols of queries. With d edits, a symbol that is kept has places at most d apart in the two
 * strings. So cells beyond are left out, fewer symbols are counted, and the bound is better.
 */
#ifndef AKIN_STRINGS_SLICES_H
#define AKIN_STRINGS_SLICES_H

#include "base/scope.h"

#define AKIN_SLICE_STRINGS 512 /* at most */
#define AKIN_SLICE_TILE    8   /* columns */
#define AKIN_SLICE_COLUMNS 255 /* at most: symbols behind them in a string count as if they were in common */
#define AKIN_SLICE_LONGEST 255 /* symbols of a query */
#define AKIN_SLICE_COUNTS  8   /* bits of what is in common */
#define AKIN_SLICE_KINDS   257 /* at most: all bytes, and those that no query has */

/* Counts what a query has in common with the strings of a slice. */
typedef struct akin_slice_job {
    const void *places; /* as above, of registers */
    void *rows;         /* room for a register for each symbol of the query */
    const uint8_t *query;
    uint32_t length, columns, kinds; /* of the query; of the slice, at most AKIN_SLICE_COLUMNS; of symbols */
    int64_t low, high; /* symbols are kept that stand that much further on in the query, or more are counted */
    void *common;      /* the result: bit b of the number of common symbols, in register b of AKIN_SLICE_COUNTS */
} akin_slice_job;

typedef struct akin_slices {
    uint32_t strings; /* of a slice */
    void (*subsequences)(const akin_slice_job *job);
    /* Strings that have `least` symbols in common, and fewer than `before`, at most 256: a bit for each; 0: none. */
    int (*find)(const void *common, uint32_t least, uint32_t before, uint64_t *found);
} akin_slices;

const akin_slices *akin_slices_choose(akin_cpu cpu);
extern const akin_slices akin_slices_avx2, akin_slices_avx512;

/* The kinds of symbols, bytes, by some queries: those that they have are numbered, and all others are one kind more. */
typedef struct akin_slice_kinds {
    const akin_slices *slices;
    uint16_t of[256];   /* UINT16_MAX: no query has it */
    uint32_t count;     /* with that of all others, which is the last one */
    uint32_t word[256]; /* where the kind of a symbol begins in a tile, from akin_slice_begin on */
} akin_slice_kinds;

/* Begins with no queries; adds one, and writes the kinds of its symbols. */
void akin_slice_kinds_begin(akin_slice_kinds *kinds, const akin_slices *slices);
void akin_slice_kinds_add(akin_slice_kinds *kinds, const uint8_t *query, uint32_t length, uint8_t *of);

/* The words of the places of a slice with `columns` columns. */
static inline uint64_t akin_slice_words(const akin_slice_kinds *kinds, uint64_t columns)
{
    const uint64_t tiles = (columns + AKIN_SLICE_TILE - 1) / AKIN_SLICE_TILE;
    return tiles * kinds->count * AKIN_SLICE_TILE * (kinds->slices->strings / 64);
}

/* Begins the places of a slice with `columns` columns, of akin_slice_words words: no string has a symbol yet. */
void akin_slice_begin(akin_slice_kinds *kinds, uint64_t *places, uint64_t columns);

/* Sets where string i of a slice has symbols of each kind, `length` of them, in places that have begun. */
void akin_slice_put(const akin_slice_kinds *kinds, uint64_t *places, uint32_t i, const uint8_t *symbols,
                    uint64_t length);

#endif
