/* What the caller wants of near-duplicates, read and checked. */
#ifndef AKIN_CORPUS_NEAR_OPTIONS_H
#define AKIN_CORPUS_NEAR_OPTIONS_H

#include "base/scope.h"
#include "join/threshold.h"

typedef struct akin_near_options {
    akin_duplicates_options own;
    akin_text_options text;
    akin_threshold threshold;
} akin_near_options;

/* Reads the caller's options, and checks the columns. Errors: AKIN_E_OPTION. */
akin_status akin_near_options_read(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                                   const akin_duplicates_options *given, akin_near_options *out, akin_error *error);

#endif
