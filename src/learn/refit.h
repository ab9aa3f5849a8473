/*
 * Weights that are fitted to answers: a logistic regression whose prior is a model that was learnt without answers.
 *
 *     ln odds = ln prior odds + offset + tempering * (sum of weights + (1 + rareness) * rarity) + given
 *
 * The weights of a comparison are its weight at level 0 and the steps from level to level, which are 0 or more: weights
 * do not fall as levels rise. Each of these numbers has a normal prior around that of the model. Some answers say
 * nothing of their pairs: with the probability e an answer is drawn as a coin is thrown. The fit is the most probable
 * one, found by EM: each answer counts as much as it is trusted, with that trust the fit is the minimum of a strictly
 * convex function, found by coordinate descent, and from the fit follows the trust. As there may be several such fits,
 * EM begins twice: with trust in all answers, and with that of the model. The more probable fit stays.
 */
#ifndef AKIN_LEARN_REFIT_H
#define AKIN_LEARN_REFIT_H

#include "base/error.h"
#include "base/scope.h"
#include "learn/fellegi_sunter.h"

/* Deviations of the prior. */
#define AKIN_REFIT_OFFSET   1.5
#define AKIN_REFIT_FIRST    2.0 /* the weight at level 0: against a missing value */
#define AKIN_REFIT_STEP     0.3 /* a step between levels: the root of the squares of this */
#define AKIN_REFIT_SHARE    0.5 /* and of this share of the step of the model */
#define AKIN_REFIT_IDLE     0.5 /* weights of a comparison that is idle in the model */
#define AKIN_REFIT_RARENESS 0.5

#define AKIN_REFIT_MISTAKES 0.02 /* the share of answers that say nothing of their pairs */

#define AKIN_REFIT_NEAR 1e-7

typedef struct akin_refit {
    const akin_scope *scope; /* NULL: nobody cancels */
    akin_account *account;
    double prior;   /* the logarithm of the odds of a pair before its values are known, with the model's offset */
    uint32_t count; /* pairs that were answered with yes or no */
    const uint8_t *levels; /* [pair][comparison] */
    const double *rarity;  /* of each pair, in nats */
    const double *given;   /* of each pair: what else is added to the logarithm of its odds */
    const uint8_t *is_match;
    double near;     /* a round whose steps are all smaller ends the search; 0: AKIN_REFIT_NEAR */
    uint32_t rounds; /* receives how many there were */
    double *trust;   /* receives of each pair the probability that its answer is no mistake; NULL: nobody asks */
} akin_refit;

/* Changes the weights, the offset and the rareness of a model. The result depends neither on the order of the pairs
 * beyond rounding, nor on threads. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_refit_run(akin_refit *refit, akin_fellegi_sunter *model, akin_error *error);

#endif
