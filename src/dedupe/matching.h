/* Which pairs stay where a record may be in one pair at most. */
#ifndef AKIN_DEDUPE_MATCHING_H
#define AKIN_DEDUPE_MATCHING_H

#include "akin.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

/* What pairs are sorted by: the more similar, the lower; then by a number that is in the order of rows. */
static inline akin_u128 akin_matching_rank(double similarity, uint64_t number)
{
    uint64_t bits; /* of doubles above 0 they rise as these do */
    memcpy(&bits, &similarity, sizeof bits);
    return (akin_u128)~bits << 64 | number;
}

/*
 * Goes through the pairs from the most similar one on, those that are equally so by their rows, and takes each whose records
 * are both free: the greedy matching. Pairs are sorted by rows, the right ones of which are of a table of their own if
 * rows_right is not 0. The pairs that stay come to the front, sorted as before, and *count becomes their number; numbers[i]
 * goes with pair i. 0: memory is short, and nothing has changed.
 */
int akin_matching_choose(akin_account *account, akin_scored_pair *pairs, uint64_t *numbers, uint64_t *count,
                         uint32_t rows_left, uint32_t rows_right);

#endif
