/* The index of marks. */
#include "trees/index.h"

#include "base/bits.h"

#include <string.h>

akin_status akin_tree_index_make(akin_account *account, const akin_tree_side *side, const akin_tree_ranks *ranks,
                                 uint32_t most, akin_tree_index *out, akin_error *error)
{
    const uint64_t count = side->marks_begin[side->count];
    uint64_t *begin = akin_alloc_zero(account, ranks->count + UINT64_C(2), sizeof *begin);
    uint32_t *arrays[6];
    int has_memory = begin != NULL;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        arrays[i] = akin_alloc(account, count, sizeof *arrays[i]);
        has_memory &= arrays[i] != NULL;
    }
    *out = (akin_tree_index){begin, arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], side, most};
    if (!has_memory)
        return akin_fail_memory(error, "the index of trees");
    /* counted one place further on, so that begin[rank + 1] is where the next mark goes */
    for (uint64_t i = 0; i < count; i++)
        begin[side->marks[i].rank + UINT64_C(2)]++;
    for (uint64_t rank = 2; rank < ranks->count + UINT64_C(2); rank++)
        begin[rank] += begin[rank - 1];
    for (uint32_t place = 0; place < side->count; place++) {
        const uint32_t nodes = akin_tree_at(side, place)->nodes;
        for (uint64_t i = side->marks_begin[place]; i < side->marks_begin[place + UINT64_C(1)]; i++) {
            const akin_tree_mark *mark = &side->marks[i];
            const uint64_t at = begin[mark->rank + UINT64_C(1)]++;
            arrays[0][at] = place;
            arrays[1][at] = mark->first;
            arrays[2][at] = mark->size;
            arrays[3][at] = mark->depth;
            arrays[4][at] = nodes - mark->first - mark->size - mark->depth;
            arrays[5][at] = nodes - (uint32_t)(i - side->marks_begin[place]);
        }
    }
    return AKIN_OK;
}

void akin_tree_index_clear(akin_tree_index *index)
{
    akin_free((void *)index->begin);
    akin_free((void *)index->place);
    akin_free((void *)index->first);
    akin_free((void *)index->size);
    akin_free((void *)index->depth);
    akin_free((void *)index->right);
    akin_free((void *)index->reach);
    *index = (akin_tree_index){0};
}

int akin_tree_lookup_begin(akin_account *account, const akin_tree_index *index, akin_tree_lookup *lookup)
{
    *lookup = (akin_tree_lookup){.seen = akin_alloc_zero(account, index->side->count, sizeof *lookup->seen),
                                 .found = akin_alloc(account, index->side->count, sizeof *lookup->found)};
    return lookup->seen && lookup->found;
}

void akin_tree_lookup_clear(akin_tree_lookup *lookup)
{
    akin_free(lookup->seen);
    akin_free(lookup->found);
    *lookup = (akin_tree_lookup){0};
}

static void find(akin_tree_lookup *lookup, uint32_t place)
{
    if (lookup->seen[place] == lookup->number)
        return;
    lookup->seen[place] = lookup->number;
    lookup->found[lookup->count++] = place;
}

static void begin_look_up(const akin_tree_index *index, akin_tree_lookup *lookup)
{
    lookup->count = 0;
    if (++lookup->number > 0)
        return;
    memset(lookup->seen, 0, index->side->count * sizeof *lookup->seen);
    lookup->number = 1;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* The first of the entries `low` to high - 1 whose place is at least `place`. */
static uint64_t find_entry(const akin_tree_index *index, uint64_t low, uint64_t high, uint32_t place)
{
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (index->place[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void akin_tree_index_look_up(const akin_tree_index *index, const akin_tree_side *side, uint32_t probe, uint32_t end,
                             uint32_t most, akin_tree_lookup *lookup)
{
    const uint64_t edits = most;
    const uint32_t nodes = akin_tree_at(side, probe)->nodes;
    const uint32_t from = akin_tree_side_find(index->side, nodes > edits ? nodes - edits : 1);
    const uint32_t to = akin_min_u32(end, akin_tree_side_find(index->side, nodes + edits + 1));
    begin_look_up(index, lookup);
    if (nodes <= edits) { /* small trees */
        const uint32_t small = akin_min_u32(to, akin_tree_side_find(index->side, edits + 1));
        for (uint32_t place = from; place < small; place++)
            find(lookup, place);
        if (small == to)
            return;
    }
    const uint64_t marks = side->marks_begin[probe],
                   marks_end = akin_min_u64(side->marks_begin[probe + UINT64_C(1)], marks + edits + 1);
    for (uint64_t i = marks; i < marks_end; i++) {
        const akin_tree_mark m = side->marks[i];
        /* no tree may be larger than that, as too many nodes would be lost before this mark */
        const uint64_t largest = nodes - (i - marks) + edits;
        const uint32_t end_here =
            largest < nodes + edits ? akin_min_u32(to, akin_tree_side_find(index->side, largest + 1)) : to;
        const uint32_t right = nodes - m.first - m.size - m.depth;
        const uint64_t last = index->begin[m.rank + UINT64_C(1)];
        for (uint64_t e = find_entry(index, index->begin[m.rank], last, from); e < last && index->place[e] < end_here;
             e++)
            if (index->reach[e] + edits >= nodes &&
                (uint64_t)apart(index->first[e], m.first) + apart(index->size[e], m.size) +
                        apart(index->depth[e], m.depth) + apart(index->right[e], right) <=
                    edits)
                find(lookup, index->place[e]);
    }
}
