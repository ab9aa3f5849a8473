/* Small arithmetic on bits and integers that every room needs. */
#ifndef AKIN_BASE_BITS_H
#define AKIN_BASE_BITS_H

#include <stdint.h>
#include <string.h>

/* Of functions that kernels call, too. */
#ifdef __CUDACC__
#define AKIN_EVERYWHERE __host__ __device__
#else
#define AKIN_EVERYWHERE
#endif

__extension__ typedef unsigned __int128 akin_u128;

/* The number of set bits, without asking for the POPCNT instruction. */
static inline uint32_t akin_popcount64(uint64_t x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((x * 0x0101010101010101u) >> 56);
}

/* ceil(a / b), b above 0, for a + b - 1 within 64 bits. */
static inline uint64_t akin_ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* A word of 8 equal bytes. */
#define AKIN_BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* 8 bytes as a number, the first one lowest. */
static inline uint64_t akin_load_word(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* A number of good bits from two. */
static inline uint64_t akin_mix_u64(uint64_t a, uint64_t b)
{
    const akin_u128 product = (akin_u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The bits 7 of the 8 bytes in the low 8 bits, the lowest byte's first. */
static inline uint64_t akin_gather(uint64_t word)
{
    return ((word >> 7 & AKIN_BYTES(1)) * UINT64_C(0x0102040810204080)) >> 56;
}

/* How many bits a number takes; 0 for 0. */
static inline uint32_t akin_bits_of(uint64_t number)
{
    return number ? 64 - (uint32_t)__builtin_clzll(number) : 0;
}

static inline uint64_t akin_min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint32_t akin_min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t akin_max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline uint64_t akin_max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The place of the first of `count` ascending values that is at least `bound`; count if there is none. */
static inline uint64_t akin_lower_bound_u64(const uint64_t *values, uint64_t count, uint64_t bound)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (values[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same of 32-bit values. */
static inline uint64_t akin_lower_bound_u32(const uint32_t *values, uint64_t count, uint64_t bound)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (values[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
