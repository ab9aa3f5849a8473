/*
 * A call for pairs, as a caller makes it:
 *
 *     foresee     if pairs are handed over, a sample says how many there will be
 *     run         up to the limit of pairs
 *     run again   under a memory bound, if memory was short before any pair was handed over
 */
#ifndef AKIN_BASE_PAIRS_CALL_H
#define AKIN_BASE_PAIRS_CALL_H

#include "base/pair_limit.h"

typedef struct akin_pairs_call {
    /* Notes how many pairs a sample predicts. Where it fails it says nothing: the job finds out. */
    void (*foresee)(const void *user, const akin_scope *scope);
    /* Finds the pairs. `limit` has a sink if they are handed over. */
    akin_status (*run)(const void *user, const akin_scope *scope, akin_pair_limit *limit, akin_error *error);
    const void *user;
} akin_pairs_call;

/* Makes the call. sink NULL: pairs are counted alone. Errors: those of the job; AKIN_E_LIMIT. */
akin_status akin_pairs_call_make(const akin_pairs_call *call, const akin_scope *scope, akin_pair_sink sink,
                                 void *sink_user, akin_error *error);

#endif
