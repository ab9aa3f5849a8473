/* The search of an index by counts of keywords, or by a measure of similarity. */
#ifndef AKIN_SEARCH_CALL_COUNT_H
#define AKIN_SEARCH_CALL_COUNT_H

#include "search/call.h"

/* Finds the objects with the most in common with `count` queries from `first` on. Errors: those of building and
 * searching. */
akin_status akin_call_count(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);

#endif
