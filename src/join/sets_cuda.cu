/* Writes on the GPU what need not be brought there: where each set begins. */
#include "device/kernel.h"
#include "join/kernels.h"

#define THREADS 256

/* A thread for each set, and one for the end of the last. */
static __global__ void __launch_bounds__(THREADS)
    write_offsets(const akin_gpu_class *classes, uint32_t count, uint32_t sets, uint64_t *offsets)
{
    uint64_t set = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t low = 0, high = count;
    if (set > sets)
        return;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (classes[middle].set <= set)
            low = middle;
        else
            high = middle;
    }
    offsets[set] = classes[low].offset + (set - classes[low].set) * classes[low].size;
}

akin_status akin_gpu_write_offsets(akin_device_stream *stream, const akin_gpu_class *classes, uint32_t count,
                                   uint32_t sets, uint64_t *offsets, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    uint32_t blocks = (uint32_t)(((uint64_t)sets + THREADS) / THREADS);
    write_offsets<<<blocks, THREADS, 0, akin_device_stream_cuda(stream)>>>(classes, count, sets, offsets);
    return akin_device_launched(stream, "write_offsets", error);
}
