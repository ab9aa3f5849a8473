/*
 * The trees of an index that are nearest to queries by edit distance: exactly, unless comparisons are few.
 *
 *     index     trees within up to AKIN_STORED_MARKS - 1 edits are found by their marks. If the query has its k there,
 *               no other tree is as near
 *     bounds    otherwise trees are compared in the order of a lower bound, the counts of their labels, until that
 *               bound is above the distance of the k-th tree
 */
#ifndef AKIN_TREES_STORED_SEARCH_H
#define AKIN_TREES_STORED_SEARCH_H

#include "trees/stored.h"

typedef struct akin_stored_wanted {
    uint32_t k;          /* at least 1, trees for each query */
    uint32_t within;     /* the largest distance; UINT32_MAX: any */
    uint32_t candidates; /* trees that are compared with a query, at most; 0: any number */
    int by_bounds;       /* 1: the index is not used */
} akin_stored_wanted;

/* Receives what was found for a query: keys with the distance above the row, rising, valid during the call. The
 * certificate is that of the index, of bounds (AKIN_CERTIFIED_BY_SCAN), or none. Called for one query after another.
 * Returns not 0 to stop. */
typedef int (*akin_stored_sink)(void *user, uint32_t query, const uint64_t *keys, uint32_t count,
                                akin_certificate certificate);

typedef struct akin_stored_report {
    uint64_t candidates, compared; /* trees that the index found or bounds put in order; those that were compared */
} akin_stored_report;

/* Searches for `rows` queries of a column, by all threads. Nulls, and texts of blanks, find nothing. Memory: the
 * queries, and 16 bytes a thread for each tree. Errors: those of akin_trees_join; AKIN_E_INPUT also if a stored tree is
 * damaged: *damaged is set then. */
akin_status akin_stored_search(const akin_scope *scope, const akin_stored_trees *trees, const akin_column *queries,
                               uint32_t rows, const akin_stored_wanted *wanted, akin_stored_sink sink, void *user,
                               akin_stored_report *report, int *damaged, akin_error *error);

#endif
