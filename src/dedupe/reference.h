/*
 * The join of a right table with a reference table, which is the left one and has no duplicates. There are too few
 * columns to learn weights from, but the reference table itself says how far one can go (after P. Li et al.,
 * Auto-FuzzyJoin: Auto-Program Fuzzy Similarity Joins Without Labeled Examples, 2021):
 *
 *     item     each text of the right table with the reference text that is most like it, among the selected pairs
 *     decoy    each reference text with the other reference text that is most like it: a join that is wrong
 *
 * Measures of items and decoys (likeness.h) become probabilities (learn/decoys.h). The probabilities choose the
 * threshold of the expected precision that is wanted.
 */
#ifndef AKIN_DEDUPE_REFERENCE_H
#define AKIN_DEDUPE_REFERENCE_H

#include "dedupe/job.h"

/* Keeps those of the pairs that the job has gathered that are probable enough, with their probabilities: one for each
 * right record, at most. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_dedupe_join_reference(akin_dedupe_job *job, akin_error *error);

#endif
