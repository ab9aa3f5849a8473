/*
 * The most that the probability of a pair may be, by its weight, as decoys of a link allow it (dedupe/link_decoys.h):
 * steps, each from a weight on, up to that of the next one.
 *
 *     weight     -2    3    5
 *     share       0   .5    1     of a pair that weighs 4: .5, of one that weighs -7: 0
 */
#ifndef AKIN_LEARN_CAPS_H
#define AKIN_LEARN_CAPS_H

#include "base/memory.h"

#define AKIN_CAPS_WEIGHT 1e6 /* the largest weight of a step, which may be negative */

typedef struct akin_cap {
    double weight, share; /* the weight in nats */
} akin_cap;

/* Weights ascend. Without a step there is no limit. */
typedef struct akin_caps {
    akin_cap *steps;
    uint32_t count;
} akin_caps;

/* Makes steps of items, whose weights ascend: of items of one weight the last one counts, and an item that changes
 * nothing makes no step. The caller frees the steps by akin_free. 0: memory is short, or there are 2^32 steps. */
int akin_caps_make(akin_account *account, const double *weights, const double *shares, uint64_t count, akin_caps *out);

/* Copies the steps. 0: memory is short. */
int akin_caps_copy(akin_account *account, const akin_caps *caps, akin_caps *out);

/* The share of a weight; below the first step it is that of the first step. There is a step. */
double akin_caps_of(const akin_caps *caps, double weight);

/* Lowers a probability to the share of its weight. */
static inline double akin_caps_lower(const akin_caps *caps, double weight, double probability)
{
    const double most = caps->count > 0 ? akin_caps_of(caps, weight) : 1;
    return probability < most ? probability : most;
}

#endif
