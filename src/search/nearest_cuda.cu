/*
 * Nearest strings on the GPU: a block has a unit, 32,768 rows, and a query, whose patterns are in shared memory. What
 * each thread does is in gpu_nearest.h; a unit's best are kept as those of match counts are.
 *
 * What bounds it: a byte of a string is one look-up in shared memory and some 20 instructions of 64 bits' halves, or 12
 * for queries of 32 bytes or less. 1,024 queries and 262,144 strings of 41 bytes are 1.1e10 bytes, so 7e9 instructions
 * of a warp, 8 ms if all multiprocessors issue one a cycle and part, and the look-ups of a warp take 3 to 5 cycles
 * each, 3.4e8 of them, 7 ms beside. Strings are read from the second-level cache, 11 GB.
 */
#include "device/kernel.h"
#include "search/gpu_nearest.h"
#include "search/unit.cuh"

template <uint32_t Blocks>
static __global__ void __launch_bounds__(THREADS, Blocks == 1 ? 3 : 2)
    compare_units(akin_gpu_strings strings, akin_gpu_batch batch, uint32_t first)
{
    __shared__ akin_unit_four fours[AKIN_UNIT_FOURS];
    __shared__ uint64_t pattern[256 * Blocks];
    __shared__ uint32_t sums[WARPS], start;
    const uint32_t query_at = blockIdx.x % batch.count, number = first + blockIdx.x / batch.count;
    const akin_gpu_query query = batch.queries[query_at];
    const uint64_t slot = (uint64_t)query_at * batch.units + number;
    unsigned long long *shown = (unsigned long long *)&batch.shown[query_at];
    akin_unit u = {fours->words, NULL, 0, 0, 0, 0};
    akin_unit_set(&u, 0, 1, number);
    akin_unit_clear_words(&u, threadIdx.x);
    akin_unit_set_pattern(pattern, Blocks, strings.queries + query.part, query.parts, threadIdx.x);
    if (threadIdx.x == 0)
        start = akin_unit_least(*(volatile unsigned long long *)shown, number);
    __syncthreads();
    uint32_t found = 0;
    if (start <= query.most) {
        akin_unit_compare(&u, &strings, pattern, Blocks, query.parts, start, threadIdx.x);
        __syncthreads();
        found = keep_best(u, by_count{query.most}, batch, start, shown, number, sums, batch.keys + slot * batch.room);
    }
    if (threadIdx.x == 0)
        batch.found[slot] = found;
}

static akin_status ranges_compare(akin_device_stream *stream, const akin_gpu_strings *strings,
                                  const akin_gpu_batch *batch, uint32_t first, uint32_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0 || batch->count == 0)
        return status;
    const auto kernel = strings->blocks == 1   ? compare_units<1>
                        : strings->blocks == 2 ? compare_units<2>
                                               : compare_units<4>;
    kernel<<<count * batch->count, THREADS, 0, akin_device_stream_cuda(stream)>>>(*strings, *batch, first);
    return akin_device_launched(stream, "compare_units", error);
}

const akin_nearest_kernels akin_cuda_nearest = {ranges_compare};
