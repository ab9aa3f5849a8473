/* What the lanes of a warp have together, on every lane. Compute capability 7.5 has no instructions for it. */
#ifndef AKIN_JOIN_WARP_CUH
#define AKIN_JOIN_WARP_CUH

#define WARP 0xffffffffu

static __device__ __forceinline__ uint32_t warp_sum(uint32_t number)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        number += __shfl_xor_sync(WARP, number, distance);
    return number;
}

static __device__ __forceinline__ uint32_t warp_most(uint32_t number)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        number = max(number, __shfl_xor_sync(WARP, number, distance));
    return number;
}

static __device__ __forceinline__ int32_t warp_least(int32_t number)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        number = min(number, __shfl_xor_sync(WARP, number, distance));
    return number;
}

/* The bits that any of them has. */
static __device__ __forceinline__ uint32_t warp_or(uint32_t bits)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(WARP, bits);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        bits |= __shfl_xor_sync(WARP, bits, distance);
    return bits;
#endif
}

#endif
