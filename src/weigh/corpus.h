/* The statistics of a corpus that the documents are a part of. */
#ifndef AKIN_WEIGH_CORPUS_H
#define AKIN_WEIGH_CORPUS_H

#include "weigh/weights.h"

/* Reads and checks what the caller says of a corpus; NULL: *out has size 0. Errors: AKIN_E_OPTION, AKIN_E_INPUT. */
akin_status akin_corpus_read(const akin_corpus *given, akin_corpus *out, akin_error *error);

/* Gives weights whose documents have been counted, and that have no values yet, the statistics of the corpus. Errors:
 * AKIN_E_INPUT (the documents are no part of it), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_corpus_take(const akin_scope *scope, const akin_corpus *corpus, akin_weights *weights,
                             akin_error *error);

#endif
