/* Expected precision, recall and F1 of pairs that are accepted from a probability on, and two ways to choose it. */
#ifndef AKIN_LEARN_EXPECTED_H
#define AKIN_LEARN_EXPECTED_H

#include "base/memory.h"
#include "base/scope.h"

typedef struct akin_expected {
    double threshold; /* the least probability that is accepted */
    double matches;   /* pairs of one entity, among all candidates: the sum of all probabilities */
    double right;     /* of the accepted pairs: the sum of their probabilities */
    uint64_t accepted;
} akin_expected;

/* The probability from which pairs are accepted so that the expected F1 is largest. `probabilities` are those of
 * `count` pairs that may be accepted, `matches` the sum of those of all pairs. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED.
  */
akin_status akin_expected_choose(const akin_scope *scope, akin_account *account, const double *probabilities,
                                 uint64_t count, double matches, akin_expected *out, akin_error *error);

/* The least probability from which on the expected precision, the mean probability of the accepted pairs, is
 * `precision` or more. If there is none, the threshold is 1 and no pair is accepted. Errors: as above. */
akin_status akin_expected_choose_precise(const akin_scope *scope, akin_account *account, const double *probabilities,
                                         uint64_t count, double matches, double precision, akin_expected *out,
                                         akin_error *error);

#endif
