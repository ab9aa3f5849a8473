/*
 * Random numbers that are the same everywhere.
 *
 * Sources: Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, 2021 (xoshiro256**); Steele, Lea and
 * Flood, Fast Splittable Pseudorandom Number Generators, 2014 (splitmix64); Lemire, Fast Random Integer Generation in
 * an Interval, 2019, section 4.
 */
#include "base/random.h"

#include "base/clock.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

void akin_random_seed(akin_random *random, uint64_t seed)
{
    for (uint64_t i = 0; i < 4; i++)
        random->state[i] = akin_random_mixed(seed + i * AKIN_RANDOM_STEP);
}

void akin_random_seed_anew(akin_random *random, const void *place)
{
    double now = akin_clock();
    uint64_t seed;
    memcpy(&seed, &now, sizeof seed);
    akin_random_seed(random, seed ^ (uintptr_t)place);
}

uint64_t akin_random_next(akin_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

/* The 128-bit product of a and b: the high half is returned, the low one goes to *low. */
static uint64_t multiply_128(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t cross = a0 * b1 + (uint32_t)middle;
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (cross >> 32);
}

uint64_t akin_random_below(akin_random *random, uint64_t bound)
{
    uint64_t low, high = multiply_128(akin_random_next(random), bound, &low);
    if (low < bound) {
        uint64_t surplus = (0 - bound) % bound; /* 2^64 mod bound: products with less below them would come too often */
        while (low < surplus)
            high = multiply_128(akin_random_next(random), bound, &low);
    }
    return high;
}

double akin_random_unit(akin_random *random)
{
    return (double)(akin_random_next(random) >> 11) * 0x1p-53;
}
