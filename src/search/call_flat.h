/* The exact search of an index of vectors: where all of them are reranked, nothing is counted first. */
#ifndef AKIN_SEARCH_CALL_FLAT_H
#define AKIN_SEARCH_CALL_FLAT_H

#include "search/call.h"

/* Whether a call is answered so. Otherwise all vectors are counted, and then reranked, with the same answers: on a GPU
 * that is required, and for large k, as what is found has to be signed. */
int akin_call_is_flat(const akin_search_call *call);

/* How many queries of such a call are answered at a time, at most; 1 or more. */
uint64_t akin_call_flat_most(const akin_search_call *call);

/* Finds the objects nearest to `count` queries from `first` on. Errors: those of searching. */
akin_status akin_call_flat(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error);

#endif
