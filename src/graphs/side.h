/*
 * A side of a join of graphs: its graphs by size, with what pairs are filtered by.
 *
 * A branch is a node with the labels of its edges. An edit changes two branches at most (Zheng, Zou, Lian, Wang and
 * Zhao 2013), so graphs within K edits have all but 2 K branches in common.
 *
 * A sketch has counts of labels of nodes, of labels of edges, and of nodes by degree:
 *
 *     | 32 counts of labels of nodes | 16 of labels of edges | nodes of 1, 2 ... 16 edges or more |
 */
#ifndef AKIN_GRAPHS_SIDE_H
#define AKIN_GRAPHS_SIDE_H

#include "graphs/collection.h"

#define AKIN_GRAPH_SKETCH 64 /* bytes */

/* The graphs that have nodes, at places 0 to count - 1: fewer nodes first, equal ones by edges, then by row. */
typedef struct akin_graph_side {
    akin_graph_collection graphs;
    uint32_t *rows; /* by place */
    uint32_t count;
    uint8_t *sketches;        /* of place p from p * AKIN_GRAPH_SKETCH on */
    uint64_t *branches_begin; /* by place, and their end */
    uint32_t *branches;       /* ranks of the branches of each graph, rarest first: one a node */
} akin_graph_side;

/* How often a label, or a branch, occurs on all sides. Errors of these functions: AKIN_E_NOMEM, AKIN_E_CANCELLED. What
 * they make is cleared in any case. */
typedef struct akin_graph_ranks {
    uint32_t labels;
    uint32_t *nodes, *edges; /* ranks by label: 0 is that of the most frequent one */
    uint64_t *branches;      /* distinct hashes, ascending */
    uint32_t *branch;        /* the rank of each: 0 is that of the rarest */
    uint32_t branch_count;
} akin_graph_ranks;

akin_status akin_graph_ranks_make(const akin_scope *scope, akin_account *account, uint32_t labels,
                                  const akin_graph_collection *const graphs[], uint32_t sides, akin_graph_ranks *out,
                                  akin_error *error);
void akin_graph_ranks_clear(akin_graph_ranks *ranks);

/* Sorts the graphs of a side, which has only these, and makes the rest. */
akin_status akin_graph_side_make(const akin_scope *scope, akin_account *account, const akin_graph_ranks *ranks,
                                 akin_graph_side *side, akin_error *error);
void akin_graph_side_clear(akin_graph_side *side);

static inline const akin_graph *akin_graph_at(const akin_graph_side *side, uint32_t place)
{
    return &side->graphs.graphs[side->rows[place]];
}

/* The first place of a graph of at least that many nodes. */
uint32_t akin_graph_side_find(const akin_graph_side *side, uint64_t nodes);

/* A distance that two graphs have at least, by their sketches. */
uint32_t akin_graph_sketches_apart(const uint8_t *a, const uint8_t *b);

/* A distance that two graphs have at least, by the branches that they have in common; `most` + 1 if it is larger. */
uint32_t akin_graph_branches_apart(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                                   uint32_t most);

#endif
