/*
 * Nodes of trees, one tree behind the other, as they are read. A tree with n nodes has n places in each array. Three
 * arrays are in postorder, where a subtree is a run that ends with its root:
 *
 *     {a{b{c}}{d}}      postorder   c  b  d  a        preorder   a  b  c  d
 *                       size        1  2  1  4
 *                       depth       2  1  1  0
 *
 * In postorder, node x has x - size + 1 nodes of its tree to its left, which come before its whole subtree. Its place
 * in preorder is that number plus its depth.
 */
#ifndef AKIN_TREES_NODES_H
#define AKIN_TREES_NODES_H

#include "base/error.h"
#include "base/memory.h"

/* A node that is open: its children are being read. */
typedef struct akin_tree_open {
    uint32_t label;
    uint32_t begin; /* nodes of its tree that are closed before it was opened */
} akin_tree_open;

/* All fields are zero at first but the account. */
typedef struct akin_tree_nodes {
    akin_account *account;
    uint32_t *label, *size, *depth; /* in postorder */
    uint32_t *pre;                  /* labels in preorder */
    uint64_t room;                  /* of each array */
    uint64_t first;                 /* of the tree that is read */
    uint32_t opened, closed;        /* nodes of it */
    akin_tree_open *open;
    uint64_t open_room;
    uint32_t open_count;
} akin_tree_nodes;

#define AKIN_TREE_NODES (UINT32_C(1) << 30) /* nodes of a tree, at most */

/* Begins a tree behind the last one, which was ended or is dropped. */
void akin_tree_nodes_begin(akin_tree_nodes *nodes);

/* Opens a node below the one that is open. Errors: AKIN_E_NOMEM, AKIN_E_LIMIT (the tree has too many nodes). */
akin_status akin_tree_nodes_open(akin_tree_nodes *nodes, uint32_t label, akin_error *error);

/* Closes the node that is open. */
void akin_tree_nodes_close(akin_tree_nodes *nodes);

/* Ends the tree, whose nodes are all closed; the next one comes behind it. Returns its number of nodes. */
uint32_t akin_tree_nodes_end(akin_tree_nodes *nodes);

void akin_tree_nodes_clear(akin_tree_nodes *nodes);

/* A tree: `nodes` places of each array. Borrowed. */
typedef struct akin_tree {
    const uint32_t *label, *size, *depth, *pre;
    uint32_t nodes;
} akin_tree;

#endif
