/* What a job learns from answers, and what it gives to a labelling. */
#ifndef AKIN_DEDUPE_ANSWERED_H
#define AKIN_DEDUPE_ANSWERED_H

#include "dedupe/training.h"
#include "learn/estimate.h"

/* Whether the rows of all answers are those of the job's tables. Errors: AKIN_E_OPTION. */
akin_status akin_labelling_check(akin_labelling *labelling, const akin_records *records, akin_error *error);

/*
 * Gives the labelling of the job a pool of pairs to ask about, by the models and `probabilities` that were learnt
 * without answers. *are_many: the answers show that records have many partners, though the estimate says one. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_training_ask(akin_training *training, const akin_estimate *estimate, const double *probabilities,
                              int *are_many, akin_error *error);

/*
 * Fits the models of the training, which were learnt without answers, to the answers of the job's labelling, if there
 * are some, and computes the probabilities anew: those of pairs that were answered are 1 and 0. Errors: as above.
 */
akin_status akin_training_answer(akin_training *training, const akin_estimate *estimate, double *probabilities,
                                 akin_error *error);

#endif
