/*
 * The threshold of a join in exact integer arithmetic: what overlap two sets of given sizes need, and which sizes can
 * match at all (Bellas and Gounaris, Table 1 and section 2.1.3).
 */
#ifndef AKIN_JOIN_THRESHOLD_H
#define AKIN_JOIN_THRESHOLD_H

#include "base/error.h"

typedef struct akin_threshold {
    akin_measure measure;
    uint32_t num; /* the threshold is num / den, in lowest terms */
    uint32_t den;
} akin_threshold;

/* Checks measure and ratio: above 0; at most 1, or a whole number for AKIN_OVERLAP. Errors: AKIN_E_OPTION. */
akin_status akin_threshold_make(akin_measure measure, akin_ratio ratio, akin_threshold *out, akin_error *error);

/*
 * The smallest n such that sets of sizes r and s that share n tokens qualify: at least 1, never falling as r or s
 * grows, and perhaps more than both sizes, when no such pair qualifies. Sizes are below 2^32, so products stay within
 * 128 bits:
 *
 *     Jaccard  n (num + den) >= num (r + s)      Dice     2 n den >= num (r + s)
 *     cosine   n^2 den^2 >= num^2 r s            overlap  n >= num
 */
uint64_t akin_threshold_overlap(const akin_threshold *threshold, uint64_t r, uint64_t s);

/* The smallest and the largest size that a partner of a set of size r can have; the largest is UINT32_MAX for
 * AKIN_OVERLAP. The smallest is more than the largest when the set can have no partner. */
uint64_t akin_threshold_smallest(const akin_threshold *threshold, uint64_t r);
uint64_t akin_threshold_largest(const akin_threshold *threshold, uint64_t r);

/* The same for sets of sizes from smallest to largest: the least and the most that a partner of any of them can have. */
void akin_threshold_partners(const akin_threshold *threshold, uint64_t smallest, uint64_t largest, uint64_t *least,
                             uint64_t *most);

/* The largest size s for which a pair of sizes r and s needs an overlap of at most n; UINT32_MAX if there is no
 * bound, 0 if there is no such size. */
uint64_t akin_threshold_largest_within(const akin_threshold *threshold, uint64_t r, uint64_t n);

/*
 * The most tokens that two sets of sizes r and s may differ in, r + s - 2 n; negative if no such pair qualifies. This
 * is what a signature's Hamming distance is held against (section 3.2.3, equation 3.1).
 */
static inline int64_t akin_threshold_distance(const akin_threshold *threshold, uint64_t r, uint64_t s)
{
    return (int64_t)(r + s) - 2 * (int64_t)akin_threshold_overlap(threshold, r, s);
}

/*
 * The same bound taken apart, one term a set: two sets of sizes r and s that qualify differ in at most share(r) +
 * share(s) + 1 tokens. Jaccard (r + s)(den - num) / (den + num), Dice (r + s)(den - num) / den, overlap r + s - 2
 * num, each term rounded down. For cosine it cannot be taken apart: akin_threshold_divides is 0.
 */
static inline int akin_threshold_divides(const akin_threshold *threshold)
{
    return threshold->measure != AKIN_COSINE;
}

static inline int64_t akin_threshold_share(const akin_threshold *threshold, uint64_t size)
{
    uint64_t num = threshold->num, den = threshold->den;
    if (threshold->measure == AKIN_OVERLAP)
        return (int64_t)size - (int64_t)num;
    return (int64_t)(size * (den - num) / (threshold->measure == AKIN_DICE ? den : den + num));
}

/*
 * The same rule in small numbers, for sets of up to `most` tokens, at most 32,768: what it becomes is num / den, with which
 * sets of sizes r and s that share n tokens qualify if and only if
 *
 *     Jaccard, Dice  n den >= num (r + s)      cosine  n^2 den >= num r s      overlap  n den >= num, where den is 1
 *
 * n / (r + s) is a fraction whose denominator is at most 2 most, so instead of num / (num + den) the least such fraction
 * that is not below it may be asked for; so it is with Dice's num / (2 den), and with cosine's (num / den)^2 and most^2.
 */
akin_ratio akin_threshold_small(const akin_threshold *threshold, uint32_t most);

#endif
