/*
 * Weighted averages of similarities, and their comparison with a threshold: in integers, for the CPU and for kernels.
 * Weights are in units of 10^-9, similarities in units of 2^-40 (strings/decision.h), so sums are exact, in whatever
 * order one adds. An average is rounded to 9 digits, as is the threshold, and then they are compared: 1/3, 1/3, 1/3 and
 * 1, which weigh the same, reach 0.5.
 */
#ifndef AKIN_DEDUPE_AVERAGE_H
#define AKIN_DEDUPE_AVERAGE_H

#include "strings/decision.h"

#define AKIN_BILLION      1000000000u
#define AKIN_WEIGHTS_MOST UINT64_C(1000000000000000000) /* of a sum of weights: 10^9. That is below 2^60 */

/* The sums of a pair so far. Zero-initialised: nothing. */
typedef struct akin_average {
    akin_u128 sum;
    uint64_t weights; /* of what counts */
} akin_average;

/* Adds a similarity, 0 if it is below what counts. */
AKIN_EVERYWHERE static inline void akin_average_add(akin_average *average, double similarity, uint64_t weight)
{
    average->sum += (akin_u128)akin_alike_of(similarity) * weight;
    average->weights += weight;
}

/*
 * Whether the average reaches a threshold, given in units of 10^-9 and above 0. The rounded average does if it is at
 * most half of 10^-9 below:
 *
 *     sum / (2^40 weights) >= (2 threshold - 1) / (2 10^9), which is 5^9 sum >= (2 threshold - 1) 2^30 weights
 *
 * Both sides are below 2^122. An average of nothing reaches no threshold.
 */
AKIN_EVERYWHERE static inline int akin_average_reaches(akin_average average, uint32_t threshold)
{
    return average.weights > 0 &&
           average.sum * 1953125 >= ((akin_u128)average.weights << 30) * (2 * (uint64_t)threshold - 1);
}

/* The average in units of 10^-9, rounded to the nearest; that of nothing is 0. */
static inline uint32_t akin_average_billionths(akin_average average)
{
    akin_u128 half = (akin_u128)average.weights << 30;
    return average.weights ? (uint32_t)((average.sum * 1953125 + half) / (2 * half)) : 0;
}

/* Whether a ratio is from 0 to 1, and fine enough for all that is computed with it. */
static inline int akin_is_share(akin_ratio ratio)
{
    return ratio.den > 0 && ratio.den <= AKIN_BILLION && ratio.num <= ratio.den;
}

/* A ratio from 0 to 1 in units of 10^-9, rounded to the nearest. */
static inline uint32_t akin_billionths_of_ratio(akin_ratio ratio)
{
    return (uint32_t)(((uint64_t)ratio.num * 2 * AKIN_BILLION + ratio.den) / (2 * (uint64_t)ratio.den));
}

/* The same of a similarity or an average that is known as a double alone, from 0 to 1. It is rounded once: what it has
 * below 2^-64 cannot reach the half of a unit. */
static inline uint32_t akin_billionths_of(double similarity)
{
    akin_u128 parts = (akin_u128)(similarity * 0x1p64);
    return (uint32_t)((parts * AKIN_BILLION + ((akin_u128)1 << 63)) >> 64);
}

/* The least sum of weights that is the share `evidence`, from 0 to 1, of a sum of weights. */
static inline uint64_t akin_evidence_of(akin_ratio evidence, uint64_t weights)
{
    return (uint64_t)(((akin_u128)weights * evidence.num + evidence.den - 1) / evidence.den);
}

/* A weight in units of 10^-9, at most AKIN_WEIGHTS_MOST; 0: it is none, or has more digits than that. */
static inline uint64_t akin_weight_of(akin_ratio ratio)
{
    uint64_t num = (uint64_t)ratio.num * AKIN_BILLION;
    return ratio.den == 0 || num % ratio.den != 0 || num / ratio.den > AKIN_WEIGHTS_MOST ? 0 : num / ratio.den;
}

#endif
