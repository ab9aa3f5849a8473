/*
 * Which pairs a job finds, by the probabilities that it has learnt, or that a model gives:
 *
 *     link_decoys.h   what two tables say of wrong partners, if a record has one partner
 *     matching.h      one pair for each record, if a record has one partner
 *     expected.h      the threshold
 *     completion.h    pairs inside components, which no selection has
 */
#ifndef AKIN_DEDUPE_CHOOSING_H
#define AKIN_DEDUPE_CHOOSING_H

#include "dedupe/learnt.h"
#include "learn/estimate.h"

/* Lowers probabilities to what decoys of the job allow, or those of the model. `estimate` gave the probabilities.
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_choosing_lower(akin_learnt *learnt, const akin_estimate *estimate, akin_error *error);

/* The largest expected F1 of the pairs, if a record has one partner. Errors: as above. */
akin_status akin_choosing_expect(const akin_learnt *learnt, double *best, akin_error *error);

/* Finds the pairs, which become `found` of the training, and fills in what the report says of them. `least`: no lower
 * threshold is chosen; 0: the usual limit. Errors: as above. */
akin_status akin_choosing_run(akin_learnt *learnt, double least, akin_error *error);

#endif
