/*
 * Transitive closure by a matrix of bits, as Forchhammer et al. compute it (Duplicate Detection on GPUs, section 5.5,
 * on the base of Katz and Kider: All-Pairs Shortest-Paths for Large Graphs on the GPU, 2008): kept to be compared with
 * connected components, which are the same clusters and take far less.
 */
#ifndef AKIN_PAPERS_GRAPH_WARSHALL_H
#define AKIN_PAPERS_GRAPH_WARSHALL_H

#include "akin_papers.h"
#include "device/device.h"
#include "graph/clustering.h"
#include "papers/graph/matrix.h"

/* The row of the table "clusterings". */
#define AKIN_WARSHALL_ROWS 1
extern const akin_clustering_row akin_warshall_rows[AKIN_WARSHALL_ROWS];

#define AKIN_WARSHALL_RECORDS ((uint32_t)1 << 20) /* the most that a matrix is made for: of 128 GiB */

/* The closure of a symmetric matrix, in place: on the threads of the context, or on a device, in whose memory there is
 * room for three tiles at least. Errors:
 * AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_status akin_warshall_close(const akin_scope *scope, const akin_bit_matrix *matrix, akin_error *error);
akin_status akin_warshall_close_on(akin_device *device, const akin_scope *scope, const akin_bit_matrix *matrix,
                                   akin_error *error);

#endif
