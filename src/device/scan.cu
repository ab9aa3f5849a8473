/* Prefix sums: offsets from counts. */
#include "device/cub.cuh"

#include <cub/device/device_scan.cuh>

/* The sums that include the item itself, one place further on, behind a zero: n + 1 offsets without reading a count
 * that is not there. */
template <typename Offset>
static akin_status scan_counts(akin_device_stream *stream, const uint32_t *counts, uint64_t n, Offset *offsets,
                               akin_error *error)
{
    akin_status status = akin_device_check_items(n, "scan", error);
    if (status == AKIN_OK)
        status = akin_device_fill(stream, offsets, 0, sizeof *offsets, error);
    if (status != AKIN_OK || n == 0)
        return status;
    return akin_device_run_cub(
        stream, "cub::DeviceScan::InclusiveScan",
        [&](void *scratch, size_t &bytes) {
            return cub::DeviceScan::InclusiveScanInit(scratch, bytes, counts, offsets + 1, cuda::std::plus<Offset>(),
                                                      Offset(0), (uint32_t)n, akin_device_stream_cuda(stream));
        },
        error);
}

akin_status akin_cuda_scan32(akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint32_t *offsets,
                             akin_error *error)
{
    return scan_counts(stream, counts, n, offsets, error);
}

akin_status akin_cuda_scan64(akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint64_t *offsets,
                             akin_error *error)
{
    return scan_counts(stream, counts, n, offsets, error);
}
