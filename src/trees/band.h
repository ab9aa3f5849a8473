/*
 * The edit distance of two forests if it is at most K: the recursion of Zhang and Shasha ("Simple fast algorithms for
 * the editing distance between trees and related problems", 1989), within a band.
 *
 *     F(i, j)   the distance of the first i nodes of a subtree (postorder) and the first j of another
 *     T(x, y)   the distance of subtrees x and y
 *
 * Subtrees whose first leaf is the same share a table F. Each node has nodes to its left, to its right, above it and
 * below it, and a mapping that takes subtree x to subtree y takes each of these four to its own. So it costs at least
 * the sum of their differences, and pairs with a sum above K need no T (Touzet, "Comparing similar ordered trees in
 * linear-time", 2007). Equal subtrees need none either: T is 0.
 *
 * The nodes may also be taken in the mirror, right to left. That is cheaper where trees lean to the right.
 */
#ifndef AKIN_TREES_BAND_H
#define AKIN_TREES_BAND_H

#include "base/memory.h"
#include "base/parallel.h"
#include "trees/reduce.h"

/* The nodes of a forest, in postorder or in that of the mirror. */
typedef struct akin_band_side {
    uint32_t *label, *size, *depth;
    uint32_t *first;  /* the number of the first leaf below a node */
    uint32_t *above;  /* the next node with the same first leaf; AKIN_TREE_NO_NODE: there is none */
    uint32_t *origin; /* the node's number in the postorder of its tree */
    uint32_t count;
    uint64_t room;
} akin_band_side;

/* All fields are zero at first but the account and, where long tasks may be stopped, the cancellation. A thread has its
 * own. */
typedef struct akin_band {
    akin_account *account;
    akin_cancellation *cancellation; /* is looked at now and then; NULL: there is none */
    uint64_t looked;                 /* cells since then */
    int is_stopped;                  /* a function has returned 0 because the task should end */
    akin_band_side sides[2];
    uint32_t most;    /* K */
    uint32_t *inner;  /* T: for each left node, right nodes from its number - most to its number + most */
    uint32_t *runs;   /* of a diagonal: nodes up to this one that are equal */
    uint32_t *forest; /* F */
    uint64_t inner_room, runs_room, forest_room;
} akin_band;

#define AKIN_BAND_FAR (UINT32_MAX / 2) /* a distance above K */

/* Takes two forests, in the order that costs less. Returns 0 if memory is short. */
int akin_band_take(akin_band *band, const akin_tree_forest forests[2]);

/* Sets *distance to that of the forests that were taken if it is at most `most`, else to AKIN_BAND_FAR. Returns 0 if
 * memory is short, or the task should end. */
int akin_band_distance(akin_band *band, uint32_t most, uint32_t *distance);

/* Sets partners[x] of left nodes, by their numbers in their tree, to those in a cheapest mapping of the forests, whose
 * distance akin_band_distance has just found. Nodes without a partner keep what they have. Returns 0 if memory is
 * short, or the task should end. */
int akin_band_trace(akin_band *band, uint32_t *partners);

/* The table F of the first leaves a and b, in a band of `slack` around its diagonal, which has all of it where slack is
 * that of the longer side. F(i, j) is at
 * forest[i * width + j - i + slack + 1], with a place on each side that is far. */
typedef struct akin_band_table {
    uint32_t a, b, slack;
    uint64_t width;
} akin_band_table;

/* Fills F of `rows` nodes and `columns` nodes from first leaves a and b on, and T on the way. Returns 0 if memory is
 * short, or the task should end. */
int akin_band_fill(akin_band *band, uint32_t a, uint32_t rows, uint32_t b, uint32_t columns, akin_band_table *table);

void akin_band_clear(akin_band *band);

#endif
