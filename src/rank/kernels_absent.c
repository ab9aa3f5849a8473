/* The kernels of this room in a build without CUDA: there is no device, and nothing calls them. */
#include "rank/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}

akin_status akin_rank_at_once(akin_device *device, uint32_t k, uint32_t at_once[2], akin_error *error)
{
    (void)device, (void)k, (void)at_once;
    return absent(error);
}

akin_status akin_rank_best(akin_device_stream *stream, const akin_gpu_lists *lists, const akin_gpu_asked *asked,
                           akin_error *error)
{
    (void)stream, (void)lists, (void)asked;
    return absent(error);
}

akin_status akin_rank_mark(akin_device_stream *stream, const uint32_t *documents, uint64_t count, uint32_t list,
                           uint64_t *words, akin_error *error)
{
    (void)stream, (void)documents, (void)count, (void)list, (void)words;
    return absent(error);
}
