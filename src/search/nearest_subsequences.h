/* The second round of a search for nearest strings, by common subsequences. */
#ifndef AKIN_SEARCH_NEAREST_SUBSEQUENCES_H
#define AKIN_SEARCH_NEAREST_SUBSEQUENCES_H

#include "search/nearest_round.h"

/* A task of the round. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_nearest_by_subsequences(const akin_nearest_round *round, akin_nearest_worker *worker, uint64_t task);

#endif
