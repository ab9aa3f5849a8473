/* The index of rare branches. */
#include "graphs/index.h"

#include "base/bits.h"
#include "base/sort.h"

#define LOOK_COST 4 /* an entry of the index takes as long as so many graphs in a row */

/* How many of the branches of a graph are in the index. */
static uint32_t marks_of(const akin_graph_side *side, uint32_t place, uint32_t most)
{
    return (uint32_t)akin_min_u64(akin_graph_at(side, place)->nodes, 2 * (uint64_t)most + 1);
}

akin_status akin_graph_index_make(akin_account *account, const akin_graph_side *side, const akin_graph_ranks *ranks,
                                  uint32_t most, akin_graph_index *out, akin_error *error)
{
    uint64_t count = 0;
    *out = (akin_graph_index){.side = side, .most = most};
    for (uint32_t place = 0; place < side->count; place++)
        count += marks_of(side, place, most);
    out->begin = akin_alloc_zero(account, ranks->branch_count + UINT64_C(2), sizeof *out->begin);
    out->place = akin_alloc(account, count, sizeof *out->place);
    if (!out->begin || !out->place)
        return akin_fail_memory(error, "the index of graphs");
    /* counted one place further on, so that begin[rank + 1] is where the next place goes */
    for (uint32_t place = 0; place < side->count; place++)
        for (uint32_t i = 0, marks = marks_of(side, place, most); i < marks; i++)
            out->begin[side->branches[side->branches_begin[place] + i] + UINT64_C(2)]++;
    for (uint64_t rank = 2; rank < ranks->branch_count + UINT64_C(2); rank++)
        out->begin[rank] += out->begin[rank - 1];
    for (uint32_t place = 0; place < side->count; place++)
        for (uint32_t i = 0, marks = marks_of(side, place, most); i < marks; i++)
            out->place[out->begin[side->branches[side->branches_begin[place] + i] + UINT64_C(1)]++] = place;
    return AKIN_OK;
}

void akin_graph_index_clear(akin_graph_index *index)
{
    akin_free(index->begin);
    akin_free(index->place);
    *index = (akin_graph_index){0};
}

/* The first of the entries of a rank whose place is at least `place`. */
static uint64_t find_entry(const akin_graph_index *index, uint32_t rank, uint32_t place)
{
    uint64_t low = index->begin[rank], high = index->begin[rank + UINT64_C(1)];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (index->place[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the graphs in places `from` to `to` - 1. */
static void list_all(akin_graph_lookup *lookup, uint32_t from, uint32_t to)
{
    for (uint32_t place = from; place < to; place++)
        lookup->found[lookup->count++] = place;
}

void akin_graph_index_look_up(const akin_graph_index *index, const akin_graph_side *side, uint32_t probe, uint32_t end,
                              akin_graph_lookup *lookup)
{
    const uint64_t most = index->most, nodes = akin_graph_at(side, probe)->nodes;
    const uint32_t from = akin_graph_side_find(index->side, nodes > most ? nodes - most : 1);
    const uint32_t to = akin_min_u32(end, akin_graph_side_find(index->side, nodes + most + 1));
    /* graphs of up to 2 K nodes, or to one of these, need no branch in common */
    const uint32_t small = nodes <= 2 * most ? to : akin_min_u32(to, akin_graph_side_find(index->side, 2 * most + 1));
    const uint32_t *branches = side->branches + side->branches_begin[probe];
    const uint32_t marks = marks_of(side, probe, index->most), first = akin_max_u32(from, small);
    uint64_t entries = 0;
    lookup->count = 0;
    list_all(lookup, from, akin_min_u32(small, to));
    for (uint32_t i = 0; i < marks && first < to; i++)
        entries += find_entry(index, branches[i], to) - find_entry(index, branches[i], first);
    if (first >= to)
        return;
    if (LOOK_COST * entries >= to - first) {
        list_all(lookup, first, to);
        return;
    }
    const uint32_t sorted = lookup->count;
    for (uint32_t i = 0; i < marks; i++)
        for (uint64_t e = find_entry(index, branches[i], first), last = index->begin[branches[i] + UINT64_C(1)];
             e < last && index->place[e] < to; e++)
            if (lookup->seen[index->place[e]] != probe + 1) {
                lookup->seen[index->place[e]] = probe + 1;
                lookup->found[lookup->count++] = index->place[e];
            }
    akin_sort_u32(lookup->found + sorted, lookup->count - sorted);
}
