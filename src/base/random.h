/* Random numbers that are the same everywhere: xoshiro256** seeded by splitmix64, and no floating point but + - * /. */
#ifndef AKIN_BASE_RANDOM_H
#define AKIN_BASE_RANDOM_H

#include <stdint.h>

#define AKIN_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15) /* between the numbers that splitmix64 mixes */

/* A hash of a number, as splitmix64 makes it: the same for the same number, and as good as at random otherwise. */
static inline uint64_t akin_random_mixed(uint64_t number)
{
    uint64_t x = number + AKIN_RANDOM_STEP;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

typedef struct akin_random {
    uint64_t state[4];
} akin_random;

void akin_random_seed(akin_random *random, uint64_t seed);
/* Seeds with the time and with where something lies: for salts and names that are to differ from run to run, and on
 * which no result may depend. */
void akin_random_seed_anew(akin_random *random, const void *place);
uint64_t akin_random_next(akin_random *random);
/* Uniform in 0 .. bound-1, without bias; bound is above 0. */
uint64_t akin_random_below(akin_random *random, uint64_t bound);
/* Uniform in [0, 1), a multiple of 2^-53. */
double akin_random_unit(akin_random *random);

#endif
