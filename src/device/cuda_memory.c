/* Blocks of device memory, charged to the device's account, and of pinned host memory. */
#include "device/cuda_device.h"

/* The bytes of count items, as the allocator rounds them up; UINT64_MAX if that is no number. */
static uint64_t bytes_of(uint64_t count, size_t size)
{
    const uint64_t grain = 256;
    if (size && count > (UINT64_MAX - grain) / size)
        return UINT64_MAX;
    uint64_t bytes = (count * size + grain - 1) / grain * grain;
    return bytes ? bytes : grain;
}

akin_status akin_device_reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                                const char *what, akin_error *error)
{
    uint64_t bytes = bytes_of(count, size);
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK || (buffer->data && bytes <= buffer->bytes))
        return status;
    akin_device_release(device, buffer);
    if (bytes > akin_device_room(device))
        return akin_fail(error, AKIN_E_NOMEM,
                         "not enough GPU memory for %s: %llu bytes, and of the limit of %llu there are %llu left", what,
                         (unsigned long long)bytes, (unsigned long long)device->limit,
                         (unsigned long long)akin_device_room(device));
    void *data = NULL;
    status = akin_device_check(device, cudaMalloc(&data, bytes), "cudaMalloc", error);
    if (status != AKIN_OK)
        return status;
    *buffer = (akin_device_buffer){data, bytes};
    device->held += bytes;
    if (device->peak < device->held)
        device->peak = device->held;
    return AKIN_OK;
}

void akin_device_release(akin_device *device, akin_device_buffer *buffer)
{
    if (buffer->data) {
        (void)cudaSetDevice(device->number);
        (void)cudaFree(buffer->data);
        (void)cudaGetLastError();
        device->held -= buffer->bytes;
    }
    *buffer = (akin_device_buffer){NULL, 0};
}

akin_status akin_pinned_reserve(akin_device *device, akin_pinned *pinned, uint64_t count, size_t size, const char *what,
                                akin_error *error)
{
    uint64_t bytes = bytes_of(count, size);
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK || (pinned->data && bytes <= pinned->bytes))
        return status;
    akin_pinned_release(device, pinned);
    void *data = NULL;
    cudaError_t code = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return akin_fail(error, AKIN_E_NOMEM, "not enough pinned memory for %s: %llu bytes", what,
                         (unsigned long long)bytes);
    }
    status = akin_device_check(device, code, "cudaHostAlloc", error);
    if (status == AKIN_OK)
        *pinned = (akin_pinned){data, bytes};
    return status;
}

void akin_pinned_release(akin_device *device, akin_pinned *pinned)
{
    if (pinned->data) {
        (void)cudaSetDevice(device->number);
        (void)cudaFreeHost(pinned->data);
        (void)cudaGetLastError();
    }
    *pinned = (akin_pinned){NULL, 0};
}
