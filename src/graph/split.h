/*
 * Clusterings that split connected components by the similarities of pairs. They keep the pairs, and get one component
 * at a time:
 *
 *     rows     4 7 9          of the component, ascending; node 0 is row 4
 *     edges    (0, 1) .9      each pair of nodes once, sorted by nodes; a pair that was not found has similarity 0
 *              (1, 2) .8
 *     labels   0 0 2          what the clustering finds: of each node the first node of its cluster
 *
 * Similarities are whole multiples of 2^-24, so sums are exact, and do not depend on the order of pairs.
 */
#ifndef AKIN_GRAPH_SPLIT_H
#define AKIN_GRAPH_SPLIT_H

#include "base/parallel.h"
#include "graph/clustering.h"

#define AKIN_SPLIT_BITS 24 /* of a similarity behind the point */
#define AKIN_SPLIT_FEW  64 /* sources that have a bit each */

typedef struct akin_split_edge {
    uint32_t a, b; /* nodes, a < b */
    int32_t similarity;
} akin_split_edge;

/* Room that a thread has for arrays; it grows to the largest component. Zeros at first. */
typedef struct akin_split_room {
    void *data;
    uint64_t capacity;
} akin_split_room;

typedef struct akin_split_graph {
    uint32_t nodes;
    uint32_t lefts; /* of two tables: the first nodes, which are of the left one; nodes of one table are no pair */
    int has_sides;  /* there are two tables */
    uint64_t count;
    const akin_split_edge *edges;
    int64_t least;           /* the parameter of the clustering, as similarities are */
    const uint32_t *sources; /* of nodes, no two of which are in one cluster; or AKIN_NO_SOURCE. NULL: there are none.
                              * No edge is of two nodes of one source */
    int are_few;             /* all of them are below AKIN_SPLIT_FEW */
    uint32_t *labels;
    akin_split_room *room;
    akin_cancellation *cancellation;
} akin_split_graph;

/* Makes room for `bytes` bytes, which are zero; NULL: there is not enough memory. */
void *akin_split_reserve(akin_split_room *room, uint64_t bytes);

/* Cuts an array of `count` items of `size` bytes, a multiple of 4, out of room that begins at *at. Arrays with larger
 * items come first. */
static inline void *akin_split_cut(char **at, uint64_t count, uint64_t size)
{
    void *array = *at;
    *at += count * size;
    return array;
}

/* The pairs that x nodes of one cluster and y of another one make. `x_lefts` and `y_lefts` of them are of the left
 * table, where there are two. */
static inline uint64_t akin_split_pairs(const akin_split_graph *graph, uint64_t x, uint64_t x_lefts, uint64_t y,
                                        uint64_t y_lefts)
{
    return graph->has_sides ? x_lefts * (y - y_lefts) + (x - x_lefts) * y_lefts : x * y;
}

/* The first node of the cluster of a node, by a forest in which no parent is above its node. */
static inline uint32_t akin_split_find(uint32_t *parents, uint32_t node)
{
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

/* Sorts the numbers of edges by falling similarity, those of one similarity by their nodes: number i is the lower half
 * of key i. Returns 0 if the caller cancels. */
int akin_split_order(const akin_split_graph *graph, uint64_t *keys);

/* The functions of clusterings whose rows have a `split`. */
extern const akin_clustering_functions akin_split_functions;

#endif
