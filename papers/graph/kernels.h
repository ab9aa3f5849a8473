/*
 * The kernels of Warshall's algorithm as C functions. All of them are *later* in the sense of device/device.h; pointers
 * within structs are of device memory. Errors: AKIN_E_DEVICE.
 */
#ifndef AKIN_PAPERS_GRAPH_KERNELS_H
#define AKIN_PAPERS_GRAPH_KERNELS_H

#include "device/backend.h"
#include "papers/graph/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AKIN_WARSHALL_PRODUCTS ((uint64_t)1 << 16) /* the most of a launch, of tiles that are full of bits */

/* The kernels of Warshall's algorithm. */
typedef struct akin_warshall_kernels {
    /* Phases 1 and 2 of a stage of Warshall's algorithm, as papers/graph/warshall.c says, on a matrix in device
     * memory. */
    akin_status (*pivot)(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot, akin_error *error);

    akin_status (*cross)(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot, akin_error *error);

    /* Phase 3, for `count` tiles from number `first` on, of all side * side of them. */
    akin_status (*rest)(akin_device_stream *stream, const akin_bit_matrix *matrix, uint32_t pivot, uint64_t first,
                        uint64_t count, akin_error *error);

    /* out |= a x b, but of those products only whose left factor is in one of the columns [from, to) of a, for such
     * tiles of out; three matrices of one size. */
    akin_status (*multiply)(akin_device_stream *stream, const akin_bit_matrix *out, const akin_bit_matrix *a,
                            const akin_bit_matrix *b, uint32_t from, uint32_t to, uint64_t first, uint64_t count,
                            akin_error *error);
} akin_warshall_kernels;

extern const akin_warshall_kernels akin_cuda_warshall; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
