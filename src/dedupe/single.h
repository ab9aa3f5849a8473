/*
 * The weights of a single column of text in one table. One column does not teach how alike the values of one entity
 * are. So a pair of that similarity has a fixed probability, less what strangers explain:
 *
 *     similarity from   0.45  0.6  0.75  0.85  0.92  0.999
 *     probability       0.05  0.2  0.9   0.97  0.99  0.999, times 1 - strangers / pairs of the level
 *
 * Strangers are less often alike, the more alike they are. So from 0.6 on the share of a level among them is the
 * counted one, but at most that of the level before, times the fraction by which that one is less than the level before
 * it. A table has duplicates among its own nearest neighbours. They are counted as strangers where all pairs are, but
 * they do not continue the fall.
 */
#ifndef AKIN_DEDUPE_SINGLE_H
#define AKIN_DEDUPE_SINGLE_H

#include "dedupe/training.h"

/* Whether the job compares a single column of text, in one table. */
int akin_training_is_single(const akin_training *training);

/* Sets the weights and the expected matches of the model, which has u, of those of the pairs and `beside` more. */
void akin_training_weigh_single(akin_training *training, double beside);

#endif
