/*
 * Match counts on the GPU, range by range: a block has a unit, the objects of a range or of a part of it, and a query.
 * What each thread does is in gpu_ranges.h.
 *
 * What bounds it: 32,768 counters of a byte are 32 KB of shared memory, so that four blocks of 512 threads run on a
 * multiprocessor, with 32 registers a thread. A thread reads its 16 words to clear them, again to find how many reach a
 * count, and again to write keys. Beside that a place costs seven instructions and an atomic in shared memory. A bitmap
 * costs half an instruction an object; the frequent words of texts have most of their places in bitmaps. A scan costs
 * some twelve instructions for four codes. On an H200 1,024 queries over 2.1 million titles are 1.4e9 instructions of a
 * warp, over a million rows 1.9e9 by lists and 2.4e9 by a scan. The multiprocessors issue three quarters of what they
 * can: 2 to 4 ms. The compiler knows every divisor, and no two threads of a warp read the same bank: without that it
 * took twice as long.
 *
 * Queries of a unit stand side by side, so that they find its cells and codes in the cache.
 *
 * Of a unit only k keys go to memory, and once k objects have been shown to count so much, other units leave out what
 * counts less, and those behind it what counts as much. That depends on which unit is first, but not the k best of all.
 */
#include "device/kernel.h"
#include "search/gpu_similar.h"
#include "search/unit.cuh"

#define GATHER 256 /* threads of a block that gathers */

/* --------------------------------------------------------------------------------------------------------- counting */

/* Counts what the query's keywords say, THREADS of them at a time; 0: no object can be among the best. */
static __device__ __forceinline__ int count_lists(const akin_unit &u, const akin_gpu_objects &objects,
                                                  const akin_gpu_batch &batch, const akin_gpu_query &query,
                                                  uint32_t least)
{
    const uint32_t thread = threadIdx.x;
    for (uint64_t begin = 0; begin < query.keywords; begin += THREADS) {
        if (begin + thread < query.keywords)
            akin_unit_find(&u, &objects, &batch, &query, begin + thread);
        __syncthreads();
        const uint32_t places = u.queue->places;
        if (query.keywords - begin <= THREADS && u.queue->reach < least)
            return 0;
        for (uint32_t i = thread / 32; i < places; i += WARPS)
            akin_unit_add_places(&u, &objects, &u.queue->entries[i], thread % 32);
        __syncthreads();
        akin_unit_add_bits(&u, &objects, thread);
        __syncthreads();
        if (thread == 0)
            u.queue->places = u.queue->bitmaps = 0;
        __syncthreads();
    }
    return 1;
}

/* By similarity to a query; scores stand where counts do. */
struct by_similarity {
    akin_unit_similar similar;
    uint32_t most;

    __device__ __forceinline__ uint32_t at_least(const akin_unit &u, uint32_t score) const
    {
        return akin_unit_similar_at_least(&u, &similar, score, threadIdx.x);
    }

    __device__ __forceinline__ akin_unit_share weigh(const akin_unit &u, uint32_t score) const
    {
        return akin_unit_similar_weigh(&u, &similar, score, threadIdx.x);
    }

    __device__ __forceinline__ void emit(const akin_unit &u, uint32_t score, akin_unit_share before, uint32_t above,
                                         uint32_t room, uint64_t *keys) const
    {
        akin_unit_similar_emit(&u, &similar, score, before, above, room, keys, threadIdx.x);
    }
};

enum how { LISTS, SCAN, SIMILAR };

/* Scans keep counts in registers, and similarities are long numbers, so that fewer blocks are under way. */
template <uint32_t Counter, how How>
static __global__ void __launch_bounds__(THREADS, How == LISTS ? 4 : 3)
    count_units(akin_gpu_objects objects, akin_gpu_batch batch, uint32_t first)
{
    __shared__ akin_unit_four fours[AKIN_UNIT_FOURS];
    __shared__ akin_unit_queue queue;
    __shared__ uint32_t sums[WARPS], start;
    const uint32_t query_at = blockIdx.x % batch.count, number = first + blockIdx.x / batch.count;
    const akin_gpu_query query = batch.queries[query_at];
    const uint64_t slot = (uint64_t)query_at * batch.units + number;
    unsigned long long *shown = (unsigned long long *)&batch.shown[query_at];
    akin_unit u = {fours->words, &queue, 0, 0, 0, 0};
    akin_unit_set(&u, objects.first, Counter, number);
    akin_unit_clear(&u, threadIdx.x);
    if (threadIdx.x == 0)
        start = akin_unit_least(*(volatile unsigned long long *)shown, number);
    __syncthreads();
    const uint32_t least = How == SIMILAR ? akin_unit_similar_start(&batch, &query, start) : start;
    int is_hopeful = least <= query.most;
    if (is_hopeful && How == SCAN)
        akin_unit_scan(&u, &objects, &batch, &query, threadIdx.x);
    else if (is_hopeful)
        is_hopeful = count_lists(u, objects, batch, query, least);
    __syncthreads();
    const uint32_t most = How != SCAN && queue.reach < query.most ? (uint32_t)queue.reach : query.most;
    uint64_t *const keys = batch.keys + slot * batch.room;
    uint32_t found = 0;
    if (is_hopeful && How == SIMILAR)
        found = keep_best(u, by_similarity{akin_unit_similar_of(&u, &batch, &query, most), AKIN_SCORE_MOST}, batch,
                          start, shown, number, sums, keys);
    else if (is_hopeful)
        found = keep_best(u, by_count{most}, batch, start, shown, number, sums, keys);
    if (threadIdx.x == 0)
        batch.found[slot] = found;
}

template <how How> static auto with_counters(uint32_t bytes)
{
    return bytes == 1 ? count_units<1, How> : bytes == 2 ? count_units<2, How> : count_units<4, How>;
}

static akin_status ranges_count(akin_device_stream *stream, const akin_gpu_objects *objects,
                                const akin_gpu_batch *batch, uint32_t first, uint32_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0 || batch->count == 0)
        return status;
    const auto kernel = !batch->items  ? with_counters<SCAN>(batch->counter_bytes)
                        : batch->sizes ? with_counters<SIMILAR>(batch->counter_bytes)
                                       : with_counters<LISTS>(batch->counter_bytes);
    kernel<<<count * batch->count, THREADS, 0, akin_device_stream_cuda(stream)>>>(*objects, *batch, first);
    return akin_device_launched(stream, "count_units", error);
}

/* -------------------------------------------------------------------------------------------------------- gathering */

/* Calls act(key) for each key of the block's units, by all threads. */
template <class Act> static __device__ __forceinline__ void for_each_key(const akin_gpu_groups &g, Act act)
{
    const uint32_t first = blockIdx.x * g.group, end = g.units - first < g.group ? g.units : first + g.group;
    for (uint32_t unit = first + threadIdx.x / 32; unit < end; unit += GATHER / 32) {
        const uint64_t slot = (uint64_t)blockIdx.y * g.units + unit;
        const uint64_t *keys = g.keys + slot * g.room;
        for (uint32_t i = threadIdx.x % 32; i < g.found[slot]; i += 32)
            act(keys[i]);
    }
}

/* How many keys are not above `bound`. */
static __device__ __forceinline__ uint32_t count_up_to(const akin_gpu_groups &g, uint64_t bound, uint32_t *sums)
{
    uint32_t reached = 0;
    for_each_key(g, [&](uint64_t key) { reached += key <= bound; });
    return sum_up<GATHER>(reached, sums);
}

/* The k-th smallest of more than k distinct keys: its count by halving, and then its object. */
static __device__ __forceinline__ uint64_t find_last(const akin_gpu_groups &g, uint32_t *sums)
{
    const uint32_t count = largest(
        1, g.most, [&](uint32_t reached) { /* that k keys reach */
                                           return count_up_to(g, AKIN_TOP_KEY(reached, UINT32_MAX), sums) >= g.k;
        });
    const uint32_t end = g.objects - 1;
    const uint32_t behind = largest(
        0, end, [&](uint32_t left_out) { /* the last objects, without which there are k */
                                         return count_up_to(g, AKIN_TOP_KEY(count, end - left_out), sums) >= g.k;
        });
    return AKIN_TOP_KEY(count, end - behind);
}

static __global__ void __launch_bounds__(GATHER) gather_units(akin_gpu_groups g)
{
    __shared__ uint32_t sums[GATHER / 32], taken;
    if (threadIdx.x == 0)
        taken = 0;
    const uint32_t all = count_up_to(g, ~(uint64_t)0, sums); /* and `taken` is seen by all */
    const uint64_t last = all > g.k ? find_last(g, sums) : ~(uint64_t)0;
    const uint64_t slot = (uint64_t)blockIdx.y * gridDim.x + blockIdx.x;
    uint64_t *to = g.best + slot * g.k;
    for_each_key(g, [&](uint64_t key) {
        if (key <= last)
            to[atomicAdd(&taken, 1)] = key;
    });
    if (threadIdx.x == 0)
        g.best_found[slot] = all < g.k ? all : g.k;
}

static akin_status ranges_gather(akin_device_stream *stream, const akin_gpu_groups *groups, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || groups->count == 0)
        return status;
    const dim3 blocks((groups->units + groups->group - 1) / groups->group, groups->count);
    gather_units<<<blocks, GATHER, 0, akin_device_stream_cuda(stream)>>>(*groups);
    return akin_device_launched(stream, "gather_units", error);
}

/* ---------------------------------------------------------------------------------------------------------- sorting */

/* A bitonic sort: runs that rise and runs that fall, of 2, 4, 8 .. keys. */
static __global__ void __launch_bounds__(GATHER) sort_best(akin_gpu_groups g, uint32_t size)
{
    __shared__ uint64_t keys[AKIN_RANGES_SORTED];
    uint64_t *best = g.best + (uint64_t)blockIdx.x * g.k;
    const uint32_t found = g.best_found[blockIdx.x];
    for (uint32_t i = threadIdx.x; i < size; i += GATHER)
        keys[i] = i < found ? best[i] : ~(uint64_t)0;
    for (uint32_t run = 2; run <= size; run *= 2)
        for (uint32_t apart = run / 2; apart > 0; apart /= 2) {
            __syncthreads();
            for (uint32_t i = threadIdx.x; i < size / 2; i += GATHER) {
                const uint32_t a = 2 * i - i % apart, b = a + apart;
                const uint64_t left = keys[a], right = keys[b];
                if ((left > right) == ((a & run) == 0)) {
                    keys[a] = right;
                    keys[b] = left;
                }
            }
        }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < found; i += GATHER)
        best[i] = keys[i];
}

static akin_status ranges_sort(akin_device_stream *stream, const akin_gpu_groups *groups, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || groups->count == 0)
        return status;
    uint32_t size = 2;
    while (size < groups->k)
        size *= 2;
    sort_best<<<groups->count, GATHER, 0, akin_device_stream_cuda(stream)>>>(*groups, size);
    return akin_device_launched(stream, "sort_best", error);
}

const akin_ranges_kernels akin_cuda_ranges = {ranges_count, ranges_gather, ranges_sort};
