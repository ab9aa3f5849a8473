/* The kernels of this room in a build without CUDA: there is no device, so nobody gets here. */
#include "dict/kernels.h"

akin_status akin_gpu_trie_look_up(akin_device_stream *stream, const akin_gpu_trie *trie, const akin_gpu_words *words,
                                  akin_balance balance, uint32_t *ids, akin_error *error)
{
    (void)stream, (void)trie, (void)words, (void)balance, (void)ids;
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}
