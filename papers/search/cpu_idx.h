/*
 * CPU-Idx, which the paper of match counts compares with (GENIE, section VI-A): one counter for each object, the lists
 * of a query in turn, and then a partial selection. Lists and scan are faster, so it is never the default.
 */
#ifndef AKIN_PAPERS_SEARCH_CPU_IDX_H
#define AKIN_PAPERS_SEARCH_CPU_IDX_H

#include "search/search.h"

/* The same as akin_search_batch. Threads share the queries, and each thread has 4 bytes for each object. */
akin_status akin_cpu_idx_search(const akin_scope *scope, const akin_objects *objects, const akin_queries *queries,
                                akin_search_results *out, akin_error *error);

#endif
