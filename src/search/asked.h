/* Queries as they are gathered, one after the other. */
#ifndef AKIN_SEARCH_ASKED_H
#define AKIN_SEARCH_ASKED_H

#include "search/query.h"

/* One that is all zeros has no queries. */
typedef struct akin_asked {
    uint32_t count;    /* of queries that have ended */
    uint64_t *offsets; /* of their items, and of the one that has not */
    akin_query_item *items;
    uint64_t used; /* of the items */
    uint64_t offsets_room, items_room;
} akin_asked;

/* Begins anew, with room for so many queries. 0: there is no memory. To be cleared whatever it returns. */
static inline int akin_asked_begin(akin_asked *asked, uint32_t queries)
{
    uint64_t *offsets =
        akin_enlarge(NULL, asked->offsets, &asked->offsets_room, (uint64_t)queries + 1, sizeof *offsets);
    if (!offsets)
        return 0;
    asked->offsets = offsets;
    asked->offsets[0] = asked->used = asked->count = 0;
    asked->items = akin_enlarge(NULL, asked->items, &asked->items_room, 1, sizeof *asked->items);
    return asked->items != NULL;
}

/* Makes room for so many items more. 0: there is no memory. */
static inline int akin_asked_reserve(akin_asked *asked, uint64_t items)
{
    akin_query_item *moved = akin_enlarge(NULL, asked->items, &asked->items_room, asked->used + items, sizeof *moved);
    asked->items = moved ? moved : asked->items;
    return moved != NULL;
}

/* Adds an item to the query that has not ended. 0: there is no memory. */
static inline int akin_asked_add(akin_asked *asked, uint32_t first, uint32_t last, uint32_t weight)
{
    if (!akin_asked_reserve(asked, 1))
        return 0;
    asked->items[asked->used++] = (akin_query_item){first, last, weight};
    return 1;
}

static inline void akin_asked_end(akin_asked *asked)
{
    asked->offsets[++asked->count] = asked->used;
}

static inline void akin_asked_clear(akin_asked *asked)
{
    akin_free(asked->offsets);
    akin_free(asked->items);
}

#endif
