/* Runs of equal keys in a sorted array, and how long they are. */
#include "device/cub.cuh"

#include <cub/device/device_run_length_encode.cuh>

template <typename Key>
static akin_status count_runs(akin_device_stream *stream, const Key *keys, uint64_t n, Key *distinct, uint32_t *counts,
                              uint64_t *found, akin_error *error)
{
    akin_status status = akin_device_check_items(n, "run-length count", error);
    if (status == AKIN_OK && n == 0)
        return akin_device_fill(stream, found, 0, sizeof *found, error);
    if (status != AKIN_OK)
        return status;
    return akin_device_run_cub(
        stream, "cub::DeviceRunLengthEncode::Encode",
        [&](void *scratch, size_t &bytes) {
            return cub::DeviceRunLengthEncode::Encode(scratch, bytes, keys, distinct, counts, found, (int)n,
                                                      akin_device_stream_cuda(stream));
        },
        error);
}

akin_status akin_cuda_count_runs32(akin_device_stream *stream, const uint32_t *keys, uint64_t n, uint32_t *distinct,
                                   uint32_t *counts, uint64_t *found, akin_error *error)
{
    return count_runs(stream, keys, n, distinct, counts, found, error);
}

akin_status akin_cuda_count_runs64(akin_device_stream *stream, const uint64_t *keys, uint64_t n, uint64_t *distinct,
                                   uint32_t *counts, uint64_t *found, akin_error *error)
{
    return count_runs(stream, keys, n, distinct, counts, found, error);
}
