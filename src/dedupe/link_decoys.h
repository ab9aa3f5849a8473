/*
 * What decoys say of a link whose records have one partner. Two records of one table are different things. So if a
 * table is linked with itself, and no record with itself, all pairs are wrong. They are decoys: they show how alike
 * wrong partners are. Pairs that are only as alike as decoys are wrong, as often as there are such decoys.
 *
 *     left     right
 *       a ----- b         b is one of the partners of a that are most like it,
 *             /           and a' one of those of b:
 *       a' --             (a, a') may be a decoy
 */
#ifndef AKIN_DEDUPE_LINK_DECOYS_H
#define AKIN_DEDUPE_LINK_DECOYS_H

#include "dedupe/training.h"

/* Finds what decoys allow, of a training that has learnt from two tables. weights[i] is what pair i weighs, in nats.
 * `matched` are the numbers of pairs that are left if a record keeps its most probable partner alone; without any there
 * is no step. At each weight the decoys of the table that allows more count, because a table may have duplicates.
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_training_find_caps(akin_training *training, const double *weights, const uint64_t *matched,
                                    uint64_t count, akin_caps *out, akin_error *error);

#endif
