/* Indexes of signatures by the caller's own hash functions: the functions of their row in the table of kinds
 * (way.h). */
#ifndef AKIN_SEARCH_SIGNATURES_H
#define AKIN_SEARCH_SIGNATURES_H

#include "search/append.h"
#include "search/call.h"

/* What is wrong with the sections of a file; NULL: nothing. */
const char *akin_search_check_signatures(const akin_search_index *index);

/* Checks that an index of signatures can answer the queries. Errors: AKIN_E_OPTION. */
akin_status akin_call_admits_signatures(const akin_search_call *call, akin_error *error);

/* Adds query `row`. Errors: AKIN_E_NOMEM. */
akin_status akin_build_signature_query(akin_query_source *source, uint32_t row, akin_query_batch *batch,
                                       akin_error *error);

/* Makes an index of further signatures. Errors: AKIN_E_OPTION (other columns), those of
 * akin_search_index_of_signatures. */
akin_status akin_more_signatures(const akin_scope *scope, const akin_search_index *index,
                                 const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                                 akin_error *error);

/* Unites the values of each column, or keeps the functions that hash them. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_unite_signatures(akin_appending *a, akin_error *error);

/* As the public function, within a scope. */
akin_status akin_search_index_of_signatures_within(const akin_scope *scope, const akin_matrix *signatures,
                                                   const akin_signatures_options *options, const akin_column *names,
                                                   akin_search_index **out, akin_error *error);

#endif
