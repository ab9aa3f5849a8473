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

/* As the public functions, within a scope. */
akin_status akin_search_index_of_documents_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                                  uint32_t rows, const akin_text_options *options,
                                                  const akin_column *names, akin_search_index **out, akin_error *error);
akin_status akin_search_index_of_sets_within(const akin_scope *scope, const akin_sets *sets, const akin_column *names,
                                             akin_search_index **out, akin_error *error);

#endif
