/* A trie on a GPU, and the lookup of words that are in memory of the host. */
#ifndef AKIN_DICT_TRIE_GPU_H
#define AKIN_DICT_TRIE_GPU_H

#include "dict/kernels.h"
#include "dict/trie_layout.h"

/* Returns the bytes of device memory that a trie takes. */
uint64_t akin_trie_gpu_bytes(const akin_trie *trie);

/* A copy of a trie in device memory. Other streams may use it once the stream that copied it has done so. */
typedef struct akin_trie_copy {
    akin_gpu_look_up *look_up; /* looks up words in device memory; takes the view */
    akin_gpu_trie view;
} akin_trie_copy;

/* Later: copies a trie to *buffer in device memory. The copy does not need the trie any more. Errors: AKIN_E_NOMEM (of
 * the host or the device), AKIN_E_DEVICE. */
akin_status akin_trie_upload(akin_device *device, akin_device_stream *stream, const akin_trie *trie,
                             akin_device_buffer *buffer, akin_trie_copy *out, akin_error *error);

/* The lookup of words of the host on a device. */
typedef struct akin_trie_gpu_job {
    const akin_scope *scope;
    akin_device *device;
    const akin_trie *trie;
    akin_balance balance;
} akin_trie_gpu_job;

/* Looks up the words of `rows` rows of a column; nulls count as words. A chunk of words is copied to the device while
 * the device looks up the chunk before. Errors: AKIN_E_NOMEM (of the host or the device), AKIN_E_DEVICE,
 * AKIN_E_CANCELLED. After an error, some ids may be written. */
akin_status akin_trie_look_up_there(const akin_trie_gpu_job *job, const akin_column *words, uint32_t rows,
                                    uint32_t *ids, akin_error *error);

#endif
