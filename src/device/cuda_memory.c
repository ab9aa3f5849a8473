/* Blocks of device memory, charged to the device's account, and of pinned host memory. */
#include "device/cuda_memory.h"

#include "device/cuda_handles.h"
#include "device/cuda_stream.h"
#include "device/kernel.h"

/* The bytes of count items, as the allocator rounds them up; UINT64_MAX if that is no number. */
static uint64_t rounded_bytes_of(uint64_t count, size_t size)
{
    const uint64_t grain = 256;
    if (size && count > (UINT64_MAX - grain) / size)
        return UINT64_MAX;
    uint64_t bytes = (count * size + grain - 1) / grain * grain;
    return bytes ? bytes : grain;
}

#define PINNED_KEPT ((uint64_t)256 << 20) /* bytes; pinned memory is taken from all processes */

/* The smallest kept block of `bytes` to `most` bytes that is not far larger than `bytes`; NULL if there is none. */
static void *take_spare(akin_device_spares *spares, uint64_t bytes, uint64_t most, uint64_t *got)
{
    uint32_t best = spares->count;
    for (uint32_t i = 0; i < spares->count; i++)
        if (spares->blocks[i].bytes >= bytes && spares->blocks[i].bytes / 2 <= bytes &&
            spares->blocks[i].bytes <= most &&
            (best == spares->count || spares->blocks[i].bytes < spares->blocks[best].bytes))
            best = i;
    if (best == spares->count)
        return NULL;
    void *data = spares->blocks[best].data;
    *got = spares->blocks[best].bytes;
    spares->bytes -= *got;
    spares->blocks[best] = spares->blocks[--spares->count];
    return data;
}

/* Keeps a block; 0 if there are too many. */
static int keep_spare(akin_device_spares *spares, void *data, uint64_t bytes)
{
    if (spares->count == AKIN_DEVICE_SPARES)
        return 0;
    spares->blocks[spares->count++] = (struct akin_device_spare){data, bytes};
    spares->bytes += bytes;
    return 1;
}

static void drop_spares(akin_device_spares *spares, cudaError_t (*free_block)(void *))
{
    while (spares->count > 0)
        (void)free_block(spares->blocks[--spares->count].data);
    spares->bytes = 0;
    (void)cudaGetLastError();
}

void akin_cuda_drop_spares(akin_device *device)
{
    (void)cudaSetDevice((int)device->number);
    drop_spares(&akin_cuda_device_of(device)->spares, cudaFree);
    drop_spares(&akin_cuda_device_of(device)->pinned_spares, cudaFreeHost);
}

void akin_cuda_bound(akin_device *device, uint64_t limit)
{
    device->limit = limit;
    if (akin_cuda_device_of(device)->spares.bytes <= akin_device_room(device))
        return;
    (void)cudaSetDevice((int)device->number);
    drop_spares(&akin_cuda_device_of(device)->spares, cudaFree);
}

akin_status akin_cuda_reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                              const char *what, akin_error *error)
{
    uint64_t bytes = rounded_bytes_of(count, size);
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK || (buffer->data && bytes <= buffer->bytes))
        return status;
    akin_device_release(device, buffer);
    if (bytes > akin_device_room(device))
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_DEVICE_MEMORY,
                              "not enough GPU memory for %s: %llu bytes, and of the limit of %llu there are %llu left",
                              what, (unsigned long long)bytes, (unsigned long long)device->limit,
                              (unsigned long long)akin_device_room(device));
    /* what a block is larger by is lost to the limit: where that is tight, it must not be much */
    void *data =
        take_spare(&akin_cuda_device_of(device)->spares, bytes, bytes + (akin_device_room(device) - bytes) / 8, &bytes);
    if (!data && bytes > akin_device_room(device) - akin_cuda_device_of(device)->spares.bytes)
        drop_spares(&akin_cuda_device_of(device)->spares, cudaFree);
    cudaError_t code = data ? cudaSuccess : cudaMalloc(&data, bytes);
    if (code == cudaErrorMemoryAllocation && akin_cuda_device_of(device)->spares.count > 0) {
        (void)cudaGetLastError();
        drop_spares(&akin_cuda_device_of(device)->spares, cudaFree);
        code = cudaMalloc(&data, bytes);
    }
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_DEVICE_MEMORY,
                              "not enough GPU memory for %s: %llu bytes (cudaMalloc: %s)", what,
                              (unsigned long long)bytes, cudaGetErrorString(code));
    }
    status = akin_device_check(device, code, "cudaMalloc", error);
    if (status != AKIN_OK)
        return status;
    *buffer = (akin_device_buffer){data, bytes};
    device->held += bytes;
    if (device->peak < device->held)
        device->peak = device->held;
    return AKIN_OK;
}

void akin_cuda_release(akin_device *device, akin_device_buffer *buffer)
{
    if (buffer->data) {
        (void)cudaSetDevice((int)device->number);
        akin_cuda_wait(device);
        if (device->lost || !keep_spare(&akin_cuda_device_of(device)->spares, buffer->data, buffer->bytes))
            (void)cudaFree(buffer->data);
        (void)cudaGetLastError();
        device->held -= buffer->bytes;
    }
    *buffer = (akin_device_buffer){NULL, 0};
}

akin_status akin_cuda_pinned_reserve(akin_device *device, akin_pinned *pinned, uint64_t count, size_t size,
                                     const char *what, akin_error *error)
{
    uint64_t bytes = rounded_bytes_of(count, size);
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK || (pinned->data && bytes <= pinned->bytes))
        return status;
    akin_pinned_release(device, pinned);
    void *data = take_spare(&akin_cuda_device_of(device)->pinned_spares, bytes, UINT64_MAX, &bytes);
    cudaError_t code = data ? cudaSuccess : cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_DEVICE_MEMORY,
                              "not enough pinned memory for %s: %llu bytes", what, (unsigned long long)bytes);
    }
    status = akin_device_check(device, code, "cudaHostAlloc", error);
    if (status == AKIN_OK)
        *pinned = (akin_pinned){data, bytes};
    return status;
}

void akin_cuda_pinned_release(akin_device *device, akin_pinned *pinned)
{
    if (pinned->data) {
        (void)cudaSetDevice((int)device->number);
        akin_cuda_wait(device);
        if (device->lost || akin_cuda_device_of(device)->pinned_spares.bytes + pinned->bytes > PINNED_KEPT ||
            !keep_spare(&akin_cuda_device_of(device)->pinned_spares, pinned->data, pinned->bytes))
            (void)cudaFreeHost(pinned->data);
        (void)cudaGetLastError();
    }
    *pinned = (akin_pinned){NULL, 0};
}
