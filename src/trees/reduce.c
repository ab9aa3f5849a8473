/* Takes equal parts away from the ends of two forests, and equal roots from their tops. */
#include "trees/reduce.h"

#include "base/bits.h"
#include "trees/sequence.h"

/* Notes that `count` nodes from a and b on are partners. */
static void pair_nodes(uint32_t *partners, uint32_t a, uint32_t b, uint32_t count)
{
    for (uint32_t i = 0; i < count && partners; i++)
        partners[a + i] = b + i;
}

/* Takes equal trees away from the right ends. */
static void drop_last(akin_tree_forest *a, akin_tree_forest *b, uint32_t *partners)
{
    while (a->begin < a->end && b->begin < b->end) {
        const uint32_t size = a->tree->size[a->end - 1], of_a = a->end - size;
        if (b->tree->size[b->end - 1] != size)
            return;
        const uint32_t of_b = b->end - size;
        if (a->tree->label[a->end - 1] != b->tree->label[b->end - 1] ||
            akin_sequence_common(a->tree->label + of_a, b->tree->label + of_b, size) < size ||
            akin_sequence_common(a->tree->size + of_a, b->tree->size + of_b, size) < size)
            return;
        pair_nodes(partners, of_a, of_b, size);
        a->end = of_a;
        b->end = of_b;
    }
}

/* Takes equal trees away from the left ends. */
static void drop_first(akin_tree_forest *a, akin_tree_forest *b, uint32_t *partners)
{
    const uint32_t most = akin_min_u32(akin_tree_forest_nodes(a), akin_tree_forest_nodes(b));
    uint32_t common = akin_sequence_common(a->tree->label + a->begin, b->tree->label + b->begin, most);
    common = akin_sequence_common(a->tree->size + a->begin, b->tree->size + b->begin, common);
    /* the common nodes are whole trees up to the last place where one ends in both forests */
    uint32_t ends[2] = {akin_tree_forest_nodes(a), akin_tree_forest_nodes(b)};
    while (common > 0 && (ends[0] > common || ends[0] != ends[1])) {
        akin_tree_forest *const forest = ends[0] >= ends[1] ? a : b;
        uint32_t *const end = &ends[forest == b];
        *end -= forest->tree->size[forest->begin + *end - 1];
    }
    if (common == 0 || ends[0] == 0)
        return;
    pair_nodes(partners, a->begin, b->begin, ends[0]);
    a->begin += ends[0];
    b->begin += ends[0];
}

/* Takes equal roots away. Returns 0 if there is no such. */
static int drop_roots(akin_tree_forest *a, akin_tree_forest *b, uint32_t *partners)
{
    const uint32_t of_a = akin_tree_forest_nodes(a), of_b = akin_tree_forest_nodes(b);
    if (of_a == 0 || of_b == 0 || a->tree->size[a->end - 1] != of_a || b->tree->size[b->end - 1] != of_b ||
        a->tree->label[a->end - 1] != b->tree->label[b->end - 1])
        return 0;
    a->end--;
    b->end--;
    a->depth++;
    b->depth++;
    pair_nodes(partners, a->end, b->end, 1);
    return 1;
}

void akin_tree_forests_reduce(const akin_tree *left, const akin_tree *right, akin_tree_forest forests[2],
                              uint32_t *partners)
{
    akin_tree_forest *a = &forests[0], *b = &forests[1];
    *a = (akin_tree_forest){left, 0, left->nodes, 0};
    *b = (akin_tree_forest){right, 0, right->nodes, 0};
    do {
        drop_last(a, b, partners);
        drop_first(a, b, partners);
    } while (drop_roots(a, b, partners));
}
