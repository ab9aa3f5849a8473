/*
 * What the two rounds of a search for nearest strings share. A task has some queries, which are in the order of their lengths, so that
 * those side by side leave out the same strings; and a span of the strings.
 *
 *     by bags           the strings with the best bounds are listed, and verified, the best first, until a bound is above the k-th
 *                       distance. If all that are below it are listed, the query is settled; if not, nothing beyond that distance
 *                       is wanted in the other round
 *     by subsequences   all strings that may be near enough are listed. Now and then the best of them are verified, so that less is
 *                       wanted, and in the end what still is
 */
#ifndef AKIN_SEARCH_NEAREST_ROUND_H
#define AKIN_SEARCH_NEAREST_ROUND_H

#include "search/nearest_lanes.h"
#include "search/nearest_verify.h"
#include "search/top.h"
#include "table/columns.h"

#define AKIN_BAGS_QUERIES 32                  /* of a task */
#define AKIN_LIST_KEYS    ((uint32_t)1 << 20) /* that a worker has room for, in the lists of all lanes */
#define AKIN_LIST_SCRATCH 2048                /* keys that are sorted at once, at most */

/* Any distance: strings have fewer bytes. */
#define AKIN_NEAREST_ANY ((uint32_t)INT32_MAX)

/* What a thread has. */
typedef struct akin_nearest_worker {
    const struct akin_nearest_round *round;
    uint32_t first, set; /* query of the task at hand; by bags, its set of queries */
    akin_status status;
    akin_verifier verifier;
    uint64_t *places, *columns; /* as akin_subsequence_job has them */
    uint8_t *counts;            /* as akin_bags_job has them, for each of its sets of queries */
    uint64_t *keys, *scratch;   /* AKIN_LIST_KEYS of all lists, and AKIN_LIST_SCRATCH */
    uint32_t room;              /* keys of a list */
    akin_nearest_list lists[AKIN_NEAREST_LANES];
    uint32_t seen[AKIN_NEAREST_LANES]; /* so many of a list are what was left when the best were verified */
    akin_top tops[AKIN_NEAREST_LANES]; /* the nearest rows; so many are there as the round has */
} akin_nearest_worker;

/* Consecutive queries, and how many a task has. */
typedef struct akin_nearest_part {
    uint32_t first, end, each, tasks;
} akin_nearest_part;

typedef struct akin_nearest_round {
    const akin_sequences *sequences;
    const akin_column *queries;
    const akin_nearest_level *level;
    uint64_t *order; /* queries that take part, | length | number |, rising */
    uint32_t count;  /* of them */
    uint32_t spans, k;
    uint32_t tops;    /* of a worker: a task may have so many queries */
    uint32_t kept;    /* bags list up to twice as many strings for a query; 0: there is no such round */
    uint32_t *most;   /* of each query and span: within so many edits are k strings */
    uint8_t *is_open; /* likewise: it is not settled */
    uint64_t *keys;   /* likewise: the k nearest, or fewer */
    uint32_t *found;  /* likewise: so many */
    akin_nearest_part
        parts[AKIN_NEAREST_WIDTHS + 1]; /* by width, and of what is too long for lanes; by bags: the first */
    akin_nearest_worker *workers;
} akin_nearest_round;

/* Tasks of the rounds. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_nearest_by_bags(const akin_nearest_round *round, akin_nearest_worker *worker, uint64_t task);
akin_status akin_nearest_by_subsequences(const akin_nearest_round *round, akin_nearest_worker *worker, uint64_t task);

/* Verifies strings that are listed, as far as they are wanted: adds them to `top` if they are near enough. */
akin_status akin_nearest_add(akin_nearest_worker *worker, const akin_symbols *query, const uint64_t *keys,
                             uint64_t count, akin_top *top);

/* Empties lists, and shares the room for keys among them. */
void akin_nearest_empty(akin_nearest_worker *worker, uint32_t lists);

/* Keeps what was found of a query in a span. */
void akin_nearest_keep(const akin_nearest_round *round, uint64_t slot, akin_top *top);

static inline akin_symbols akin_nearest_query(const akin_nearest_round *round, uint32_t place)
{
    const uint64_t *at = round->queries->offsets + (uint32_t)round->order[place];
    return (akin_symbols){.bytes = (const uint8_t *)round->queries->bytes + at[0], .length = (uint32_t)(at[1] - at[0])};
}

/* Where a query has what was found in a span. */
static inline uint64_t akin_nearest_slot(const akin_nearest_round *round, uint32_t place, uint32_t span)
{
    return (uint64_t)(uint32_t)round->order[place] * round->spans + span;
}

/* The first block of a span. */
static inline uint32_t akin_nearest_begin(const akin_nearest_round *round, uint64_t span)
{
    return (uint32_t)(span * akin_sequences_blocks(round->sequences) / round->spans);
}

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

#endif
