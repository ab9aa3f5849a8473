/*
 * What two trees differ in: a forest of each, from which equal parts are taken away as long as the distance stays.
 *
 *     equal last trees     the distance of F T and G T is that of F and G
 *     equal first trees    likewise
 *     equal roots          the distance of a(F) and a(G) is that of F and G
 *
 * The third rule: a cheapest mapping that maps one of the roots to another node than the other root can map the roots
 * to one another in its place, at no more cost. The first: take a cheapest mapping of F T to G T, and of its pairs
 * those of F and G alone. A node of F whose partner was in T loses it. That partner, a node of T on the right, stands
 * in T on the left as well; its own partner comes later in T, because mappings keep postorder, and so on up to a node
 * of T that has no partner. Each node of F has such an end of its own, which was paid for. The same holds for G.
 */
#ifndef AKIN_TREES_REDUCE_H
#define AKIN_TREES_REDUCE_H

#include "trees/nodes.h"

/* Whole trees side by side: nodes `begin` to end - 1 of a tree's postorder, below `depth` nodes. */
typedef struct akin_tree_forest {
    const akin_tree *tree;
    uint32_t begin, end, depth;
} akin_tree_forest;

#define AKIN_TREE_NO_NODE UINT32_MAX /* a node without a partner */

/* Sets forests[0] and forests[1] to what remains of two trees. partners, if it is not NULL, has room for the nodes of
 * the left tree: those that are taken away get their partner in the right one, and others keep what they have. */
void akin_tree_forests_reduce(const akin_tree *left, const akin_tree *right, akin_tree_forest forests[2],
                              uint32_t *partners);

static inline uint32_t akin_tree_forest_nodes(const akin_tree_forest *forest)
{
    return forest->end - forest->begin;
}

/* The labels of a forest in preorder, which are as many as its nodes. */
static inline const uint32_t *akin_tree_forest_pre(const akin_tree_forest *forest)
{
    return forest->tree->pre + forest->begin + forest->depth;
}

#endif
