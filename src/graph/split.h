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
    uint64_t count;
    const akin_split_edge *edges;
    int64_t least; /* the parameter of the clustering, as similarities are */
    uint32_t *labels;
    akin_split_room *room;
    akin_cancellation *cancellation;
} akin_split_graph;

/* Makes room for `bytes` bytes, which are zero; NULL: there is not enough memory. */
void *akin_split_reserve(akin_split_room *room, uint64_t bytes);

/* The functions of clusterings whose rows have a `split`. */
extern const akin_clustering_functions akin_split_functions;

#endif
