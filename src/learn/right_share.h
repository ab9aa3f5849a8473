/*
 * How probable it is that items of a weight are right, from decoys, which are wrong. There is an item and a decoy for
 * each record, or for most: what is wrong among the items has the weights of decoys.
 *
 *     weight     -2   0   3   5   7   9      ascending
 *     items       .   .   .   .   .   .
 *     decoys     ... ..   .                  of the records without a partner
 *     share       0   0  .5   1   1   1      1 - decoys / items, and it does not fall
 *
 * The share of records without a partner follows from the items that are right, and these follow from it: both are
 * found in rounds. A share that does not fall with the weight is an isotonic regression (Ayer and others, An empirical
 * distribution function for sampling with incomplete information, 1955).
 */
#ifndef AKIN_LEARN_RIGHT_SHARE_H
#define AKIN_LEARN_RIGHT_SHARE_H

#include "base/error.h"
#include "base/memory.h"

typedef struct akin_weighed_decoys {
    const double *weights; /* ascending */
    uint64_t count;
    double records; /* with an item, if each had a partner */
    double scale;   /* how many records of these a decoy stands for */
} akin_weighed_decoys;

/* Sets shares[i] of items with ascending weights. Errors: AKIN_E_NOMEM, without a message. */
akin_status akin_right_share_find(akin_account *account, const double *weights, uint64_t count,
                                  const akin_weighed_decoys *decoys, double *shares);

#endif
