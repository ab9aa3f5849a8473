/* The statistics of a corpus that the documents are a part of, or that they are. */
#ifndef AKIN_WEIGH_CORPUS_H
#define AKIN_WEIGH_CORPUS_H

#include "dict/corpus.h"
#include "weigh/weights.h"

/* Gives weights whose documents have been counted, and that have no values yet, the statistics of the corpus. Errors:
 * AKIN_E_INPUT (the documents are no part of it), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_corpus_take(const akin_scope *scope, const akin_corpus *corpus, akin_weights *weights,
                             akin_error *error);

/* What weights have counted. */
akin_corpus_counts akin_corpus_counts_of(const akin_weights *weights);

#endif
