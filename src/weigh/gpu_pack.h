/*
 * Packs documents for a GPU, in pinned memory, by several threads: text that is plain ASCII as it stands, all else as
 * tokens of the host's, with a barrier behind each (see gpu_look.h).
 *
 *     batch     | piece | piece | ...     each of some documents, by one thread
 *     straight  a piece of one column of plain text: it is copied as it is
 *     else      | document | document |   text of a column, barrier, text of the next; or token, barrier, token, ...
 */
#ifndef AKIN_WEIGH_GPU_PACK_H
#define AKIN_WEIGH_GPU_PACK_H

#include "weigh/gpu.h"
#include "weigh/weighing.h"

/* Some documents of a batch. */
typedef struct akin_gpu_piece {
    uint32_t first, end;
    int is_straight;
    uint64_t at, bytes; /* in the batch */
    char *text;         /* unless it is straight */
    uint64_t *ends;     /* of its documents */
    uint64_t capacity, ends_capacity;
    akin_text_counts counts;
    uint32_t row, column; /* where it failed, and how */
    akin_status status;
} akin_gpu_piece;

/* Zeros at first; cleared by akin_gpu_packer_clear. */
typedef struct akin_gpu_packer {
    akin_gpu_piece *pieces;
    uint32_t count;
    uint64_t capacity;
    akin_pinned text[2], offsets[2]; /* of the batches in two places */
    akin_text_counts counts[2];      /* of their texts, if the weigher's caller wants them */
} akin_gpu_packer;

/* Packs rows of the columns that the weigher is being given, for a place. Errors: those of device.h; AKIN_E_INPUT,
 * AKIN_E_LIMIT (a text), AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_gpu_pack(akin_gpu_packer *packer, akin_weigher *weigher, akin_device *device, uint32_t place,
                          uint32_t first, uint32_t end, akin_gpu_batch *out, akin_error *error);
void akin_gpu_packer_clear(akin_gpu_packer *packer, akin_device *device);

#endif
