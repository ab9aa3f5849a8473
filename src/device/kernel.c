/* Turns CUDA's errors into ours, and gives files of kernels what they need of a stream. */
#include "device/kernel.h"

#include "device/cuda_handles.h"

#include <stdio.h>

#define SCRATCH ((uint64_t)1 << 20) /* the step in bytes by which scratch memory grows */

static akin_status fail_lost(const akin_device *device, akin_error *error)
{
    return akin_fail(error, AKIN_E_DEVICE, "GPU %u is lost: %s", device->number,
                     ((const akin_cuda_device *)device)->reason);
}

akin_status akin_device_enter(akin_device *device, akin_error *error)
{
    if (device->lost)
        return fail_lost(device, error);
    return akin_device_check(device, cudaSetDevice((int)device->number), "cudaSetDevice", error);
}

akin_status akin_device_check(akin_device *device, cudaError_t code, const char *call, akin_error *error)
{
    if (code == cudaSuccess)
        return AKIN_OK;
    (void)cudaGetLastError();
    if (device && device->lost)
        return fail_lost(device, error);
    /* After an error that lasts, waiting for the device fails, too; lack of memory is none. */
    if (device && code != cudaErrorMemoryAllocation && cudaDeviceSynchronize() != cudaSuccess) {
        (void)cudaGetLastError();
        akin_cuda_device *own = akin_cuda_device_of(device);
        device->lost = 1;
        snprintf(own->reason, sizeof own->reason, "%.60s: %.180s", call, cudaGetErrorString(code));
        return fail_lost(device, error);
    }
    return akin_fail(error, AKIN_E_DEVICE, "%s: %s", call, cudaGetErrorString(code));
}

cudaStream_t akin_device_stream_cuda(const akin_device_stream *stream)
{
    return ((const akin_cuda_stream *)stream)->cuda;
}

akin_status akin_device_launched(akin_device_stream *stream, const char *kernel, akin_error *error)
{
    return akin_device_check(stream->device, cudaGetLastError(), kernel, error);
}

akin_status akin_device_scratch(akin_device_stream *stream, uint64_t bytes, void **out, akin_error *error)
{
    akin_device_buffer *scratch = &((akin_cuda_stream *)stream)->scratch;
    akin_status status = akin_device_reserve(stream->device, scratch, bytes / SCRATCH + 1, SCRATCH, "scratch", error);
    if (status == AKIN_OK)
        *out = scratch->data;
    return status;
}
