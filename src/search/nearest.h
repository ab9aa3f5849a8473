/*
 * The k nearest strings by edit distance (Levenshtein, of bytes, or of the symbols that these stand for), exactly:
 * distances ascending, rows ascending.
 *
 * Two lower bounds of the distance (nearest_bounds.h) say what has to be verified: that of the bags of bytes, which
 * settles queries whose k-th neighbour is near, and that of the longest common subsequence, which leaves few strings
 * even where the k-th is half the query away.
 */
#ifndef AKIN_SEARCH_NEAREST_H
#define AKIN_SEARCH_NEAREST_H

#include "search/ordered.h"

/* The nearest of `count` queries of a column, the numbers of whose symbols are beside their bytes where the strings
 * have numbers, else NULL: keys[i * k] .. keys[i * k + found[i] - 1], which are | distance | row |. *k becomes at most
 * the number of strings. A query that is null has none. Both arrays become the caller's, to be freed by akin_free in
 * any case. Errors: AKIN_E_OPTION (k is 0), AKIN_E_LIMIT (a query of 2^31 bytes or more), AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_nearest_search(const akin_scope *scope, const akin_ordered *ordered, const akin_column *queries,
                                const uint32_t *numbers, uint32_t count, uint32_t *k, uint64_t **keys, uint32_t **found,
                                akin_error *error);

#endif
