/* The choice of a technique for a batch of queries. */
#ifndef AKIN_SEARCH_CHOOSE_H
#define AKIN_SEARCH_CHOOSE_H

#include "search/query.h"

/* Seconds that a batch would take on one thread; 0: it cannot be done so. */
typedef struct akin_search_prices {
    double lists, scan;
} akin_search_prices;

/* The technique that auto takes, and what it weighed. */
akin_search_technique akin_search_choose(akin_cpu cpu, const akin_objects *objects, const akin_queries *queries,
                                         akin_search_prices *prices);

#endif
