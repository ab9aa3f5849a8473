/* Radix sort of keys with values. */
#include "device/cub.cuh"

#include <cub/device/device_radix_sort.cuh>

template <typename Key>
static akin_status sort_pairs_of(akin_device_stream *stream, Key **keys, Key **twin, uint32_t **values,
                                 uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error)
{
    akin_status status = akin_device_check_items(n, "sort", error);
    if (status != AKIN_OK || n == 0)
        return status;
    cub::DoubleBuffer<Key> buffer(*keys, *twin);
    cub::DoubleBuffer<uint32_t> buffer_values(*values, *values_twin);
    status = akin_device_run_cub(
        stream, "cub::DeviceRadixSort::SortPairs",
        [&](void *scratch, size_t &bytes) {
            return cub::DeviceRadixSort::SortPairs(scratch, bytes, buffer, buffer_values, (uint32_t)n, 0, (int)bits,
                                                   akin_device_stream_cuda(stream));
        },
        error);
    if (status == AKIN_OK) {
        *keys = buffer.Current();
        *twin = buffer.Alternate();
        *values = buffer_values.Current();
        *values_twin = buffer_values.Alternate();
    }
    return status;
}

akin_status akin_cuda_sort_pairs32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint32_t **values,
                                   uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error)
{
    return sort_pairs_of(stream, keys, twin, values, values_twin, n, bits, error);
}

akin_status akin_cuda_sort_pairs64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint32_t **values,
                                   uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error)
{
    return sort_pairs_of(stream, keys, twin, values, values_twin, n, bits, error);
}
