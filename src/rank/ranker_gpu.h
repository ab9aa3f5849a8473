/*
 * Ranking on a GPU: the lists of an index are brought there once, and queries go there in batches. Two batches may be
 * under way, each in a place and a stream of its own. The results are those of akin_ranker, to the last bit.
 */
#ifndef AKIN_RANK_RANKER_GPU_H
#define AKIN_RANK_RANKER_GPU_H

#include "rank/kernels.h"
#include "rank/ranker.h"

#define AKIN_GPU_RANK_PLACES 2

typedef struct akin_gpu_ranker akin_gpu_ranker;

/* Brings lists to a device, to find `k` (at most AKIN_GPU_RANK_MOST) documents for each query. All arguments are
 * borrowed. Errors, also of what follows: those of device.h, AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_gpu_ranker_create(const akin_scope *scope, akin_device *device, const akin_lists *lists, uint32_t k,
                                   akin_gpu_ranker **out, akin_error *error);
void akin_gpu_ranker_free(akin_gpu_ranker *gpu);

/* How many queries a batch has at most. */
uint32_t akin_gpu_ranker_batch(const akin_gpu_ranker *gpu);

/* A batch: it is begun, each of its queries is put by any thread, as it was added to `ranker`, it is sent, which is
 * done later, and it is taken. One that is not taken in is given up when another is begun in its place.
 * akin_gpu_ranker_put answers 0 for a query that is too long: nothing is found for it there. */
akin_status akin_gpu_ranker_begin(akin_gpu_ranker *gpu, uint32_t place, uint32_t count, akin_error *error);
int akin_gpu_ranker_put(akin_gpu_ranker *gpu, uint32_t place, uint32_t query, const akin_ranker *ranker);
akin_status akin_gpu_ranker_send(akin_gpu_ranker *gpu, uint32_t place, akin_error *error);
akin_status akin_gpu_ranker_take(akin_gpu_ranker *gpu, uint32_t place, akin_error *error);

/* What was found for a query of the batch that was taken, best first: *count documents. */
const akin_gpu_found *akin_gpu_ranker_found(const akin_gpu_ranker *gpu, uint32_t place, uint32_t query,
                                            uint32_t *count);

#endif
