/*
 * The index of marks, which finds the trees that may be within K edits of another one.
 *
 * A mapping of K edits or fewer keeps all but K nodes of either tree with their labels. So, of the K + 1 nodes of the
 * rarest labels, the marks, at least one is kept. Take the rarest label that is kept, and of its nodes the first one in
 * postorder: it is a mark of both trees, because at most K nodes of either tree are rarer or come before it. The nodes
 * to its left, right, above and below go to those of its partner, so the sum of their differences is at most K as well.
 * The marks are those of prefix filters; the four sums are those of Hütter et al., "Effective filters and linear time
 * verification for tree similarity joins", ICDE 2019.
 *
 * The nodes before that mark are not kept, and they are at most K less the nodes that the tree lacks to be as large as
 * the other one.
 *
 * Two trees of at most K nodes need no label in common. An index of K + 1 marks of each tree serves any smaller K, too.
 */
#ifndef AKIN_TREES_INDEX_H
#define AKIN_TREES_INDEX_H

#include "trees/side.h"

/* The marks of a side by the rank of their label, and by place. */
typedef struct akin_tree_index {
    const uint64_t *begin; /* by rank, and their end */
    const uint32_t *place, *first, *size, *depth, *right;
    const uint32_t *reach; /* the nodes of the tree, less the marks before this one */
    const akin_tree_side *side;
    uint32_t most;
} akin_tree_index;

/* Errors: AKIN_E_NOMEM. The index is to be cleared in any case, and borrows the side. */
akin_status akin_tree_index_make(akin_account *account, const akin_tree_side *side, const akin_tree_ranks *ranks,
                                 uint32_t most, akin_tree_index *out, akin_error *error);
void akin_tree_index_clear(akin_tree_index *index);

/* What a thread looks up with. */
typedef struct akin_tree_lookup {
    uint32_t *seen; /* by place of the index: the last look-up that found it */
    uint32_t *found;
    uint32_t count;
    uint32_t number; /* of look-ups so far */
} akin_tree_lookup;

/* Makes room for all places of an index. Returns 0 if memory is short. It is to be cleared in any case. */
int akin_tree_lookup_begin(akin_account *account, const akin_tree_index *index, akin_tree_lookup *lookup);
void akin_tree_lookup_clear(akin_tree_lookup *lookup);

/* Finds the places below `end` of trees that may be within `most` edits, up to those of the index, of the tree at
 * `probe` of a side, each once, in no order. */
void akin_tree_index_look_up(const akin_tree_index *index, const akin_tree_side *side, uint32_t probe, uint32_t end,
                             uint32_t most, akin_tree_lookup *lookup);

#endif
