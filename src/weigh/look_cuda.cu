/* Cuts text into tokens and looks them up on the GPU: what each thread does is in gpu_look.h. */
#include "device/kernel.h"
#include "weigh/gpu_look.h"

#include <stddef.h>

#define THREADS 256

static_assert(sizeof(akin_gpu_word) == 32 && offsetof(akin_gpu_word, place) == 16 &&
                  offsetof(akin_gpu_word, length) == 24 && offsetof(akin_gpu_word, term) == 28,
              "see akin_gpu_read");
static_assert(AKIN_GPU_WORDS == THREADS, "a thread marks 32 bytes, a block a span");
static_assert(AKIN_GPU_SPAN <= 65536, "ranks and places within a span have 16 bits");

static unsigned look_blocks_for(uint64_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

/* ---------------------------------------------------------------------------------------------------------- report */

static __global__ void __launch_bounds__(THREADS) report(uint64_t *to, const uint64_t *from, uint64_t words)
{
    for (uint64_t i = threadIdx.x; i < words; i += THREADS)
        to[i] = from[i];
}

/* Pinned memory has the same address on the device. */
static akin_status terms_report(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    report<<<1, THREADS, 0, akin_device_stream_cuda(stream)>>>((uint64_t *)to, (const uint64_t *)from,
                                                               bytes / sizeof(uint64_t));
    return akin_device_launched(stream, "report", error);
}

/* ----------------------------------------------------------------------------------------------------------- marks */

static __global__ void __launch_bounds__(THREADS) start(akin_gpu_text text, uint64_t first)
{
    const uint64_t document = first + (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (document >= text.documents)
        return;
    const uint64_t at = text.offsets[document];
    if (at < text.bytes)
        atomicOr(text.stops + at / 32, 1u << at % 32);
}

/* The sum of the numbers of the threads before this one; *all is that of all of them. */
static __device__ __forceinline__ uint32_t scan_block(uint32_t own, uint32_t *all)
{
    __shared__ uint32_t sums[THREADS / 32];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t sum = own, before = 0, total = 0;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, step);
        sum += lane >= step ? other : 0;
    }
    if (lane == 31)
        sums[warp] = sum;
    __syncthreads();
    for (uint32_t i = 0; i < THREADS / 32; i++) {
        before += i < warp ? sums[i] : 0;
        total += sums[i];
    }
    *all = total;
    return before + sum - own;
}

static __global__ void __launch_bounds__(THREADS) mark(akin_gpu_text text, uint64_t first)
{
    const uint64_t span = first + blockIdx.x, word = span * AKIN_GPU_WORDS + threadIdx.x;
    uint32_t stops = text.stops[word], all;
    const uint32_t begins = akin_gpu_mark(&text, word, &stops);
    const uint32_t before = scan_block(akin_gpu_ones(begins), &all);
    text.stops[word] = stops;
    text.begins[word] = begins;
    text.ranks[word] = (uint16_t)before;
    if (threadIdx.x == 0)
        text.counts[span] = all;
}

static __global__ void __launch_bounds__(THREADS) place(akin_gpu_text text, uint64_t first)
{
    const uint64_t document = first + (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (document <= text.documents)
        text.firsts[document] = akin_gpu_rank(&text, text.offsets[document]);
}

static akin_status terms_start(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint64_t first = 0; first < text->documents && status == AKIN_OK; first += AKIN_GPU_ITEMS) {
        const uint64_t left = text->documents - first, count = left < AKIN_GPU_ITEMS ? left : AKIN_GPU_ITEMS;
        start<<<look_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*text, first);
        status = akin_device_launched(stream, "start", error);
    }
    return status;
}

static akin_status terms_mark(akin_device_stream *stream, const akin_gpu_text *text, uint64_t first_span,
                              uint64_t spans, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || spans == 0)
        return status;
    mark<<<(unsigned)spans, THREADS, 0, akin_device_stream_cuda(stream)>>>(*text, first_span);
    return akin_device_launched(stream, "mark", error);
}

static akin_status terms_place(akin_device_stream *stream, const akin_gpu_text *text, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint64_t first = 0; first <= text->documents && status == AKIN_OK; first += AKIN_GPU_ITEMS) {
        const uint64_t left = (uint64_t)text->documents + 1 - first;
        const uint64_t count = left < AKIN_GPU_ITEMS ? left : AKIN_GPU_ITEMS;
        place<<<look_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*text, first);
        status = akin_device_launched(stream, "place", error);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------- looking up */

/* First each thread lists the tokens of its 32 bytes; then they are dealt evenly, in the order of the text. */
static __global__ void __launch_bounds__(THREADS)
    look_up(akin_gpu_text text, akin_gpu_table table, akin_gpu_finds finds, uint64_t first)
{
    __shared__ uint16_t places[AKIN_GPU_SPAN];
    const uint64_t span = first + blockIdx.x, word = span * AKIN_GPU_WORDS + threadIdx.x;
    const uint32_t count = text.counts[span];
    uint32_t bits = text.begins[word], to = text.ranks[word];
    for (; bits; bits &= bits - 1)
        places[to++] = (uint16_t)(threadIdx.x * 32 + akin_gpu_lowest(bits));
    /* the places are there; and where the table is full all of this is to be done again, so the block need not */
    if (__syncthreads_or(*(volatile unsigned long long *)&finds.news->full != 0))
        return;
    const uint64_t begin = span * AKIN_GPU_SPAN, rank = text.bases[span];
    for (uint32_t i = threadIdx.x; i < count; i += THREADS)
        akin_gpu_look_up(&text, &table, &finds, begin + places[i], rank + i);
}

static akin_status terms_look_up(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                                 const akin_gpu_finds *finds, uint64_t first_span, uint64_t spans, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || spans == 0)
        return status;
    look_up<<<(unsigned)spans, THREADS, 0, akin_device_stream_cuda(stream)>>>(*text, *table, *finds, first_span);
    return akin_device_launched(stream, "look_up", error);
}

static __global__ void __launch_bounds__(THREADS)
    patch(uint32_t *tokens, const akin_gpu_long *longs, const uint32_t *terms, uint64_t count)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        tokens[longs[i].rank] = terms[i];
}

static akin_status terms_patch(akin_device_stream *stream, uint32_t *tokens, const akin_gpu_long *longs,
                               const uint32_t *terms, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    patch<<<look_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(tokens, longs, terms, count);
    return akin_device_launched(stream, "patch", error);
}

/* ------------------------------------------------------------------------------------------------------- new words */

static __global__ void __launch_bounds__(THREADS) list(akin_gpu_table table, akin_gpu_fresh fresh)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < fresh.count)
        fresh.begins[i] = table.slots[fresh.slots[i]] & AKIN_GPU_BELOW;
}

static __global__ void __launch_bounds__(THREADS) measure(akin_gpu_text text, akin_gpu_fresh fresh)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < fresh.count)
        fresh.sizes[i] = (akin_gpu_length(&text, fresh.begins[i]) + 7) / 8;
}

static __global__ void __launch_bounds__(THREADS)
    keep(akin_gpu_text text, akin_gpu_table table, akin_gpu_fresh fresh, uint32_t term)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < fresh.count)
        akin_gpu_keep(&text, &table, &fresh, i, term + (uint32_t)i);
}

static __global__ void __launch_bounds__(THREADS) name(akin_gpu_word *words, const uint32_t *terms, uint64_t count)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        words[i].term = terms[i];
}

static __global__ void __launch_bounds__(THREADS) rebuild(akin_gpu_table table)
{
    const uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < table.count)
        akin_gpu_rebuild(&table, (uint32_t)i);
}

static akin_status terms_list(akin_device_stream *stream, const akin_gpu_table *table, const akin_gpu_fresh *fresh,
                              akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || fresh->count == 0)
        return status;
    list<<<look_blocks_for(fresh->count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*table, *fresh);
    return akin_device_launched(stream, "list", error);
}

static akin_status terms_measure(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_fresh *fresh,
                                 akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || fresh->count == 0)
        return status;
    measure<<<look_blocks_for(fresh->count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*text, *fresh);
    return akin_device_launched(stream, "measure", error);
}

static akin_status terms_keep(akin_device_stream *stream, const akin_gpu_text *text, const akin_gpu_table *table,
                              const akin_gpu_fresh *fresh, uint32_t term, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || fresh->count == 0)
        return status;
    keep<<<look_blocks_for(fresh->count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*text, *table, *fresh, term);
    return akin_device_launched(stream, "keep", error);
}

static akin_status terms_name(akin_device_stream *stream, const akin_gpu_table *table, uint32_t first,
                              const uint32_t *terms, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    name<<<look_blocks_for(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(table->words + first, terms, count);
    return akin_device_launched(stream, "name", error);
}

static akin_status terms_rebuild(akin_device_stream *stream, const akin_gpu_table *table, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || table->count == 0)
        return status;
    rebuild<<<look_blocks_for(table->count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*table);
    return akin_device_launched(stream, "rebuild", error);
}

const akin_terms_look_kernels akin_cuda_terms_look = {terms_report,  terms_start,   terms_mark,    terms_place,
                                                      terms_look_up, terms_list,    terms_measure, terms_keep,
                                                      terms_name,    terms_rebuild, terms_patch};
