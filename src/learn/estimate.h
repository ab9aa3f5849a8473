/*
 * Finds the probabilities of levels without labels, by expectation maximization: probabilities of pairs from the model,
 * then the model from them, until it hardly changes.
 */
#ifndef AKIN_LEARN_ESTIMATE_H
#define AKIN_LEARN_ESTIMATE_H

#include "learn/fellegi_sunter.h"
#include "learn/posterior.h"

typedef struct akin_estimate {
    const akin_scope *scope;
    akin_account *account;
    akin_posterior_way way;
    const akin_level_pairs *pairs;
    akin_rarities rarities;  /* of pairs without rarity, */
    const void *rarities_of; /* and its first argument */
    const uint8_t *random;   /* levels of pairs at random, [pair][comparison]: of them the tempering; NULL: none */
    uint64_t random_count;
    int is_fixed;    /* the probabilities of levels stay as they are: there are too few comparisons to learn them */
    int has_m;       /* with is_fixed: the model has them */
    double beside;   /* matches beside the pairs, of equal records */
    uint32_t rounds; /* receives how many there were */
} akin_estimate;

/* `model` has u; m, expected and tempering are found, and probabilities[i] of each pair. Errors: AKIN_E_LIMIT,
 * AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_estimate_run(akin_estimate *estimate, akin_fellegi_sunter *model, double *probabilities,
                              akin_error *error);

/* The odds of a pair before its values are known, and their logarithm. */
double akin_estimate_odds(const akin_estimate *estimate, const akin_fellegi_sunter *model);
double akin_estimate_prior(const akin_estimate *estimate, const akin_fellegi_sunter *model);

/* The probabilities of pairs by a model that has been found: akin_estimate_run ends with it, so a model that is kept
 * gives the same probabilities, bit by bit. Errors: as above. */
akin_status akin_estimate_apply(const akin_estimate *estimate, const akin_fellegi_sunter *model, double *probabilities,
                                akin_error *error);

/* The same in two steps: what each pair weighs, in nats, and then the probabilities in place of the weights, given the
 * odds before values are known. The second step reads no levels, and may lack pairs whose odds are faint (posterior.h).
 * Errors: as above. */
akin_status akin_estimate_weigh(const akin_estimate *estimate, const akin_fellegi_sunter *model, double *weights,
                                akin_error *error);
akin_status akin_estimate_finish(const akin_estimate *estimate, double odds, double *weights, akin_error *error);

#endif
