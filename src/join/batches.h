/*
 * The results of a filter on the GPU, batch by batch, in two sets of buffers by turns. While one batch is filtered, the
 * batch before is verified, and the one before that is copied back.
 *
 *     stream      | filter 1     | filter 2     | filter 3 ...
 *     checking                   | verify 1     | verify 2 ...
 *     copying                                 | pairs 1      | pairs 2 ...
 *     host                                         | emit 1       | emit 2 ...
 */
#ifndef AKIN_JOIN_BATCHES_H
#define AKIN_JOIN_BATCHES_H

#include "join/gpu.h"

typedef struct akin_gpu_batch {
    akin_device_buffer candidates, tally, pairs, overlaps; /* as the job has need of them */
    akin_pinned told;
    akin_device_event *filtered, *verified;
} akin_gpu_batch;

typedef struct akin_gpu_batches {
    akin_gpu_join *gpu;
    int exact;                              /* what the filter finds are pairs, or their number */
    uint32_t count;                         /* 1 or 2 */
    uint64_t room;                          /* pairs that each has room for */
    akin_device_stream *checking, *copying; /* NULL if there is one batch: all is done in gpu->stream */
    akin_gpu_batch batch[2];
} akin_gpu_batches;

/*
 * Makes `count` batches for a join that has begun. Each batch has room for `room` pairs; if memory is short it has less
 * room, but at least for `least` pairs. The caller calls akin_gpu_batches_clear in any case. Errors: AKIN_E_NOMEM,
 * AKIN_E_DEVICE.
 */
akin_status akin_gpu_batches_begin(akin_gpu_join *gpu, uint32_t count, int exact, uint64_t room, uint64_t least,
                                   akin_gpu_batches *out, akin_error *error);
void akin_gpu_batches_clear(akin_gpu_batches *batches);

/* Where batch number `which` wants what the filter finds; NULL: nowhere. */
akin_gpu_pair *akin_gpu_batch_pairs(const akin_gpu_batches *batches, uint32_t which);

/* Later, before the filter is put into gpu->stream: nothing was found so far. */
akin_status akin_gpu_batch_reset(akin_gpu_batches *batches, uint32_t which, akin_error *error);
/* Later, after the filter: verifies the candidates and copies the tally to the host. */
akin_status akin_gpu_batch_verify(akin_gpu_batches *batches, uint32_t which, akin_error *error);
/* Waits for the verification, counts the pairs or gets them, and returns the tally. The batch may then be used again.
 * akin_gpu_join_emit emits the pairs that are left. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_status akin_gpu_batch_take(akin_gpu_batches *batches, uint32_t which, akin_gpu_tally *told, akin_error *error);

#endif
