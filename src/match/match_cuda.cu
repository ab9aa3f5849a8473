/*
 * The kernels of the join of strings. The steps, for 32 probes and 32 other strings:
 *
 *     bags       8 popcounts of 32 bits a pair, in a whole warp; for most pairs the first two or four decide
 *     queue      those that pass wait until 32 of them, of any probes, fill a warp
 *     compare    bit-parallel as in strings/edit.c and jaro.c, a pair a lane; where symbols stand in a probe is looked
 *                up in shared memory
 *
 * The popcounts are the bound: a multiprocessor does 16 in a clock, so 8 pairs where the first two decide, 1.8e12 a
 * second on an H200, and 2 where all are needed.
 */
#include "device/kernel.h"
#include "match/kernels.h"

#define WARPS 8
#define ALL   0xffffffffu
#define QUEUE 64

/* A pair in a queue: of the other groups of a block, of the strings of that, of the probes of a block. */
static __device__ __forceinline__ uint32_t queued_pair(uint32_t group, uint32_t string, uint32_t probe)
{
    return group << 10 | string << 5 | probe;
}

/*
 * What a block of threads keeps of its probes: where symbols stand in them, in bits of WORDS words.
 *
 *     up to 64 symbols, WORDS = 1     symbols 0 .. 127, which are the most frequent ones, have a slot of their own
 *     above                           those that the probe has, in their order: the slot of one is how many come before
 *                                     it
 *
 * A symbol without a slot that may be in the probe is sought in it. A stride that is not a multiple of 16 spreads a
 * slot of several probes over the banks. Longer probes are fewer, so that all fit where a block has 48 KiB.
 */
template <int WORDS> struct probes_shared {
    static constexpr bool direct = WORDS == 1;
    static constexpr uint32_t probes = WORDS <= 2 ? AKIN_STRINGS_GROUP : 64 / WORDS;
    static constexpr uint32_t slots = direct ? 128 : 64, stride = (slots + 1) * WORDS;
    static constexpr uint32_t threads = 32 * WARPS / probes; /* that set a probe */
    unsigned long long places[probes * stride];
    uint2 kinds[probes][8]; /* symbol s is there: bit s % 32 of kinds[s / 32].x; .y: how many are below 32 * (s / 32) */
    uint4 bags[2][probes];  /* their words 0 and 1, and 2 and 3 */
    uint32_t heads[probes];
    uint32_t queue[WARPS][QUEUE];
};

static __device__ __forceinline__ uint32_t word_of(const akin_strings_side &side, const akin_strings_group &group,
                                                   uint32_t lane, uint32_t at)
{
    return side.words[group.words + (uint64_t)at * AKIN_STRINGS_GROUP + lane];
}

/* Words 0 and 1 of the bag of a string, or 2 and 3. */
static __device__ __forceinline__ uint4 half_of(const akin_strings_side &side, uint32_t half, uint32_t at)
{
    uint64_t a = side.bags[2 * half][at], b = side.bags[2 * half + 1][at];
    return make_uint4((uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32));
}

static __device__ __forceinline__ uint32_t prefix_of(uint32_t a, uint32_t b)
{
    return __clz((int)(a ^ b)) / 8;
}

/* -------------------------------------------------------------------------------------------------------- a pattern */

/* One probe, in the form that comparators read. */
template <int WORDS> struct pattern {
    const akin_strings_side *side;
    const akin_strings_group *group;
    const unsigned long long *places; /* of its slots, in shared memory */
    const uint2 *kinds;
    uint32_t lane, length;

    /* The places of a symbol. */
    __device__ __forceinline__ void look_up(uint32_t symbol, uint64_t at[WORDS]) const
    {
        using shared = probes_shared<WORDS>;
        uint32_t slot = symbol;
        bool is_there = true;
        if (!shared::direct || symbol >= shared::slots) {
            uint2 kind = kinds[symbol / 32];
            is_there = kind.x >> symbol % 32 & 1;
            if (!shared::direct)
                slot = kind.y + __popc(kind.x & ((1u << symbol % 32) - 1));
        }
        if (is_there && slot >= shared::slots) {
            seek(symbol, at);
            return;
        }
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            at[w] = is_there ? places[slot * WORDS + w] : 0;
    }

    __device__ __forceinline__ void seek(uint32_t symbol, uint64_t at[WORDS]) const
    {
        for (int w = 0; w < WORDS; w++)
            at[w] = 0;
        for (uint32_t i = 0; i < length; i++) {
            uint32_t word = word_of(*side, *group, lane, i / 4);
            uint64_t bit = (uint64_t)((word >> i % 4 * 8 & 255) == symbol) << i % 64;
#pragma unroll
            for (int w = 0; w < WORDS; w++)
                at[w] |= i / 64 == w ? bit : 0;
        }
    }
};

/* The distance, or any number above `most`; see strings/edit.c for the names. */
template <int WORDS>
static __device__ uint32_t distance_of(const pattern<WORDS> &p, const akin_strings_side &side,
                                       const akin_strings_group &group, uint32_t lane, uint32_t most, bool swaps)
{
    uint64_t up[WORDS], down[WORDS], last_diagonal[WORDS], last_at[WORDS], at[WORDS];
    uint32_t distance = p.length, word = 0;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        up[w] = ~0ull;
        down[w] = last_diagonal[w] = last_at[w] = 0;
    }
    for (uint32_t j = 0; j < group.length; j++) {
        if (j % 4 == 0)
            word = word_of(side, group, lane, j / 4);
        p.look_up(word & 255, at);
        word >>= 8;
        uint64_t right = 1, left = 0, swapped_in = 0;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            uint64_t same = at[w] | left, swapped = 0;
            if (swaps) {
                uint64_t apart = ~last_diagonal[w] & at[w];
                swapped = (apart << 1 | swapped_in) & last_at[w];
                swapped_in = apart >> 63;
            }
            uint64_t diagonal = (((same & up[w]) + up[w]) ^ up[w]) | same | down[w] | swapped;
            uint64_t more = down[w] | ~(diagonal | up[w]), less = diagonal & up[w];
            uint32_t last = p.length - 1;
            if (last / 64 == w)
                distance += (uint32_t)(more >> last % 64 & 1) - (uint32_t)(less >> last % 64 & 1);
            uint64_t more_below = more >> 63, less_below = less >> 63;
            more = more << 1 | right;
            less = less << 1 | left;
            up[w] = less | ~(diagonal | more);
            down[w] = more & diagonal;
            right = more_below;
            left = less_below;
            last_diagonal[w] = diagonal;
            last_at[w] = at[w];
        }
        uint32_t after = group.length - j - 1;
        if (distance > most + after)
            break;
    }
    return distance;
}

/* Bits first .. end - 1 of word w. */
static __device__ __forceinline__ uint64_t bits_between(uint32_t first, uint32_t end, uint32_t w)
{
    uint32_t low = first > 64 * w ? first - 64 * w : 0, high = end > 64 * w ? end - 64 * w : 0;
    uint64_t below = high >= 64 ? ~0ull : (1ull << high) - 1;
    return low >= 64 ? 0 : below & ~0ull << low;
}

/* The matches, and in how many places they differ if there are at least `least`; see strings/jaro.c. */
template <int WORDS>
static __device__ uint2 matches_of(const pattern<WORDS> &p, const akin_strings_side &side,
                                   const akin_strings_group &group, uint32_t lane, uint32_t least)
{
    uint64_t taken[WORDS] = {}, matched[WORDS] = {}, at[WORDS];
    uint32_t window = max(p.length, group.length) / 2, count = 0, apart = 0, word = 0;
    window -= window > 0;
    for (uint32_t j = 0; j < group.length; j++) {
        if (j % 4 == 0)
            word = word_of(side, group, lane, j / 4);
        p.look_up(word & 255, at);
        word >>= 8;
        uint32_t first = j > window ? j - window : 0, end = min(j + window + 1, p.length);
        bool free = true;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            uint64_t open = free ? at[w] & ~taken[w] & bits_between(first, end, w) : 0;
            taken[w] |= open & (~open + 1);
            free = free && open == 0;
        }
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            matched[w] |= j / 64 == w ? (uint64_t)!free << j % 64 : 0;
        count += !free;
    }
    if (count < least)
        return make_uint2(count, 0);
    for (uint32_t j = 0; j < group.length; j++) {
        if (j % 4 == 0)
            word = word_of(side, group, lane, j / 4);
        bool is_matched = false;
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            is_matched |= j / 64 == w && (matched[w] >> j % 64 & 1);
        if (is_matched) {
            p.look_up(word & 255, at);
            bool next = true; /* the lowest place that is taken, and not passed by */
#pragma unroll
            for (int w = 0; w < WORDS; w++) {
                uint64_t lowest = next ? taken[w] & (~taken[w] + 1) : 0;
                apart += lowest && !(at[w] & lowest);
                taken[w] &= ~lowest;
                next = next && lowest == 0;
            }
        }
        word >>= 8;
    }
    return make_uint2(count, apart);
}

/* ----------------------------------------------------------------------------------------------------------- a task */

/* What a block does: some probes of a group in x, a chunk of the other groups that these reach in y. */
struct task {
    akin_strings_group probes;
    uint32_t own, first_probe, count; /* its group of probes, and which of them */
    uint32_t base, end;               /* other groups; none: base is not below end */
};

template <int WORDS> static __device__ task task_of(const akin_strings_work &work)
{
    const uint32_t most = probes_shared<WORDS>::probes, slices = AKIN_STRINGS_GROUP / most;
    task t;
    t.own = work.probe_first + blockIdx.x / slices;
    t.first_probe = blockIdx.x % slices * most;
    t.probes = work.probes.groups[t.own];
    const akin_strings_reach reach = work.reach[t.probes.run];
    const uint32_t begin = max(max(reach.first, work.other_first), work.same ? t.own : 0);
    t.base = begin + blockIdx.y * work.chunk;
    t.end = min(min(reach.end, work.other_end), t.base + work.chunk);
    t.count = min(most, t.probes.filled - min(t.probes.filled, t.first_probe));
    if (t.base < begin || t.count == 0)
        t.end = t.base;
    return t;
}

/* ------------------------------------------------------------------------------------------------------ a candidate */

static __device__ __forceinline__ void put_candidate(const akin_strings_work &work, uint32_t probe, uint32_t other,
                                                     uint32_t value, uint32_t apart)
{
    unsigned long long to = atomicAdd(&work.tally->listed, 1ull);
    if (to < work.room)
        work.list[to] = akin_strings_found{probe, other, value, apart};
}

/* Compares the two strings of an entry of a queue; 1: they surely qualify. */
template <int WORDS>
static __device__ uint32_t compare_entry(const akin_strings_work &work, const probes_shared<WORDS> &shared,
                                         const task &t, uint32_t entry)
{
    const uint32_t p = entry & 31, lane = entry >> 5 & 31;
    const akin_strings_group &probes = t.probes, others = work.others.groups[t.base + (entry >> 10)];
    const akin_strings_limits &limits = work.limits[(uint64_t)probes.run * work.runs + others.run];
    uint32_t lane_of = t.first_probe + p, probe = probes.first + lane_of, other = others.first + lane;
    uint32_t prefix = work.by_prefix ? prefix_of(shared.heads[p], work.others.heads[other]) : 0;
    const pattern<WORDS> pattern = {&work.probes,    &probes, shared.places + p * shared.stride,
                                    shared.kinds[p], lane_of, probes.length};
    uint32_t bound = limits.bound[prefix];
    if (!work.is_jaro) {
        uint32_t distance = distance_of(pattern, work.others, others, lane, bound, work.swaps);
        if (distance <= bound && !work.count)
            put_candidate(work, probe, other, distance, 0);
        return distance <= bound;
    }
    uint2 jaro = matches_of(pattern, work.others, others, lane, bound);
    double m = jaro.x, moved = work.floored ? jaro.y & ~1u : jaro.y;
    double spare =
        2 * m * (m * limits.each + limits.rest[prefix]) - moved; /* limits leave a little more than there is */
    if (jaro.x < bound || spare < 0)
        return 0;
    int sure = !work.unsure && spare > 1e-6 * m;
    if (!sure || !work.count)
        put_candidate(work, probe, other, jaro.x, jaro.y);
    return sure;
}

/* --------------------------------------------------------------------------------------------------------- the join */

/* Sets `count` probes, from string `first` of a group on. */
template <int WORDS>
static __device__ void set_probes(const akin_strings_work &work, const akin_strings_group &group, uint32_t first,
                                  uint32_t count, probes_shared<WORDS> &shared)
{
    for (uint32_t i = threadIdx.x; i < shared.probes * shared.stride; i += blockDim.x)
        shared.places[i] = 0;
    for (uint32_t i = threadIdx.x; i < shared.probes * 8; i += blockDim.x)
        shared.kinds[i / 8][i % 8] = make_uint2(0, 0);
    if (threadIdx.x < count) {
        uint32_t place = group.first + first + threadIdx.x;
        for (uint32_t half = 0; half < 2; half++)
            shared.bags[half][threadIdx.x] = half_of(work.probes, half, place);
        /* where a probe has no symbol any more it has that of a query, which is no string's, for that of a batch */
        uint32_t beyond = group.length >= 4 ? 0 : (1u << (32 - 8 * group.length)) - 1;
        shared.heads[threadIdx.x] = work.probes.heads[place] ^ (0x01010101u & beyond);
    }
    __syncthreads();
    const uint32_t p = threadIdx.x / shared.threads, own = threadIdx.x % shared.threads;
    const uint32_t length = p < count ? group.length : 0;
    for (uint32_t i = own; i < length; i += shared.threads) {
        uint32_t symbol = word_of(work.probes, group, first + p, i / 4) >> i % 4 * 8 & 255;
        atomicOr(&shared.kinds[p][symbol / 32].x, 1u << symbol % 32);
    }
    __syncthreads();
    if (own == 0 && p < count)
        for (uint32_t i = 1; i < 8; i++)
            shared.kinds[p][i].y = shared.kinds[p][i - 1].y + __popc(shared.kinds[p][i - 1].x);
    __syncthreads();
    for (uint32_t i = own; i < length; i += shared.threads) {
        uint32_t symbol = word_of(work.probes, group, first + p, i / 4) >> i % 4 * 8 & 255;
        uint2 kind = shared.kinds[p][symbol / 32];
        uint32_t slot = shared.direct ? symbol : kind.y + __popc(kind.x & ((1u << symbol % 32) - 1));
        if (slot < shared.slots)
            atomicOr(&shared.places[p * shared.stride + slot * WORDS + i / 64], 1ull << i % 64);
    }
    __syncthreads();
}

/* A string of another group, one a lane, as it is screened. */
struct screened_string {
    bool there;
    uint4 low, high;    /* its bag */
    uint32_t head, met; /* of the probes, those before `met` */
    int32_t apart[AKIN_STRINGS_PREFIXES], most;
};

static __device__ __forceinline__ screened_string string_of(const akin_strings_work &work, const task &t, uint32_t g,
                                                            uint32_t lane)
{
    const akin_strings_group group = work.others.groups[g];
    const akin_strings_limits &limits = work.limits[(uint64_t)t.probes.run * work.runs + group.run];
    const uint4 none = make_uint4(0, 0, 0, 0);
    screened_string s;
    s.most = -1;
#pragma unroll
    for (int i = 0; i < AKIN_STRINGS_PREFIXES; i++) {
        s.apart[i] = limits.apart[i];
        s.most = max(s.most, s.apart[i]);
    }
    s.there = lane < group.filled && s.most >= 0;
    s.low = s.there ? half_of(work.others, 0, group.first + lane) : none;
    s.high = s.there ? half_of(work.others, 1, group.first + lane) : none;
    s.head = s.there ? work.others.heads[group.first + lane] : 0;
    s.met = t.count; /* in its own group a string meets the probes before it alone */
    if (work.same && g == t.own)
        s.met = min(lane - min(lane, t.first_probe), t.count);
    return s;
}

/* Whether the distance of a string and probe p may be within the limit. A whole warp calls this. */
template <int WORDS>
static __device__ __forceinline__ bool passes_screen(const akin_strings_work &work, const probes_shared<WORDS> &shared,
                                                     const screened_string &s, uint32_t p)
{
    uint4 bag = shared.bags[0][p];
    int32_t bits = __popc(s.low.x ^ bag.x) + __popc(s.low.y ^ bag.y);
    if (!__any_sync(ALL, bits <= s.most))
        return false;
    bits += __popc(s.low.z ^ bag.z) + __popc(s.low.w ^ bag.w);
    if (!__any_sync(ALL, bits <= s.most))
        return false;
    bag = shared.bags[1][p];
    bits += __popc(s.high.x ^ bag.x) + __popc(s.high.y ^ bag.y) + __popc(s.high.z ^ bag.z) + __popc(s.high.w ^ bag.w);
    int32_t limit = s.apart[0];
    if (work.by_prefix) {
        uint32_t prefix = prefix_of(s.head, shared.heads[p]);
#pragma unroll
        for (int i = 1; i < AKIN_STRINGS_PREFIXES; i++)
            limit = prefix == i ? s.apart[i] : limit;
    }
    return s.there && bits <= limit && p < s.met;
}

static __device__ __forceinline__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

/* The time to give the launch up, by the clock of the device. One thread calls this. */
static __device__ unsigned long long deadline_of(const akin_strings_work &work)
{
    if (work.patience == 0)
        return ~0ull;
    unsigned long long now = nanoseconds(), began = atomicCAS(&work.tally->began, 0ull, now);
    return (began ? began : now) + work.patience;
}

/* Gives the launch up if it is time to. Its results will be thrown away, so the rest of the work is not needed. A whole
 * warp calls this. */
static __device__ __forceinline__ bool gives_up(const akin_strings_work &work, unsigned long long deadline)
{
    if (!__any_sync(ALL, nanoseconds() > deadline))
        return false;
    work.tally->late = 1;
    return true;
}

/* Adds what the lanes of a warp counted. */
static __device__ void add_up(akin_strings_tally *tally, unsigned long long candidates, unsigned long long screened,
                              unsigned long long found)
{
    for (int step = 16; step > 0; step /= 2) {
        candidates += __shfl_down_sync(ALL, candidates, step);
        screened += __shfl_down_sync(ALL, screened, step);
        found += __shfl_down_sync(ALL, found, step);
    }
    if (threadIdx.x % 32 == 0 && screened) {
        atomicAdd(&tally->candidates, candidates);
        atomicAdd(&tally->screened, screened);
        atomicAdd(&tally->found, found);
    }
}

template <int WORDS> static __global__ void __launch_bounds__(32 * WARPS) match(akin_strings_work work)
{
    __shared__ probes_shared<WORDS> shared;
    __shared__ unsigned long long deadline;
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const task t = task_of<WORDS>(work);
    if (t.base >= t.end)
        return;
    if (threadIdx.x == 0)
        deadline = deadline_of(work);
    __syncthreads();
    if (__syncthreads_or(gives_up(work, deadline)))
        return;
    set_probes(work, t.probes, t.first_probe, t.count, shared);
    uint32_t *queue = shared.queue[warp], queued = 0;
    unsigned long long candidates = 0, screened = 0, found = 0;
    /* where there are fewer groups than warps, the warps share the probes of each group */
    const uint32_t sharing = max(1, WARPS / (t.end - t.base)), first = warp % sharing;
    for (uint32_t g = t.base + warp / sharing; g < t.end; g += WARPS / sharing) {
        const screened_string s = string_of(work, t, g, lane);
        if (s.most < 0)
            continue;
        screened += s.there ? (s.met + sharing - 1 - first) / sharing : 0;
        for (uint32_t p = first; p < t.count; p += sharing) {
            bool passes = passes_screen(work, shared, s, p);
            uint32_t mask = __ballot_sync(ALL, passes);
            if (!mask)
                continue;
            if (passes)
                queue[queued + __popc(mask & ((1u << lane) - 1))] = queued_pair(g - t.base, lane, p);
            queued += __popc(mask);
            candidates += passes;
            __syncwarp();
            if (queued < 32)
                continue;
            queued -= 32;
            uint32_t entry = queue[queued + lane];
            __syncwarp();
            found += compare_entry(work, shared, t, entry);
            __syncwarp();
            if (gives_up(work, deadline))
                return;
        }
    }
    if (lane < queued)
        found += compare_entry(work, shared, t, queue[lane]);
    __syncwarp();
    add_up(work.tally, candidates, screened, found);
}

template <int WORDS> static void launch(akin_device_stream *stream, const akin_strings_work *work)
{
    const uint32_t slices = AKIN_STRINGS_GROUP / probes_shared<WORDS>::probes;
    dim3 grid((work->probe_end - work->probe_first) * slices, (work->longest_reach + work->chunk - 1) / work->chunk);
    match<WORDS><<<grid, 32 * WARPS, 0, akin_device_stream_cuda(stream)>>>(*work);
}

static akin_status strings_launch(akin_device_stream *stream, const akin_strings_work *work, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    if (work->words == 1)
        launch<1>(stream, work);
    else if (work->words == 2)
        launch<2>(stream, work);
    else if (work->words == 4)
        launch<4>(stream, work);
    else
        launch<8>(stream, work);
    return akin_device_launched(stream, "match", error);
}

/* A string a thread. */
static __global__ void interleave(akin_strings_side side)
{
    uint64_t at = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t lane = at % AKIN_STRINGS_GROUP;
    if (at / AKIN_STRINGS_GROUP >= side.group_count)
        return;
    const akin_strings_group group = side.groups[at / AKIN_STRINGS_GROUP];
    const uint8_t *symbols = side.symbols + group.symbols + (uint64_t)lane * group.length;
    for (uint32_t word = 0; word < (group.length + 3) / 4; word++) {
        uint32_t four = 0;
        for (uint32_t i = 0; i < 4 && 4 * word + i < group.length && lane < group.filled; i++)
            four |= (uint32_t)symbols[4 * word + i] << 8 * i;
        side.words[group.words + (uint64_t)word * AKIN_STRINGS_GROUP + lane] = four;
    }
}

static akin_status strings_interleave(akin_device_stream *stream, const akin_strings_side *side, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || side->group_count == 0)
        return status;
    uint64_t threads = (uint64_t)side->group_count * AKIN_STRINGS_GROUP;
    interleave<<<(uint32_t)((threads + 255) / 256), 256, 0, akin_device_stream_cuda(stream)>>>(*side);
    return akin_device_launched(stream, "interleave", error);
}

const akin_strings_kernels akin_cuda_strings = {strings_interleave, strings_launch};
