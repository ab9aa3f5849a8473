/* Small arithmetic on bits and integers that every room needs. */
#ifndef AKIN_BASE_BITS_H
#define AKIN_BASE_BITS_H

#include <stdint.h>

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

static inline uint64_t akin_min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t akin_max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
