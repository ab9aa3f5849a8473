/* How far found clusters agree with the clusters of gold: B-cubed, clusters found exactly, and bootstrap intervals. */
#ifndef AKIN_EVALUATE_AGREEMENT_H
#define AKIN_EVALUATE_AGREEMENT_H

#include "evaluate/tally.h"

/* How entities are drawn again; times 0: not at all. */
typedef struct akin_drawing {
    uint32_t times;
    uint64_t seed;
} akin_drawing;

/* Evaluates the clusters that the pairs of a tally make, after akin_tally_count, whose points are 1. It writes all of
 * *out but its size and `pairs`. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_agreement_count(const akin_tally *tally, const akin_drawing *drawing, akin_cluster_evaluation *out,
                                 akin_error *error);

#endif
