/*
 * The kernels of this room as C functions. All of them are *later* in the sense of device/device.h; pointers within
 * structs are of device memory. Errors: AKIN_E_DEVICE.
 */
#ifndef AKIN_GRAPH_KERNELS_H
#define AKIN_GRAPH_KERNELS_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A forest as graph/components.h draws it. */
typedef struct akin_gpu_forest {
    uint32_t *parents;
    uint32_t *members; /* nodes / 32 + 1 words: a bit for each node known to be in the largest component, */
    uint32_t *largest; /* a number: one of these nodes, or UINT32_MAX: the bits mean nothing */
    uint32_t nodes;
} akin_gpu_forest;

#define AKIN_FOREST_EDGES ((uint64_t)1 << 21) /* the most of a launch */
#define AKIN_FOREST_NODES ((uint32_t)1 << 24) /* what a launch settles */

/* The kernels of connected components. */
typedef struct akin_forest_kernels {
    /* Makes every node a tree of its own, or, with `planted`, leaves the parents that are there; nothing is known of
     * the largest component. */
    akin_status (*plant)(akin_device_stream *stream, const akin_gpu_forest *forest, int planted, akin_error *error);

    /* Unites the trees of `count` edges, AKIN_FOREST_EDGES at most: left << 32 | right. */
    akin_status (*link)(akin_device_stream *stream, const akin_gpu_forest *forest, const uint64_t *edges,
                        uint64_t count, akin_error *error);

    /* Finds the label that is most frequent in a sample. */
    akin_status (*sample)(akin_device_stream *stream, const akin_gpu_forest *forest, akin_error *error);

    /* Hangs the nodes from `first` on (a multiple of 32), at most AKIN_FOREST_NODES, from their roots, and notes which
     * of them are in the largest component. */
    akin_status (*settle)(akin_device_stream *stream, const akin_gpu_forest *forest, uint32_t first, akin_error *error);
} akin_forest_kernels;

extern const akin_forest_kernels akin_cuda_forest; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
