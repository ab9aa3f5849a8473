/* Which pairs stay where a record may be in one pair at most. */
#ifndef AKIN_DEDUPE_MATCHING_H
#define AKIN_DEDUPE_MATCHING_H

#include "base/memory.h"
#include "base/sort.h"
#include "strings/average.h"

/* The least learnt probability of a pair that may be chosen: less probable ones count only for a lower threshold. */
static inline double akin_matching_least(double threshold)
{
    return threshold < 1e-6 ? threshold : 1e-6;
}

/* The average of a pair's similarities by each attribute, NAN where one does not count, in units of 10^-9: of the exact
 * sum, as thresholds are decided. */
uint32_t akin_matching_average(const akin_attribute *attributes, uint32_t count, const double *each);

/* What pairs are sorted by: the larger that average, the lower; then by a number that is in the order of rows. */
static inline akin_u128 akin_matching_rank(uint32_t average, uint64_t number)
{
    return (akin_u128)(AKIN_BILLION - average) << 64 | number;
}

/*
 * Goes through the pairs from the one with the largest average on, those of one average by their rows, and takes each
 * whose records are both free: the greedy matching. Pairs are sorted by rows. If rows_right is not 0, the right rows
 * are those of a second table. The pairs that stay come to the front, sorted as before, and *count becomes their
 * number; averages[i] and numbers[i] are of pair i, and numbers go with the pairs. 0: memory is short, and nothing has
 * changed.
 */
int akin_matching_choose(akin_account *account, akin_scored_pair *pairs, const uint32_t *averages, uint64_t *numbers,
                         uint64_t *count, uint32_t rows_left, uint32_t rows_right);

#endif
