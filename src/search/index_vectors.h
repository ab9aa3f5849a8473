/* Indexes of vectors, and of sets by MinHash: the functions of their rows in the table of kinds (way.h). */
#ifndef AKIN_SEARCH_INDEX_VECTORS_H
#define AKIN_SEARCH_INDEX_VECTORS_H

#include "search/append.h"
#include "search/call.h"

/* What is wrong with the sections of a file; NULL: nothing. */
const char *akin_search_check_vectors(const akin_search_index *index);
const char *akin_search_check_minhash(const akin_search_index *index);

/* Checks that an index of vectors can answer the queries. Errors: AKIN_E_OPTION. */
akin_status akin_call_admits_vectors(const akin_search_call *call, akin_error *error);

/* Makes items of `count` queries from `first` on, on all threads: vectors, or sets, by the functions of the index.
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_build_vector_queries(const akin_scope *scope, const akin_query_source *source, uint32_t first,
                                      uint32_t count, akin_query_batch *batch, akin_error *error);

/* Makes an index of further vectors, which it borrows, or of further sets. Errors: AKIN_E_OPTION (other columns or
 * numbers), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_more_vectors(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error);
akin_status akin_more_minhash(const akin_scope *scope, const akin_search_index *index,
                              const akin_search_objects *objects, const akin_column *names, akin_search_index **out,
                              akin_error *error);

/* Keeps the functions, which are those of both sides. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_unite_functions(akin_appending *a, akin_error *error);

/* As the public functions, within a scope. */
akin_status akin_search_index_of_vectors_within(const akin_scope *scope, const akin_matrix *vectors,
                                                const akin_vectors_options *options, const akin_column *names,
                                                akin_search_index **out, akin_error *error);
akin_status akin_search_index_of_minhash_within(const akin_scope *scope, const akin_sets *sets,
                                                const akin_vectors_options *options, const akin_column *names,
                                                akin_search_index **out, akin_error *error);

#endif
