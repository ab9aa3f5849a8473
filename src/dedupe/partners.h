/*
 * Finds out how many partners a record has, from the probabilities of pairs that do not influence one another. If a
 * record has two partners or more in truth, they are of one entity, so they are partners, too:
 *
 *     a -- b    many:  b -- c is as sure as the other two
 *      \  /     one:   b and c merely resemble a: b -- c is improbable
 *       c
 */
#ifndef AKIN_DEDUPE_PARTNERS_H
#define AKIN_DEDUPE_PARTNERS_H

#include "dedupe/training.h"

/*
 * M is the share of records with two sure partners or more among those with one or more. T is the mean probability that
 * two sure partners of a record are of one entity. A record has many partners if M * T is 0.4 or more, or if M is 0.1
 * or more and T is 0.85 or more; and if the model is one of entities: see akin_training_is_of_entities. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_training_find_partners(akin_training *training, const double *probabilities, akin_partners *out,
                                        akin_error *error);

/* Whether a comparison tells entities apart: few pairs at random agree, and most records have a value. */
int akin_training_is_telling(const akin_training *training, uint32_t comparison);

/* Whether the pairs that the model takes for matches agree in 40% of the information of all columns, and are mostly
 * more alike than strangers in each column that tells entities apart. If not, it has found another class: records of
 * one category, city or household. Columns that say nothing of matches do not count: fewer than 3 agree, or
 * not twice as often as strangers. */
int akin_training_is_of_entities(const akin_training *training);

#endif
