/*
 * Documents by connected components: documents that a chain of alike pairs connects are one, and the preferred document
 * of each component is kept. It joins all documents, and takes what a join takes.
 */
#ifndef AKIN_CORPUS_CHAINED_H
#define AKIN_CORPUS_CHAINED_H

#include "corpus/duplicates.h"
#include "corpus/near_options.h"

/* Fills in what became of each document; order: rows, the preferred ones first, or NULL, as they are. Errors: those of
 * akin_sets_from_columns and akin_join. */
akin_status akin_chained_find(const akin_scope *scope, const akin_column *documents, uint32_t rows,
                              const akin_near_options *options, const uint32_t *order, akin_duplicates *out,
                              akin_error *error);

#endif
