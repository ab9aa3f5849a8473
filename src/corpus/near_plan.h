/*
 * What finding near-duplicates will take, foreseen from documents all over the corpus: they are copied, and the job is
 * done with them alone. Time and tokens grow with the bytes. The memory is what the job charges at most: a counter for
 * each token, and an index of all documents.
 */
#ifndef AKIN_CORPUS_NEAR_PLAN_H
#define AKIN_CORPUS_NEAR_PLAN_H

#include "base/scope.h"

/* As akin_duplicates_plan_make, within a scope. `bytes`: those of the documents that are copied, about. */
akin_status akin_duplicates_plan_within(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                        const akin_duplicates_options *options, uint64_t bytes,
                                        akin_duplicates_plan *out, akin_error *error);

#endif
