/* The objects that are most similar to queries, exactly, by a GPU, which ranks them by scores. */
#ifndef AKIN_SEARCH_SIMILAR_GPU_H
#define AKIN_SEARCH_SIMILAR_GPU_H

#include "search/ranges.h"

/* The same as akin_similar_search, and the same results. Queries of sets that are too large for scores to rank are left
 * to the CPU. Errors: those of akin_ranges_search. */
akin_status akin_similar_search_gpu(const akin_scope *scope, akin_ranges *ranges, const akin_similar *similar,
                                    akin_similar_found *out, akin_error *error);

#endif
