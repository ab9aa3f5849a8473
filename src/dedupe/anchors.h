/*
 * Probabilities of levels from anchored pairs: those that agree in one column that tells entities apart, the anchor.
 *
 *     all pairs                               agreement, as expectation maximization sees it
 *       same journal, year, volume, number    4 columns of 7, 30,000 pairs: the largest regular class
 *       same paper                            7 columns of 7, 800 pairs
 *     pairs of one title                      most are of one paper: they show how often its other columns agree
 *
 * Each such column is the anchor of one session. m of a column is the mean over the other columns' sessions, weighed by
 * their expected matches. A session counts if it has found a class of entities. Splink trains like this, with blocking
 * rules as anchors (Linacre and others, Splink: Free software for probabilistic record linkage at scale, 2022).
 */
#ifndef AKIN_DEDUPE_ANCHORS_H
#define AKIN_DEDUPE_ANCHORS_H

#include "dedupe/training.h"
#include "learn/estimate.h"

/* Sets m of the models, which have u, and their weights. `how` is how to estimate, and from which pairs; they are
 * marked. Without a session that counts *are_set is 0, and the models have not changed. A column that no session
 * teaches has the default m. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_training_anchor(akin_training *training, const akin_estimate *how, int *are_set, akin_error *error);

#endif
