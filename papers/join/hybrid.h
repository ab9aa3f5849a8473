/* The kernel of the hybrid join, as a C function, under the rules of join/kernels.h; papers/join/hybrid.c says what it
 * is for. */
#ifndef AKIN_PAPERS_JOIN_HYBRID_H
#define AKIN_PAPERS_JOIN_HYBRID_H

#include "join/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A chunk of candidates as it is written by the CPU and goes to the GPU, in `room` words of 32 bits. Candidates stand
 * at the front, those of a probe side by side; records at the back, the first one last:
 *
 *     word     0           3       5                                      room - 4        room - 2        room
 *              | c  c  c   | c  c  |  ...              free         ...    | probe 7   5   | probe 4   3   |
 *                of probe 4  of 7                                            and where its candidates end
 *
 * Writes the pairs that it holds to `pairs`, in order, and makes a tally of them. Both numbers are above 0.
 */
#define AKIN_HYBRID_RECORD 2 /* words */

/* The kernel of the hybrid join. */
typedef struct akin_hybrid_kernels {
    akin_status (*unpack)(akin_device_stream *stream, const uint32_t *words, uint32_t room, uint32_t candidates,
                          uint32_t records, akin_gpu_pair *pairs, akin_gpu_tally *tally, akin_error *error);
} akin_hybrid_kernels;

extern const akin_hybrid_kernels akin_cuda_hybrid; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
