/*
 * Transitive closure by a matrix of bits, as Forchhammer et al. compute it (Duplicate Detection on GPUs, section 5.5, on
 * the base of Katz and Kider: All-Pairs Shortest-Paths for Large Graphs on the GPU, 2008): kept to be compared with
 * connected components, which are the same clusters and take far less.
 */
#ifndef AKIN_GRAPH_PAPER_WARSHALL_H
#define AKIN_GRAPH_PAPER_WARSHALL_H

#include "device/device.h"
#include "graph/components.h"
#include "graph/paper/matrix.h"

#define AKIN_WARSHALL_RECORDS ((uint32_t)1 << 20) /* the most that a matrix is made for: of 128 GiB */

/*
 * Unites the trees of `count` edges (left << 32 | right, nodes of the forest). The matrix is over the nodes that occur in
 * edges; it is on the heap up to a quarter of the context's memory bound, beyond it in a temporary file, and goes to the
 * GPU if one was asked for, or if it is large and there is one. `numbers` is room for a number a node. Errors:
 * AKIN_E_LIMIT (too many nodes occur), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_DEVICE, AKIN_E_CANCELLED; the forest is as before.
 */
akin_status akin_warshall_link(akin_context *context, const uint64_t *edges, uint64_t count, uint32_t *numbers,
                               akin_components *components, akin_error *error);

/* The closure of a symmetric matrix, in place: on the threads of the context, or on a device, in whose memory there is
 * room for three tiles at least. Errors: those above. */
akin_status akin_warshall_close(akin_context *context, const akin_bit_matrix *matrix, akin_error *error);
akin_status akin_warshall_close_on(akin_device *device, akin_context *context, const akin_bit_matrix *matrix,
                                   akin_error *error);

#endif
