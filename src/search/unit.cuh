/* What the threads of a block do together about a unit: sums, and the keys of its best objects. Included behind
 * device/kernel.h. */
#ifndef AKIN_SEARCH_UNIT_CUH
#define AKIN_SEARCH_UNIT_CUH

#include "search/block.cuh"
#include "search/gpu_ranges.h"

#define THREADS AKIN_UNIT_THREADS
#define WARPS   (THREADS / 32)

static_assert(AKIN_UNIT_WORDS % THREADS == 0, "threads have as many words each");
static_assert(AKIN_UNIT_WORDS * 4 == AKIN_RANGE, "a range is a unit of bytes");

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

    __device__ __forceinline__ void emit(const akin_unit &u, uint32_t count, akin_unit_share before, uint32_t above,
                                         uint32_t room, uint64_t *keys) const
    {
        akin_unit_emit(&u, count, before, above, room, keys, threadIdx.x);
    }
};

/* The largest count that `wanted` objects reach; `least` is one that they reach. */
template <class Ranking>
static __device__ __forceinline__ uint32_t halve(const akin_unit &u, const Ranking &ranking, uint32_t least,
                                                 uint32_t wanted, uint32_t *sums)
{
    return largest(least, ranking.most,
                   [&](uint32_t count) { return sum_up<THREADS>(ranking.at_least(u, count), sums) >= wanted; });
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
    const uint32_t before = sum_before<THREADS>(own.above << 16 | own.equal, sums, &total);
    const akin_unit_share share = {before >> 16, before & 0xffff, own.words};
    ranking.emit(u, least, share, total >> 16, batch.room, keys);
    const uint32_t all = (total >> 16) + (total & 0xffff);
    return all < batch.room ? all : batch.room;
}

#endif
