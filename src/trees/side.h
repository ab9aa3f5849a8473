/* A side of a join of trees: its trees by size, with what pairs are filtered by. */
#ifndef AKIN_TREES_SIDE_H
#define AKIN_TREES_SIDE_H

#include "trees/collection.h"

#define AKIN_TREE_BUCKETS 64 /* counts of labels that a tree has */

/* A node whose label is rare, with what is to its left, below and above it; its tree has the rest. */
typedef struct akin_tree_mark {
    uint32_t rank; /* of its label: 0 is that of the rarest */
    uint32_t first, size, depth;
} akin_tree_mark;

/* The trees that have nodes, at places 0 to count - 1: smaller ones first, equal sizes by row. */
typedef struct akin_tree_side {
    akin_tree_collection trees;
    const uint32_t *rows; /* by place */
    uint32_t count;
    const uint8_t
        *buckets; /* of place p from p * AKIN_TREE_BUCKETS on: how many nodes, up to 255, have labels of each bucket */
    uint64_t *marks_begin; /* by place, and their end */
    akin_tree_mark *marks; /* some nodes of each tree: those of the rarest labels, rarest first, else in postorder */
} akin_tree_side;

/* Ranks of labels: 0 is that of the label with the fewest nodes on all sides; equal ones by number. */
typedef struct akin_tree_ranks {
    uint32_t *rank; /* by label */
    uint32_t count;
} akin_tree_ranks;

/* Errors of these functions: AKIN_E_NOMEM, AKIN_E_CANCELLED. What they make is cleared in any case. */
akin_status akin_tree_ranks_make(const akin_scope *scope, akin_account *account, uint32_t labels,
                                 const akin_tree_collection *const trees[], uint32_t sides, akin_tree_ranks *out,
                                 akin_error *error);

/* Makes the ranks one greater, so that 0 is free for a label that no tree has. */
void akin_tree_ranks_shift(akin_tree_ranks *ranks);

/* Sorts the trees of a side, which has only these, and makes the rest, with up to `marks` marks of each tree. */
akin_status akin_tree_side_make(const akin_scope *scope, akin_account *account, const akin_tree_ranks *ranks,
                                uint32_t marks, akin_tree_side *side, akin_error *error);
void akin_tree_side_clear(akin_tree_side *side);

static inline const akin_tree *akin_tree_at(const akin_tree_side *side, uint32_t place)
{
    return &side->trees.trees[side->rows[place]];
}

/* The first place of a tree of at least that many nodes. */
uint32_t akin_tree_side_find(const akin_tree_side *side, uint64_t nodes);

/* A distance that two trees have at least: the labels that one has more than the other. */
uint32_t akin_tree_labels_apart(const uint8_t *a, const uint8_t *b);

#endif
