/* Which pairs stay where a record may be in one pair at most. */
#ifndef AKIN_DEDUPE_MATCHING_H
#define AKIN_DEDUPE_MATCHING_H

#include "base/memory.h"
#include "base/sort.h"
#include "dedupe/average.h"

/* What pairs are sorted by: the more similar, to 9 digits, the lower; then by a number that is in the order of rows. */
static inline akin_u128 akin_matching_rank(double similarity, uint64_t number)
{
    return (akin_u128)(AKIN_BILLION - akin_billionths_of(similarity)) << 64 | number;
}

/*
 * Goes through the pairs from the most similar one on, those that are equally so to 9 digits by their rows, and takes
 * each whose records are both free: the greedy matching. Pairs are sorted by rows, the right ones of which are of a table
 * of their own if rows_right is not 0. The pairs that stay come to the front, sorted as before, and *count becomes their
 * number; numbers[i] goes with pair i. 0: memory is short, and nothing has changed.
 */
int akin_matching_choose(akin_account *account, akin_scored_pair *pairs, uint64_t *numbers, uint64_t *count,
                         uint32_t rows_left, uint32_t rows_right);

#endif
