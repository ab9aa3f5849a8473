/*
 * Pair selection: which pairs of records are compared. Selections are visited in turn, and a pair is new if no earlier
 * selection selects it. To find that out takes a look at the two records for each selection: nothing is gathered or
 * sorted.
 *
 *     all         order   0 1 2 3 4     records as they are: any two are a pair
 *     window      order   3 0 4 1 2     records by key; those less than the window apart are a pair
 *                 places  1 3 4 0 2     of each record its rank there: |rank - rank| < window makes a pair
 *     block       order   1 4 0 2 3     records by block: any two of a block are a pair
 *                 places  1 0 1 - 0     of each record its block: the same one makes a pair
 *     similar     starts  0 2 2 3 3 3   of each record where its partners begin, which are those behind it
 *     nearest     order   2 4 3         that the join or the search found, ascending: (0, 2), (0, 4), (2, 3)
 *     given       as nearest: the pairs of the caller, sorted
 *     similar     streamed: no arrays, the sets of a join that finds its pairs while they are compared
 *
 * A selection is a row of akin_selections (selections.h), and the four ways in which arrays make pairs are pairings.
 * Each has a file: select_all.c, select_window.c, select_block.c, listed.c.
 */
#ifndef AKIN_DEDUPE_SELECTOR_H
#define AKIN_DEDUPE_SELECTOR_H

#include "dedupe/joined.h"
#include "dedupe/pairs_form.h"
#include "dedupe/values.h"

/* Of a record that is in no block: a part of its key is missing, or its block is too large. */
#define AKIN_BLOCK_NONE AKIN_NUMBER_NONE

typedef struct akin_pairing akin_pairing;

typedef struct akin_selector {
    const akin_pairing *pairing;
    const akin_records *records;
    akin_pairs_form form; /* of the pairing */
    uint32_t window;
    uint32_t *order;     /* of all pairs the records as they are */
    uint32_t *places;    /* of each record: its rank, or its block */
    uint64_t *starts;    /* of blocks: block b is order[starts[b]] .. order[starts[b + 1] - 1]; or of partners */
    akin_joined *joined; /* of a selection whose pairs are not held; else NULL */
    akin_selected known; /* about its pairs, once made: how many blocks are too large, or have one key */
    uint32_t count;      /* records in order, or blocks; of all pairs the records */
} akin_selector;

/* Pairs of rows that the caller has, in any order. */
typedef struct akin_given {
    const uint32_t *rows[2]; /* of the left and the right table */
    uint64_t count;
    const uint32_t *places; /* of each row its record, where some records stand for others; NULL: rows are records */
} akin_given;

/* What a selector is made of. values[c] is that of column c, for each column that the selection names. */
typedef struct akin_selecting {
    const akin_scope *scope;
    akin_account *account;
    const akin_selection *selection;
    const akin_values *const *values;
    uint64_t max_block;
    int streams; /* pairs that a join finds need not be held */
    akin_given given;
} akin_selecting;

/* Frees the arrays. */
void akin_selector_clear(akin_selector *selector);

/* Gives a selector without arrays the pairs of a join, which becomes the selector's. Errors: AKIN_E_NOMEM. */
akin_status akin_selector_stream(akin_selector *selector, akin_account *account, akin_joined *joined,
                                 akin_error *error);

/* Whether records of two tables meet, or there is one table. */
static inline int akin_records_meet(const akin_records *records, uint32_t a, uint32_t b)
{
    return records->tables == 1 || (a < records->rows[0]) != (b < records->rows[0]);
}

/* Looks a pair up in lists of partners. */
int akin_selector_lists(const akin_selector *selector, uint32_t lower, uint32_t higher);

/* Whether it selects a pair. A later selection calls this for each of its pairs, so it is not a function of a pairing,
 * but a choice among all forms. */
static inline int akin_selector_has(const akin_selector *selector, uint32_t a, uint32_t b)
{
    if (selector->form == AKIN_PAIRS_ALL)
        return 1;
    if (selector->form == AKIN_PAIRS_LISTED)
        return akin_selector_lists(selector, a < b ? a : b, a < b ? b : a);
    if (selector->form == AKIN_PAIRS_JOINED)
        return akin_joined_has(selector->joined, a < b ? a : b, a < b ? b : a);
    uint32_t x = selector->places[a], y = selector->places[b];
    if (selector->form == AKIN_PAIRS_SAME)
        return x == y && x != AKIN_BLOCK_NONE;
    return (x > y ? x - y : y - x) < selector->window;
}

/* Whether one of some selectors selects a pair. Sets are looked at last: that takes the longest. */
static inline int akin_selectors_have(const akin_selector *selectors, uint32_t count, uint32_t a, uint32_t b)
{
    for (uint32_t s = 0; s < count; s++)
        if (selectors[s].form != AKIN_PAIRS_JOINED && akin_selector_has(&selectors[s], a, b))
            return 1;
    for (uint32_t s = 0; s < count; s++)
        if (selectors[s].form == AKIN_PAIRS_JOINED && akin_selector_has(&selectors[s], a, b))
            return 1;
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- visits */

#define AKIN_PARTNERS 1024 /* that are handed over at once, at most */

/* Takes some of a record's partners; each pair stands in one list, and those of one table are to be left out where
 * there are two. 0: no more is wanted. */
typedef int (*akin_selector_take)(void *user, uint32_t record, const uint32_t *partners, uint32_t count);

/* How the pairs are visited: `tasks` tasks, each of `records` records with all their partners. */
typedef struct akin_visits {
    uint64_t tasks;
    uint32_t records;
} akin_visits;

akin_visits akin_selector_visits(const akin_selector *selector);

/* Receives a record that will be a partner soon, and again a bit sooner, so that it can bring from memory what is known
 * of the record. */
typedef void (*akin_selector_expect)(void *user, uint32_t record, int sooner);

/* 0: `take` answered 0. */
int akin_selector_visit(const akin_selector *selector, const akin_visits *visits, uint64_t task,
                        akin_selector_take take, akin_selector_expect expect, void *user);

/* Records that a window has. */
#define AKIN_WINDOW_LEAST 2
#define AKIN_WINDOW_MOST  1000000

/* --------------------------------------------------------------------------------------------------------- pairings */

/* The numbers of what may be a selector's pairs: see draw.h. */
typedef struct akin_pair_urn {
    const akin_selector *selector;
    uint64_t numbers;
    uint64_t span;            /* of a window: W - 1, but no more than there are */
    uint64_t *numbers_before; /* of blocks; to be freed */
} akin_pair_urn;

/* What follows from a form: where partners are, how they are numbered. */
struct akin_pairing {
    akin_pairs_form form;
    int is_complete; /* it has all pairs that there are */
    int has_lists;   /* place i is record i, and has a list in `order`; else place i is record order[i] */
    /* The places that may have partners: from 0 on. It looks at the count, the starts and the records. */
    uint32_t (*places)(const akin_selector *selector);
    /* Of a place where its partners begin in `order`, and how many they are; it looks at no order but that of
     * blocks. */
    uint64_t (*partners)(const akin_selector *selector, uint32_t at, uint64_t *count);
    /* The most partners that a place has, 1 or more. */
    uint64_t (*most)(const akin_selector *selector);
    /* The place whose record is a partner of the place `at + ahead` for the first time; NULL: it is not worth it. */
    uint64_t (*entering)(const akin_selector *selector, uint64_t at, uint64_t ahead);
    /* Sets the numbers of an urn that has its selector. Errors: AKIN_E_NOMEM. */
    akin_status (*fill)(akin_pair_urn *urn, akin_account *account, akin_error *error);
    /* The pair of a number; 0: there is none. */
    int (*draw)(const akin_pair_urn *urn, uint64_t number, uint32_t *a, uint32_t *b);
};

/* The longest of the runs that `starts` cuts the order into, 1 or more. */
uint64_t akin_selector_longest(const akin_selector *selector);

/* The last place whose value is not above `number`, of values that never decrease, from 0 on. */
uint64_t akin_pair_urn_place(const uint64_t *values, uint64_t count, uint64_t number);

#endif
