/* Counts hashes, a thread for each, and chooses the prefixes of documents, a block for each: gpu_bag.h says how. */
#include "corpus/gpu_bag.h"
#include "device/kernel.h"

#define THREADS 256
#define BLOCK   128 /* threads of a document */

static __global__ void count_hashes(const uint64_t *hashes, uint64_t count, akin_gpu_counters counters)
{
    const uint64_t at = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < count)
        akin_gpu_bag_count(&counters, hashes[at]);
}

static akin_status gpu_count(akin_device_stream *stream, const uint64_t *hashes, uint64_t count,
                             const akin_gpu_counters *counters, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    count_hashes<<<(uint32_t)((count + THREADS - 1) / THREADS), THREADS, 0, akin_device_stream_cuda(stream)>>>(
        hashes, count, *counters);
    return akin_device_launched(stream, "count_hashes", error);
}

static __global__ void choose_prefixes(const uint64_t *hashes, const akin_gpu_bag *bags, akin_gpu_counters counters,
                                       akin_gpu_prefixes out)
{
    __shared__ akin_gpu_bag_shared shared;
    const akin_gpu_bag bag = bags[blockIdx.x];
    akin_gpu_bag_begin(&shared, &bag, threadIdx.x, BLOCK);
    __syncthreads();
    akin_gpu_bag_look(&shared, &bag, hashes, &counters, out.scratch, threadIdx.x, BLOCK);
    __syncthreads();
    if (threadIdx.x == 0)
        akin_gpu_bag_cut(&shared, &bag);
    __syncthreads();
    akin_gpu_bag_spread(&shared, &bag, hashes, out.scratch, threadIdx.x, BLOCK);
    __syncthreads();
    if (threadIdx.x == 0)
        akin_gpu_bag_choose(&shared, &out);
    __syncthreads();
    akin_gpu_bag_write(&shared, &bag, hashes, &out, threadIdx.x, BLOCK);
    __syncthreads();
    akin_gpu_bag_finish(&shared, &out, blockIdx.x, threadIdx.x, BLOCK);
}

static akin_status gpu_prefixes(akin_device_stream *stream, const uint64_t *hashes, const akin_gpu_bag *bags,
                                uint32_t documents, const akin_gpu_counters *counters, const akin_gpu_prefixes *out,
                                akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || documents == 0)
        return status;
    choose_prefixes<<<documents, BLOCK, 0, akin_device_stream_cuda(stream)>>>(hashes, bags, *counters, *out);
    return akin_device_launched(stream, "choose_prefixes", error);
}

extern const akin_corpus_kernels akin_cuda_corpus = {gpu_count, gpu_prefixes};
