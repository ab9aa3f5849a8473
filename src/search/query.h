/* Queries of match-count search: items, each a range of keywords, which are contained in objects so often (GENIE,
 * definition 1). */
#ifndef AKIN_SEARCH_QUERY_H
#define AKIN_SEARCH_QUERY_H

#include "search/objects.h"

/* The keywords from `first` to `last`. Each of them counts for `weight`, 1 or more. */
typedef struct akin_query_item {
    uint32_t first, last, weight;
} akin_query_item;

/* Query i has items[offsets[i]] .. items[offsets[i + 1] - 1]. What several of them contain counts for each. */
typedef struct akin_queries {
    uint32_t count;
    const uint64_t *offsets;
    const akin_query_item *items;
} akin_queries;

/* How many dimensions an item reaches into; objects have some. */
uint64_t akin_query_dimensions(const akin_objects *objects, const akin_query_item *item);

/* The largest count that an object can have; more than 32 bits mean that it is too large. */
uint64_t akin_query_most(const akin_objects *objects, const akin_query_item *items, uint64_t count);

/* Checks the items of a query, and sets *most to that count. Errors: AKIN_E_INPUT, AKIN_E_LIMIT (2^32 - 1 or more). */
akin_status akin_query_check(const akin_objects *objects, const akin_queries *queries, uint64_t query, uint64_t *most,
                             akin_error *error);

#endif
