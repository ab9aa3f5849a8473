/* The kernels of this room in a build without CUDA: there is no device, so nobody gets here. */
#include "search/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_fail(error, AKIN_E_DEVICE, "built without CUDA");
}

akin_status akin_ranges_count(akin_device_stream *stream, const akin_gpu_objects *objects, const akin_gpu_batch *batch,
                              uint32_t first, uint32_t count, akin_error *error)
{
    (void)stream, (void)objects, (void)batch, (void)first, (void)count;
    return absent(error);
}

akin_status akin_ranges_gather(akin_device_stream *stream, const akin_gpu_groups *groups, akin_error *error)
{
    (void)stream, (void)groups;
    return absent(error);
}
