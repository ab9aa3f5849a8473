/*
 * Pair selection: which pairs of records are compared. Selections are visited one after the other, and a pair is new if none
 * of those before it selects it, which takes a look at two records for each: nothing is gathered or sorted.
 *
 *     window      order   3 0 4 1 2     records by key; those less than the window apart are a pair
 *                 ranks   1 3 4 0 2     of each record its place there: |rank - rank| < window tells a pair
 *     block       order   1 4 0 2 3     records by block, the members of which are pairs
 *                 blocks  1 0 1 - 0     of each record its block: the same one tells a pair
 *     similar     starts  0 2 2 3 3 3   of each record where its partners begin, which are those behind it
 *                 order   2 4 3         that the join found, ascending: (0, 2), (0, 4), (2, 3)
 */
#ifndef AKIN_DEDUPE_SELECTION_H
#define AKIN_DEDUPE_SELECTION_H

#include "dedupe/values.h"

#define AKIN_BLOCK_NONE                                                                                                \
    UINT32_MAX /* of a record that is in none: a part of its key is missing, or its block is too large */

typedef struct akin_selector {
    akin_selection_kind kind;
    const akin_records *records;
    uint32_t window;
    uint32_t *order;  /* of all pairs the records as they are */
    uint32_t *places; /* of each record: its rank, or its block */
    uint64_t *starts; /* of blocks: block b is order[starts[b]] .. order[starts[b + 1] - 1]; or of partners */
    uint32_t count;   /* records in order, or blocks; of all pairs the records */
    uint64_t oversized, oversized_records; /* blocks that are too large, and the records in them */
} akin_selector;

/* values[c] is that of column c, for each column that the selection names. Errors: AKIN_E_NOMEM, AKIN_E_IO. */
akin_status akin_selector_make(akin_context *context, akin_account *account, const akin_selection *selection,
                               const akin_values *const *values, uint64_t max_block, const akin_records *records,
                               akin_selector *out, akin_error *error);
void akin_selector_clear(akin_selector *selector);

/* Whether records of two tables meet, or there is one table. */
static inline int akin_records_meet(const akin_records *records, uint32_t a, uint32_t b)
{
    return records->tables == 1 || (a < records->rows[0]) != (b < records->rows[0]);
}

/* For a selector by similarity: joins the records (similar.c), as akin_selector_make does, and looks a pair up. */
akin_status akin_selector_join(akin_context *context, akin_account *account, const akin_selection *selection,
                               akin_selector *selector, akin_error *error);
int akin_selector_found(const akin_selector *selector, uint32_t lower, uint32_t higher);

/* Whether it selects a pair. */
static inline int akin_selector_has(const akin_selector *selector, uint32_t a, uint32_t b)
{
    if (selector->kind == AKIN_SELECT_ALL)
        return 1;
    if (selector->kind == AKIN_SELECT_SIMILAR)
        return akin_selector_found(selector, a < b ? a : b, a < b ? b : a);
    uint32_t x = selector->places[a], y = selector->places[b];
    if (selector->kind == AKIN_SELECT_BLOCK)
        return x == y && x != AKIN_BLOCK_NONE;
    return (x > y ? x - y : y - x) < selector->window;
}

#define AKIN_PARTNERS 1024 /* that are handed over at once, at most */

/* Takes some of a record's partners; each pair stands in one list, and those of one table are to be left out where there
 * are two. 0: no more is wanted. */
typedef int (*akin_selector_take)(void *user, uint32_t record, const uint32_t *partners, uint32_t count);

/* How the pairs are visited: so many tasks, each of so many records with all their partners. */
typedef struct akin_visits {
    uint64_t tasks;
    uint32_t records;
} akin_visits;

akin_visits akin_selector_visits(const akin_selector *selector);

/* Is told which record will be a partner soon, and then a bit sooner: what is known of it may be brought from memory. */
typedef void (*akin_selector_expect)(void *user, uint32_t record, int sooner);

/* 0: `take` answered 0. */
int akin_selector_visit(const akin_selector *selector, const akin_visits *visits, uint64_t task,
                        akin_selector_take take, akin_selector_expect expect, void *user);

#endif
