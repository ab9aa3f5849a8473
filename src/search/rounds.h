/* The nearest strings, by rounds of candidates or by a scan of all. */
#ifndef AKIN_SEARCH_ROUNDS_H
#define AKIN_SEARCH_ROUNDS_H

#include "search/candidates.h"

/* Finds the nearest of `count` queries: a round with `candidates` candidates; then, unless one round is wanted, a round
 * with more for the queries that it does not certify, if any number can certify them; and a scan of all strings for the
 * rest. `out`, whose k is the caller's, and then at most the number of strings, is cleared by the caller, with
 * akin_nearest_clear, in any case. Errors: AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_candidates_search(akin_searcher *searcher, const akin_lettered *queries, uint32_t count,
                                   uint32_t candidates, int one_round, akin_nearest_found *out, akin_error *error);

/* The same by comparing all strings: on a GPU, if one is required or is predicted to be faster, except for queries that
 * are too long for it, or too far from all strings. */
akin_status akin_nearest_scan(akin_searcher *searcher, const akin_lettered *queries, uint32_t count,
                              akin_nearest_found *out, akin_error *error);

/* Whether candidates are worth while, rather than a scan: judged by a round for some of the queries. Errors: as
 * above. */
akin_status akin_candidates_probe(akin_searcher *searcher, const akin_lettered *queries, uint32_t count,
                                  uint32_t candidates, uint32_t k, int *worth, akin_error *error);

#endif
