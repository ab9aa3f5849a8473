/* What a file of kernels sees of a stream: CUDA's own handle, scratch memory, and how to report what went wrong. Only
 * *.cu files and this room include it, as it brings cuda_runtime_api.h. */
#ifndef AKIN_DEVICE_KERNEL_H
#define AKIN_DEVICE_KERNEL_H

#include "device/device.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A C function that launches kernels goes like this; each launch is short enough, 50 ms on a slow GPU, that a
 * job can be cancelled between two.
 *
 *     akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
 *     if (status != AKIN_OK)
 *         return status;
 *     kernel<<<blocks, threads, 0, akin_device_stream_cuda(stream)>>>(...);
 *     return akin_device_launched(stream, "kernel", error);
 */

/* Makes the device current. Errors: AKIN_E_DEVICE if it is lost. */
akin_status akin_device_enter(akin_device *device, akin_error *error);

/* AKIN_OK for cudaSuccess, else AKIN_E_DEVICE with the name of the call and CUDA's words; finds out whether the device
 * is lost. CUDA's own last error is cleared. */
akin_status akin_device_check(akin_device *device, cudaError_t code, const char *call, akin_error *error);

/* The same for the launch of a kernel just made. */
akin_status akin_device_launched(akin_device_stream *stream, const char *kernel, akin_error *error);

cudaStream_t akin_device_stream_cuda(const akin_device_stream *stream);

/* The stream's scratch memory, of `bytes` at least: valid until the next call that takes scratch of the stream, and for
 * the work that is put there before. */
akin_status akin_device_scratch(akin_device_stream *stream, uint64_t bytes, void **out, akin_error *error);

#ifdef __cplusplus
}
#endif

#endif
