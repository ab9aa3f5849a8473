/* Selection of the items that are flagged. */
#include "device/cub.cuh"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

template <typename Items, typename Item>
static akin_status select(akin_device_stream *stream, Items items, const uint8_t *flags, uint64_t n, Item *out,
                          uint64_t *found, akin_error *error)
{
    akin_status status = akin_device_check_items(n, "select", error);
    if (status == AKIN_OK && n == 0)
        return akin_device_fill(stream, found, 0, sizeof *found, error);
    if (status != AKIN_OK)
        return status;
    return akin_device_run_cub(
        stream, "cub::DeviceSelect::Flagged",
        [&](void *scratch, size_t &bytes) {
            return cub::DeviceSelect::Flagged(scratch, bytes, items, flags, out, found, (int)n,
                                              akin_device_stream_cuda(stream));
        },
        error);
}

akin_status akin_cuda_select32(akin_device_stream *stream, const uint32_t *items, const uint8_t *flags, uint64_t n,
                               uint32_t *out, uint64_t *found, akin_error *error)
{
    return select(stream, items, flags, n, out, found, error);
}

akin_status akin_cuda_select64(akin_device_stream *stream, const uint64_t *items, const uint8_t *flags, uint64_t n,
                               uint64_t *out, uint64_t *found, akin_error *error)
{
    return select(stream, items, flags, n, out, found, error);
}

akin_status akin_cuda_select_positions(akin_device_stream *stream, const uint8_t *flags, uint64_t n, uint32_t *out,
                                       uint64_t *found, akin_error *error)
{
    return select(stream, thrust::counting_iterator<uint32_t>(0), flags, n, out, found, error);
}
