/*
 * Counts the terms of documents on the GPU, and weighs them: what each thread does is in gpu_tally.h.
 *
 * A warp counts a short document. Longer documents are on lists. A block takes the next document of a list until the
 * list is empty, so documents of unequal length do not delay each other. Several launches, which the host counts, sort
 * the documents on the last list.
 */
#include "device/kernel.h"
#include "weigh/gpu_tally.h"

#define THREADS 256
#define WARPS   (THREADS / 32)
#define BLOCKS  16   /* for each multiprocessor, at most */
#define PAIRS   2048 /* of a block */

static_assert(AKIN_GPU_FEW == 32, "a warp counts a short document");
static unsigned tally_blocks_for(uint64_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

static unsigned blocks_of_pairs(uint64_t pairs)
{
    return (unsigned)((pairs + PAIRS - 1) / PAIRS);
}

/* Keys of a table, and what it takes of shared memory. */
static __host__ __device__ constexpr uint32_t keys_for(uint32_t room, uint32_t slots)
{
    return room > slots / 2 ? slots : slots / 2;
}

static constexpr size_t bytes_for(uint32_t room, uint32_t slots)
{
    return (keys_for(room, slots) + (size_t)2 * slots) * sizeof(uint32_t);
}

/* -------------------------------------------------------------------------------------------------------- counting */

static __global__ void __launch_bounds__(THREADS)
    count_few(const __grid_constant__ akin_gpu_counts counts, uint64_t first)
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

static akin_status terms_count_few(akin_device_stream *stream, const akin_gpu_counts *counts, akin_error *error)
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

/* A step of a warp. Masks are known when this is compiled, so that keys stay in registers. */
template <uint32_t Mask, uint32_t Top> static __device__ __forceinline__ void order(uint32_t *keys, uint32_t lane)
{
    uint32_t others[AKIN_GPU_OWN] = {};
    if constexpr (Top >= AKIN_GPU_OWN)
#pragma unroll
        for (uint32_t i = 0; i < AKIN_GPU_OWN; i++)
            others[i] = __shfl_xor_sync(~0u, keys[i], Mask / AKIN_GPU_OWN);
    akin_gpu_order_lane(keys, others, Mask, Top, lane);
}

/* The steps from this one on. */
template <uint32_t Top> static __device__ __forceinline__ void merge(uint32_t *keys, uint32_t lane)
{
    if constexpr (Top > 0) {
        order<Top, Top>(keys, lane);
        merge<Top / 2>(keys, lane);
    }
}

/* Makes runs of Run keys. */
template <uint32_t Run> static __device__ __forceinline__ void sort(uint32_t *keys, uint32_t lane)
{
    if constexpr (Run > 1) {
        sort<Run / 2>(keys, lane);
        order<Run - 1, Run / 2>(keys, lane);
        merge<Run / 4>(keys, lane);
    }
}

/* Sorts chunks, or ends the merge of runs that are longer. */
template <uint32_t Size, bool Anew> static __device__ __forceinline__ void sort_chunks(uint32_t *all, uint32_t count)
{
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t at = threadIdx.x / 32 * AKIN_GPU_CHUNK; at < count; at += Size / 32 * AKIN_GPU_CHUNK) {
        uint4 *place = (uint4 *)(all + at + lane * AKIN_GPU_OWN);
        const uint4 low = place[0], high = place[1];
        uint32_t keys[AKIN_GPU_OWN] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        if constexpr (Anew)
            sort<AKIN_GPU_CHUNK>(keys, lane);
        else
            merge<AKIN_GPU_CHUNK / 2>(keys, lane);
        place[0] = make_uint4(keys[0], keys[1], keys[2], keys[3]);
        place[1] = make_uint4(keys[4], keys[5], keys[6], keys[7]);
    }
}

/* Sorts the terms of a document. */
template <uint32_t Size> static __device__ __forceinline__ void sort_keys(const akin_gpu_tally &tally)
{
    const uint32_t count = akin_gpu_tally_keys(*tally.distinct);
    akin_gpu_tally_pad(&tally, count, threadIdx.x, Size);
    __syncthreads();
    sort_chunks<Size, true>(tally.keys, count);
    for (uint32_t run = 2 * AKIN_GPU_CHUNK; run <= count; run *= 2) {
        for (uint32_t top = run / 2, mask = run - 1; top >= AKIN_GPU_CHUNK; top /= 2, mask = top) {
            __syncthreads();
            akin_gpu_order_pairs(tally.keys, count / 2, mask, top, threadIdx.x, Size);
        }
        __syncthreads();
        sort_chunks<Size, false>(tally.keys, count);
    }
    __syncthreads();
}

template <uint32_t Size>
static __device__ __forceinline__ void count_document(const akin_gpu_counts &counts, uint32_t list, uint32_t document,
                                                      const akin_gpu_tally &tally)
{
    akin_gpu_tally_clear(&tally, threadIdx.x, Size);
    __syncthreads();
    akin_gpu_tally_fill(&counts, document, &tally, threadIdx.x, Size);
    __syncthreads();
    if (*tally.full) {
        if (threadIdx.x == 0)
            akin_gpu_put_off(&counts, list + 1, document);
        return;
    }
    sort_keys<Size>(tally);
    akin_gpu_tally_write(&counts, document, &tally, threadIdx.x, Size);
}

/* Threads that a multiprocessor has at once. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define RESIDENT 1024
#elif defined(__CUDA_ARCH__) &&                                                                                        \
    (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define RESIDENT 1536
#else
#define RESIDENT 2048
#endif

/* The blocks of a multiprocessor that shared memory and threads allow, so that registers allow as many. */
template <uint32_t Size>
constexpr unsigned blocks_wanted = Size == AKIN_GPU_THREADS_0   ? BLOCKS
                                   : Size == AKIN_GPU_THREADS_1 ? 5
                                                                : 1;
template <uint32_t Size>
constexpr unsigned blocks_of = blocks_wanted<Size> < RESIDENT / Size ? blocks_wanted<Size> : RESIDENT / Size;

/* A block has keys, then terms, then times. */
template <uint32_t Size>
static __global__ void __launch_bounds__(Size, blocks_of<Size>)
    count_table(const __grid_constant__ akin_gpu_counts counts, uint32_t list, uint32_t room, uint32_t slots)
{
    extern __shared__ uint4 shared[];
    __shared__ uint32_t distinct, spared, full, taken;
    uint32_t *keys = (uint32_t *)shared, *terms = keys + keys_for(room, slots);
    akin_gpu_tally tally = {keys, terms, terms + slots, room, slots, &distinct, &spared, &full};
    for (;;) {
        __syncthreads(); /* the one before is written */
        if (threadIdx.x == 0)
            taken = akin_gpu_add32(&counts.waiting->taken[list], 1);
        __syncthreads();
        if (taken >= counts.waiting->count[list])
            return;
        const uint32_t document = counts.lists[list][taken];
        tally.slots = akin_gpu_tally_slots(counts.firsts[document + (uint64_t)1] - counts.firsts[document], slots);
        count_document<Size>(counts, list, document, tally);
    }
}

template <uint32_t Size>
static akin_status launch_table(akin_device_stream *stream, const akin_gpu_counts *counts, uint32_t list, uint32_t room,
                                uint32_t slots, akin_error *error)
{
    akin_device *device = akin_device_stream_device(stream);
    int processors = 1, most = 0, blocks = 0, number = (int)akin_device_number(device);
    cudaError_t code = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, number);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, number);
    if (code != cudaSuccess)
        return akin_device_check(device, code, "cudaDeviceGetAttribute", error);
    for (; bytes_for(room, slots) + 1024 > (size_t)most && slots > AKIN_GPU_SLOTS_0; slots /= 2)
        room /= 2; /* an older GPU: more documents go to the next list */
    const size_t dynamic = bytes_for(room, slots);
    code = cudaFuncSetAttribute(count_table<Size>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)dynamic);
    if (code != cudaSuccess)
        return akin_device_check(device, code, "cudaFuncSetAttribute", error);
    code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_table<Size>, (int)Size, dynamic);
    if (code != cudaSuccess)
        return akin_device_check(device, code, "cudaOccupancyMaxActiveBlocksPerMultiprocessor", error);
    blocks = blocks < 1 ? 1 : blocks > BLOCKS ? BLOCKS : blocks;
    count_table<Size><<<(unsigned)(blocks * processors), Size, dynamic, akin_device_stream_cuda(stream)>>>(
        *counts, list, room, slots);
    return akin_device_launched(stream, "count_table", error);
}

static akin_status terms_count_table(akin_device_stream *stream, const akin_gpu_counts *counts, uint32_t list,
                                     akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    switch (list) {
    case 0:
        return launch_table<AKIN_GPU_THREADS_0>(stream, counts, list, AKIN_GPU_TERMS_0, AKIN_GPU_SLOTS_0, error);
    case 1:
        return launch_table<AKIN_GPU_THREADS_1>(stream, counts, list, AKIN_GPU_TERMS_1, AKIN_GPU_SLOTS_1, error);
    case 2:
        return launch_table<AKIN_GPU_THREADS_2>(stream, counts, list, AKIN_GPU_TERMS_2, AKIN_GPU_SLOTS_2, error);
    default:
        return launch_table<AKIN_GPU_THREADS_3>(stream, counts, list, AKIN_GPU_TERMS_3, AKIN_GPU_SLOTS_3, error);
    }
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

static akin_status terms_gather(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                                uint64_t *keys, uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    gather<<<tally_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts, *group, keys, first,
                                                                                     count);
    return akin_device_launched(stream, "gather", error);
}

static akin_status terms_bound(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                               const uint64_t *keys, const uint64_t *found, uint64_t *at, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    bound<<<tally_blocks_for((uint64_t)group->count + 1), THREADS, 0, akin_device_stream_cuda(stream)>>>(
        *counts, *group, keys, found, at);
    return akin_device_launched(stream, "bound", error);
}

static akin_status terms_spread(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_group *group,
                                const uint64_t *keys, const uint32_t *times, const uint64_t *found, const uint64_t *at,
                                uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    spread<<<tally_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts, *group, keys, times,
                                                                                     found, at, first, count);
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

/* A block does many pairs, since to find their documents takes as long as some of them. */
static __global__ void __launch_bounds__(THREADS)
    move(akin_gpu_counts counts, akin_gpu_pairs pairs, uint32_t *df, uint64_t first, uint64_t last)
{
    const uint64_t begin = first + (uint64_t)blockIdx.x * PAIRS, end = begin + PAIRS < last ? begin + PAIRS : last;
    uint64_t documents, low = documents_of(pairs, begin, end, &documents);
    for (uint64_t i = begin + threadIdx.x; i < end; i += THREADS)
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
          double *values, uint64_t first, uint64_t last)
{
    const uint64_t begin = first + (uint64_t)blockIdx.x * PAIRS, end = begin + PAIRS < last ? begin + PAIRS : last;
    uint64_t documents, low = documents_of(pairs, begin, end, &documents);
    for (uint64_t i = begin + threadIdx.x; i < end; i += THREADS)
        values[i] = akin_gpu_weigh(&formula, mean, &pairs, lengths, idf, low, documents, i);
}

static akin_status terms_move(akin_device_stream *stream, const akin_gpu_counts *counts, const akin_gpu_pairs *pairs,
                              uint32_t *df, uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    move<<<blocks_of_pairs(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*counts, *pairs, df, first,
                                                                                  first + count);
    return akin_device_launched(stream, "move", error);
}

static akin_status terms_idf(akin_device_stream *stream, const akin_gpu_idf *idf, uint64_t first, uint64_t count,
                             akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    find_idf<<<tally_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*idf, first, count);
    return akin_device_launched(stream, "find_idf", error);
}

static akin_status terms_weigh(akin_device_stream *stream, const akin_formula_terms *formula, double mean,
                               const akin_gpu_pairs *pairs, const uint32_t *lengths, const double *idf, double *values,
                               uint64_t first, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    weigh<<<blocks_of_pairs(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*formula, mean, *pairs, lengths, idf,
                                                                                   values, first, first + count);
    return akin_device_launched(stream, "weigh", error);
}

const akin_terms_tally_kernels akin_cuda_terms_tally = {terms_count_few, terms_count_table, terms_gather, terms_bound,
                                                        terms_spread,    terms_move,        terms_idf,    terms_weigh};
