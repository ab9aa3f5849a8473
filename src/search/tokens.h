/* Indexes of sets and of documents, whose tokens are keywords: the functions of their rows in the table of kinds
 * (way.h). */
#ifndef AKIN_SEARCH_TOKENS_H
#define AKIN_SEARCH_TOKENS_H

#include "search/append.h"
#include "search/query_builder.h"

/* What is wrong with the sections of a file, of sets or of documents; NULL: nothing. */
const char *akin_search_check_sets(const akin_search_index *index);
const char *akin_search_check_sizes(const akin_search_index *index);

/* Takes the words of documents from a file. Errors: AKIN_E_INPUT, AKIN_E_NOMEM. */
akin_status akin_search_take_documents(const akin_scope *scope, const char *name, akin_search_index *index,
                                       akin_error *error);

/* Adds query `row`. Errors: AKIN_E_INPUT, AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_build_set_query(akin_query_source *source, uint32_t row, akin_query_batch *batch, akin_error *error);
akin_status akin_build_document_query(akin_query_source *source, uint32_t row, akin_query_batch *batch,
                                      akin_error *error);

/* Makes an index of further objects. Errors: those of making an index. */
akin_status akin_more_sets(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error);
akin_status akin_more_documents(const akin_scope *scope, const akin_search_index *index,
                                const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                akin_error *error);

/* Unites the tokens of both sides. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_unite_sets(akin_appending *a, akin_error *error);
akin_status akin_unite_documents(akin_appending *a, akin_error *error);

#endif
