/*
 * An exact sum of doubles, which does not depend on their order: the mantissas of each exponent are added up as
 * integers, and what comes of that is rounded once, at the end.
 *
 *     parts[sign and exponent]   the sum of the mantissas; 2^75 of them fit
 */
#ifndef AKIN_WEIGH_SUM_H
#define AKIN_WEIGH_SUM_H

#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 akin_sum_part;

#define AKIN_SUM_PARTS 4096

typedef struct akin_sum {
    akin_sum_part parts[AKIN_SUM_PARTS]; /* zeros at first */
} akin_sum;

/* Adds a finite number. */
static inline void akin_sum_add(akin_sum *sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t exponent = bits >> 52 & 0x7ff, mantissa = bits & ((UINT64_C(1) << 52) - 1);
    sum->parts[bits >> 52] += mantissa | (uint64_t)(exponent != 0) << 52;
}

/* Adds what another sum has. */
void akin_sum_merge(akin_sum *sum, const akin_sum *other);

/* The nearest double, ties to even; beyond the largest it is infinite. */
double akin_sum_value(const akin_sum *sum);

#endif
