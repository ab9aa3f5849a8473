/* Where the pairs of a join go, whoever finds them: kept and sorted, put aside under a memory bound, or handed over as
 * they are found. */
#ifndef AKIN_JOIN_DELIVERY_H
#define AKIN_JOIN_DELIVERY_H

#include "join/pairs.h"

typedef struct akin_delivery {
    const akin_scope *scope;
    akin_account *account;
    akin_pairs *pairs; /* of each thread; NULL: they are only counted */
    uint32_t threads;
    int any_order, is_ready;
    akin_pair_sink sink;
    void *user;
    akin_pair_limit *limit; /* that the sink is, or NULL */
    akin_pairs_drain drain;
    akin_runs runs;
} akin_delivery;

/* Begins; sink NULL: pairs are only counted. To be ended with akin_delivery_clear in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_delivery_begin(akin_delivery *delivery, const akin_scope *scope, akin_account *account,
                                uint32_t threads, int any_order, akin_pair_sink sink, void *user, akin_error *error);

/* Why a thread's akin_pairs_add failed. */
akin_status akin_delivery_failure(akin_delivery *delivery, akin_error *error);

/* Whether pairs could not be put aside, or their receiver asked to stop. */
int akin_delivery_failed(const akin_delivery *delivery);

/* Delivers the remaining pairs, of `rows` left rows. Errors: those of akin_pairs_deliver and akin_runs_deliver. */
akin_status akin_delivery_finish(akin_delivery *delivery, uint32_t rows, akin_error *error);

void akin_delivery_clear(akin_delivery *delivery);

#endif
