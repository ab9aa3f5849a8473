/* The kernels of this room in a build without CUDA: there is no device, so nobody gets here. */
#include "graph/kernels.h"

static akin_status absent(akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE, "built without CUDA");
}

akin_status akin_forest_plant(akin_device_stream *stream, const akin_gpu_forest *forest, int planted, akin_error *error)
{
    (void)stream, (void)forest, (void)planted;
    return absent(error);
}

akin_status akin_forest_link(akin_device_stream *stream, const akin_gpu_forest *forest, const uint64_t *edges,
                             uint64_t count, akin_error *error)
{
    (void)stream, (void)forest, (void)edges, (void)count;
    return absent(error);
}

akin_status akin_forest_sample(akin_device_stream *stream, const akin_gpu_forest *forest, akin_error *error)
{
    (void)stream, (void)forest;
    return absent(error);
}

akin_status akin_forest_settle(akin_device_stream *stream, const akin_gpu_forest *forest, uint32_t first,
                               akin_error *error)
{
    (void)stream, (void)forest, (void)first;
    return absent(error);
}
