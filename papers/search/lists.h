/*
 * The position map (GENIE, section III-B): which lists a query's items have, and where they are. An item has one list
 * at a time, of all of its keywords, as far as a launch is to end soon; or, if load is balanced, all of its sublists.
 */
#ifndef AKIN_PAPERS_SEARCH_LISTS_H
#define AKIN_PAPERS_SEARCH_LISTS_H

#include "papers/search/kernels.h"
#include "search/query.h"

/* What is left of an item. */
typedef struct akin_paper_item {
    uint64_t segment;       /* the first that is left, of `keyword` */
    uint32_t keyword, last; /* keywords that are left */
    uint32_t cell;          /* of that segment, the first that is left */
    uint32_t query, weight;
} akin_paper_item;

static inline akin_paper_item akin_paper_item_of(const akin_objects *objects, const akin_query_item *item,
                                                 uint32_t query)
{
    return (akin_paper_item){objects->lists[item->first].segment, item->first, item->last, 0, query, item->weight};
}

/* Takes from an item the next list of at most `most` objects, or of one segment; if `is_balanced`, of one keyword, and
 * of a bitmap a part. Returns how many objects it has, at most: 0 if nothing is left. `sizes` has a number for each
 * keyword, 0 at first, to be handed in again. */
uint64_t akin_paper_take(const akin_objects *objects, uint32_t *sizes, akin_paper_item *item, uint64_t most,
                         int is_balanced, akin_paper_list *out);

#endif
