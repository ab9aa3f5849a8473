/* A batch of queries, gathered one by one. */
#ifndef AKIN_SEARCH_QUERY_BATCH_H
#define AKIN_SEARCH_QUERY_BATCH_H

#include "search/query.h"

/* A batch of zeros has no queries. */
typedef struct akin_query_batch {
    uint32_t count;    /* of queries that are complete */
    uint64_t *offsets; /* of their items, and of the query at hand */
    akin_query_item *items;
    uint64_t used; /* of the items */
    uint64_t offsets_room, items_room;
} akin_query_batch;

/* Empties a batch, and makes room for `queries` queries. 0: memory is short. The caller clears the batch in any
 * case. */
static inline int akin_query_batch_begin(akin_query_batch *batch, uint32_t queries)
{
    uint64_t *offsets =
        akin_enlarge(NULL, batch->offsets, &batch->offsets_room, (uint64_t)queries + 1, sizeof *offsets);
    if (!offsets)
        return 0;
    batch->offsets = offsets;
    batch->offsets[0] = batch->used = batch->count = 0;
    batch->items = akin_enlarge(NULL, batch->items, &batch->items_room, 1, sizeof *batch->items);
    return batch->items != NULL;
}

/* Makes room for `items` further items. 0: memory is short. */
static inline int akin_query_batch_reserve(akin_query_batch *batch, uint64_t items)
{
    akin_query_item *moved = akin_enlarge(NULL, batch->items, &batch->items_room, batch->used + items, sizeof *moved);
    batch->items = moved ? moved : batch->items;
    return moved != NULL;
}

/* Adds an item to the query at hand. 0: memory is short. */
static inline int akin_query_batch_add(akin_query_batch *batch, uint32_t first, uint32_t last, uint32_t weight)
{
    if (!akin_query_batch_reserve(batch, 1))
        return 0;
    batch->items[batch->used++] = (akin_query_item){first, last, weight};
    return 1;
}

static inline void akin_query_batch_end(akin_query_batch *batch)
{
    batch->offsets[++batch->count] = batch->used;
}

static inline void akin_query_batch_clear(akin_query_batch *batch)
{
    akin_free(batch->offsets);
    akin_free(batch->items);
}

#endif
