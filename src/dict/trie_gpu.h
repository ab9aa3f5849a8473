/* A trie on a GPU, and words of the host that are looked up there. */
#ifndef AKIN_DICT_TRIE_GPU_H
#define AKIN_DICT_TRIE_GPU_H

#include "dict/kernels.h"
#include "dict/trie_layout.h"

/* The bytes that a trie takes there. */
uint64_t akin_trie_gpu_bytes(const akin_trie *trie);

/* A copy of a trie there, for any stream once the one that copied it has come so far. */
typedef struct akin_trie_copy {
    akin_gpu_look_up *look_up; /* words that are on the device; it takes the view */
    akin_gpu_trie view;
} akin_trie_copy;

/* Later: copies a trie to *buffer there. The trie itself is not needed any more. Errors: AKIN_E_NOMEM (of the device,
 * too), AKIN_E_DEVICE. */
akin_status akin_trie_upload(akin_device *device, akin_device_stream *stream, const akin_trie *trie,
                             akin_device_buffer *buffer, akin_trie_copy *out, akin_error *error);

/* Words of the host that are looked up on a device. */
typedef struct akin_trie_gpu_job {
    const akin_scope *scope;
    akin_device *device;
    const akin_trie *trie;
    akin_balance balance;
} akin_trie_gpu_job;

/* Looks up the words of `rows` rows of a column; nulls count as words. Chunks of words go there while the device looks
 * up the chunks before. Errors: AKIN_E_NOMEM (of the device, too), AKIN_E_DEVICE, AKIN_E_CANCELLED; some ids may be
 * written then. */
akin_status akin_trie_look_up_there(const akin_trie_gpu_job *job, const akin_column *words, uint32_t rows,
                                    uint32_t *ids, akin_error *error);

#endif
