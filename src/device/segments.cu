/* Work over segments, dealt evenly to blocks however long the segments are: the segment of an item, and sums. */
#include "device/cub.cuh"

#include <cub/block/block_scan.cuh>

/*
 * The beginnings of segments and the items are merged (Merrill and Garland, Merge-Based Parallel Sparse Matrix-Vector
 * Multiplication, 2016), a beginning before the item of the same number, and each block takes TILE steps of the merge:
 *
 *     segments  0       1   2 3                       offsets 0 2 3 3 6
 *     items       0 1     2     3 4 5
 *     merged    0 . .   1 . 2 3 . . .                 . : an item, whose segment is the last one before it
 *               |-- tile 0 -|-- tile 1 -|
 */
enum { THREADS = 256, EACH = 8, TILE = THREADS * EACH };

typedef unsigned long long wide; /* uint64_t, as CUDA's atomics call it */

/* Of items [first, first + n): how many of the `count` beginnings are among the first `step` steps of the merge. */
static __device__ uint64_t merged_beginnings(const uint64_t *begin, uint64_t count, uint64_t first, uint64_t n,
                                             uint64_t step)
{
    uint64_t low = step > n ? step - n : 0, high = step < count ? step : count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        /* with `middle` beginnings there are step - middle items: too many if the last comes after the next one */
        if (begin[middle] <= first + (step - middle - 1))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number of the `count` rising values that are at most `limit`. */
static __device__ uint64_t count_up_to(const uint64_t *values, uint64_t count, uint64_t limit)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (values[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A block's part of the merge: beginnings [begin, begin_end), counted from segment 0, and items [item, item_end),
 * counted from the first one that is requested. */
struct tile {
    uint64_t begin, begin_end, item, item_end;
};

/* Of beginnings before the first item only the last matters; those beyond the last item do not. Two threads search. */
static __device__ tile find_tile(const uint64_t *offsets, uint64_t segments, uint64_t first, uint64_t n)
{
    __shared__ tile found;
    __shared__ uint64_t skipped;
    if (threadIdx.x == 0)
        skipped = first ? count_up_to(offsets, segments, first - 1) : 0;
    __syncthreads();
    uint64_t count = segments - skipped;
    if (threadIdx.x < 2) {
        uint64_t step = ((uint64_t)blockIdx.x + threadIdx.x) * TILE;
        step = step < count + n ? step : count + n;
        uint64_t begin = merged_beginnings(offsets + skipped, count, first, n, step);
        (threadIdx.x ? found.begin_end : found.begin) = skipped + begin;
        (threadIdx.x ? found.item_end : found.item) = step - begin;
    }
    __syncthreads();
    return found;
}

/* Marks, at the item where it begins, each segment of the tile by its number in the tile plus 1; the highest mark up to
 * an item is its segment; without a mark its segment is the last one before the tile. */
static __global__ void __launch_bounds__(THREADS)
    segments_of_kernel(const uint64_t *offsets, uint64_t segments, uint64_t first, uint64_t n, uint32_t *out)
{
    using scan = cub::BlockScan<uint32_t, THREADS>;
    __shared__ typename scan::TempStorage scratch;
    __shared__ uint32_t marks[TILE];
    tile t = find_tile(offsets, segments, first, n);
    uint32_t items = (uint32_t)(t.item_end - t.item), begins = (uint32_t)(t.begin_end - t.begin);
    for (uint32_t i = threadIdx.x; i < TILE; i += THREADS)
        marks[i] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < begins; i += THREADS) {
        uint64_t at = offsets[t.begin + i] - first - t.item;
        if (at < items)
            atomicMax(&marks[at], i + 1);
    }
    __syncthreads();
    uint32_t own[EACH];
    for (int i = 0; i < EACH; i++)
        own[i] = marks[threadIdx.x * EACH + i];
    scan(scratch).InclusiveScan(own, own, [](uint32_t a, uint32_t b) { return a > b ? a : b; });
    for (int i = 0; i < EACH; i++)
        marks[threadIdx.x * EACH + i] = own[i];
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < items; i += THREADS)
        out[t.item + i] = (uint32_t)(t.begin + marks[i] - 1);
}

/* Each block adds the sums of its items to those of their segments; a sum of integers has no order. */
static __global__ void __launch_bounds__(THREADS)
    segment_sums_kernel(const uint32_t *values, const uint64_t *offsets, uint64_t segments, uint64_t n, uint64_t *sums)
{
    using scan = cub::BlockScan<uint64_t, THREADS>;
    __shared__ typename scan::TempStorage scratch;
    __shared__ uint64_t before[TILE + 1];
    tile t = find_tile(offsets, segments, 0, n);
    uint32_t items = (uint32_t)(t.item_end - t.item);
    for (uint32_t i = threadIdx.x; i < TILE; i += THREADS)
        before[i] = i < items ? values[t.item + i] : 0;
    __syncthreads();
    uint64_t own[EACH], total;
    for (int i = 0; i < EACH; i++)
        own[i] = before[threadIdx.x * EACH + i];
    scan(scratch).ExclusiveSum(own, own, total);
    for (int i = 0; i < EACH; i++)
        before[threadIdx.x * EACH + i] = own[i];
    if (threadIdx.x == 0)
        before[TILE] = total;
    __syncthreads();
    /* the segment that was open before the tile, and those that begin in it */
    uint64_t open = t.begin ? t.begin - 1 : 0;
    for (uint64_t s = open + threadIdx.x; s < t.begin_end; s += THREADS) {
        uint64_t from = offsets[s] > t.item ? offsets[s] : t.item;
        uint64_t to = offsets[s + 1] < t.item_end ? offsets[s + 1] : t.item_end;
        if (from < to)
            atomicAdd((wide *)&sums[s], (wide)(before[to - t.item] - before[from - t.item]));
    }
}

static unsigned blocks_of(uint64_t segments, uint64_t n)
{
    return (unsigned)((segments + n + TILE - 1) / TILE);
}

akin_status akin_cuda_segments_of(akin_device_stream *stream, const uint64_t *offsets, uint64_t segments,
                                  uint64_t first, uint64_t n, uint32_t *out, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status == AKIN_OK)
        status = akin_device_check_items(n > segments ? n : segments, "load-balancing search", error);
    if (status != AKIN_OK || n == 0)
        return status;
    segments_of_kernel<<<blocks_of(segments, n), THREADS, 0, akin_device_stream_cuda(stream)>>>(offsets, segments,
                                                                                                first, n, out);
    return akin_device_launched(stream, "segments_of_kernel", error);
}

akin_status akin_cuda_segment_sums(akin_device_stream *stream, const uint32_t *values, const uint64_t *offsets,
                                   uint64_t segments, uint64_t n, uint64_t *sums, akin_error *error)
{
    akin_status status = akin_device_check_items(n > segments ? n : segments, "segmented sum", error);
    if (status == AKIN_OK)
        status = akin_device_fill(stream, sums, 0, segments * sizeof *sums, error);
    if (status != AKIN_OK || n == 0 || segments == 0)
        return status;
    segment_sums_kernel<<<blocks_of(segments, n), THREADS, 0, akin_device_stream_cuda(stream)>>>(values, offsets,
                                                                                                 segments, n, sums);
    return akin_device_launched(stream, "segment_sums_kernel", error);
}
