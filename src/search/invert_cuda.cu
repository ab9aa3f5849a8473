/*
 * Inverts objects on a GPU. What each thread does is in gpu_invert.h.
 *
 * What bounds it is memory: 100 million postings are 800 MB, which a sort by 20 bits reads and writes three times;
 * objects, flags, starts, sizes, offsets and cells are written once and read once or twice. That is some 10 GB, or 2.5
 * ms.
 */
#include "device/kernel.h"
#include "search/block.cuh"
#include "search/gpu_invert.h"

#define THREADS AKIN_INVERT_THREADS
#define EACH    AKIN_INVERT_EACH
#define TILE    (THREADS * EACH)

typedef akin_gpu_postings postings;
typedef akin_gpu_inverted inverted;

static __device__ __forceinline__ uint64_t own_number(void)
{
    return (uint64_t)blockIdx.x * THREADS + threadIdx.x;
}

/* Launches kernel(arguments..) with a thread for each of `count` items. */
template <class Kernel, class... Arguments>
static akin_status for_each(akin_device_stream *stream, uint64_t count, const char *name, akin_error *error,
                            Kernel kernel, Arguments... arguments)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    kernel<<<(uint32_t)((count + THREADS - 1) / THREADS), THREADS, 0, akin_device_stream_cuda(stream)>>>(arguments...);
    return akin_device_launched(stream, name, error);
}

/* --------------------------------------------------------------------------------------------------------- postings */

static __global__ void invert_order(const uint32_t *order, uint32_t keywords, uint32_t *inverse)
{
    const uint64_t k = own_number();
    if (k < keywords)
        inverse[order[k]] = (uint32_t)k;
}

static __global__ void number_tokens(postings p, const uint32_t *inverse, uint32_t universe, uint32_t *wrong)
{
    const uint64_t i = own_number();
    if (i < p.count)
        p.keywords[i] = akin_invert_token(p.keywords[i], inverse, universe, p.none, wrong);
}

static __global__ void post_codes(const uint32_t *column, uint32_t objects, uint32_t first, uint32_t codes, postings p,
                                  uint64_t to, uint32_t *wrong)
{
    const uint64_t i = own_number();
    if (i >= objects)
        return;
    p.keywords[to + i] = akin_invert_code(column[i], first, codes, p.none, wrong);
    p.objects[to + i] = (uint32_t)i;
}

static akin_status launch_order(akin_device_stream *stream, const uint32_t *order, uint32_t keywords, uint32_t *inverse,
                                akin_error *error)
{
    return for_each(stream, keywords, "invert_order", error, invert_order, order, keywords, inverse);
}

static akin_status launch_tokens(akin_device_stream *stream, const akin_gpu_postings *p, const uint32_t *inverse,
                                 uint32_t universe, uint32_t *wrong, akin_error *error)
{
    return for_each(stream, p->count, "number_tokens", error, number_tokens, *p, inverse, universe, wrong);
}

static akin_status launch_codes(akin_device_stream *stream, const uint32_t *column, uint32_t objects, uint32_t first,
                                uint32_t codes, const akin_gpu_postings *p, uint64_t to, uint32_t *wrong,
                                akin_error *error)
{
    return for_each(stream, objects, "post_codes", error, post_codes, column, objects, first, codes, *p, to, wrong);
}

/* --------------------------------------------------------------------------------------------------------- segments */

static __global__ void flag_postings(postings p, uint8_t *flags)
{
    const uint64_t i = own_number();
    if (i < p.count)
        flags[i] = akin_invert_begins(&p, i);
}

static __global__ void measure_segments(postings p, inverted v)
{
    const uint64_t segment = own_number();
    if (segment < v.count)
        akin_invert_size(&p, &v, segment);
}

static __global__ void find_lists(postings p, inverted v)
{
    const uint64_t keyword = own_number();
    if (keyword <= p.none)
        akin_invert_list(&p, &v, (uint32_t)keyword);
}

static __global__ void write_segments(postings p, inverted v)
{
    const uint64_t segment = own_number();
    if (segment < v.kept)
        akin_invert_segment(&p, &v, segment);
}

static akin_status launch_flag(akin_device_stream *stream, const akin_gpu_postings *p, uint8_t *flags,
                               akin_error *error)
{
    return for_each(stream, p->count, "flag_postings", error, flag_postings, *p, flags);
}

static akin_status launch_measure(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                  akin_error *error)
{
    return for_each(stream, v->count, "measure_segments", error, measure_segments, *p, *v);
}

static akin_status launch_lists(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                akin_error *error)
{
    return for_each(stream, (uint64_t)p->none + 1, "find_lists", error, find_lists, *p, *v);
}

static akin_status launch_segments(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                   akin_error *error)
{
    return for_each(stream, v->kept, "write_segments", error, write_segments, *p, *v);
}

/* ------------------------------------------------------------------------------------------------------------ cells */

/* A block has TILE postings: the segment before its first one is looked for, and those that begin here are counted. */
static __global__ void __launch_bounds__(THREADS) write_places(postings p, inverted v)
{
    __shared__ uint32_t sums[THREADS / 32], cells[TILE];
    __shared__ uint64_t before;
    const uint64_t tile = (uint64_t)blockIdx.x * TILE;
    const uint32_t end = p.count - tile < TILE ? (uint32_t)(p.count - tile) : TILE;
    if (threadIdx.x == 0)
        before = tile > 0 ? akin_invert_segment_of(&v, tile - 1) + 1 : 0; /* segments that begin before */
    for (uint32_t i = threadIdx.x; i < end; i += THREADS)
        cells[i] = v.flags[tile + i];
    __syncthreads();
    uint32_t own = 0;
    for (uint32_t i = threadIdx.x * EACH; i < (threadIdx.x + 1) * EACH && i < end; i++)
        own += cells[i];
    uint32_t all, begun = sum_before<THREADS>(own, sums, &all);
    for (uint32_t i = threadIdx.x * EACH; i < (threadIdx.x + 1) * EACH && i < end; i++) {
        begun += cells[i];
        cells[i] = begun;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < end; i += THREADS)
        akin_invert_place(&p, &v, tile + i, before + cells[i] - 1);
}

static __global__ void __launch_bounds__(THREADS) write_bitmaps(postings p, inverted v)
{
    __shared__ uint32_t words[AKIN_INVERT_WORDS];
    const uint64_t segment = v.bitmaps[blockIdx.x];
    if (segment >= v.kept)
        return;
    for (uint32_t i = threadIdx.x; i < AKIN_INVERT_WORDS; i += THREADS)
        words[i] = 0;
    __syncthreads();
    akin_invert_set(&p, v.starts[segment], akin_invert_end(&p, &v, segment), words, threadIdx.x);
    __syncthreads();
    akin_invert_write(words, v.cells + v.offsets[segment], threadIdx.x);
}

static akin_status launch_places(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                 akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || p->count == 0)
        return status;
    write_places<<<(uint32_t)((p->count + TILE - 1) / TILE), THREADS, 0, akin_device_stream_cuda(stream)>>>(*p, *v);
    return akin_device_launched(stream, "write_places", error);
}

static akin_status launch_bitmaps(akin_device_stream *stream, const akin_gpu_postings *p, const akin_gpu_inverted *v,
                                  akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || v->bitmap_count == 0)
        return status;
    write_bitmaps<<<(uint32_t)v->bitmap_count, THREADS, 0, akin_device_stream_cuda(stream)>>>(*p, *v);
    return akin_device_launched(stream, "write_bitmaps", error);
}

const akin_invert_kernels akin_cuda_invert = {launch_order,    launch_tokens,  launch_codes,
                                              launch_flag,     launch_measure, launch_lists,
                                              launch_segments, launch_places,  launch_bitmaps};
