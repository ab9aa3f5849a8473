/*
 * The best partners of each tree: those at the smallest distance, exactly. Candidates are compared in the order of a
 * lower bound, the counts of labels, with the distance of the worst partner so far as the largest. No candidate whose
 * bound is above that distance can be a partner.
 */
#ifndef AKIN_TREES_BEST_H
#define AKIN_TREES_BEST_H

#include "akin.h"
#include "trees/job.h"

/* Finds the job's options.top best partners of each left row, and delivers them. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_trees_best(akin_tree_job *job, akin_pair_sink sink, void *user, akin_error *error);

#endif
