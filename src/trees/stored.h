/*
 * Stored trees: those of a column as arrays, which a file holds as they are, with an index of their marks (index.h).
 *
 *     row        places of `begin`: the nodes of its tree, in postorder; a null has none
 *     label      by node: the rank of its label. 0 is for labels that no tree has, 1 for the rarest one
 *     size       by node: the nodes of its subtree
 *     labels     by rank, from 1 on; a table of ranks finds them by their hash
 *
 * Depths, and the labels in preorder, follow from the sizes. They are computed for each tree that is compared
 * (akin_stored_bring), which checks the sizes on the way: a file may be damaged, or change while it is mapped.
 */
#ifndef AKIN_TREES_STORED_H
#define AKIN_TREES_STORED_H

#include "base/container.h"
#include "trees/index.h"

#define AKIN_STORED_MARKS 17 /* marks of a tree, at most: the index finds trees within one less */

typedef struct akin_stored_head {
    uint32_t format; /* an akin_tree_format */
    uint32_t labels; /* distinct ones */
    uint32_t marks;  /* of a tree, at most */
    uint32_t reserved;
} akin_stored_head;

enum { /* the parts, sections of a file */
       AKIN_STORED_HEAD,
       AKIN_STORED_BEGIN,       /* uint64, by row, and the end */
       AKIN_STORED_LABEL,       /* uint32, by node */
       AKIN_STORED_SIZE,        /* uint32, by node */
       AKIN_STORED_ROWS,        /* uint32, by place (side.h) */
       AKIN_STORED_BUCKETS,     /* AKIN_TREE_BUCKETS bytes, by place */
       AKIN_STORED_MARKS_BEGIN, /* uint64, by rank, and the end */
       AKIN_STORED_PLACE,       /* uint32, by mark; its tree, */
       AKIN_STORED_FIRST,       /* and as akin_tree_index has them */
       AKIN_STORED_MARK_SIZE,   /* likewise, as what follows */
       AKIN_STORED_DEPTH,
       AKIN_STORED_RIGHT,
       AKIN_STORED_REACH,
       AKIN_STORED_LABEL_OFFSETS, /* uint64, by rank less 1, and the end */
       AKIN_STORED_LABEL_BYTES,
       AKIN_STORED_SLOTS, /* uint32, a power of two of them: ranks, or 0; the first free one ends a search */
       AKIN_STORED_PARTS
};

/* What it has is in arrays of its own, or borrowed from a file. */
typedef struct akin_stored_trees {
    akin_stored_head head;
    akin_section parts[AKIN_STORED_PARTS]; /* but for the head */
    akin_bulk own[AKIN_STORED_PARTS];
    akin_tree_side side; /* views of these; its trees lack depths and preorder */
    akin_tree_index index;
} akin_stored_trees;

/* Stores the trees of a column. They stay valid without the column, and are to be cleared in any case. Errors: those of
 * akin_trees_join. */
akin_status akin_stored_trees_make(const akin_scope *scope, akin_tree_format format, const akin_column *column,
                                   uint32_t rows, akin_stored_trees *out, akin_error *error);

/* Takes trees from the sections of a file that `name` is for. It borrows them, copies those that places are looked up
 * by, and checks that these are sound. They are to be cleared in any case. Errors: AKIN_E_INPUT, AKIN_E_NOMEM. */
akin_status akin_stored_trees_take(const akin_scope *scope, const char *name, uint32_t rows,
                                   const akin_section *sections, akin_stored_trees *out, akin_error *error);
void akin_stored_trees_clear(akin_stored_trees *trees);

/* The rank of a label; 0: no tree has it. */
uint32_t akin_stored_rank(const akin_stored_trees *trees, const char *label, size_t length);

/* Room for a tree that is compared. All fields are zero at first but the account. */
typedef struct akin_stored_room {
    akin_account *account;
    uint32_t *size, *depth, *pre;
    uint64_t size_room, depth_room, pre_room;
} akin_stored_room;

/* Brings the tree at a place, valid until the next call. Errors, without a message: AKIN_E_INPUT (it is damaged),
 * AKIN_E_NOMEM. */
akin_status akin_stored_bring(const akin_stored_trees *trees, uint32_t place, akin_stored_room *room, akin_tree *out);
void akin_stored_room_clear(akin_stored_room *room);

#endif
