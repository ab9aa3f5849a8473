/* What the threads of a block do together: sums, and halving. Included behind device/kernel.h. */
#ifndef AKIN_SEARCH_BLOCK_CUH
#define AKIN_SEARCH_BLOCK_CUH

#include <stdint.h>

/* The sum over all threads, which all of them get; `sums` is of the block, a word for each warp, as it is below. */
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
template <uint32_t Threads>
static __device__ __forceinline__ uint32_t sum_before(uint32_t value, uint32_t *sums, uint32_t *total)
{
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t up_to = value;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const uint32_t other = __shfl_up_sync(0xffffffffu, up_to, step);
        up_to += lane >= step ? other : 0;
    }
    __syncthreads(); /* the sums before have been read */
    if (lane == 31)
        sums[warp] = up_to;
    __syncthreads();
    uint32_t before = 0;
    *total = 0;
    for (uint32_t i = 0; i < Threads / 32; i++) {
        before += i < warp ? sums[i] : 0;
        *total += sums[i];
    }
    return before + up_to - value;
}

/* The largest number from `low` to `high` that holds; `low` does, and whatever is below one that does. */
template <class Holds> static __device__ __forceinline__ uint32_t largest(uint32_t low, uint32_t high, Holds holds)
{
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (holds(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#endif
