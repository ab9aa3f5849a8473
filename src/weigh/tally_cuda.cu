/*
 * Counts the terms of documents on the GPU, and weighs them: what each thread does is in gpu_tally.h.
 *
 * A warp counts a short document. Longer ones are on lists, from which blocks take one after the other until none is left, so
 * it does not matter how unequal they are. What is on the last list is sorted, by several launches that the host counts.
 */
#include "device/kernel.h"
#include "weigh/gpu_tally.h"

#define THREADS 256
#define WARPS   (THREADS / 32)
#define BLOCKS  16 /* for each multiprocessor, at most */

static_assert(AKIN_GPU_FEW == 32, "a warp counts a short document");
static_assert(AKIN_GPU_TERMS_0 >= AKIN_GPU_THREADS_0 && AKIN_GPU_TERMS_1 >= AKIN_GPU_THREADS_1 &&
                  AKIN_GPU_TERMS_2 >= AKIN_GPU_THREADS_2,
              "some slots stay empty: see akin_gpu_tally_count");

static unsigned blocks_for(uint64_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

/* -------------------------------------------------------------------------------------------------------- counting */

static __global__ void __launch_bounds__(THREADS) count_few(akin_gpu_counts counts, uint64_t first)
{
    __shared__ akin_gpu_few all[WARPS];
    akin_gpu_few *few = &all[threadIdx.x / 32];
    const uint64_t document = first + (uint64_t)blockIdx.x * WARPS + threadIdx.x / 32;
    const uint32_t lane = threadIdx.x % 32;
    if (document >= counts.documents)
        return;
    const uint64_t tokens = counts.firsts[document + 1] - counts.firsts[document];
    if (tokens > AKIN_GPU_FEW) {
        if (lane == 0)
            akin_gpu_put_off(&counts, akin_gpu_list_of(tokens), (uint32_t)document);
        return;
    }
    akin_gpu_few_read(&counts, (uint32_t)document, few, lane);
    __syncwarp();
    akin_gpu_few_find_heads(few, (uint32_t)tokens, lane);
    __syncwarp();
    akin_gpu_few_write(&counts, (uint32_t)document, few, (uint32_t)tokens, lane);
}

akin_status akin_terms_count_few(akin_device_stream *stream, const akin_gpu_counts *counts, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint64_t first = 0; first < counts->documents && status == AKIN_OK; first += AKIN_GPU_ITEMS) {
        const uint64_t left = counts->documents - first, count = left < AKIN_GPU_ITEMS ? left : AKIN_GPU_ITEMS;
        count_few<<<(unsigned)((count + WARPS - 1) / WARPS), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts,
                                                                                                            first);
        status = akin_device_launched(stream, "count_few", error);
    }
    return status;
}

template <uint32_t Size>
static __device__ __forceinline__ void count_document(const akin_gpu_counts &counts, uint32_t list, uint32_t document,
                                                      const akin_gpu_tally &tally)
{
    const uint32_t thread = threadIdx.x;
    akin_gpu_tally_clear(&tally, thread, Size);
    __syncthreads();
    akin_gpu_tally_fill(&counts, document, &tally, thread, Size);
    __syncthreads();
    if (*tally.full) {
        if (thread == 0)
            akin_gpu_put_off(&counts, list + 1, document);
        return;
    }
    akin_gpu_tally_list(&tally, thread, Size);
    const uint32_t items = akin_gpu_tally_items(*tally.distinct);
    for (uint32_t run = 2; run <= items; run *= 2)
        for (uint32_t stride = run / 2; stride > 0; stride /= 2) {
            __syncthreads();
            akin_gpu_tally_order(&tally, items, run, stride, thread, Size);
        }
    __syncthreads();
    akin_gpu_tally_write(&counts, document, &tally, thread, Size);
}

/* Behind a block's items are its slots: terms, then times. */
template <uint32_t Size>
static __global__ void __launch_bounds__(Size) count_table(akin_gpu_counts counts, uint32_t list, uint32_t room)
{
    extern __shared__ uint64_t shared[];
    __shared__ uint32_t distinct, spared, full, taken;
    uint32_t *slots = (uint32_t *)(shared + room);
    const akin_gpu_tally tally = {shared, slots, slots + 2 * room, room, &distinct, &spared, &full};
    for (;;) {
        __syncthreads(); /* the one before is written */
        if (threadIdx.x == 0)
            taken = akin_gpu_add32(&counts.waiting->taken[list], 1);
        __syncthreads();
        if (taken >= counts.waiting->count[list])
            return;
        count_document<Size>(counts, list, counts.lists[list][taken], tally);
    }
}

template <uint32_t Size>
static akin_status launch_table(akin_device_stream *stream, const akin_gpu_counts *counts, uint32_t list, uint32_t room,
                                akin_error *error)
{
    akin_device *device = akin_device_stream_device(stream);
    int processors = 1, most = 0, blocks = 0, number = (int)akin_device_number(device);
    cudaError_t code = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, number);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, number);
    if (code != cudaSuccess)
        return akin_device_check(device, code, "cudaDeviceGetAttribute", error);
    while (room * (sizeof(uint64_t) + 4 * sizeof(uint32_t)) + 1024 > (size_t)most && room > Size)
        room /= 2; /* an older GPU: more documents go to the next list */
    const size_t dynamic = room * (sizeof(uint64_t) + 4 * sizeof(uint32_t));
    code = cudaFuncSetAttribute(count_table<Size>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)dynamic);
    if (code != cudaSuccess)
        return akin_device_check(device, code, "cudaFuncSetAttribute", error);
    code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_table<Size>, (int)Size, dynamic);
    if (code != cudaSuccess)
        return akin_device_check(device, code, "cudaOccupancyMaxActiveBlocksPerMultiprocessor", error);
    blocks = blocks < 1 ? 1 : blocks > BLOCKS ? BLOCKS : blocks;
    count_table<Size>
        <<<(unsigned)(blocks * processors), Size, dynamic, akin_device_stream_cuda(stream)>>>(*counts, list, room);
    return akin_device_launched(stream, "count_table", error);
}

akin_status akin_terms_count_table(akin_device_stream *stream, const akin_gpu_counts *counts, uint32_t list,
                                   akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    if (list == 0)
        return launch_table<AKIN_GPU_THREADS_0>(stream, counts, list, AKIN_GPU_TERMS_0, error);
    if (list == 1)
        return launch_table<AKIN_GPU_THREADS_1>(stream, counts, list, AKIN_GPU_TERMS_1, error);
    return launch_table<AKIN_GPU_THREADS_2>(stream, counts, list, AKIN_GPU_TERMS_2, error);
}

/* --------------------------------------------------------------------------------------------------------- sorting */

static __global__ void __launch_bounds__(THREADS)
    gather(akin_gpu_counts counts, akin_gpu_group group, uint64_t *keys, uint64_t first, uint64_t count)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        keys[first + i] = akin_gpu_group_key(&counts, &group, first + i);
}

static __global__ void __launch_bounds__(THREADS)
    bound(akin_gpu_counts counts, akin_gpu_group group, const uint64_t *keys, const uint64_t *found, uint64_t *at)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i <= group.count)
        akin_gpu_group_bound(&counts, &group, keys, *found, at, i);
}

static __global__ void __launch_bounds__(THREADS)
    spread(akin_gpu_counts counts, akin_gpu_group group, const uint64_t *keys, const uint32_t *times,
           const uint64_t *found, const uint64_t *at, uint64_t first, uint64_t count)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count && first + i < *found)
        akin_gpu_group_spread(&counts, &group, keys[first + i], times[first + i], at, first + i);
}

akin_status akin_terms_gather(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                              uint64_t *keys, uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    gather<<<blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts, *group, keys, first, count);
    return akin_device_launched(stream, "gather", error);
}

akin_status akin_terms_bound(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                             const uint64_t *keys, const uint64_t *found, uint64_t *at, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    bound<<<blocks_for((uint64_t)group->count + 1), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts, *group,
                                                                                                   keys, found, at);
    return akin_device_launched(stream, "bound", error);
}

akin_status akin_terms_spread(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                              const uint64_t *keys, const uint32_t *times, const uint64_t *found, const uint64_t *at,
                              uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    spread<<<blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts, *group, keys, times, found, at,
                                                                               first, count);
    return akin_device_launched(stream, "spread", error);
}

/* ----------------------------------------------------------------------------------------------------------- pairs */

/* The documents that a block's pairs are of: the first one, and how many there may be. */
static __device__ __forceinline__ uint64_t documents_of(const akin_gpu_pairs &pairs, uint64_t first, uint64_t end,
                                                        uint64_t *count)
{
    __shared__ uint64_t bounds[2];
    if (threadIdx.x < 2)
        bounds[threadIdx.x] = akin_gpu_last(pairs.offsets, 0, pairs.documents, threadIdx.x == 0 ? first : end - 1);
    __syncthreads();
    *count = bounds[1] - bounds[0] + 1;
    return bounds[0];
}

static __global__ void __launch_bounds__(THREADS)
    move(akin_gpu_counts counts, akin_gpu_pairs pairs, uint32_t *df, uint64_t first, uint64_t end)
{
    const uint64_t begin = first + (uint64_t)blockIdx.x * THREADS, i = begin + threadIdx.x;
    uint64_t documents, low = documents_of(pairs, begin, begin + THREADS < end ? begin + THREADS : end, &documents);
    if (i < end)
        akin_gpu_move(&counts, &pairs, df, low, documents, i);
}

static __global__ void __launch_bounds__(THREADS) find_idf(akin_gpu_idf idf, uint64_t first, uint64_t count)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        akin_gpu_find_idf(&idf, first + i);
}

static __global__ void __launch_bounds__(THREADS)
    weigh(akin_formula_terms formula, double mean, akin_gpu_pairs pairs, const uint32_t *lengths, const double *idf,
          double *values, uint64_t first, uint64_t end)
{
    const uint64_t begin = first + (uint64_t)blockIdx.x * THREADS, i = begin + threadIdx.x;
    uint64_t documents, low = documents_of(pairs, begin, begin + THREADS < end ? begin + THREADS : end, &documents);
    if (i < end)
        values[i] = akin_gpu_weigh(&formula, mean, &pairs, lengths, idf, low, documents, i);
}

akin_status akin_terms_move(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_pairs *pairs,
                            uint32_t *df, uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    move<<<blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts, *pairs, df, first, first + count);
    return akin_device_launched(stream, "move", error);
}

akin_status akin_terms_idf(akin_device_stream *stream, const akin_gpu_idf *idf, uint64_t first, uint64_t count,
                           akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    find_idf<<<blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*idf, first, count);
    return akin_device_launched(stream, "find_idf", error);
}

akin_status akin_terms_weigh(akin_device_stream *stream, const akin_formula_terms *formula, double mean,
                             const akin_gpu_pairs *pairs, const uint32_t *lengths, const double *idf, double *values,
                             uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    weigh<<<blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*formula, mean, *pairs, lengths, idf,
                                                                              values, first, first + count);
    return akin_device_launched(stream, "weigh", error);
}
