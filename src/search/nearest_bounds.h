/*
 * Two lower bounds of the edit distance in SIMD, one version for each level. An edit touches at most one byte of either string, so with
 * d edits the longer one keeps all its bytes but d, in their order: d is at least its length without what both have in common, which
 * is counted
 *
 *     by bags           whatever the order: 64 strings with 8 queries at once;
 *     by subsequences   the longest common one: a query with a slice, as many strings as a register has bits.
 *
 * The second one's matrix has a row for each byte of the query and a column for each place in the strings. A cell is computed for all
 * strings of the slice at once, in two instructions of three operands: of its differences, a bit of each string,
 *
 *                        down[j]               one more byte is in common than in the column before
 *                           |
 *           right[i] -> | cell i, j | ->       one more than in the row above
 *                           |
 *
 * leave those of the next ones. Which bytes are the same is read from
 *
 *     places[tile]    | of kind 0: column 0 | 1 | .. | 7 | of kind 1: .. |      bit s: string s has a byte of that kind there
 *
 * where kinds are the bytes of queries. With d edits no byte is kept whose places in both strings are more than d apart, so cells
 * beyond are left out, and what is counted is less, which makes the bound a better one.
 */
#ifndef AKIN_SEARCH_NEAREST_BOUNDS_H
#define AKIN_SEARCH_NEAREST_BOUNDS_H

#include "base/context.h"
#include "search/ordered.h"

#define AKIN_NEAREST_QUERIES 8   /* of a screen by bags */
#define AKIN_SLICE_STRINGS   512 /* at most */
#define AKIN_SLICE_TILE      8   /* columns */
#define AKIN_SLICE_COLUMNS   255 /* at most: what is behind them in a string counts as if it were in common */
#define AKIN_SLICE_COUNTS    8   /* bits of what is in common */
#define AKIN_SLICE_KINDS     257 /* at most: all bytes, and those that no query has */

/* Strings with their bounds, as keys | bound | string |. */
typedef struct akin_nearest_list {
    uint64_t *keys;
    uint32_t held, stop; /* so many are too many: somebody is to be asked */
    uint32_t too_far;    /* bounds are wanted that are below, by now; at most 2^31 */
} akin_nearest_list;

static inline uint64_t akin_nearest_key(uint32_t bound, uint32_t string)
{
    return (uint64_t)bound << 32 | string;
}

static inline uint32_t akin_nearest_bound(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

/* What is asked when list `i` holds as many as it may: afterwards it may hold more, and less may be wanted. 0: that's it. */
typedef int (*akin_nearest_stop)(void *user, uint32_t i);

/* Counts what a query has in common with the strings of a slice. */
typedef struct akin_slice_job {
    const void *places; /* as above, of registers */
    void *rows;         /* room for a register for each byte of the query */
    const uint8_t *query;
    uint32_t length, columns, kinds; /* of the query; of the slice, at most AKIN_SLICE_COLUMNS; of bytes */
    int64_t low, high; /* bytes are kept that stand that much further on in the query, or more are counted */
    void *common;      /* what is found: bit b of how many are in common, in register b of AKIN_SLICE_COUNTS */
} akin_slice_job;

/* Lists the strings of blocks `first` to `end` - 1 by their bags. */
typedef struct akin_bags_job {
    const akin_ordered *ordered;
    uint32_t first, end;
    const uint8_t *counts; /* bytes of kind c of query i: counts[(c * 8 + i) * 64] to .. + 63, all alike */
    uint32_t queries;      /* at most AKIN_NEAREST_QUERIES */
    uint8_t lengths[AKIN_NEAREST_QUERIES]; /* of these */
    akin_nearest_list *lists;              /* of each */
    akin_nearest_stop stop;
    void *user;
} akin_bags_job;

typedef struct akin_nearest_level {
    uint32_t strings; /* of a slice */
    void (*subsequences)(const akin_slice_job *job);
    /* Strings that have `least` bytes in common, and fewer than `before`, at most 256: a bit for each; 0: there are none. */
    int (*find)(const void *common, uint32_t least, uint32_t before, uint64_t *found);
    int (*bags)(const akin_bags_job *job); /* 0: it was stopped */
} akin_nearest_level;

const akin_nearest_level *akin_nearest_choose(akin_cpu cpu);
const akin_nearest_level *akin_nearest_avx2(void);   /* NULL where this build has none */
const akin_nearest_level *akin_nearest_avx512(void); /* likewise */

#endif
