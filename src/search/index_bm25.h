/* Indexes of documents that are ranked by BM25: the functions of their row in the table of kinds (way.h), and their
 * files. */
#ifndef AKIN_SEARCH_INDEX_BM25_H
#define AKIN_SEARCH_INDEX_BM25_H

#include "search/call.h"

/* Makes an index. Errors: those of akin_weigh and akin_rank_index_create. */
akin_status akin_search_index_of_bm25(const akin_scope *scope, const akin_search_objects *objects,
                                      const akin_search_index_options *options, const akin_column *names,
                                      akin_search_index **out, akin_error *error);

/* Takes an index from a container, which becomes its own; if it is none, the container is closed. */
akin_status akin_search_index_take_bm25(const akin_scope *scope, const char *name, akin_container *container,
                                        akin_search_index **out, akin_error *error);

/* Refuses further documents. Errors: AKIN_E_OPTION. */
akin_status akin_more_bm25(const akin_scope *scope, const akin_search_index *index, const akin_search_objects *objects,
                           const akin_column *names, akin_search_index **out, akin_error *error);

/* Checks that such an index can answer the queries with the options. Errors: AKIN_E_OPTION. */
akin_status akin_call_admits_bm25(const akin_search_call *call, akin_error *error);

/* Ranks documents for all queries. Errors: those of akin_rank. */
akin_status akin_call_rank(akin_search_call *call, uint32_t rows, akin_error *error);

/* As the public function, within a scope. */
akin_status akin_search_index_of_weights_within(const akin_scope *scope, const akin_weights *weights,
                                                const akin_column *names, akin_search_index **out, akin_error *error);

#endif
