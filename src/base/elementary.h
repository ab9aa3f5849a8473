/* A logarithm and an exponential that are the same on every machine: + - * / in a fixed order, where libraries differ
 * in the last bit, as long as the compiler fuses no multiplication with an addition (-ffp-contract=off). */
#ifndef AKIN_BASE_ELEMENTARY_H
#define AKIN_BASE_ELEMENTARY_H

#include <stdint.h>

/* The natural logarithm of k, at least 1. */
double akin_logarithm(uint64_t k);

/* The natural logarithm of x, a normal number above 0. */
double akin_logarithm_of(double x);

/* e^x; 0 where it is below 2^-1000, 2^1000 where it is beyond that. */
double akin_exponential(double x);

/* The same of many numbers, in place, bit by bit: several at once, because each has a long chain of divisions. */
void akin_exponentials(double *x, uint64_t count);

#endif
