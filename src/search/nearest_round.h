/*
 * What the two rounds of a search for nearest strings share. A task has some queries, which are in the order of their
 * lengths, so that those side by side leave out the same strings; and a span of the strings.
 *
 *     by bags           the strings with the best bounds are listed, and verified, the best first, until a bound is
 *                       above the k-th distance. If all strings below it are listed, the query is settled; if not, the
 *                       other round needs nothing beyond that distance
 *     by subsequences   for all strings that may be near enough, the bytes in common are counted; they are verified,
 *                       the best first, until a bound is above the k-th distance
 *
 * Strings are in the order of their lengths, too, and both rounds begin with those that are as long as the queries,
 * where the nearest ones mostly are, and go on to both sides. Spans take turns on this way:
 *
 *     units of strings    .. | 5 | 3 | 1 | 0 | 2 | 4 | 6 | ..        those of 2 spans: 0 2 4 .. and 1 3 5 ..
 */
#ifndef AKIN_SEARCH_NEAREST_ROUND_H
#define AKIN_SEARCH_NEAREST_ROUND_H

#include "base/bits.h"
#include "search/nearest_bounds.h"
#include "search/nearest_verify.h"
#include "search/top.h"
#include "strings/slices.h"
#include "table/columns.h"

#define AKIN_BAGS_QUERIES 32  /* of a task */
#define AKIN_TASK_QUERIES 128 /* likewise, by subsequences, at most */
#define AKIN_UNIT_STRINGS AKIN_SLICE_STRINGS
#define AKIN_CHUNK_SLICES 512                 /* that are compared before the best strings are verified, at most */
#define AKIN_CHUNK_LEAST  32                  /* likewise, whatever memory there is */
#define AKIN_LIST_KEYS    ((uint32_t)1 << 17) /* that a worker has room for, in all lists */
#define AKIN_LIST_SCRATCH 2048                /* keys that are sorted at once, at most */

/* Any distance: strings have fewer bytes. */
#define AKIN_NEAREST_ANY ((uint32_t)INT32_MAX)

/* What a thread has. */
typedef struct akin_nearest_worker {
    const struct akin_nearest_round *round;
    uint32_t first, set; /* query of the task at hand; by bags, its set of queries */
    akin_verifier verifier;
    uint64_t *places, *rows;  /* as akin_slice_job has them, and what it finds: */
    uint64_t *common;         /* as many slices of each query as a chunk has */
    uint8_t *query_kinds;     /* kinds of the bytes of queries: of each AKIN_SLICE_LONGEST at most */
    akin_slice_kinds kinds;   /* of bytes */
    uint8_t *counts;          /* as akin_bags_job has them, for each of its sets of queries */
    uint64_t *keys, *scratch; /* AKIN_LIST_KEYS of all lists, and AKIN_LIST_SCRATCH */
    uint32_t room;            /* keys of a list */
    akin_nearest_list lists[AKIN_BAGS_QUERIES];
    akin_top tops[AKIN_TASK_QUERIES]; /* the nearest rows of each query of the task */
} akin_nearest_worker;

/* Consecutive queries, and how many a task has. */
typedef struct akin_nearest_part {
    uint32_t first, end, each, tasks;
} akin_nearest_part;

typedef struct akin_nearest_round {
    const akin_ordered *ordered;
    const akin_column *queries;
    const uint32_t *numbers; /* of the symbols of queries, at the places of their bytes; NULL: bytes identify them */
    const akin_slices *slices;
    akin_nearest_screen screen; /* by bags */
    uint64_t *order;            /* queries that take part, | length | number |, rising */
    uint32_t count;             /* of them */
    uint32_t spans, k;
    uint32_t tops;              /* of a worker: the most queries of a task, */
    uint32_t each;              /* and how many it has */
    uint32_t chunk;             /* slices of a chunk */
    uint32_t kept;              /* bags list up to twice as many strings for a query; 0: there is no such round */
    uint32_t *most;             /* of each query and span: the edits within which k strings are */
    uint8_t *is_open;           /* likewise: it is not settled */
    uint64_t *keys;             /* likewise: the k nearest, or fewer */
    uint32_t *found;            /* likewise: how many of these */
    akin_nearest_part parts[2]; /* by bags, or by subsequences; and of what is too long for these */
    akin_nearest_worker *workers;
} akin_nearest_round;

/* Verifies strings that are listed, as far as they are wanted: adds them to `top` if they are near enough. */
akin_status akin_nearest_add(akin_nearest_worker *worker, const akin_symbols *query, const uint64_t *keys,
                             uint64_t count, akin_top *top);

/* Whether the caller wants the search to go on. */
int akin_nearest_goes_on(const akin_nearest_worker *worker);

/* Empties lists, and shares the room for keys among them. */
void akin_nearest_empty(akin_nearest_worker *worker, uint32_t lists);

/* Keeps what was found of a query in a span. */
void akin_nearest_keep(const akin_nearest_round *round, uint64_t slot, akin_top *top);

static inline akin_symbols akin_nearest_query(const akin_nearest_round *round, uint32_t place)
{
    const uint64_t *at = round->queries->offsets + (uint32_t)round->order[place];
    return (akin_symbols){.bytes = (const uint8_t *)round->queries->bytes + at[0],
                          .points = round->numbers ? round->numbers + at[0] : NULL,
                          .length = (uint32_t)(at[1] - at[0])};
}

/* Where a query has what was found in a span. */
static inline uint64_t akin_nearest_slot(const akin_nearest_round *round, uint32_t place, uint32_t span)
{
    return (uint64_t)(uint32_t)round->order[place] * round->spans + span;
}

static inline uint32_t akin_nearest_units(const akin_nearest_round *round)
{
    return (uint32_t)akin_ceil_div(round->ordered->count, AKIN_UNIT_STRINGS);
}

/* A unit on the way of a task that begins at the unit `middle`. */
static inline uint32_t akin_nearest_unit(const akin_nearest_round *round, uint32_t middle, uint32_t step)
{
    const uint32_t before = middle, from = akin_nearest_units(round) - middle;
    if (step / 2 < akin_min_u64(before, from))
        return step % 2 ? middle - 1 - step / 2 : middle + step / 2;
    return before > from ? before - 1 - (step - from) : middle + (step - before);
}

/* The unit that a task of `count` queries begins at. */
uint32_t akin_nearest_middle(const akin_nearest_round *round, uint32_t first, uint32_t count);

/* Keys of tops are | distance | row |: the nearest first. */
static inline uint32_t akin_nearest_count(uint32_t distance)
{
    return UINT32_MAX - distance;
}

/* The most edits that are wanted by now. */
static inline uint32_t akin_nearest_most(const akin_top *top)
{
    return UINT32_MAX - top->least;
}

/* Whether a string with a bound may still be among the nearest: it is also too far where the k-th is as near as the
 * bound, and comes first. */
static inline int akin_nearest_is_wanted(const akin_ordered *ordered, const akin_top *top, uint64_t key)
{
    return akin_nearest_bound(key) <= akin_nearest_most(top) &&
           akin_nearest_key(akin_nearest_bound(key), ordered->rows[(uint32_t)key]) <= top->last;
}

#endif
