/*
 * Which pairs of a sample the widths of signatures leave. The sums of a sample have a number for each width:
 *
 *     left[i]    of the i-th width: the pairs, visits or tokens that it leaves, and then their share
 */
#ifndef AKIN_JOIN_LEFT_H
#define AKIN_JOIN_LEFT_H

#include "join/technique.h"
#include "signature/screen.h"

/* The words of the widest signature that is worth looking at: beyond about sixteen bits a token hardly any two tokens
 * fall on the same bit. */
uint32_t akin_left_stride(const akin_join_job *job);

/*
 * Compares a pair's signature distances with the distance that its sizes permit. Bit i of the result is set if the i-th
 * width leaves the pair. Widths of more than `stride` words are left out: they would leave hardly fewer pairs.
 */
uint32_t akin_left_weigh(const akin_join_job *job, uint32_t probe, uint32_t set, uint32_t stride);

/* Adds `what` to the sums of the widths that leave a pair. */
void akin_left_add(double *sum, uint32_t left, double what);

/* Copies what was found for the widest signature looked at to those beyond it. */
void akin_left_fill(uint32_t stride, double *left);

/*
 * Estimates the share of the drawn items that were seen. Half an item is added: an item that did not occur in n draws
 * may still occur once in 2 n. A larger sample that contains this one may show that the item is rarer (the mean of a
 * gamma distribution of shape 1/2 about the expected number, once it has seen the draws).
 */
double akin_share_of_sample(double seen, double n, double expected);

/* Turns counts into shares of n, for each width. */
void akin_left_shares(double n, const double *expected, double *left);

static inline uint64_t akin_average_size(const akin_ranked *sets)
{
    return sets->count ? akin_ranked_tokens(sets) / sets->count : 0;
}

#endif
