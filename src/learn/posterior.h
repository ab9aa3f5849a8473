/*
 * How probable it is that pairs are of one entity, given their odds: three ways.
 *
 *     free          pairs do not influence one another: p = o / (1 + o)
 *     competition   a record has one partner at most, in one table: p = o / (1 + a + b - o), where a and b are the
 *                   sums of the odds of the pairs of the left and of the right record, with o; of a faint pair without
 *     matching      a record has one partner at most, in two tables: the marginals of all matchings, each weighed by
 *                   the product of its odds, by belief propagation on the graph of pairs
 *
 * Pairs whose odds are faint do not influence others. Results are the same for any number of threads.
 */
#ifndef AKIN_LEARN_POSTERIOR_H
#define AKIN_LEARN_POSTERIOR_H

#include "base/memory.h"
#include "base/scope.h"
#include "learn/level_pairs.h"

typedef enum akin_posterior_way {
    AKIN_POSTERIOR_FREE = 1,
    AKIN_POSTERIOR_COMPETITION = 2,
    AKIN_POSTERIOR_MATCHING = 3
} akin_posterior_way;

typedef struct akin_posterior {
    const akin_scope *scope;
    akin_posterior_way way;
    const akin_level_pairs *pairs;
    uint64_t *left_starts;      /* of each record: its first pair as a left record */
    uint64_t *right_starts;     /* the same as a right record, in `by_right` */
    uint32_t *by_right;         /* pairs by right record */
    double *sums;               /* of each record */
    uint32_t rounds;            /* of belief propagation, in each run: messages stay from run to run */
    double *to_left, *to_right; /* messages of each pair to its records */
    /* Of each record, from its start on: its pairs that are not faint, and how many there are. */
    uint32_t *left_list, *right_list, *counts;
} akin_posterior;

#define AKIN_ODDS_MOST  1e150 /* larger ones count as these, so that sums of odds are finite */
#define AKIN_ODDS_FAINT 1e-7  /* odds that change no other pair: those below are left out of sums and of messages */

/* The probability of a pair that no other influences, given its odds. */
static inline double akin_posterior_free(double odds)
{
    const double bounded = odds < AKIN_ODDS_MOST ? odds : AKIN_ODDS_MOST;
    return bounded / (1 + bounded);
}

/* Makes what the way needs; the caller clears it in any case. The pairs are borrowed. Errors: AKIN_E_LIMIT (2^32 pairs
 * or more), AKIN_E_NOMEM. */
akin_status akin_posterior_make(const akin_scope *scope, akin_account *account, akin_posterior_way way,
                                const akin_level_pairs *pairs, akin_posterior *out, akin_error *error);
void akin_posterior_clear(akin_posterior *posterior);

/* Turns the odds of pairs into probabilities, in place. Errors: AKIN_E_CANCELLED. */
akin_status akin_posterior_run(akin_posterior *posterior, double *odds, akin_error *error);

#endif
