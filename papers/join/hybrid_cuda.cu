/* Unpacks chunks of candidates on the GPU. */
#include "device/kernel.h"
#include "papers/join/hybrid.h"

#define THREADS 256

/* A thread for each candidate finds the record that it is of: the first one that ends behind it. */
static __global__ void __launch_bounds__(THREADS) unpack(const uint32_t *words, uint32_t room, uint32_t candidates,
                                                         uint32_t records, akin_gpu_pair *pairs, akin_gpu_tally *tally)
{
    uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const uint32_t *back = words + room;
    if (i == 0)
        *tally = {candidates, UINT64_MAX, 0, 0, 0};
    if (i >= candidates)
        return;
    uint32_t low = 0, high = records - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (back[-1 - (int64_t)AKIN_HYBRID_RECORD * middle] > i)
            high = middle;
        else
            low = middle + 1;
    }
    uint32_t probe = back[-2 - (int64_t)AKIN_HYBRID_RECORD * low];
    pairs[i] = (akin_gpu_pair)probe << 32 | words[i];
}

static akin_status hybrid_unpack(akin_device_stream *stream, const uint32_t *words, uint32_t room, uint32_t candidates,
                                 uint32_t records, akin_gpu_pair *pairs, akin_gpu_tally *tally, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    uint32_t blocks = candidates / THREADS + 1;
    unpack<<<blocks, THREADS, 0, akin_device_stream_cuda(stream)>>>(words, room, candidates, records, pairs, tally);
    return akin_device_launched(stream, "unpack", error);
}

const akin_hybrid_kernels akin_cuda_hybrid = {hybrid_unpack};
