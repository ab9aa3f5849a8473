/*
 * Counts pairs of numbered ids: how many of those that were found are in the gold standard, at each threshold, of the
 * pairs as they stand or of their transitive closures.
 */
#ifndef AKIN_EVALUATE_TALLY_H
#define AKIN_EVALUATE_TALLY_H

#include "evaluate/closed_pairs.h"

/*
 * Pairs of the numbers of ids. Where closures are counted, the highest steps come first once they are sorted
 * (akin_stepped), else what is the same pair stands together, the highest step first:
 *
 *     | left (32 bits) | right (32 bits) | AKIN_STEPS - 1 - step (8 bits) |
 */
typedef struct akin_pair_keys {
    akin_u128 *keys; /* the owner's, with room for all that are added */
    uint64_t count;
} akin_pair_keys;

typedef struct akin_tally {
    const akin_scope *scope;
    akin_account *account;
    int linked, closed;     /* as in akin_evaluate_options */
    uint32_t lefts, rights; /* ids that there are; those of one collection are left ones */
    uint32_t points;        /* requested thresholds: AKIN_CURVE_POINTS, or 1, which all pairs reach */
    akin_pair_keys pairs, gold;
    uint64_t found[AKIN_STEPS]; /* pairs by step, */
    uint64_t both[AKIN_STEPS];  /* and those of them that are in gold */
    uint64_t golds;
} akin_tally;

/* How many of the thresholds 0, 0.01, ... 1 a similarity reaches that is rounded to 9 digits: 0 to AKIN_STEPS - 1; NAN
 * reaches none. */
uint32_t akin_step_of(double similarity);

/* Adds a pair to the tally's pairs or gold; one of an id with itself only where those are two things. */
void akin_tally_add(const akin_tally *tally, akin_pair_keys *to, uint32_t left, uint32_t right, uint32_t step);

/* Sorts and counts: out[k] is what the threshold k / 100 keeps, for k below `points`. Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_LIMIT, AKIN_E_CANCELLED. */
akin_status akin_tally_count(akin_tally *tally, akin_evaluation *out, akin_error *error);

/* The same of pairs that have been counted: `found`, `both` and `golds` are there. */
void akin_tally_sum(const akin_tally *tally, akin_evaluation *out);

/* The two rows of a pair, as akin_nodes has them; right ones count from 0 again if they are of another collection. */
static inline uint64_t akin_tally_rows(const akin_tally *tally, akin_u128 key)
{
    return (uint64_t)(tally->closed ? key : key >> 8);
}

/* The connected components of the tally's pairs or gold, of all ids that there are. The caller frees them in any case.
 * Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_LIMIT, AKIN_E_CANCELLED. */
akin_status akin_tally_cluster(const akin_tally *tally, const akin_pair_keys *pairs, akin_clusters **out,
                               akin_error *error);

#endif
