/*
 * Pairs that compete, because a record has one partner at most, where each job sees a part of them (akin_population):
 *
 *     job on a part     weights of its pairs, but for those that change no other pair     akin_competition_list
 *     job on a part     ...
 *     all together      weights to probabilities, caps, and one pair for each record      akin_dedupe_model_match
 */
#ifndef AKIN_DEDUPE_COMPETITION_H
#define AKIN_DEDUPE_COMPETITION_H

#include "dedupe/model.h"
#include "dedupe/training.h"

/* Refuses a model without caps for a link of parts of tables. Errors: AKIN_E_OPTION. */
akin_status akin_competition_check(const akin_model_content *content, uint32_t tables, akin_error *error);

/* Finds the pairs of a job with a population that can be found, or that change others: they become `found` of the
 * training, with their weights in nats, of those of all pairs, as similarities. Errors: AKIN_E_OPTION (above),
 * AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_competition_list(akin_training *training, const double *weights, akin_error *error);

#endif
