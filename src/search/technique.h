/* A technique of a search: how objects are counted, and which calls the technique refuses. */
#ifndef AKIN_SEARCH_TECHNIQUE_H
#define AKIN_SEARCH_TECHNIQUE_H

#include "base/choice.h"
#include "search/search.h"

struct akin_search_call;
struct akin_search_technique_row;

/* Counts the keywords that the objects of the searcher's index have in common with queries. `out` is as in
 * akin_search_batch. Errors: those of akin_search_batch; those of the GPU, if the options name it. */
typedef akin_status akin_search_counter(akin_searcher *searcher, const akin_queries *queries,
                                        const struct akin_search_technique_row *technique, akin_search_results *out,
                                        akin_error *error);

/* Checks a call. Errors: AKIN_E_OPTION. */
typedef akin_status akin_search_call_check(const struct akin_search_call *call, akin_error *error);

/* A technique: an akin_search_technique. */
typedef struct akin_search_technique_row {
    akin_choice choice;
    akin_search_counter *count;
    uint8_t counts_grams;          /* it also counts the n-grams of strings, for candidates; 0: lists do */
    akin_search_call_check *check; /* for calls with the technique; NULL: there is nothing to check */
    const void *own;               /* of a technique of an annex: data for its functions */
} akin_search_technique_row;

/* How an annex checks akin_search_options.annex, for each technique. */
typedef struct akin_search_reader {
    akin_choice choice; /* of value 0 */
    akin_search_call_check *check;
} akin_search_reader;

#endif
