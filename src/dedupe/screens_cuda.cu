/*
 * Screens pairs of records on the GPU. Two ways lead to candidates, pairs that may reach the threshold:
 *
 *     lists       a warp takes a record of a window, block or list, and its lanes the partners; all attributes are
 *                 looked at
 *     groups      all pairs: a pair that reaches the threshold reaches that of one of a few attributes, the drivers.
 *                 For each driver records are sorted by its length, and 32 of one length meet 32 of another in a warp:
 *                 4 popcounts of 32 bits a pair, of half a bag. What passes is queued, and looked at as above, 32 pairs
 *                 at a time
 *
 * The bound of groups are the popcounts, 16 a clock of a multiprocessor: 4 pairs, 9e11 a second on an H200.
 */
#include "dedupe/gpu_screen.h"
#include "device/kernel.h"

#define WARPS  8
#define ALL    0xffffffffu
#define QUEUE  64
#define BLOCKS 2112 /* 16 for each multiprocessor of a large GPU */
#define SLICE  4096 /* partners that a warp takes of a list */

/* The lanes that pass list their pairs. */
static __device__ __forceinline__ void list_pairs(const akin_gpu_screen &screen, bool passes, uint32_t a, uint32_t b)
{
    uint32_t lanes = __ballot_sync(ALL, passes), lane = threadIdx.x % 32;
    unsigned long long first = 0;
    if (lanes == 0)
        return;
    if (lane == 0)
        first = atomicAdd(&screen.tally->candidates, (unsigned long long)__popc(lanes));
    first = __shfl_sync(ALL, first, 0) + __popc(lanes & ((1u << lane) - 1));
    if (passes && first < screen.room)
        screen.list[first] = akin_gpu_candidate{a, b};
}

/* ------------------------------------------------------------------------------------------------------------ lists */

static __global__ void screen_lists(const __grid_constant__ akin_gpu_screen screen, uint32_t first, uint32_t end,
                                    uint64_t from, uint64_t to)
{
    const akin_gpu_selector &s = screen.selectors[screen.at];
    const uint32_t lane = threadIdx.x % 32;
    unsigned long long pairs = 0, fresh = 0;
    for (uint64_t at = first + (blockIdx.x * (uint64_t)WARPS + threadIdx.x / 32); at < end; at += gridDim.x * WARPS) {
        const akin_gpu_partners p = akin_gpu_partners_of(&screen, &s, (uint32_t)at);
        const uint64_t begin = from + blockIdx.y * (uint64_t)SLICE, most = min(min(p.count, to), begin + SLICE);
        for (uint64_t k = begin; k < most; k += 32) {
            bool is_there = k + lane < most, passes = false;
            uint32_t other = 0;
            if (is_there) {
                other = akin_gpu_partner_at(&s, &p, k + lane);
                is_there = akin_gpu_is_across(&screen, p.record, other);
            }
            pairs += is_there;
            if (is_there && !akin_gpu_is_known(&screen, p.record, other)) {
                fresh++;
                passes = akin_gpu_bound(&screen.scoring, p.record, other);
            }
            list_pairs(screen, passes, p.record, other);
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        pairs += __shfl_down_sync(ALL, pairs, step);
        fresh += __shfl_down_sync(ALL, fresh, step);
    }
    if (lane == 0 && pairs > 0) {
        atomicAdd(&screen.tally->pairs, pairs);
        atomicAdd(&screen.tally->fresh, fresh);
    }
}

static akin_status gpu_screen_lists(akin_device_stream *stream, const akin_gpu_screen *screen, uint32_t first,
                                    uint32_t end, uint64_t from, uint64_t to, akin_error *error)
{
    uint64_t slices = to > from ? (to - from + SLICE - 1) / SLICE : 0;
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || first >= end || slices == 0)
        return status;
    uint32_t wanted = (end - first + WARPS - 1) / WARPS;
    dim3 blocks(wanted < BLOCKS ? wanted : BLOCKS, (uint32_t)slices);
    screen_lists<<<blocks, 32 * WARPS, 0, akin_device_stream_cuda(stream)>>>(*screen, first, end, from, to);
    return akin_device_launched(stream, "screen_lists", error);
}

/* ----------------------------------------------------------------------------------------------------------- groups */

static __global__ void group_records(const akin_gpu_shape *shapes, akin_gpu_grouped grouped)
{
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < grouped.count;
         i += (uint64_t)gridDim.x * blockDim.x)
        akin_gpu_group_record(shapes, &grouped, i);
}

static akin_status gpu_group_records(akin_device_stream *stream, const akin_gpu_shape *shapes,
                                     const akin_gpu_grouped *grouped, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || grouped->count == 0)
        return status;
    group_records<<<BLOCKS, 256, 0, akin_device_stream_cuda(stream)>>>(shapes, *grouped);
    return akin_device_launched(stream, "group_records", error);
}

/* What a block keeps of its probes, and of the pairs that its warps found. */
struct probes_shared {
    akin_gpu_half_bag bags[AKIN_GPU_GROUP];
    uint32_t heads[AKIN_GPU_GROUP];
    int limits[WARPS][8];
    uint32_t places[WARPS][QUEUE]; /* of the others */
    uint8_t probes[WARPS][QUEUE];
};

/* What a warp has done: pairs in its queue, all that half a bag let pass, and all that were met. */
struct progress {
    uint32_t queued;
    unsigned long long near, met;
};

/* Takes up to 32 pairs from the end of a warp's queue. */
static __device__ void drain(const akin_gpu_screen &screen, const akin_gpu_meeting &meeting, probes_shared &shared,
                             uint32_t first_probe, progress *done)
{
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, count = min(done->queued, 32u);
    uint32_t a = 0, b = 0;
    bool passes = false;
    __syncwarp();
    done->queued -= count;
    if (lane < count) {
        uint32_t at = done->queued + lane;
        a = meeting.probes.order[first_probe + shared.probes[warp][at]];
        b = meeting.others.order[shared.places[warp][at]];
        passes = akin_gpu_passes_closely(&screen, &meeting, a, b);
    }
    __syncwarp();
    list_pairs(screen, passes, a, b);
}

/* Whether the launch is to be given up: it takes too long, or lists more than there is room for. */
static __device__ __forceinline__ bool is_late(const akin_gpu_screen &screen, const akin_gpu_meeting &meeting)
{
    volatile akin_gpu_told *tally = screen.tally;
    unsigned long long now;
    if (tally->late || tally->candidates > screen.room)
        return true;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (tally->began == 0)
        atomicCAS(&screen.tally->began, 0ull, now);
    if (meeting.patience == 0 || tally->began == 0 || now < tally->began + meeting.patience)
        return false;
    tally->late = 1;
    return true;
}

/* The probes of a block meet one group. */
static __device__ __forceinline__ void meet_group(const akin_gpu_screen &screen, const akin_gpu_meeting &meeting,
                                                  probes_shared &shared, const akin_gpu_group &probes, uint32_t other,
                                                  bool is_own, progress *done)
{
    const akin_gpu_attribute &driver = screen.scoring.attributes[meeting.driver];
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const akin_gpu_group group = meeting.others.groups[other];
    int loosest = akin_gpu_limit_of(&screen, &driver, probes.length, group.length, AKIN_GPU_PREFIXES - 1);
    if (loosest < 0)
        return;
    __syncwarp();
    if (lane < AKIN_GPU_PREFIXES)
        shared.limits[warp][lane] = akin_gpu_limit_of(&screen, &driver, probes.length, group.length, lane);
    __syncwarp();
    const bool is_there = lane < group.filled;
    const uint32_t place = group.first + (is_there ? lane : 0);
    const akin_gpu_half_bag bag = akin_gpu_half_of(&meeting.others, place);
    const uint32_t head = meeting.others.heads[place];
    done->met += is_own ? probes.filled * (probes.filled - 1) / 2 : probes.filled * group.filled;
    for (uint32_t p = 0; p < probes.filled; p++) {
        uint32_t apart = akin_gpu_halves_apart(shared.bags[p], bag);
        int limit = shared.limits[warp][akin_gpu_prefix(shared.heads[p], head)];
        bool passes = is_there && (int)apart <= limit && (!is_own || lane > p);
        uint32_t lanes = __ballot_sync(ALL, passes);
        if (lanes == 0)
            continue;
        if (passes) {
            uint32_t at = done->queued + __popc(lanes & ((1u << lane) - 1));
            shared.places[warp][at] = place;
            shared.probes[warp][at] = (uint8_t)p;
        }
        done->queued += __popc(lanes);
        done->near += __popc(lanes);
        if (done->queued >= 32)
            drain(screen, meeting, shared, probes.first, done);
    }
}

static __global__ void __launch_bounds__(32 * WARPS)
    screen_groups(const __grid_constant__ akin_gpu_screen screen, const __grid_constant__ akin_gpu_meeting meeting)
{
    __shared__ probes_shared shared;
    const uint32_t warp = threadIdx.x / 32, own = meeting.probe_first + blockIdx.x;
    const akin_gpu_group probes = meeting.probes.groups[own];
    const akin_gpu_met met = akin_gpu_met_by(&meeting, own, blockIdx.y);
    progress done = {0, 0, 0};
    if (met.first >= met.end)
        return;
    if (threadIdx.x < probes.filled) {
        shared.bags[threadIdx.x] = akin_gpu_half_of(&meeting.probes, probes.first + threadIdx.x);
        shared.heads[threadIdx.x] = meeting.probes.heads[probes.first + threadIdx.x];
    }
    __syncthreads();
    for (uint32_t other = (uint32_t)met.first + warp; other < met.end; other += WARPS) {
        if (__any_sync(ALL, is_late(screen, meeting)))
            return;
        meet_group(screen, meeting, shared, probes, other, meeting.same && other == own, &done);
    }
    while (done.queued > 0)
        drain(screen, meeting, shared, probes.first, &done);
    if (threadIdx.x % 32 == 0 && done.met > 0) {
        atomicAdd(&screen.tally->met, done.met);
        atomicAdd(&screen.tally->near, done.near);
    }
}

static akin_status gpu_screen_groups(akin_device_stream *stream, const akin_gpu_screen *screen,
                                     const akin_gpu_meeting *meeting, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    uint32_t probes = meeting->probe_end - meeting->probe_first;
    if (status != AKIN_OK || probes == 0 || meeting->widest == 0)
        return status;
    dim3 blocks(probes, (meeting->widest + meeting->chunk - 1) / meeting->chunk);
    screen_groups<<<blocks, 32 * WARPS, 0, akin_device_stream_cuda(stream)>>>(*screen, *meeting);
    return akin_device_launched(stream, "screen_groups", error);
}

/* ----------------------------------------------------------------------------------------------------------- sample */

static __global__ void sample(const __grid_constant__ akin_gpu_scoring scoring, const uint32_t *pairs, uint32_t count,
                              uint32_t *passed)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    bool is_there = i < count;
    for (uint32_t k = 0; k < scoring.count; k++) {
        bool passes = is_there && akin_gpu_passes(&scoring, k, pairs[2 * i], pairs[2 * i + 1]);
        uint32_t lanes = __ballot_sync(ALL, passes);
        if (threadIdx.x % 32 == 0 && lanes)
            atomicAdd(&passed[k], (uint32_t)__popc(lanes));
    }
}

static akin_status gpu_sample(akin_device_stream *stream, const akin_gpu_scoring *scoring, const uint32_t *pairs,
                              uint32_t count, uint32_t passed[AKIN_GPU_ATTRIBUTES], akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || count == 0)
        return status;
    sample<<<(count + 255) / 256, 256, 0, akin_device_stream_cuda(stream)>>>(*scoring, pairs, count, passed);
    return akin_device_launched(stream, "sample", error);
}

const akin_dedupe_screen_kernels akin_cuda_dedupe_screen = {gpu_sample, gpu_screen_lists, gpu_group_records,
                                                            gpu_screen_groups};
