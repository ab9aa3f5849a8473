/*
 * The prefix index on a GPU: its postings, what the postings of probes meet there, and the comparison of these pairs.
 *
 *     postings of the indexed sets, by token, then by set       sizes of sets grow, so a probe meets one contiguous
 *                                                               piece of a list
 *     token   2  2  2  2  2 | 5  5 | 9  9  9 ...
 *     set     1  4  6  7 12 | 4  8 | 3  6  7 ...                probe 7 holds 2 at position 0: sets [4, 7), a run of 2
 *     reach   9  9 13 13 20 | 8 ...                             holds 9 at position 1: sets [6, 7), a run of 1
 *
 *     runs    | 4 6 | 6 | ...    concatenated: their pairs are counted and dealt out, over the borders of runs
 *     offsets  0     2   3
 *     warp       range of pairs    |       range of pairs        |  ...
 *     step       32 pairs, a lane each | 32 pairs ...
 *
 * join/posting_step.h has the work of a lane. It decides a pair of short sets by merging. Such a pair takes a sector or
 * two of memory for each set, so a signature or a counter that rejects the pair beforehand would cost as much as a look
 * at the pair. Rare tokens come first, so the tokens of the prefixes separate unlike sets. Only a pair that is alike
 * for AKIN_POSTING_STEPS tokens becomes a candidate, and a warp verifies it. A pair may meet in several runs. It is
 * looked at in the run of its first common token, which merging finds first, too. So there are no counters, and nothing
 * is sorted to find pairs that meet twice.
 *
 * Runs are in the order of their tokens, so the sets of a list stay in the caches while all probes of the list look at
 * them.
 */
#include "device/kernel.h"

#include "join/posting_step.h"
#include "join/warp.cuh"

#define THREADS  256
#define WARPS    (THREADS / 32)
#define A_LAUNCH (1u << 26) /* postings, at most */

static __device__ __forceinline__ uint32_t thread_number()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

/* The blocks of threads for the postings of a launch that begins at `first`. */
static uint32_t blocks_for(uint32_t count, uint32_t first)
{
    uint32_t items = count - first < A_LAUNCH ? count - first : A_LAUNCH;
    return (items + THREADS - 1) / THREADS;
}

static_assert(A_LAUNCH % THREADS == 0, "no launch goes on into the next one's postings");
static_assert(AKIN_POSTING_LEAST >= 32, "a warp's step must find room in an empty buffer");

/* ---------------------------------------------------------------------------------------------------------- postings
 */

static __global__ void __launch_bounds__(THREADS)
    write_postings(akin_posting_side side, uint32_t first, uint32_t *tokens, uint32_t *numbers)
{
    uint32_t i = first + thread_number();
    if (i >= side.count)
        return;
    akin_posting_place place = akin_posting_find(&side, i);
    tokens[i] = akin_posting_token(side.sets.tokens, side.sets.narrow, side.sets.offsets[place.set] + place.position);
    numbers[i] = i;
}

static akin_status posting_write(akin_device_stream *stream, const akin_posting_side *side, uint32_t *tokens,
                                 uint32_t *numbers, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint32_t first = 0; first < side->count && status == AKIN_OK; first += A_LAUNCH) {
        write_postings<<<blocks_for(side->count, first), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            *side, first, tokens, numbers);
        status = akin_device_launched(stream, "write_postings", error);
    }
    return status;
}

static __global__ void __launch_bounds__(THREADS)
    make_index(akin_posting_side side, uint32_t first, const uint32_t *tokens, const uint32_t *numbers,
               akin_posting_index index)
{
    uint32_t i = first + thread_number();
    if (i >= side.count)
        return;
    akin_posting_place place = akin_posting_find(&side, numbers[i]);
    index.sets[i] = place.set;
    index.reach[i] = side.bounds[place.from.bound + place.position];
    uint32_t token = tokens[i];
    if (i == 0 || tokens[i - 1] != token)
        index.lists[token].begin = i;
    if (i + 1 == side.count || tokens[i + 1] != token)
        index.lists[token].end = i + 1;
}

static akin_status posting_make_index(akin_device_stream *stream, const akin_posting_side *side, const uint32_t *tokens,
                                      const uint32_t *numbers, const akin_posting_index *index, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint32_t first = 0; first < side->count && status == AKIN_OK; first += A_LAUNCH) {
        make_index<<<blocks_for(side->count, first), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            *side, first, tokens, numbers, *index);
        status = akin_device_launched(stream, "make_index", error);
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- runs
 */

static __global__ void __launch_bounds__(THREADS)
    look_up(akin_posting_side probes, int self, uint32_t first, const uint32_t *tokens, const uint32_t *numbers,
            akin_posting_index index, uint32_t *low, uint32_t *counts, uint8_t *any)
{
    uint32_t i = first + thread_number();
    if (i >= probes.count)
        return;
    akin_posting_list list = index.lists[tokens[i]];
    if (list.begin < list.end)
        list = akin_posting_met(&probes, self, akin_posting_find(&probes, numbers[i]), list, index.sets);
    uint32_t count = list.begin < list.end ? list.end - list.begin : 0;
    low[i] = list.begin;
    counts[i] = count;
    any[i] = count > 0;
}

static akin_status posting_look_up(akin_device_stream *stream, const akin_posting_side *probes, int self,
                                   const uint32_t *tokens, const uint32_t *numbers, const akin_posting_index *index,
                                   uint32_t *low, uint32_t *counts, uint8_t *any, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint32_t first = 0; first < probes->count && status == AKIN_OK; first += A_LAUNCH) {
        look_up<<<blocks_for(probes->count, first), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            *probes, self, first, tokens, numbers, *index, low, counts, any);
        status = akin_device_launched(stream, "look_up", error);
    }
    return status;
}

static __global__ void __launch_bounds__(THREADS)
    gather(akin_posting_side probes, uint32_t first, const uint32_t *numbers, const uint32_t *low,
           const uint32_t *counts, const uint32_t *chosen, uint32_t count, akin_posting_run *runs, uint32_t *lengths)
{
    uint32_t i = first + thread_number();
    if (i >= count)
        return;
    uint32_t k = chosen[i];
    akin_posting_place place = akin_posting_find(&probes, numbers[k]);
    runs[i] = {place.set, place.position, low[k], 0};
    lengths[i] = counts[k];
}

static akin_status posting_gather(akin_device_stream *stream, const akin_posting_side *probes, const uint32_t *numbers,
                                  const uint32_t *low, const uint32_t *counts, const uint32_t *chosen, uint32_t count,
                                  akin_posting_run *runs, uint32_t *lengths, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint32_t first = 0; first < count && status == AKIN_OK; first += A_LAUNCH) {
        gather<<<blocks_for(count, first), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            *probes, first, numbers, low, counts, chosen, count, runs, lengths);
        status = akin_device_launched(stream, "gather", error);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- pairs
 */

static __device__ __forceinline__ uint32_t size_of(const akin_gpu_sets &sets, uint32_t set)
{
    return (uint32_t)(sets.offsets[set + 1] - sets.offsets[set]);
}

template <typename Token>
static __device__ __forceinline__ const Token *tokens_of(const akin_gpu_sets &sets, uint32_t set)
{
    return (const Token *)sets.tokens + sets.offsets[set];
}

/* A pair is looked at: pair number `into` of a run. */
template <typename Token>
static __device__ __forceinline__ akin_posting_state look_at(const akin_posting_join &join, uint32_t number,
                                                             uint32_t into, akin_gpu_pair *pair, uint32_t *overlap,
                                                             uint32_t *steps)
{
    const uint4 run = ((const uint4 *)join.runs)[number]; /* probe, position, low */
    uint32_t k = run.z + into, set = join.index.sets[k];
    if (run.x >= join.index.reach[k])
        return AKIN_POSTING_ELSEWHERE;
    uint32_t r = size_of(join.probes, run.x), s = size_of(join.indexed, set);
    uint32_t need = akin_posting_need(join.rule, join.share, r, s);
    *pair = (uint64_t)run.x << 32 | set;
    return akin_posting_merge(tokens_of<Token>(join.probes, run.x), r, tokens_of<Token>(join.indexed, set), s,
                              sizeof(Token) == sizeof(uint16_t), run.y, need, overlap, steps);
}

/* Appends what the lanes of `all` have; 0 if there is no room for all of it. */
static __device__ __forceinline__ bool append(const akin_posting_out &out, uint32_t all, uint32_t lane, int keep,
                                              akin_gpu_pair pair, uint32_t overlap)
{
    unsigned long long to = 0;
    if (lane == 0)
        to = atomicAdd(&out.tally->count, (unsigned long long)__popc(all));
    to = __shfl_sync(WARP, to, 0);
    if (to + __popc(all) > out.room) {
        if (lane == 0)
            atomicMin(&out.tally->valid, to);
        return false;
    }
    if (all >> lane & 1) {
        to += __popc(all & ((1u << lane) - 1));
        out.candidates[to] = pair;
        if (keep)
            out.overlaps[to] = overlap;
    }
    return true;
}

/* A warp for each range. */
template <typename Token>
static __global__ void __launch_bounds__(THREADS)
    compare(akin_posting_join join, uint64_t first, uint64_t end, uint32_t unit, const akin_posting_range *ranges,
            uint32_t count, akin_posting_out out)
{
    uint32_t warp = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32, met = 0, found = 0;
    uint32_t spent = 0;
    bool open = false;
    if (warp >= count)
        return;
    uint64_t at = ranges ? ranges[warp].first : first + (uint64_t)warp * unit;
    uint64_t stop = ranges ? ranges[warp].end : min(at + unit, end);
    /* Where the buffer is full already, nothing is looked at for nothing. */
    unsigned long long taken = lane == 0 ? *(volatile unsigned long long *)&out.tally->count : 0;
    if (__shfl_sync(WARP, taken, 0) >= out.room) {
        if (lane == 0)
            out.resume[atomicAdd(&out.tally->resumed, 1u)] = {at, stop};
        return;
    }
    uint32_t run = akin_posting_run_of(join.offsets, join.run_count, at);
    uint64_t start = join.offsets[run];
    while (at < stop) {
        /* How far ahead the run at hand ends, and the 31 after it: those that 32 pairs can be of. */
        uint64_t next = (uint64_t)run + 1 + lane;
        uint64_t ends = next <= join.run_count ? join.offsets[next] : UINT64_MAX, ahead = ends - at;
        uint32_t begins = warp_or(ahead < 32 ? 1u << ahead : 0u);
        akin_posting_state state = AKIN_POSTING_ELSEWHERE;
        akin_gpu_pair pair = 0;
        uint32_t overlap = 0, steps = 0;
        if (at + lane < stop) {
            akin_posting_lane own = akin_posting_deal(begins, lane, (uint32_t)(at - start));
            state = look_at<Token>(join, run + own.skipped, own.into, &pair, &overlap, &steps);
        }
        uint32_t decided = __ballot_sync(WARP, state == AKIN_POSTING_FOUND);
        uint32_t undecided = __ballot_sync(WARP, state == AKIN_POSTING_OPEN);
        uint32_t looked = __ballot_sync(WARP, state != AKIN_POSTING_ELSEWHERE);
        uint32_t all = join.keep ? decided | undecided : undecided;
        if (all && !append(out, all, lane, join.keep, pair, overlap)) {
            if (lane == 0)
                out.resume[atomicAdd(&out.tally->resumed, 1u)] = {at, stop};
            break;
        }
        met += __popc(looked);
        found += __popc(decided);
        open |= undecided != 0;
        /* on to the next 32 pairs: `passed` runs end before them or where they begin */
        uint32_t passed = __popc(__ballot_sync(WARP, ahead <= 32));
        if (passed > 0) {
            start = __shfl_sync(WARP, ends, (int)passed - 1);
            run += passed;
        }
        at += 32;
        /* As long as the lane that took longest, so that no launch takes long, however long the sets are. */
        spent += warp_most(steps);
        if (spent >= join.budget && at < stop) {
            if (lane == 0)
                out.resume[atomicAdd(&out.tally->resumed, 1u)] = {at, stop};
            break;
        }
    }
    if (lane > 0)
        return;
    if (met > 0)
        atomicAdd(&out.tally->met, (unsigned long long)met);
    if (found > 0 && !join.keep)
        atomicAdd(&out.tally->found, (unsigned long long)found);
    if (open)
        atomicOr(&out.tally->open, 1u);
}

static akin_status posting_compare(akin_device_stream *stream, const akin_posting_join *join, uint64_t first,
                                   uint64_t end, uint32_t unit, const akin_posting_range *ranges, uint32_t count,
                                   const akin_posting_out *out, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    cudaStream_t cuda = akin_device_stream_cuda(stream);
    uint32_t blocks = (count + WARPS - 1) / WARPS;
    if (join->probes.narrow)
        compare<uint16_t><<<blocks, THREADS, 0, cuda>>>(*join, first, end, unit, ranges, count, *out);
    else
        compare<uint32_t><<<blocks, THREADS, 0, cuda>>>(*join, first, end, unit, ranges, count, *out);
    return akin_device_launched(stream, "compare", error);
}

const akin_posting_kernels akin_cuda_posting = {posting_write, posting_make_index, posting_look_up, posting_gather,
                                                posting_compare};
