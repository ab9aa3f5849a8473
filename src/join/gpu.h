/* What the joins on the GPU share on the host's side: the sets are brought there, and pairs found come back. */
#ifndef AKIN_JOIN_GPU_H
#define AKIN_JOIN_GPU_H

#include "join/kernels.h"
#include "join/shares.h"

/* A side as it lies on the GPU. */
typedef struct akin_gpu_side {
    akin_device_buffer offsets, tokens, classes;
    akin_gpu_sets sets;
} akin_gpu_side;

typedef struct akin_gpu_join {
    akin_join_job *job;
    akin_device *device;
    akin_device_stream *stream;
    akin_gpu_side built[2];
    const akin_gpu_side *probes, *indexed; /* the same in a self-join */
    akin_measure_rule rule;
    akin_verify_way way;
    uint64_t room;                                         /* candidates that there is room for */
    akin_device_buffer candidates, tally, pairs, overlaps; /* the last two only if pairs are kept */
    akin_pinned staged;                                    /* what is on its way to the GPU */
    akin_pinned told;                                      /* the tally, on the host */
    akin_pinned found[2];                                  /* two pieces of pairs, and of overlaps, on the host */
    uint64_t piece, fetched[2];                            /* pairs of a piece, and those that are still to emit */
} akin_gpu_join;

/* Later: a tally is set back to nothing. Errors: those above. */
akin_status akin_gpu_tally_reset(akin_device_stream *stream, akin_gpu_tally *tally, akin_error *error);

/* How many candidates of the tally a buffer with room for `room` candidates really has. */
static inline uint64_t akin_gpu_tally_appended(const akin_gpu_tally *told, uint64_t room)
{
    uint64_t valid = told->count < told->valid ? told->count : told->valid;
    return valid < room ? valid : room;
}

/* Bytes of GPU memory that room for a candidate takes. */
uint64_t akin_gpu_join_bytes(const akin_join_job *job);
/* The number of candidates to make room for on a device with `bytes` bytes free. It takes an eighth of them at most,
 * and has room for `least` candidates at least. A test may set the number. */
uint64_t akin_gpu_join_room(const akin_join_job *job, uint64_t bytes, uint64_t least);

/* Opens a stream, uploads both sides, makes room for `room` candidates. The caller calls akin_gpu_join_clear in any
 * case. Errors: AKIN_E_NOMEM, AKIN_E_DEVICE. */
akin_status akin_gpu_join_begin(akin_join_job *job, uint64_t room, akin_gpu_join *out, akin_error *error);
void akin_gpu_join_clear(akin_gpu_join *gpu);

/* Later: the tally is set back to nothing, for a filter to append to the candidates. */
akin_status akin_gpu_join_reset(akin_gpu_join *gpu, akin_error *error);

/*
 * Verifies the candidates that are there, counts the pairs that qualify, keeps them if the job wants them, and returns
 * the tally. Errors: those above.
 */
akin_status akin_gpu_join_verify(akin_gpu_join *gpu, akin_gpu_tally *told, akin_error *error);

/* Counts and keeps the first `found` of gpu->pairs and gpu->overlaps, which need no verifying. Errors: those above. */
akin_status akin_gpu_join_found(akin_gpu_join *gpu, uint64_t found, akin_error *error);

/*
 * For joins that have their pairs elsewhere, in two steps. `fetch` copies `found` pairs and their overlaps from the
 * device, through a stream, and gives all but the last piece to the workers. `emit` gives them the last piece, while
 * the GPU may write to the arrays again. Errors: those above.
 */
akin_status akin_gpu_join_fetch(akin_gpu_join *gpu, akin_device_stream *stream, const akin_gpu_pair *pairs,
                                const uint32_t *overlaps, uint64_t found, akin_error *error);
akin_status akin_gpu_join_emit(akin_gpu_join *gpu, akin_error *error);

/* The bounds of a share on a device with `bytes` bytes free. They are what the sets may take, and what the device needs
 * besides for the sets and for at least `least` candidates. The numbers of pairs and tokens stay as they are. */
void akin_gpu_join_bounds(const akin_join_job *job, uint64_t bytes, uint64_t least, akin_share_bounds *out);

#endif
