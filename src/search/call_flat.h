/* The exact search of an index of vectors: where all of them are reranked, nothing is counted first. */
#ifndef AKIN_SEARCH_CALL_FLAT_H
#define AKIN_SEARCH_CALL_FLAT_H

#include "search/call.h"

/* Whether a call is answered so. Otherwise all vectors are counted, and then reranked, with the same answers. */
int akin_call_is_flat(const akin_search_call *call);

/* Finds the objects nearest to `count` queries from `first` on. Errors: those of searching. */
akin_status akin_call_flat(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);

#endif
