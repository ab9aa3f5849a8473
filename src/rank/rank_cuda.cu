/*
 * Ranks documents on the GPU: what each thread does is in gpu_rank.h. A block has a query. Those that have not come to
 * an end in one launch are few, and their lists long: they go on with more threads, where a block may share as much
 * memory as those take.
 */
#include "device/kernel.h"
#include "rank/gpu_rank.h"

#define THREADS      256
#define MORE_THREADS 512
#define MARKING      256

static_assert(AKIN_GPU_RANK_SCAN * THREADS % AKIN_GPU_RANK_BLOCK == 0, "whole blocks are scanned");

template <uint32_t Threads> static __device__ __forceinline__ void sort(akin_gpu_ranking *r)
{
    const uint32_t thread = threadIdx.x, items = akin_gpu_rank_items(r);
    akin_gpu_rank_pad(r, items, thread, Threads);
    for (uint32_t run = 2; run <= items; run *= 2)
        for (uint32_t stride = run / 2; stride > 0; stride /= 2) {
            __syncthreads();
            akin_gpu_rank_order(r, items, run, stride, thread, Threads);
        }
    __syncthreads();
    if (thread == 0)
        akin_gpu_rank_cut(r);
}

template <uint32_t Threads>
static __global__ void __launch_bounds__(Threads)
    rank_query(akin_gpu_lists lists, akin_gpu_rank_batch batch, uint32_t room)
{
    extern __shared__ double memory[];
    __shared__ akin_gpu_ranking r;
    const uint32_t thread = threadIdx.x, query = batch.which ? batch.which[blockIdx.x] : blockIdx.x;
    if (thread == 0)
        akin_gpu_rank_lay_out(&r, memory, room, Threads);
    __syncthreads();
    akin_gpu_rank_load(&r, &batch, query, thread, Threads);
    __syncthreads();
    if (thread == 0)
        akin_gpu_rank_start(&r, &batch);
    for (;;) {
        if (thread == 0)
            r.step = akin_gpu_rank_choose(&r, Threads);
        __syncthreads();
        const akin_gpu_rank_step step = r.step;
        if (step == AKIN_GPU_RANK_STOPPED)
            break;
        if (step == AKIN_GPU_RANK_PASSING)
            akin_gpu_rank_pass(&r, &lists, thread);
        else if (step == AKIN_GPU_RANK_SCANNING)
            akin_gpu_rank_scan(&r, &lists, thread, Threads);
        else if (step == AKIN_GPU_RANK_WEIGHING)
            akin_gpu_rank_weigh(&r, &lists, thread);
        else
            sort<Threads>(&r);
        __syncthreads();
    }
    akin_gpu_rank_save(&r, &batch, query, thread, Threads);
}

static size_t bytes_for(uint32_t k, uint32_t threads)
{
    return akin_gpu_rank_bytes(akin_gpu_rank_room(k, threads), threads);
}

/* Whether a block may share what more threads take: not before sm_80. */
static bool has_more_threads(const akin_device *device)
{
    return bytes_for(AKIN_GPU_RANK_MOST, MORE_THREADS) + sizeof(akin_gpu_ranking) <=
           akin_device_properties(device)->shared_memory;
}

/* Lets a kernel have what it takes for any k: others may launch it meanwhile. */
template <uint32_t Threads> static akin_status allow(akin_device *device, akin_error *error)
{
    const int bytes = (int)bytes_for(AKIN_GPU_RANK_MOST, Threads);
    return akin_device_check(
        device, cudaFuncSetAttribute(rank_query<Threads>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "cudaFuncSetAttribute", error);
}

template <uint32_t Threads>
static akin_status count_resident(akin_device *device, uint32_t k, uint32_t *count, akin_error *error)
{
    int blocks = 0;
    akin_status status = allow<Threads>(device, error);
    if (status == AKIN_OK)
        status = akin_device_check(device,
                                   cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rank_query<Threads>,
                                                                                 (int)Threads, bytes_for(k, Threads)),
                                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor", error);
    *count = akin_device_properties(device)->multiprocessors * (blocks > 0 ? (uint32_t)blocks : 1);
    return status;
}

static akin_status rank_at_once(akin_device *device, uint32_t k, uint32_t at_once[2], akin_error *error)
{
    akin_status status = akin_device_enter(device, error);
    if (status == AKIN_OK)
        status = count_resident<THREADS>(device, k, &at_once[0], error);
    if (status != AKIN_OK)
        return status;
    at_once[1] = at_once[0];
    return has_more_threads(device) ? count_resident<MORE_THREADS>(device, k, &at_once[1], error) : AKIN_OK;
}

template <uint32_t Threads>
static akin_status launch_ranking(akin_device_stream *stream, const akin_gpu_lists *lists,
                                  const akin_gpu_rank_batch *batch, akin_error *error)
{
    akin_status status = allow<Threads>(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    rank_query<Threads><<<batch->count, Threads, bytes_for(batch->k, Threads), akin_device_stream_cuda(stream)>>>(
        *lists, *batch, akin_gpu_rank_room(batch->k, Threads));
    return akin_device_launched(stream, "rank_query", error);
}

static akin_status rank_best(akin_device_stream *stream, const akin_gpu_lists *lists, const akin_gpu_rank_batch *batch,
                             akin_error *error)
{
    akin_device *device = akin_device_stream_device(stream);
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK || batch->count == 0)
        return status;
    return batch->which && has_more_threads(device) ? launch_ranking<MORE_THREADS>(stream, lists, batch, error)
                                                    : launch_ranking<THREADS>(stream, lists, batch, error);
}

static __global__ void __launch_bounds__(MARKING)
    mark(const uint32_t *documents, uint64_t count, uint32_t list, uint64_t *words)
{
    const uint64_t i = (uint64_t)blockIdx.x * MARKING + threadIdx.x;
    if (i < count)
        akin_gpu_rank_mark(words, list, documents[i]);
}

static akin_status rank_mark(akin_device_stream *stream, const uint32_t *documents, uint64_t count, uint32_t list,
                             uint64_t *words, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    mark<<<(unsigned)((count + MARKING - 1) / MARKING), MARKING, 0, akin_device_stream_cuda(stream)>>>(documents, count,
                                                                                                       list, words);
    return akin_device_launched(stream, "mark", error);
}

const akin_rank_kernels akin_cuda_rank = {rank_at_once, rank_best, rank_mark};
