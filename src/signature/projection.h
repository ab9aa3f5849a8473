/*
 * A projection of sets onto a line, as a filter of our own: every token counts +1 or -1, and p(r) is their sum. One
 * token that two sets do not share moves their sums apart by one, so |p(r) - p(s)| <= |r| + |s| - 2 |r n s|: sets
 * whose projections are further apart than a pair may differ cannot match. (With +1 for all tokens this is the length
 * filter.) Signs are learnt from a sample so that the projections spread widely; any signs are correct.
 */
#ifndef AKIN_SIGNATURE_PROJECTION_H
#define AKIN_SIGNATURE_PROJECTION_H

#include "sets/ranked.h"

/* Learns the signs: an array of universe entries, +1 or -1, charged to account; NULL when memory is short. */
int8_t *akin_projection_learn(akin_account *account, const akin_ranked *ranked);

/* The projection of one set. */
static inline int64_t akin_projection(const int8_t *signs, const uint32_t *ranks, uint32_t size)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < size; i++)
        sum += signs[ranks[i]];
    return sum;
}

#endif
