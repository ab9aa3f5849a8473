/* Match-count search: the k best objects for each query of a batch, by whichever technique. */
#ifndef AKIN_SEARCH_SEARCH_H
#define AKIN_SEARCH_SEARCH_H

#include "search/choose.h"
#include "search/top.h"

/* The best objects of query i are keys[i * k] .. keys[i * k + found[i] - 1], as akin_top_key has them, the best first;
 * those that count nothing are not among them. */
typedef struct akin_search_results {
    uint32_t k;
    akin_search_technique technique; /* that was taken */
    uint64_t *keys;
    uint32_t *found;
    akin_search_prices prices; /* predicted, if it was to be chosen */
} akin_search_results;

/* Searches with all queries, on all threads, by a technique of the library; `out`, whose k is the caller's, and then at
 * most the number of objects, is cleared by akin_search_clear in any case. The results are the same by any technique.
 * Errors: AKIN_E_OPTION (k is 0; a technique that cannot do it), AKIN_E_INPUT (an item that is empty, has no weight or
 * an invalid keyword), AKIN_E_LIMIT (counts beyond 32 bits), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_search_batch(const akin_scope *scope, const akin_objects *objects, const akin_queries *queries,
                              akin_search_technique technique, akin_search_results *out, akin_error *error);
void akin_search_clear(akin_search_results *results);

/* Puts what was found for each of `count` queries in order. Errors, without a message: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_search_sort(const akin_scope *scope, akin_search_results *results, uint64_t count);

/* What every search begins with, on the CPU or not: clears `out` but for k, which it bounds. Errors: AKIN_E_OPTION as
 * above. */
akin_status akin_search_begin(const akin_objects *objects, akin_search_technique technique, akin_search_results *out,
                              akin_error *error);
/* Checks all queries, and sets what an object can count for each. Errors: those of akin_query_check. */
akin_status akin_search_check(const akin_objects *objects, const akin_queries *queries, uint64_t *most,
                              akin_error *error);

#endif
