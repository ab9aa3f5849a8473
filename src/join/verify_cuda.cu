/* Verifies candidates on the GPU, and writes there where each set begins, which so need not be brought. */
#include "device/kernel.h"
#include "join/kernels.h"

#define WARPS   8
#define BLOCKS  2112 /* 16 for each multiprocessor of a large GPU: warps, or threads, take candidates in turn */
#define OFFSETS 256  /* threads of a block that writes offsets */

/* What a launch works on. */
typedef struct work {
    akin_gpu_sets probes, indexed;
    akin_measure_rule rule;
    const akin_gpu_pair *candidates;
    uint64_t room;
    akin_gpu_tally *tally;
    akin_gpu_pair *pairs;
    uint32_t *overlaps;
} work;

static __device__ __forceinline__ uint64_t count_of(const work &work)
{
    return min(min((uint64_t)work.tally->count, (uint64_t)work.tally->valid), work.room);
}

/* The sets of a candidate: the probe's tokens x[0 .. r-1], and the other's y[0 .. s-1]. */
template <typename Token> struct both {
    const Token *x, *y;
    uint32_t r, s;
};

template <typename Token> static __device__ __forceinline__ both<Token> sets_of(const work &work, akin_gpu_pair pair)
{
    uint32_t probe = (uint32_t)(pair >> 32), set = (uint32_t)pair;
    uint64_t x = work.probes.offsets[probe], y = work.indexed.offsets[set];
    return {(const Token *)work.probes.tokens + x, (const Token *)work.indexed.tokens + y,
            (uint32_t)(work.probes.offsets[probe + 1] - x), (uint32_t)(work.indexed.offsets[set + 1] - y)};
}

/* Counts a pair that qualifies, and writes it if it is wanted. */
static __device__ __forceinline__ void found(const work &work, akin_gpu_pair pair, uint32_t overlap)
{
    unsigned long long to = atomicAdd(&work.tally->found, 1ull);
    if (work.pairs) {
        work.pairs[to] = pair;
        work.overlaps[to] = overlap;
    }
}

/* ---------------------------------------------------------------------------------------------- a pair for a warp */

/* Whether `token` is among the `count` ascending ones at `tokens`. */
template <typename Token>
static __device__ __forceinline__ bool holds(const Token *tokens, uint32_t count, uint32_t token)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (tokens[middle] < token)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && tokens[low] == token;
}

/* Pairs of more than `beyond` tokens, a warp each. */
template <typename Token>
static __global__ void __launch_bounds__(32 * WARPS) verify_in_parts(work work, uint64_t beyond)
{
    uint64_t count = count_of(work), step = (uint64_t)gridDim.x * WARPS;
    uint32_t lane = threadIdx.x % 32;
    for (uint64_t at = (uint64_t)blockIdx.x * WARPS + threadIdx.x / 32; at < count; at += step) {
        akin_gpu_pair pair = work.candidates[at];
        both<Token> sets = sets_of<Token>(work, pair);
        if ((uint64_t)sets.r + sets.s <= beyond)
            continue;
        bool swap = sets.r > sets.s;
        const Token *few = swap ? sets.y : sets.x, *many = swap ? sets.x : sets.y;
        uint32_t less = swap ? sets.s : sets.r, more = swap ? sets.r : sets.s, overlap = 0;
        for (uint32_t first = 0; first < less; first += 32) {
            if (!akin_rule_suffices(work.rule, (uint64_t)overlap + less - first, sets.r, sets.s))
                break;
            uint32_t i = first + lane;
            bool common = i < less && holds(many, more, few[i]);
            overlap += __popc(__ballot_sync(0xffffffffu, common));
        }
        if (lane == 0 && overlap > 0 && akin_rule_suffices(work.rule, overlap, sets.r, sets.s))
            found(work, pair, overlap);
    }
}

/* ------------------------------------------------------------------------------------------- pairs for one thread */

/* The least overlap that is enough, or more than the smaller of the two sizes if none is. */
static __device__ __forceinline__ uint32_t need_of(akin_measure_rule rule, uint32_t r, uint32_t s)
{
    uint64_t low = 1, high = (uint64_t)min(r, s) + 1;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (akin_rule_suffices(rule, middle, r, s))
            high = middle;
        else
            low = middle + 1;
    }
    return (uint32_t)low;
}

/* The common tokens of two sets if there are at least `need`, else 0: each set has as many tokens to spare as it has
 * beyond those that are needed. */
template <typename Token> static __device__ __forceinline__ uint32_t merge(const both<Token> &sets, uint32_t need)
{
    if (need > sets.r || need > sets.s)
        return 0;
    uint32_t i = 0, j = 0, overlap = 0, spare_x = sets.r - need, spare_y = sets.s - need;
    while (i < sets.r && j < sets.s) {
        Token x = sets.x[i], y = sets.y[j];
        overlap += x == y;
        i += x <= y;
        j += y <= x;
        if (i - overlap > spare_x || j - overlap > spare_y)
            return 0;
    }
    return overlap >= need ? overlap : 0;
}

/* Pairs of at most AKIN_VERIFY_ALONE tokens; `run` neighbours, most of them of one probe, for each thread. */
template <typename Token> static __global__ void __launch_bounds__(32 * WARPS) verify_alone(work work, uint32_t run)
{
    uint64_t count = count_of(work), step = (uint64_t)gridDim.x * (32 * WARPS) * run;
    for (uint64_t first = ((uint64_t)blockIdx.x * (32 * WARPS) + threadIdx.x) * run; first < count; first += step) {
        uint64_t end = min(first + run, count);
        for (uint64_t at = first; at < end; at++) {
            akin_gpu_pair pair = work.candidates[at];
            both<Token> sets = sets_of<Token>(work, pair);
            if ((uint64_t)sets.r + sets.s > AKIN_VERIFY_ALONE)
                continue;
            uint32_t overlap = merge(sets, need_of(work.rule, sets.r, sets.s));
            if (overlap > 0)
                found(work, pair, overlap);
        }
    }
}

/* --------------------------------------------------------------------------------------------------------- both */

template <typename Token>
static akin_status verify(akin_device_stream *stream, const work &work, akin_verify_way way, akin_error *error)
{
    cudaStream_t cuda = akin_device_stream_cuda(stream);
    int alone = way == AKIN_VERIFY_MANY || way == AKIN_VERIFY_ONE;
    akin_status status = AKIN_OK;
    if (alone) {
        verify_alone<Token><<<BLOCKS, 32 * WARPS, 0, cuda>>>(work, way == AKIN_VERIFY_MANY ? AKIN_VERIFY_PAIRS : 1);
        status = akin_device_launched(stream, "verify_alone", error);
    }
    if (status != AKIN_OK || (alone && (uint64_t)work.probes.largest + work.indexed.largest <= AKIN_VERIFY_ALONE))
        return status;
    verify_in_parts<Token><<<BLOCKS, 32 * WARPS, 0, cuda>>>(work, alone ? AKIN_VERIFY_ALONE : 0);
    return akin_device_launched(stream, "verify_in_parts", error);
}

static akin_status gpu_verify(akin_device_stream *stream, const akin_gpu_sets *probes, const akin_gpu_sets *indexed,
                              akin_measure_rule rule, akin_verify_way way, const akin_gpu_pair *candidates,
                              uint64_t room, akin_gpu_tally *tally, akin_gpu_pair *pairs, uint32_t *overlaps,
                              akin_error *error)
{
    const work work = {*probes, *indexed, rule, candidates, room, tally, pairs, overlaps};
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    return probes->narrow ? verify<uint16_t>(stream, work, way, error) : verify<uint32_t>(stream, work, way, error);
}

/* --------------------------------------------------------------------------------------------------------- offsets */

/* A thread for each set, and one for the end of the last. */
static __global__ void __launch_bounds__(OFFSETS)
    write_offsets(const akin_gpu_class *classes, uint32_t count, uint32_t sets, uint64_t *offsets)
{
    uint64_t set = (uint64_t)blockIdx.x * OFFSETS + threadIdx.x;
    uint32_t low = 0, high = count;
    if (set > sets)
        return;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (classes[middle].set <= set)
            low = middle;
        else
            high = middle;
    }
    offsets[set] = classes[low].offset + (set - classes[low].set) * classes[low].size;
}

static akin_status gpu_write_offsets(akin_device_stream *stream, const akin_gpu_class *classes, uint32_t count,
                                     uint32_t sets, uint64_t *offsets, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    uint32_t blocks = (uint32_t)(((uint64_t)sets + OFFSETS) / OFFSETS);
    write_offsets<<<blocks, OFFSETS, 0, akin_device_stream_cuda(stream)>>>(classes, count, sets, offsets);
    return akin_device_launched(stream, "write_offsets", error);
}

const akin_sets_kernels akin_cuda_sets = {gpu_write_offsets, gpu_verify};
