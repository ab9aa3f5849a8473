/*
 * How far apart the numbers of two vectors are, in SIMD: the sum of |a - b|, or of its squares. Each level computes the
 * same bits:
 *
 *     bytes     in integers
 *     floats    as doubles, of which number d is added to sum d mod 8; then the eight sums are added up in order
 */
#ifndef AKIN_SEARCH_APART_H
#define AKIN_SEARCH_APART_H

#include "base/cpu.h"

#include <stdint.h>

#define AKIN_APART_SUMS 8

/* What two vectors are made of. */
typedef enum akin_apart_numbers { AKIN_APART_BYTES, AKIN_APART_FLOATS } akin_apart_numbers;

typedef double (*akin_apart)(const void *a, const void *b, uint32_t dimensions);

/* The function for the widest level that there is up to this one. */
akin_apart akin_apart_choose(akin_cpu cpu, akin_apart_numbers numbers, int squared);

/* The eight sums, added up. */
static inline double akin_apart_add_up(const double sums[AKIN_APART_SUMS])
{
    double sum = 0;
    for (int i = 0; i < AKIN_APART_SUMS; i++)
        sum += sums[i];
    return sum;
}

#endif
