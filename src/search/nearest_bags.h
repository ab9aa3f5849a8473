/* The first round of a search for nearest strings, by bags. */
#ifndef AKIN_SEARCH_NEAREST_BAGS_H
#define AKIN_SEARCH_NEAREST_BAGS_H

#include "search/nearest_round.h"

/* A task of the round. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_nearest_by_bags(const akin_nearest_round *round, akin_nearest_worker *worker, uint64_t task);

#endif
