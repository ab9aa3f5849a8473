/*
 * What threads of a GPU do in steps that the host plays, too, in tests: such code is compiled into kernels as C++17,
 * and for the host as C17, where several threads may play it.
 */
#ifndef AKIN_DEVICE_GPU_STEP_H
#define AKIN_DEVICE_GPU_STEP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define AKIN_GPU_FUNCTION static __device__ __forceinline__
#define AKIN_GPU_UNROLL   _Pragma("unroll")

/* The threads of a warp go on together, if all of them come here: in a loop those that have gone apart stay apart
 * without it. */
AKIN_GPU_FUNCTION void akin_gpu_together(void)
{
    __syncwarp();
}

/* The number of the lowest bit that is set; one is. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_lowest(uint32_t bits)
{
    return (uint32_t)__ffs((int)bits) - 1;
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_ones(uint32_t bits)
{
    return (uint32_t)__popc(bits);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_ones64(uint64_t bits)
{
    return (uint32_t)__popcll(bits);
}

/* The zeros before the highest bit that is set; 32: none is. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_zeros_before(uint32_t bits)
{
    return (uint32_t)__clz((int)bits);
}

/* Atomic, like the functions below; returns the value before. */
AKIN_GPU_FUNCTION uint32_t akin_gpu_add32(uint32_t *to, uint32_t value)
{
    return atomicAdd(to, value);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_max32(uint32_t *to, uint32_t value)
{
    return atomicMax(to, value);
}

AKIN_GPU_FUNCTION uint64_t akin_gpu_add(unsigned long long *to, uint64_t value)
{
    return atomicAdd(to, (unsigned long long)value);
}

AKIN_GPU_FUNCTION uint64_t akin_gpu_exchange(uint64_t *slot, uint64_t before, uint64_t after)
{
    return atomicCAS((unsigned long long *)slot, (unsigned long long)before, (unsigned long long)after);
}
#else
#define AKIN_GPU_FUNCTION static inline
#define AKIN_GPU_UNROLL

AKIN_GPU_FUNCTION void akin_gpu_together(void)
{
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_lowest(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_ones(uint32_t bits)
{
    return (uint32_t)__builtin_popcount(bits);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_ones64(uint64_t bits)
{
    return (uint32_t)__builtin_popcountll(bits);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_zeros_before(uint32_t bits)
{
    return bits ? (uint32_t)__builtin_clz(bits) : 32;
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_add32(uint32_t *to, uint32_t value)
{
    return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}

AKIN_GPU_FUNCTION uint32_t akin_gpu_max32(uint32_t *to, uint32_t value)
{
    uint32_t before = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (before < value && !__atomic_compare_exchange_n(to, &before, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return before;
}

AKIN_GPU_FUNCTION uint64_t akin_gpu_add(unsigned long long *to, uint64_t value)
{
    return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}

AKIN_GPU_FUNCTION uint64_t akin_gpu_exchange(uint64_t *slot, uint64_t before, uint64_t after)
{
    __atomic_compare_exchange_n(slot, &before, after, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return before;
}
#endif

/* The last of `count` rising numbers, `apart` bytes from one to the next, that is not above `value`. The first number
 * must not be above it. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_last64(const uint64_t *numbers, size_t apart, uint64_t count, uint64_t value)
{
    const char *from = (const char *)numbers;
    uint64_t low = 0;
    while (count > 1) {
        const uint64_t half = count / 2;
        const int is_beyond = *(const uint64_t *)(const void *)(from + (low + half) * apart) > value;
        low += is_beyond ? 0 : half;
        count = is_beyond ? half : count - half;
    }
    return low;
}

/* How many of `count` rising numbers, `apart` bytes from one to the next, are below `value`. */
AKIN_GPU_FUNCTION uint64_t akin_gpu_below32(const uint32_t *numbers, size_t apart, uint64_t count, uint32_t value)
{
    const char *from = (const char *)numbers;
    uint64_t low = 0;
    while (count > 0) {
        const uint64_t half = count / 2;
        const int is_below = *(const uint32_t *)(const void *)(from + (low + half) * apart) < value;
        low += is_below ? half + 1 : 0;
        count = is_below ? count - half - 1 : half;
    }
    return low;
}

#endif
