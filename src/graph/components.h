/*
 * Connected components of a graph, found edge by edge: a forest over its nodes, in which the two trees of an edge
 * become one. A node's parent is never above it, so the root of a tree is the smallest of its nodes, and that is their
 * label:
 *
 *     node       0 1 2 3 4 5        edges (0, 3), (3, 4), (2, 5)
 *     parents    0 1 2 0 0 2        settled: every node is a root, or its parent is one
 *
 * Edges may come in any order and twice, and may join a node with itself. The labels do not depend on this, nor on
 * threads or the device.
 */
#ifndef AKIN_GRAPH_COMPONENTS_H
#define AKIN_GRAPH_COMPONENTS_H

#include "base/scope.h"
#include "device/device.h"

/* Pairs as edges: of a left node and a right one, which is numbered behind those of the left. */
typedef struct akin_edges {
    const akin_pair *pairs;
    const double *similarities; /* of each pair; NULL: they are not known. Components do not look at them */
    uint64_t count;
    uint32_t lefts, rights; /* what left and right nodes must be below */
    uint32_t shift;         /* added to right ones; sums are below the nodes of the graph */
    int checked;            /* whether that is known to be so */
} akin_edges;

/* Checks that edges [first, end) are of existing nodes. Errors: AKIN_E_OPTION, for the first edge that is not. */
akin_status akin_edges_check(const akin_edges *edges, uint64_t first, uint64_t end, akin_error *error);

/* ------------------------------------------------------------------------------------------------------ on the CPU */

#define AKIN_COMPONENTS_NONE UINT32_MAX /* no node */

/*
 * The forest. Once there are about as many edges as nodes, one component may well have most of the nodes. Then these
 * are noted in a bit each, 32 times smaller than the parents: of two of them nothing else needs to be looked at.
 */
typedef struct akin_components {
    _Atomic uint32_t *parents; /* the caller's */
    uint32_t *members;         /* nodes of the largest component, as far as known; the caller's, nodes / 32 + 1 words */
    uint32_t nodes;
    uint32_t largest;      /* one of these nodes, or AKIN_COMPONENTS_NONE: `members` means nothing */
    uint64_t linked, next; /* edges so far, and when to look for the largest component (again) */
} akin_components;

/* Makes the settled forest of some labels, on the threads of the scope; labels NULL: every node is a tree of its own.
 * Without a scope (NULL) it works on the caller's thread, and cannot fail. Errors, without a message: AKIN_E_CANCELLED,
 * AKIN_E_NOMEM; what is there is a forest all the same if the parents were one. */
akin_status akin_components_begin(const akin_scope *scope, akin_components *components, _Atomic uint32_t *parents,
                                  uint32_t *members, uint32_t nodes, const uint32_t *labels);

/*
 * Unites the trees of edges, on the threads of the scope. Without a scope (NULL) it works on the caller's thread,
 * cannot be cancelled, and expects checked edges. After an error some edges are united, each completely. Errors:
 * AKIN_E_OPTION (as akin_edges_check), AKIN_E_CANCELLED, AKIN_E_NOMEM.
 */
akin_status akin_components_link(const akin_scope *scope, akin_components *components, const akin_edges *edges,
                                 akin_error *error);

/* Settles the forest, on the threads of the scope. Without a scope (NULL) it works on the caller's thread, and cannot
 * fail. Errors, without a message: AKIN_E_CANCELLED. */
akin_status akin_components_settle(const akin_scope *scope, akin_components *components);

/* -------------------------------------------------------------------------------------------------------- on a GPU */

/*
 * The same in device memory, which takes 4 1/8 bytes a node and, for edges of the host's, some MiB or what there is
 * room for. An edge is a number there, as in an akin_gpu_pair, whose right node has been shifted: left << 32 | right.
 */
typedef struct akin_gpu_components akin_gpu_components;

/* A forest of `parents`, which obey the rule above, or of single nodes (NULL). The device is used by one thread at a
 * time until it is freed; the caller is asked whether to cancel. Errors: AKIN_E_NOMEM (of the device, too),
 * AKIN_E_DEVICE, AKIN_E_CANCELLED, also of what follows. */
akin_status akin_gpu_components_create(const akin_scope *scope, akin_device *device, uint32_t nodes,
                                       const uint32_t *parents, akin_gpu_components **out, akin_error *error);
void akin_gpu_components_free(akin_gpu_components *components);

/* Later, in this stream: unites the trees of edges in device memory, whose nodes must be below `nodes`. */
akin_device_stream *akin_gpu_components_stream(const akin_gpu_components *components);
akin_status akin_gpu_components_link(akin_gpu_components *components, const uint64_t *edges, uint64_t count,
                                     akin_error *error);

/* The same for edges of the host's, which are read by the scope's threads, and copied while those before are linked;
 * they may be changed once it returns. Errors: AKIN_E_OPTION, too (as akin_edges_check). */
akin_status akin_gpu_components_add(akin_gpu_components *components, const akin_edges *edges, akin_error *error);

/* Later: settles the forest; where its parents are, in device memory. */
akin_status akin_gpu_components_settle(akin_gpu_components *components, akin_error *error);
const uint32_t *akin_gpu_components_labels(const akin_gpu_components *components);

/* Settles the forest and brings the labels to the host. */
akin_status akin_gpu_components_read(akin_gpu_components *components, uint32_t *labels, akin_error *error);

#endif
