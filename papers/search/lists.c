/* Makes lists for queries from their items, in the order of the items. */
#include "papers/search/lists.h"

/* Objects of a segment, of a bitmap at most. */
static uint32_t objects_of(const akin_objects *o, uint32_t keyword, uint64_t segment)
{
    const uint32_t from = segment > o->lists[keyword].segment ? o->segments[segment - 1].end : 0;
    const uint32_t size = o->segments[segment].end - from;
    return size == AKIN_RANGE_CELLS ? AKIN_RANGE : size;
}

/* Objects of a keyword, likewise. */
static uint32_t size_of(const akin_objects *o, uint32_t *sizes, uint32_t keyword)
{
    const akin_keyword *list = &o->lists[keyword];
    uint64_t size = 0;
    for (uint64_t s = list->segment; s < list[1].segment && sizes[keyword] == 0; s++)
        size += objects_of(o, keyword, s);
    if (size > 0)
        sizes[keyword] = (uint32_t)akin_min_u64(size, UINT32_MAX);
    return sizes[keyword];
}

/* Takes a part of a bitmap. */
static uint64_t take_part(akin_paper_item *item, uint64_t most, akin_paper_list *out)
{
    const uint32_t cells = (uint32_t)(most / 16);
    out->cell = item->cell;
    item->cell += (uint32_t)akin_min_u64(cells, AKIN_RANGE_CELLS - item->cell);
    out->cell_end = item->cell;
    out->end = item->segment + 1;
    if (item->cell == AKIN_RANGE_CELLS) {
        item->cell = 0;
        item->segment++;
    }
    return (uint64_t)(out->cell_end - out->cell) * 16;
}

uint64_t akin_paper_take(const akin_objects *objects, uint32_t *sizes, akin_paper_item *item, uint64_t most,
                         int is_balanced, akin_paper_list *out)
{
    uint64_t taken = 0;
    *out = (akin_paper_list){.query = item->query, .weight = item->weight, .cell_end = UINT32_MAX};
    for (; item->keyword <= item->last; item->keyword++) {
        const akin_keyword *list = &objects->lists[item->keyword];
        const uint64_t end = list[1].segment, all = size_of(objects, sizes, item->keyword);
        if (item->segment < end && taken == 0) {
            out->segment = item->segment;
            out->first = item->keyword;
        }
        if (item->segment == list->segment && item->cell == 0 && all > 0 && taken + all <= most) {
            taken += all;
            item->segment = out->end = end;
            out->last = item->keyword;
        }
        for (; item->segment < end; item->segment++) {
            const uint32_t size = objects_of(objects, item->keyword, item->segment);
            out->last = item->keyword;
            if (taken > 0 && taken + size > most)
                return taken;
            if (is_balanced && size == AKIN_RANGE)
                return take_part(item, most, out);
            taken += size;
            out->end = item->segment + 1;
        }
        if (is_balanced && taken > 0)
            return taken;
    }
    return taken;
}
