/*
 * The pairs inside components of learnt probabilities, whether a selection has them or not:
 *
 *     components   of the selected pairs that reach the threshold, or the parameter of the clustering if that is less
 *                  and the threshold does not decide (clusters_by_threshold)
 *     pairs        all pairs of records of a component are scored, if it has up to 1,500 records
 *
 * Pairs that reach the threshold are found, too: if a selection has a -- b and b -- c, it may lack a -- c. A clustering
 * in which a pair that was not found has similarity 0 needs them all; probabilities below 1% count as 0 there.
 */
#ifndef AKIN_DEDUPE_COMPLETION_H
#define AKIN_DEDUPE_COMPLETION_H

#include "dedupe/training.h"

/* Adds pairs to those found by the training, which reach the threshold, and to the clusters unless they are NULL; of
 * components that are too large the clusters receive the selected pairs. `probabilities` are those of the training's
 * pairs. `added` receives the sum of the probabilities of the pairs that are found in addition. Errors: AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_training_complete(akin_training *training, const double *probabilities, double threshold,
                                   akin_clusters *clusters, double *added, akin_error *error);

#endif
