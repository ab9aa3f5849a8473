/*
 * The threshold of a join in exact integer arithmetic: what overlap two sets of given sizes need, and which sizes can
 * match at all (Bellas and Gounaris, Table 1 and section 2.1.3).
 */
#ifndef AKIN_JOIN_THRESHOLD_H
#define AKIN_JOIN_THRESHOLD_H

#include "sets/measure.h"

/* A threshold for pairs of a first and a second set. In a join probes are the first sets, and left ones. */
typedef struct akin_threshold {
    akin_measure measure;
    uint32_t num; /* the threshold is num / den, in lowest terms */
    uint32_t den;
    akin_measure_rule rule; /* the inequality that decides */
} akin_threshold;

/* Checks measure and ratio: above 0; at most 1, or a whole number for AKIN_OVERLAP. Errors: AKIN_E_OPTION. */
akin_status akin_threshold_make(akin_measure measure, akin_ratio ratio, akin_threshold *out, akin_error *error);

/* The same threshold for the second set as the first one. */
akin_threshold akin_threshold_turn(const akin_threshold *threshold);

/*
 * The smallest n such that sets of sizes r and s that share n tokens qualify: at least 1, never falling as r or s
 * grows, and perhaps more than both sizes, when no such pair qualifies. Sizes are below 2^32, so products stay within
 * 128 bits.
 */
uint64_t akin_threshold_overlap(const akin_threshold *threshold, uint64_t r, uint64_t s);

/* The smallest and the largest size that a partner of a first set of size r can have; the largest is UINT32_MAX where
 * there is no bound. The smallest is more than the largest when the set can have no partner. */
uint64_t akin_threshold_smallest(const akin_threshold *threshold, uint64_t r);
uint64_t akin_threshold_largest(const akin_threshold *threshold, uint64_t r);

/* The same for sets of sizes `smallest` to `largest`: the least and the greatest size of their partners. */
void akin_threshold_partners(const akin_threshold *threshold, uint64_t smallest, uint64_t largest, uint64_t *least,
                             uint64_t *most);

/* The largest size s for which a pair of sizes r and s needs an overlap of at most n; UINT32_MAX if there is no
 * bound, 0 if there is no such size. */
uint64_t akin_threshold_largest_within(const akin_threshold *threshold, uint64_t r, uint64_t n);

/*
 * The largest number of tokens in which two sets of sizes r and s may differ, r + s - 2 n; negative if no such pair
 * qualifies. The Hamming distance of signatures is compared with it (section 3.2.3, equation 3.1).
 */
static inline int64_t akin_threshold_distance(const akin_threshold *threshold, uint64_t r, uint64_t s)
{
    return (int64_t)(r + s) - 2 * (int64_t)akin_threshold_overlap(threshold, r, s);
}

/*
 * The same rule in small numbers, for sets of up to `most` tokens, at most 32,768. The rule becomes num / den: sets
 * that share n tokens qualify if and only if n den >= num F, and by PRODUCT n^2 den >= num F. n / F is a fraction whose
 * denominator is at most 2 most, or most^2. So the least such fraction that is not below want / have can replace it.
 * Where F is constant, den is 1.
 */
akin_ratio akin_threshold_small(const akin_threshold *threshold, uint32_t most);

#endif
