/* What queries may be, and how much an object can count for one. */
#include "search/query.h"

uint64_t akin_query_dimensions(const akin_objects *objects, const akin_query_item *item)
{
    return (uint64_t)akin_objects_dimension(objects, item->last) - akin_objects_dimension(objects, item->first) + 1;
}

/* Keywords of an item that one object can have: of each dimension one. */
static uint64_t contained_of(const akin_objects *objects, const akin_query_item *item)
{
    uint64_t contained = (uint64_t)item->last - item->first + 1;
    if (contained > 1 && objects->head.dimensions > 0)
        contained = akin_min_u64(contained, akin_query_dimensions(objects, item));
    return akin_min_u64(contained, objects->head.most);
}

uint64_t akin_query_most(const akin_objects *objects, const akin_query_item *items, uint64_t count)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < count && most <= UINT32_MAX; i++)
        most += contained_of(objects, &items[i]) * items[i].weight;
    return most;
}

akin_status akin_query_check(const akin_objects *objects, const akin_queries *queries, uint64_t query, uint64_t *most,
                             akin_error *error)
{
    const akin_query_item *items = queries->items + queries->offsets[query];
    const uint64_t count = queries->offsets[query + 1] - queries->offsets[query];
    for (uint64_t i = 0; i < count; i++)
        if (items[i].first > items[i].last || items[i].last >= objects->head.keywords || items[i].weight == 0)
            return akin_note_place(
                akin_fail(error, AKIN_E_INPUT,
                          "query %llu: item %llu is of keywords %lu to %lu, weight %lu; keywords are below %lu, "
                          "weights above 0",
                          (unsigned long long)query, (unsigned long long)i, (unsigned long)items[i].first,
                          (unsigned long)items[i].last, (unsigned long)items[i].weight,
                          (unsigned long)objects->head.keywords),
                query, NULL, error);
    *most = akin_query_most(objects, items, count);
    if (*most >= UINT32_MAX)
        return akin_note_place(akin_fail(error, AKIN_E_LIMIT, "query %llu: an object can count 2^32 - 1 or more",
                                         (unsigned long long)query),
                               query, NULL, error);
    return AKIN_OK;
}
