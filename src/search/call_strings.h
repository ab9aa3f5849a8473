/* The search of an index of strings. */
#ifndef AKIN_SEARCH_CALL_STRINGS_H
#define AKIN_SEARCH_CALL_STRINGS_H

#include "search/call.h"

/* Checks that an index of strings can answer the queries with the options. Errors: AKIN_E_OPTION. */
akin_status akin_call_admits_strings(const akin_search_call *call, akin_error *error);

/* Finds the strings nearest to `count` queries from `first` on. Errors: those of akin_candidates_search and of
 * akin_nearest_scan. */
akin_status akin_call_nearest(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);

#endif
