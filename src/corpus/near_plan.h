/*
 * What a job of near-duplicates takes, foreseen: the job of akin_duplicates_plan. The job itself runs on a sample of
 * the documents, and what it took is scaled to all of them:
 *
 *     documents, bytes, tokens    as many times
 *     memory                      what grows with the documents (counters, index, what became of each), as many times
 *     rounds                      documents that the index holds under the bound, as its arrays grow
 *     seconds                     as many times; a later round looks at the documents that are left
 *
 * If the sample is all documents, nothing is scaled.
 */
#ifndef AKIN_CORPUS_NEAR_PLAN_H
#define AKIN_CORPUS_NEAR_PLAN_H

#include "base/scope.h"

/* As akin_duplicates_plan, within a scope. */
akin_status akin_duplicates_plan_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_plan_options *options, akin_duplicates_cost *out,
                                        akin_error *error);

#endif
