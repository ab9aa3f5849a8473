/* Lists, finds and counts postings of blocks of sets, compares their signatures, and takes pairs from counters. */
#include "device/kernel.h"
#include "papers/join/blocks.h"

#define THREADS 256
#define WARPS   (THREADS / 32)

/* ------------------------------------------------------------------------------------------------------- postings */

/* The first of `count` ascending numbers that is at least `key`, or count. */
static __device__ __forceinline__ uint32_t lower_bound(const uint32_t *numbers, uint32_t count, uint64_t key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (numbers[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The set of a block that the token at `at` counts for: the last whose prefix begins there or before. */
static __device__ __forceinline__ uint32_t set_of(const akin_block_side &side, akin_block block, uint64_t at)
{
    uint32_t low = 0, high = block.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (side.prefix[block.first + middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static __device__ __forceinline__ uint32_t token_at(const akin_block_side &side, uint32_t set, uint64_t at)
{
    uint64_t i = side.sets.offsets[set] + (at - side.prefix[set]);
    return side.sets.narrow ? ((const uint16_t *)side.sets.tokens)[i] : ((const uint32_t *)side.sets.tokens)[i];
}

static __device__ __forceinline__ uint64_t thread_number()
{
    return (uint64_t)blockIdx.x * THREADS + threadIdx.x;
}

static_assert(AKIN_BLOCK_POSTINGS % THREADS == 0, "no launch goes on into the next one's items");

/* The blocks of threads for the items of a launch that begins at `first`. */
static uint32_t join_blocks_for(uint64_t count, uint64_t first)
{
    uint64_t items = count - first < AKIN_BLOCK_POSTINGS ? count - first : AKIN_BLOCK_POSTINGS;
    return (uint32_t)((items + THREADS - 1) / THREADS);
}

static __global__ void list_postings(akin_block_side side, akin_block block, uint64_t first, uint64_t count,
                                     uint32_t *tokens, uint32_t *sets)
{
    uint64_t i = first + thread_number();
    if (i >= count)
        return;
    uint64_t at = side.prefix[block.first] + i;
    uint32_t set = set_of(side, block, at);
    tokens[i] = token_at(side, block.first + set, at);
    sets[i] = set;
}

static akin_status block_list(akin_device_stream *stream, const akin_block_side *side, akin_block block, uint64_t count,
                              uint32_t *tokens, uint32_t *sets, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint64_t first = 0; first < count && status == AKIN_OK; first += AKIN_BLOCK_POSTINGS) {
        list_postings<<<join_blocks_for(count, first), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            *side, block, first, count, tokens, sets);
        status = akin_device_launched(stream, "list", error);
    }
    return status;
}

static __global__ void find_postings(const uint32_t *tokens, uint64_t first, uint64_t count, const uint32_t *index,
                                     uint32_t postings, uint32_t *begin, uint32_t *length)
{
    uint64_t i = first + thread_number();
    if (i >= count)
        return;
    uint32_t from = lower_bound(index, postings, tokens[i]);
    begin[i] = from;
    length[i] = lower_bound(index + from, postings - from, (uint64_t)tokens[i] + 1);
}

static akin_status block_find(akin_device_stream *stream, const uint32_t *tokens, uint64_t count, const uint32_t *index,
                              uint64_t postings, uint32_t *begin, uint32_t *length, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint64_t first = 0; first < count && status == AKIN_OK; first += AKIN_BLOCK_POSTINGS) {
        find_postings<<<join_blocks_for(count, first), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            tokens, first, count, index, (uint32_t)postings, begin, length);
        status = akin_device_launched(stream, "find", error);
    }
    return status;
}

static __global__ void count_postings(akin_block_pair pair, akin_block_lookups lookups, const uint32_t *index_sets,
                                      uint64_t first, uint32_t count)
{
    uint64_t i = thread_number();
    if (i >= count)
        return;
    uint32_t lookup = lookups.segment[i], probe = lookups.probe[lookup];
    uint32_t set = index_sets[lookups.begin[lookup] + (first + i - lookups.offsets[lookup])];
    if (!pair.self || pair.indexed.first + set < pair.probes.first + probe)
        atomicAdd(&pair.counters[(uint64_t)probe * pair.indexed.count + set], 1u);
}

static akin_status block_count(akin_device_stream *stream, const akin_block_pair *pair,
                               const akin_block_lookups *lookups, const uint32_t *index_sets, uint64_t first,
                               uint32_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    count_postings<<<join_blocks_for(count, 0), THREADS, 0, akin_device_stream_cuda(stream)>>>(
        *pair, *lookups, index_sets, first, count);
    return akin_device_launched(stream, "count_postings", error);
}

/* ----------------------------------------------------------------------------------------------------- signatures */

static __global__ void sign(akin_block_side side, uint64_t first, uint64_t count, uint32_t words, uint32_t *signatures)
{
    uint64_t i = first + thread_number();
    if (i >= count)
        return;
    uint32_t set = set_of(side, {0, side.sets.count}, i), bit = token_at(side, set, i) & (32 * words - 1);
    atomicXor(&signatures[(uint64_t)set * words + bit / 32], 1u << bit % 32);
}

static akin_status block_sign(akin_device_stream *stream, const akin_block_side *side, uint64_t tokens, uint32_t words,
                              uint32_t *signatures, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    for (uint64_t first = 0; first < tokens && status == AKIN_OK; first += AKIN_BLOCK_POSTINGS) {
        sign<<<join_blocks_for(tokens, first), THREADS, 0, akin_device_stream_cuda(stream)>>>(*side, first, tokens,
                                                                                              words, signatures);
        status = akin_device_launched(stream, "sign", error);
    }
    return status;
}

#define ROWS        16                  /* probes that a block of threads compares with THREADS sets */
#define WORDS_MOST  64                  /* of a signature */
#define PAIR_WORDS  ((uint64_t)1 << 33) /* words of signatures that a launch compares, at most */
#define GRID_HEIGHT 65535u              /* what CUDA permits */

static __device__ __forceinline__ uint64_t size_of_set(const akin_gpu_sets &sets, uint32_t set)
{
    return sets.offsets[set + 1] - sets.offsets[set];
}

/* A thread has a column. Signatures of the rows are shared by all threads of the block. */
static __global__ void __launch_bounds__(THREADS)
    screen(akin_block_pair pair, akin_gpu_sets probes, akin_gpu_sets indexed, akin_measure_rule rule, uint32_t words,
           const uint32_t *probe_signatures, const uint32_t *signatures, uint32_t row)
{
    __shared__ uint32_t shared[ROWS * WORDS_MOST];
    row += blockIdx.y * ROWS;
    uint32_t rows = min(ROWS, pair.probes.count - row), column = blockIdx.x * THREADS + threadIdx.x;
    for (uint32_t w = threadIdx.x; w < rows * words; w += THREADS)
        shared[w] = probe_signatures[(uint64_t)(pair.probes.first + row) * words + w];
    __syncthreads();
    if (column >= pair.indexed.count)
        return;
    const uint32_t *own = signatures + (uint64_t)(pair.indexed.first + column) * words;
    uint32_t distance[ROWS] = {0};
    for (uint32_t w = 0; w < words; w++) {
        uint32_t word = own[w];
#pragma unroll
        for (uint32_t i = 0; i < ROWS; i++)
            distance[i] += __popc(word ^ shared[(i < rows ? i : 0) * words + w]);
    }
    uint64_t s = size_of_set(indexed, pair.indexed.first + column);
#pragma unroll
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t probe = pair.probes.first + row + i;
        if (i >= rows || (pair.self && pair.indexed.first + column >= probe))
            continue;
        uint64_t r = size_of_set(probes, probe), most = min(min(r, s), (r + s - distance[i]) / 2);
        if (most > 0 && akin_rule_suffices(rule, most, r, s))
            pair.counters[(uint64_t)(row + i) * pair.indexed.count + column] = 1;
    }
}

static akin_status block_screen(akin_device_stream *stream, const akin_block_pair *pair, const akin_gpu_sets *probes,
                                const akin_gpu_sets *indexed, akin_measure_rule rule, uint32_t words,
                                const uint32_t *probe_signatures, const uint32_t *signatures, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    uint32_t width = (pair->indexed.count + THREADS - 1) / THREADS, height;
    uint64_t most = PAIR_WORDS / ((uint64_t)width * THREADS * ROWS * words) + 1;
    for (uint32_t row = 0; row < pair->probes.count && status == AKIN_OK; row += height * ROWS) {
        height = (pair->probes.count - row + ROWS - 1) / ROWS;
        height = height < most ? height : (uint32_t)most;
        height = height < GRID_HEIGHT ? height : GRID_HEIGHT;
        screen<<<dim3(width, height), THREADS, 0, akin_device_stream_cuda(stream)>>>(
            *pair, *probes, *indexed, rule, words, probe_signatures, signatures, row);
        status = akin_device_launched(stream, "screen", error);
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------- taking */

static __device__ __forceinline__ uint64_t cells_of(const akin_block_pair &pair)
{
    return (uint64_t)pair.probes.count * pair.indexed.count;
}

/* Whether a counter that is not 0 is a hit. */
static __device__ __forceinline__ bool hit(const akin_block_pair &pair, const akin_block_take &take, uint64_t cell,
                                           uint32_t count)
{
    if (!take.exact)
        return true;
    uint32_t probe = pair.probes.first + (uint32_t)(cell / pair.indexed.count);
    uint32_t set = pair.indexed.first + (uint32_t)(cell % pair.indexed.count);
    return akin_rule_suffices(take.rule, count, size_of_set(take.probes, probe), size_of_set(take.indexed, set));
}

/* A warp for each strip. */
static __global__ void __launch_bounds__(THREADS)
    count_hits(akin_block_pair pair, akin_block_take take, uint32_t *hits, akin_gpu_tally *tally)
{
    uint64_t strip = thread_number() / 32, cells = cells_of(pair), first = strip * AKIN_BLOCK_STRIP;
    uint64_t end = min(first + AKIN_BLOCK_STRIP, cells);
    uint32_t lane = threadIdx.x % 32, found = 0, some = 0;
    if (first >= cells)
        return;
    for (; first < end; first += 32) {
        uint64_t cell = first + lane;
        uint32_t count = cell < end ? pair.counters[cell] : 0;
        some += __popc(__ballot_sync(0xffffffffu, count != 0));
        found += __popc(__ballot_sync(0xffffffffu, count != 0 && hit(pair, take, cell, count)));
    }
    if (lane == 0) {
        hits[strip] = found;
        if (some > 0)
            atomicAdd(&tally->count, (unsigned long long)some);
    }
}

static __global__ void __launch_bounds__(THREADS)
    take_hits(akin_block_pair pair, akin_block_take take, const uint64_t *offsets, uint32_t first_strip,
              uint32_t end_strip, akin_gpu_pair *pairs, uint32_t *overlaps, akin_gpu_tally *tally)
{
    uint64_t strip = first_strip + thread_number() / 32, first = strip * AKIN_BLOCK_STRIP;
    if (strip >= end_strip)
        return;
    uint64_t end = min(first + AKIN_BLOCK_STRIP, cells_of(pair)), to = offsets[strip] - offsets[first_strip];
    uint32_t lane = threadIdx.x % 32;
    if (thread_number() == 0 && !take.exact)
        tally->count = offsets[end_strip] - offsets[first_strip];
    if (offsets[strip] == offsets[strip + 1])
        return;
    for (; first < end; first += 32) {
        uint64_t cell = first + lane;
        uint32_t count = cell < end ? pair.counters[cell] : 0;
        bool own = count != 0 && hit(pair, take, cell, count);
        uint32_t all = __ballot_sync(0xffffffffu, own);
        if (own) {
            uint64_t at = to + __popc(all & ((1u << lane) - 1));
            uint32_t probe = pair.probes.first + (uint32_t)(cell / pair.indexed.count);
            pairs[at] = (uint64_t)probe << 32 | (pair.indexed.first + (uint32_t)(cell % pair.indexed.count));
            if (take.exact)
                overlaps[at] = count;
        }
        to += __popc(all);
    }
}

static akin_status block_hits(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_take *take,
                              uint32_t *hits, akin_gpu_tally *tally, akin_error *error)
{
    uint64_t cells = (uint64_t)pair->probes.count * pair->indexed.count;
    uint32_t strips = (uint32_t)((cells + AKIN_BLOCK_STRIP - 1) / AKIN_BLOCK_STRIP);
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    count_hits<<<(strips + WARPS - 1) / WARPS, THREADS, 0, akin_device_stream_cuda(stream)>>>(*pair, *take, hits,
                                                                                              tally);
    return akin_device_launched(stream, "count_hits", error);
}

static akin_status block_taken(akin_device_stream *stream, const akin_block_pair *pair, const akin_block_take *take,
                               const uint64_t *offsets, uint32_t first, uint32_t end, akin_gpu_pair *pairs,
                               uint32_t *overlaps, akin_gpu_tally *tally, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    take_hits<<<(end - first + WARPS - 1) / WARPS, THREADS, 0, akin_device_stream_cuda(stream)>>>(
        *pair, *take, offsets, first, end, pairs, overlaps, tally);
    return akin_device_launched(stream, "take_hits", error);
}

const akin_block_kernels akin_cuda_block = {block_list,   block_find, block_count, block_sign,
                                            block_screen, block_hits, block_taken};
