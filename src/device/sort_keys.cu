/* Radix sort of keys. */
#include "device/cub.cuh"

#include <cub/device/device_radix_sort.cuh>

template <typename Key>
static akin_status sort_keys_of(akin_device_stream *stream, Key **keys, Key **twin, uint64_t n, uint32_t bits,
                                akin_error *error)
{
    akin_status status = akin_device_check_items(n, "sort", error);
    if (status != AKIN_OK || n == 0)
        return status;
    cub::DoubleBuffer<Key> buffer(*keys, *twin);
    status = akin_device_run_cub(
        stream, "cub::DeviceRadixSort::SortKeys",
        [&](void *scratch, size_t &bytes) {
            return cub::DeviceRadixSort::SortKeys(scratch, bytes, buffer, (uint32_t)n, 0, (int)bits,
                                                  akin_device_stream_cuda(stream));
        },
        error);
    if (status == AKIN_OK) {
        *keys = buffer.Current();
        *twin = buffer.Alternate();
    }
    return status;
}

akin_status akin_cuda_sort32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint64_t n, uint32_t bits,
                             akin_error *error)
{
    return sort_keys_of(stream, keys, twin, n, bits, error);
}

akin_status akin_cuda_sort64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint64_t n, uint32_t bits,
                             akin_error *error)
{
    return sort_keys_of(stream, keys, twin, n, bits, error);
}
