/*
 * The nearest strings among those that have the most n-grams in common with a query (Zhou et al., section V-A), and
 * whether they are the nearest of all.
 *
 * A string within t edits of a query of length q has at least q - n + 1 - n t of its n-grams (theorem 5.1). So when the
 * k-th nearest of the candidates is at distance t, and every other string has fewer, these are farther than t, and none
 * of them is missed, not even one at the same distance and an earlier row (theorem 5.2).
 */
#ifndef AKIN_SEARCH_CANDIDATES_H
#define AKIN_SEARCH_CANDIDATES_H

#include "search/query_batch.h"
#include "search/searcher.h"

/* What there is for each of some queries: the nearest as `| distance | row |`, rising, at most k in keys[i * k] .., and
 * what is known of them: an akin_certificate. */
typedef struct akin_nearest_found {
    uint32_t k;
    uint64_t *keys;
    uint32_t *found;
    uint8_t *certificates;
} akin_nearest_found;

void akin_nearest_clear(akin_nearest_found *found);

/* A round: compares up to `candidates` strings with each of the queries listed in `rows`, whose items are `batch`, and
 * fills in their results. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_candidates_compare(akin_searcher *searcher, const akin_lettered *queries, const uint32_t *rows,
                                    const akin_query_batch *batch, uint32_t candidates, akin_nearest_found *out,
                                    akin_error *error);

#endif
