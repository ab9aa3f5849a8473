/*
 * The pairs that clusters of learnt probabilities are made of. A clustering in which a pair that was not found has
 * similarity 0 needs every pair inside a component:
 *
 *     components   of the selected pairs that reach the parameter of the clustering: no other pairs can merge clusters
 *     pairs        all pairs of records of a component, if it has up to 1,500 records, are scored, whether a selection
 *                  has them or not; of a larger one the selected pairs are taken alone
 *
 * Probabilities below 1% count as 0.
 */
#ifndef AKIN_DEDUPE_COMPLETION_H
#define AKIN_DEDUPE_COMPLETION_H

#include "dedupe/training.h"

/* Adds these pairs to the clusters. `probabilities` are those of the training's pairs. Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_training_complete(akin_training *training, const double *probabilities, akin_clusters *clusters,
                                   akin_error *error);

#endif
