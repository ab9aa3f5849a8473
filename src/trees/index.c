/* The index of marks. */
#include "trees/index.h"

#include "base/bits.h"

akin_status akin_tree_index_make(akin_account *account, const akin_tree_side *side, const akin_tree_ranks *ranks,
                                 uint32_t most, akin_tree_index *out, akin_error *error)
{
    const uint64_t count = side->marks_begin[side->count];
    *out = (akin_tree_index){.side = side, .most = most};
    out->begin = akin_alloc_zero(account, ranks->count + UINT64_C(2), sizeof *out->begin);
    uint32_t **const arrays[] = {&out->place, &out->first, &out->size, &out->depth, &out->right, &out->reach};
    int has_memory = out->begin != NULL;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = akin_alloc(account, count, sizeof **arrays[i]);
        has_memory &= *arrays[i] != NULL;
    }
    if (!has_memory)
        return akin_fail_memory(error, "the index of trees");
    /* counted one place further on, so that begin[rank + 1] is where the next mark goes */
    for (uint64_t i = 0; i < count; i++)
        out->begin[side->marks[i].rank + UINT64_C(2)]++;
    for (uint64_t rank = 2; rank < ranks->count + UINT64_C(2); rank++)
        out->begin[rank] += out->begin[rank - 1];
    for (uint32_t place = 0; place < side->count; place++) {
        const uint32_t nodes = akin_tree_at(side, place)->nodes;
        for (uint64_t i = side->marks_begin[place]; i < side->marks_begin[place + UINT64_C(1)]; i++) {
            const akin_tree_mark *mark = &side->marks[i];
            const uint64_t at = out->begin[mark->rank + UINT64_C(1)]++;
            out->place[at] = place;
            out->first[at] = mark->first;
            out->size[at] = mark->size;
            out->depth[at] = mark->depth;
            out->right[at] = nodes - mark->first - mark->size - mark->depth;
            out->reach[at] = nodes - (uint32_t)(i - side->marks_begin[place]);
        }
    }
    return AKIN_OK;
}

void akin_tree_index_clear(akin_tree_index *index)
{
    akin_free(index->begin);
    akin_free(index->place);
    akin_free(index->first);
    akin_free(index->size);
    akin_free(index->depth);
    akin_free(index->right);
    akin_free(index->reach);
    *index = (akin_tree_index){0};
}

static void find(akin_tree_lookup *lookup, uint32_t place, uint32_t probe)
{
    if (lookup->seen[place] == probe + 1)
        return;
    lookup->seen[place] = probe + 1;
    lookup->found[lookup->count++] = place;
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
                             akin_tree_lookup *lookup)
{
    const uint64_t most = index->most;
    const uint32_t nodes = akin_tree_at(side, probe)->nodes;
    const uint32_t from = akin_tree_side_find(index->side, nodes > most ? nodes - most : 1);
    const uint32_t to = akin_min_u32(end, akin_tree_side_find(index->side, nodes + most + 1));
    lookup->count = 0;
    if (nodes <= most) { /* small trees */
        const uint32_t small = akin_min_u32(to, akin_tree_side_find(index->side, most + 1));
        for (uint32_t place = from; place < small; place++)
            find(lookup, place, probe);
        if (small == to)
            return;
    }
    const uint64_t marks = side->marks_begin[probe];
    for (uint64_t i = marks; i < side->marks_begin[probe + UINT64_C(1)]; i++) {
        const akin_tree_mark m = side->marks[i];
        /* no tree may be larger than that, as too many nodes would be lost before this mark */
        const uint64_t largest = nodes - (i - marks) + most;
        const uint32_t end_here =
            largest < nodes + most ? akin_min_u32(to, akin_tree_side_find(index->side, largest + 1)) : to;
        const uint32_t right = nodes - m.first - m.size - m.depth;
        const uint64_t last = index->begin[m.rank + UINT64_C(1)];
        for (uint64_t e = find_entry(index, index->begin[m.rank], last, from); e < last && index->place[e] < end_here;
             e++)
            if (index->reach[e] + most >= nodes &&
                (uint64_t)apart(index->first[e], m.first) + apart(index->size[e], m.size) +
                        apart(index->depth[e], m.depth) + apart(index->right[e], right) <=
                    most)
                find(lookup, index->place[e], probe);
    }
}
