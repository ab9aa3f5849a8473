/*
 * Probabilities of levels from anchored pairs: those that agree in one column that tells entities apart.
 *
 *     all pairs                      agreement, as expectation maximization sees it
 *       same journal, year, issue    4 columns of 6, 30,000 pairs: the largest regular class
 *       same paper                   6 columns of 6, 800 pairs
 *     pairs of one title             most are of one paper: they show how often its other columns agree
 *
 * Each such column is the anchor once. What a column is found to be is the mean over the others' anchors, by their
 * expected matches. So are the training sessions of Splink (Linacre, Lindsay and others, Splink, 2022), whose blocking
 * rules are the anchors.
 */
#ifndef AKIN_DEDUPE_ANCHORS_H
#define AKIN_DEDUPE_ANCHORS_H

#include "dedupe/training.h"
#include "learn/estimate.h"

/* Sets m of the models, which have u, and their weights. `how` is how to estimate; its pairs are the training's. With
 * fewer than two anchors *are_set is 0, and the models have not changed. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_training_anchor(akin_training *training, const akin_estimate *how, int *are_set, akin_error *error);

#endif
