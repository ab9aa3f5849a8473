/*
 * The paper's techniques for match counts on the GPU: blocks that count, and blocks that select. What each thread does
 * is in gpu_lists.h, gpu_cpq.h and gpu_spq.h.
 *
 * What bounds it: a place of a list is an atomic in global memory, 1e10 to 1e11 a second, and in c-PQ a read of the
 * gate. A selection goes through the table of a query, or twice and more through its count table, by one block.
 */
#include "device/kernel.h"
#include "search/block.cuh"
#include "papers/search/gpu_lists.h"
#include "papers/search/gpu_spq.h"

#define THREADS AKIN_PAPER_THREADS
#define WARPS   (THREADS / 32)

/* --------------------------------------------------------------------------------------------------------- counting */

/* `each` counters in a word of c-PQ, or 0 for a count table: which are known where it is compiled, as most that a
 * thread does is to shift by them. */
template <uint32_t EACH>
static __global__ void __launch_bounds__(THREADS)
    count_lists(akin_gpu_objects objects, akin_paper_batch batch, const akin_paper_list *lists, uint32_t count,
                uint32_t each)
{
    if constexpr (EACH > 0) {
        batch.counts = NULL;
        batch.each = EACH;
        batch.bits = 32 / EACH;
    } else
        __builtin_assume(batch.counts != NULL);
    for (uint32_t i = 0; i < each && blockIdx.x * each + i < count; i++) {
        const akin_paper_list list = lists[blockIdx.x * each + i];
        akin_paper_walk(&objects, &batch, &list, threadIdx.x);
    }
}

typedef void (*counting)(akin_gpu_objects, akin_paper_batch, const akin_paper_list *, uint32_t, uint32_t);

static counting counting_of(const akin_paper_batch *batch)
{
    switch (batch->counts ? 0 : batch->each) {
    case 32:
        return count_lists<32>;
    case 16:
        return count_lists<16>;
    case 10:
        return count_lists<10>;
    case 8:
        return count_lists<8>;
    case 6:
        return count_lists<6>;
    case 5:
        return count_lists<5>;
    case 4:
        return count_lists<4>;
    case 3:
        return count_lists<3>;
    case 2:
        return count_lists<2>;
    case 0:
        return count_lists<0>;
    default: /* no counter has more than 16 bits */
        return NULL;
    }
}

static akin_status paper_count(akin_device_stream *stream, const akin_gpu_objects *objects,
                               const akin_paper_batch *batch, const akin_paper_list *lists, uint32_t count,
                               uint32_t each, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    const uint32_t blocks = (count - 1) / each + 1;
    counting_of(batch)<<<blocks, THREADS, 0, akin_device_stream_cuda(stream)>>>(*objects, *batch, lists, count, each);
    return akin_device_launched(stream, "count_lists", error);
}

static __global__ void __launch_bounds__(THREADS)
    scan_objects(akin_gpu_objects objects, akin_paper_batch batch, uint32_t first)
{
    const uint64_t object = ((uint64_t)blockIdx.x * THREADS + threadIdx.x) * 4;
    if (object < batch.objects)
        akin_spq_scan(&objects, &batch, first + blockIdx.y, object);
}

static akin_status paper_scan(akin_device_stream *stream, const akin_gpu_objects *objects,
                              const akin_paper_batch *batch, uint32_t first, uint32_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0 || batch->objects == 0)
        return status;
    const dim3 blocks((batch->objects - 1) / (THREADS * 4) + 1, count);
    scan_objects<<<blocks, THREADS, 0, akin_device_stream_cuda(stream)>>>(*objects, *batch, first);
    return akin_device_launched(stream, "scan_objects", error);
}

/* -------------------------------------------------------------------------------------------------------- selecting */

static __global__ void __launch_bounds__(THREADS) select_cpq(akin_paper_batch batch)
{
    __shared__ uint32_t sums[WARPS], taken;
    const akin_cpq q = akin_cpq_of(&batch, blockIdx.x);
    uint64_t *keys = batch.keys + (uint64_t)blockIdx.x * batch.k;
    if (threadIdx.x == 0) {
        akin_cpq_raise(&q);
        taken = 0;
    }
    __syncthreads();
    const uint32_t gate = akin_cpq_load32(q.gate);
    akin_cpq_take(&q, gate, keys, &taken, threadIdx.x);
    __syncthreads();
    uint64_t found = taken;
    for (uint64_t tile = 0; gate > 0 && found < batch.k && tile * AKIN_CPQ_TILE < batch.words; tile++) {
        uint32_t total;
        const uint32_t own = akin_cpq_ties(&q, batch.words, tile, gate, threadIdx.x);
        const uint32_t before = sum_before<THREADS>(own, sums, &total);
        akin_cpq_fill(&q, batch.words, tile, gate, keys, found + before, threadIdx.x);
        found += total;
    }
    if (threadIdx.x == 0)
        batch.found[blockIdx.x] = found < batch.k ? (uint32_t)found : batch.k;
}

static akin_status cpq_select(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || batch->count == 0)
        return status;
    select_cpq<<<batch->count, THREADS, 0, akin_device_stream_cuda(stream)>>>(*batch);
    return akin_device_launched(stream, "select_cpq", error);
}

static __global__ void __launch_bounds__(THREADS) select_spq(akin_paper_batch batch)
{
    __shared__ akin_spq s;
    __shared__ uint32_t sums[WARPS];
    const uint32_t *counts = batch.counts + (uint64_t)blockIdx.x * batch.objects;
    uint32_t *ids = batch.ids + (uint64_t)blockIdx.x * batch.objects;
    uint64_t *keys = batch.keys + (uint64_t)blockIdx.x * batch.k, found;
    if (threadIdx.x == 0)
        akin_spq_clear(&s, batch.objects);
    __syncthreads();
    akin_spq_begin(&s, counts, threadIdx.x);
    __syncthreads();
    while (akin_spq_goes_on(&s, batch.k)) {
        akin_spq_empty(&s, threadIdx.x);
        __syncthreads();
        akin_spq_fill(&s, counts, ids, threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0)
            akin_spq_choose(&s, batch.k);
        __syncthreads();
        found = 0;
        for (uint64_t tile = 0; tile * AKIN_SPQ_TILE < s.items; tile++) {
            uint32_t total;
            const akin_spq_share share = akin_spq_weigh(&s, counts, ids, tile, keys, threadIdx.x);
            const uint32_t before = sum_before<THREADS>(share.count, sums, &total); /* and all have read the tile */
            akin_spq_keep(ids, &share, found + before);
            found += total;
        }
        __syncthreads();
        if (threadIdx.x == 0)
            akin_spq_turn(&s);
        __syncthreads();
    }
    found = s.taken;
    for (uint64_t tile = 0; found < batch.k && tile * AKIN_SPQ_TILE < s.items; tile++) {
        uint32_t total;
        const akin_spq_share share = akin_spq_rest(&s, counts, ids, tile, threadIdx.x);
        const uint32_t before = sum_before<THREADS>(share.count, sums, &total);
        akin_spq_emit(counts, &share, keys, found + before, batch.k);
        found += total;
    }
    if (threadIdx.x == 0)
        batch.found[blockIdx.x] = found < batch.k ? (uint32_t)found : batch.k;
}

static akin_status spq_select(akin_device_stream *stream, const akin_paper_batch *batch, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || batch->count == 0)
        return status;
    select_spq<<<batch->count, THREADS, 0, akin_device_stream_cuda(stream)>>>(*batch);
    return akin_device_launched(stream, "select_spq", error);
}

const akin_match_count_kernels akin_cuda_match_count = {paper_count, paper_scan, cpq_select, spq_select};
