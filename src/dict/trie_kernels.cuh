/*
 * The kernels that look up words in a trie on a GPU, as templates by the step of a form (trie_step.h). A lane looks up
 * a word (Wakatsuki, Keyaki and Miyazaki, A Case for Term Weighting using a Dictionary on GPUs, sections 3.2 and 4.3,
 * where thread i has the words i, i + N, ...).
 *
 * Bounds: a step of chunks reads a record, which is one sector of 32 bytes, and then a cell, which is in one or two
 * sectors. The first two symbols of a word are one read. Words of a text have 4.7 letters on average, so they take 3.7
 * steps behind the first two symbols: 8 sectors, 260 bytes. Words of uniform text have 8.9 letters, and take 17
 * sectors. The trie of a million words has 2.3 MB. The second-level cache holds all of it, and the first-level cache of
 * a multiprocessor a tenth, the most frequent part. 2e9 words a second are 1.6e10 sectors, or 0.5 TB/s, and the caches
 * can deliver several times that. The device memory delivers text, places and ids, about 15 bytes a word.
 *
 * The lanes of a warp wait for the longest walk. The longest of 32 words is more than twice as long as the mean in a
 * text, and twice as long in uniform text. So words are sorted into bins by length, or lanes are refilled:
 *
 *     ababa b abb cab bb ababb a b      none             bins          refill
 *
 *                            lane 0     ababa bb...      ababa bb      ababa
 *                            lane 1     b.... ababb      ababb a.      b bb ababb
 *                            lane 2     abb.. a....      abb.. b.      abb a
 *                            lane 3     cab.. b....      cab.. b.      cab b
 *
 * A block sorts a tile of words into bins by counting. So it reads the text of one place, and no pass over all words is
 * needed. Warps take 32 sorted words at a time, the longest first, so that all warps end at about the same time. Bins
 * are the default: sorting costs less than one step a word, whereas a lane that is refilled stops the other 31.
 */
#ifndef AKIN_DICT_TRIE_KERNELS_CUH
#define AKIN_DICT_TRIE_KERNELS_CUH

#include "device/kernel.h"
#include "dict/trie_step.h"

#define THREADS 256
#define TILE    1024 /* words that a block sorts at once */
#define BINS    32   /* lengths 0 to 30, and all longer words in one bin */
#define RANGE   64   /* words that a warp takes at once from those of its block */
#define IDLE    8    /* the least number of lanes that are refilled together */

static_assert(THREADS == 256, "a thread brings a byte's symbol");
static_assert(BINS == 32, "a warp sums up the bins");
static_assert(sizeof(akin_gpu_edge) == 2 * sizeof(uint4), "an edge is two quads");

/* In shared memory: the edges, the codes, and the first bytes of the form's own data. */
extern __shared__ uint4 shared[];

static inline uint32_t shared_bytes(const akin_gpu_trie *trie, uint32_t near_bytes)
{
    return (trie->symbols + 2) * (uint32_t)sizeof(akin_gpu_edge) + 256 * (uint32_t)sizeof(uint16_t) + near_bytes;
}

/* Copies these to the shared memory of the block. */
template <uint32_t near_bytes> static __device__ __forceinline__ akin_gpu_trie bring_trie(const akin_gpu_trie &trie)
{
    static_assert(near_bytes % sizeof(uint32_t) == 0 && near_bytes / sizeof(uint32_t) <= THREADS, "a thread, a word");
    akin_gpu_trie own = trie;
    const uint32_t quads = 2 * (trie.symbols + 2);
    uint16_t *codes = (uint16_t *)(shared + quads);
    uint32_t *near = (uint32_t *)(codes + 256);
    for (uint32_t i = threadIdx.x; i < quads; i += THREADS)
        shared[i] = ((const uint4 *)trie.edges)[i];
    codes[threadIdx.x] = trie.codes[threadIdx.x];
    if constexpr (near_bytes > 0)
        if (threadIdx.x < near_bytes / sizeof(uint32_t))
            near[threadIdx.x] = ((const uint32_t *)trie.own)[threadIdx.x];
    __syncthreads();
    own.edges = (const akin_gpu_edge *)shared;
    own.codes = codes;
    own.near = near;
    return own;
}

/* ----------------------------------------------------------------------------------------------------- as they come */

template <akin_gpu_step *step, uint32_t near_bytes>
static __global__ void __launch_bounds__(THREADS, 4)
    look_up(const akin_gpu_trie trie, const akin_gpu_words words, uint32_t count, uint32_t *ids)
{
    const akin_gpu_trie own = bring_trie<near_bytes>(trie);
    for (uint32_t word = blockIdx.x * THREADS + threadIdx.x; word < count; word += gridDim.x * THREADS)
        ids[word] = akin_walk_all(&own, step, &words, word);
}

/* ------------------------------------------------------------------------------------------------------------- bins */

/* The words that a block sorts. */
struct sorted {
    uint32_t bins[BINS]; /* the number of words of each bin, then their first place */
    uint32_t next;       /* the next place; a warp takes 32 words from there */
    uint16_t order[TILE];
};

/* Sorts `count` words from number `first` on by their lengths, the longest first. */
static __device__ __forceinline__ void sort_words(sorted *s, const akin_gpu_words &words, uint32_t first,
                                                  uint32_t count)
{
    uint32_t bin[TILE / THREADS], place[TILE / THREADS];
    __syncthreads(); /* all threads are done with the words that were sorted before */
    if (threadIdx.x < BINS)
        s->bins[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t i = 0; i < TILE / THREADS; i++) {
        const uint32_t word = i * THREADS + threadIdx.x;
        if (word >= count)
            continue;
        const uint32_t length = __ldg(words.ends + first + word) - __ldg(words.begins + first + word);
        bin[i] = length < BINS - 1 ? BINS - 1 - length : 0;
        place[i] = atomicAdd(&s->bins[bin[i]], 1u);
    }
    __syncthreads();
    if (threadIdx.x < BINS) {
        const uint32_t own = s->bins[threadIdx.x];
        uint32_t sum = own;
        for (uint32_t step = 1; step < BINS; step *= 2) {
            const uint32_t before = __shfl_up_sync(~0u, sum, step);
            sum += threadIdx.x >= step ? before : 0;
        }
        s->bins[threadIdx.x] = sum - own;
        if (threadIdx.x == 0)
            s->next = 0;
    }
    __syncthreads();
    for (uint32_t i = 0; i < TILE / THREADS; i++) {
        const uint32_t word = i * THREADS + threadIdx.x;
        if (word < count)
            s->order[s->bins[bin[i]] + place[i]] = (uint16_t)word;
    }
    __syncthreads();
}

template <akin_gpu_step *step, uint32_t near_bytes>
static __global__ void __launch_bounds__(THREADS, 4)
    look_up_bins(const akin_gpu_trie trie, const akin_gpu_words words, uint32_t count, uint32_t *ids)
{
    __shared__ sorted s;
    const akin_gpu_trie own = bring_trie<near_bytes>(trie);
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t first = blockIdx.x * TILE; first < count; first += gridDim.x * TILE) {
        const uint32_t some = count - first < TILE ? count - first : TILE;
        sort_words(&s, words, first, some);
        for (;;) {
            uint32_t taken = lane == 0 ? atomicAdd(&s.next, 32u) : 0;
            taken = __shfl_sync(~0u, taken, 0);
            if (taken >= some)
                break;
            if (taken + lane < some) {
                const uint32_t word = first + s.order[taken + lane];
                ids[word] = akin_walk_all(&own, step, &words, word);
            }
            __syncwarp();
        }
    }
}

/* ----------------------------------------------------------------------------------------------------------- refill */

/* The range of words of a warp, the same in all lanes. */
struct range {
    uint32_t next, end;
    bool none; /* the block has no more words */
};

/* Takes the next range of the block's words, which end at `end`. */
static __device__ __forceinline__ void take_range(range *r, uint32_t *next, uint32_t end)
{
    uint32_t taken = threadIdx.x % 32 == 0 ? atomicAdd(next, (uint32_t)RANGE) : 0;
    taken = __shfl_sync(~0u, taken, 0);
    r->none = taken >= end;
    r->next = r->none ? end : taken;
    r->end = r->none || end - taken < RANGE ? end : taken + RANGE;
}

template <akin_gpu_step *step, uint32_t near_bytes>
static __global__ void __launch_bounds__(THREADS, 4)
    look_up_refill(const akin_gpu_trie trie, const akin_gpu_words words, uint32_t count, uint32_t *ids)
{
    __shared__ uint32_t next;
    const uint32_t end = (uint32_t)((uint64_t)count * (blockIdx.x + 1) / gridDim.x);
    if (threadIdx.x == 0)
        next = (uint32_t)((uint64_t)count * blockIdx.x / gridDim.x);
    const akin_gpu_trie own = bring_trie<near_bytes>(trie);
    const uint32_t before = (1u << threadIdx.x % 32) - 1; /* the lanes before this one */
    range r = {0, 0, false};
    akin_walk walk = {0, 0, 0};
    uint32_t word = 0;
    bool goes_on = false;
    for (;;) {
        const uint32_t idle = __ballot_sync(~0u, !goes_on);
        if (__popc(idle) >= IDLE) {
            if (r.next == r.end && !r.none)
                take_range(&r, &next, end);
            if (r.none && idle == ~0u)
                break;
            const uint32_t mine = r.next + (uint32_t)__popc(idle & before), left = r.end - r.next;
            if (!goes_on && mine < r.end) {
                word = mine;
                goes_on = akin_walk_begin(&own, &words, word, &walk);
                if (!goes_on)
                    ids[word] = walk.node;
            }
            r.next += (uint32_t)__popc(idle) < left ? (uint32_t)__popc(idle) : left;
        }
        if (goes_on) {
            goes_on = akin_walk_on(&own, step, &words, &walk);
            if (!goes_on)
                ids[word] = walk.node;
        }
        __syncwarp();
    }
}

/* -------------------------------------------------------------------------------------------------------- launching */

/* Launches one of the three kernels, whose blocks take at least `each` words. The number of blocks is at most the
 * number that can run at once, so that no block waits for another one to end. */
template <typename kernel>
static akin_status launch(akin_device_stream *stream, kernel *look, const char *name, uint32_t each,
                          uint32_t near_bytes, const akin_gpu_trie &trie, const akin_gpu_words &words, uint32_t *ids,
                          akin_error *error)
{
    akin_device *device = akin_device_stream_device(stream);
    const uint32_t count = (uint32_t)words.count, wanted = (count + each - 1) / each,
                   bytes = shared_bytes(&trie, near_bytes);
    int resident = 0;
    akin_status status =
        akin_device_check(device, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, look, THREADS, bytes),
                          "cudaOccupancyMaxActiveBlocksPerMultiprocessor", error);
    if (status != AKIN_OK)
        return status;
    const uint32_t most = akin_device_properties(device)->multiprocessors * (uint32_t)resident;
    const uint32_t blocks = wanted < most ? wanted : most;
    look<<<blocks, THREADS, bytes, akin_device_stream_cuda(stream)>>>(trie, words, count, ids);
    return akin_device_launched(stream, name, error);
}

template <akin_gpu_step *step, uint32_t near_bytes>
static akin_status balance_words(akin_device_stream *stream, akin_balance balance, const akin_gpu_trie &trie,
                                 const akin_gpu_words &words, uint32_t *ids, akin_error *error)
{
    if (balance == AKIN_BALANCE_NONE)
        return launch(stream, look_up<step, near_bytes>, "look_up", THREADS, near_bytes, trie, words, ids, error);
    if (balance == AKIN_BALANCE_BINS)
        return launch(stream, look_up_bins<step, near_bytes>, "look_up_bins", TILE, near_bytes, trie, words, ids,
                      error);
    return launch(stream, look_up_refill<step, near_bytes>, "look_up_refill", 2 * THREADS, near_bytes, trie, words, ids,
                  error);
}

/* An akin_gpu_look_up with the step of a form. It has `near_bytes` bytes of akin_gpu_trie.own in shared memory. */
template <akin_gpu_step *step, uint32_t near_bytes>
static akin_status akin_trie_look_up_by(akin_device_stream *stream, const akin_gpu_trie *trie,
                                        const akin_gpu_words *words, akin_balance balance, uint32_t *ids,
                                        akin_error *error)
{
    akin_device *device = akin_device_stream_device(stream);
    const uint64_t most = (uint64_t)akin_device_properties(device)->multiprocessors * AKIN_GPU_SHARE;
    akin_status status = akin_device_enter(device, error);
    for (uint64_t first = 0; first < words->count && status == AKIN_OK; first += most) {
        const uint64_t left = words->count - first;
        const akin_gpu_words some = {words->bytes, words->begins + first, words->ends + first,
                                     left < most ? left : most};
        status = balance_words<step, near_bytes>(stream, balance, *trie, some, ids + first, error);
    }
    return status;
}

#endif
