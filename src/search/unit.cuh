/* What the threads of a block do together about a unit: sums, and the keys of its best objects. Included behind device/kernel.h. */
#ifndef AKIN_SEARCH_UNIT_CUH
#define AKIN_SEARCH_UNIT_CUH

#include "search/gpu_ranges.h"

#define THREADS AKIN_UNIT_THREADS
#define WARPS   (THREADS / 32)

static_assert(AKIN_UNIT_WORDS % THREADS == 0, "threads have as many words each");
static_assert(AKIN_UNIT_WORDS * 4 == AKIN_RANGE, "a range is a unit of bytes");

/* The sum over all threads, which all of them get. */
template <uint32_t Threads> static __device__ __forceinline__ uint32_t sum_up(uint32_t value, uint32_t *sums)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    __syncthreads(); /* the sums before have been read */
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < Threads / 32; i++)
        sum += sums[i];
    return sum;
}

/* The sum over the threads before, and in *total over all. */
static __device__ __forceinline__ uint32_t sum_before(uint32_t value, uint32_t *sums, uint32_t *total)
{
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t up_to = value;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const uint32_t other = __shfl_up_sync(0xffffffffu, up_to, step);
        up_to += lane >= step ? other : 0;
    }
    __syncthreads();
    if (lane == 31)
        sums[warp] = up_to;
    __syncthreads();
    uint32_t before = 0;
    *total = 0;
    for (uint32_t i = 0; i < WARPS; i++) {
        before += i < warp ? sums[i] : 0;
        *total += sums[i];
    }
    return before + up_to - value;
}

/* How objects are ranked: by what they count, up to `most`. What ranks them otherwise has these functions, too. */
struct by_count {
    uint32_t most;

    __device__ __forceinline__ uint32_t at_least(const akin_unit &u, uint32_t count) const
    {
        return akin_unit_at_least(&u, count, threadIdx.x);
    }

    __device__ __forceinline__ akin_unit_share weigh(const akin_unit &u, uint32_t count) const
    {
        return akin_unit_weigh(&u, count, threadIdx.x);
    }

    __device__ __forceinline__ void emit(const akin_unit &u, uint32_t count, akin_unit_share before, uint32_t words,
                                         uint32_t above, uint32_t room, uint64_t *keys) const
    {
        akin_unit_emit(&u, count, before, words, above, room, keys, threadIdx.x);
    }
};

/* The largest count that `wanted` objects reach, of which `least` is one. */
template <class Ranking>
static __device__ __forceinline__ uint32_t halve(const akin_unit &u, const Ranking &ranking, uint32_t least,
                                                 uint32_t wanted, uint32_t *sums)
{
    for (uint32_t most = ranking.most; least < most;) {
        const uint32_t middle = least + (most - least + 1) / 2;
        if (sum_up<THREADS>(ranking.at_least(u, middle), sums) >= wanted)
            least = middle;
        else
            most = middle - 1;
    }
    return least;
}

/* Writes the best objects of the unit; returns how many. */
template <class Ranking>
static __device__ __forceinline__ uint32_t keep_best(const akin_unit &u, const Ranking &ranking,
                                                     const akin_gpu_batch &batch, uint32_t least,
                                                     unsigned long long *shown, uint32_t number, uint32_t *sums,
                                                     uint64_t *keys)
{
    const uint32_t reached = sum_up<THREADS>(ranking.at_least(u, least), sums);
    if (reached == 0)
        return 0;
    if (reached >= batch.room)
        least = halve(u, ranking, least, batch.room, sums);
    if (reached >= batch.k && threadIdx.x == 0)
        atomicMax(shown, AKIN_SHOWN(least, number));
    const akin_unit_share own = ranking.weigh(u, least);
    uint32_t total; /* both fit 16 bits: fewer than `room` are above, and no unit has more than 32,768 */
    const uint32_t before = sum_before(own.above << 16 | own.equal, sums, &total);
    const akin_unit_share share = {before >> 16, before & 0xffff, 0};
    ranking.emit(u, least, share, own.words, total >> 16, batch.room, keys);
    const uint32_t all = (total >> 16) + (total & 0xffff);
    return all < batch.room ? all : batch.room;
}

#endif
