/* The distinct rows of collections, which are joined in place of all of them. */
#ifndef AKIN_JOIN_DISTINCT_H
#define AKIN_JOIN_DISTINCT_H

#include "join/expansion.h"
#include "join/threshold.h"
#include "sets/sets.h"

/* A join of every pair that qualifies, whose options have been checked. */
typedef struct akin_join_task {
    const akin_scope *scope;
    akin_account *account;
    const akin_sets *left, *right; /* NULL: a self-join */
    akin_join_options options;
    akin_threshold threshold;
    akin_pair_sink sink;
    void *user;
} akin_join_task;

typedef struct akin_distinct {
    akin_sets sets[2];    /* row i is the first row of group i */
    akin_bulk room[2][2]; /* of their offsets and tokens */
    akin_expansion expansion;
} akin_distinct;

/* Sets *pays if there are so many equal rows that it pays to join the distinct ones. Errors: AKIN_E_NOMEM. */
akin_status akin_distinct_pays(const akin_join_task *task, int *pays, akin_error *error);

/* Makes the distinct rows of both sides, and begins the expansion of their pairs. The caller clears them in any case.
 * Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_distinct_make(const akin_join_task *task, akin_distinct *out, akin_error *error);
void akin_distinct_clear(akin_distinct *distinct);

/* Puts the figures of all rows in place of those of the distinct ones. */
void akin_distinct_describe(const akin_join_task *task, const akin_distinct *distinct, akin_join_summary *summary);

#endif
