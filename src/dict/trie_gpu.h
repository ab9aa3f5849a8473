/* A trie on a GPU: brought there, and asked from the host for the words of a column. */
#ifndef AKIN_DICT_TRIE_GPU_H
#define AKIN_DICT_TRIE_GPU_H

#include "dict/kernels.h"
#include "dict/trie.h"

/* Bytes that a trie takes there. */
uint64_t akin_trie_gpu_bytes(const akin_trie *trie);

/* Later: brings a trie there, which becomes *buffer; *out is what kernels see of it, and any stream's once this one has come so
 * far. The trie itself is not needed any more. Errors: AKIN_E_NOMEM (of the device, too), AKIN_E_DEVICE. */
akin_status akin_trie_upload(akin_device *device, akin_device_stream *stream, const akin_trie *trie,
                             akin_device_buffer *buffer, akin_gpu_trie *out, akin_error *error);

/* Looks up the words of `rows` rows of a column, without regard to nulls: they go there in chunks, while those before are looked
 * up. Errors: AKIN_E_NOMEM (of the device, too), AKIN_E_DEVICE, AKIN_E_CANCELLED, after which some ids may have been written. */
typedef struct akin_trie_asking {
    const akin_scope *scope;
    akin_device *device;
    const akin_trie *trie;
    akin_balance balance;
} akin_trie_asking;

akin_status akin_trie_look_up_there(const akin_trie_asking *asking, const akin_column *words, uint32_t rows,
                                    uint32_t *ids, akin_error *error);

#endif
