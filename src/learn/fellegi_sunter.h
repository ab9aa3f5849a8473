/*
 * The model of Fellegi and Sunter (A theory for record linkage, 1969). A comparison has levels of similarity, and for
 * each level two probabilities:
 *
 *     m   that a pair of one entity has this level
 *     u   that a pair of two entities has it
 *
 * The weight of a level is ln (m / u). The weights of a pair's levels are added; a missing value adds 0. Weights do not
 * fall as levels rise: where m / u would fall, levels are pooled (pool adjacent violators).
 */
#ifndef AKIN_LEARN_FELLEGI_SUNTER_H
#define AKIN_LEARN_FELLEGI_SUNTER_H

#include "base/memory.h"
#include "base/scope.h"
#include "learn/level_pairs.h"

typedef struct akin_level_model {
    uint32_t levels;
    int is_idle; /* it weighs nothing, and is not learnt */
    double m[AKIN_LEVELS_MOST], u[AKIN_LEVELS_MOST], weights[AKIN_LEVELS_MOST]; /* weights in nats */
    /*
     * Whether strangers whose values agree in another comparison, the parent, agree here more often than others: city
     * and postcode. Then a pair that has the highest level of the parent has probabilities and weights of its own.
     * Among all pairs, `agreeing` have that level of the parent, in the proportions `shares` of the levels here. Of
     * those that have the highest level here, too, the share `strange` is of strangers, at least.
     */
    int is_dependent;
    uint32_t parent;
    double agreeing, strange, shares[AKIN_LEVELS_MOST];
    double u_given[AKIN_LEVELS_MOST], weights_given[AKIN_LEVELS_MOST];
} akin_level_model;

typedef struct akin_fellegi_sunter {
    uint32_t count;
    akin_level_model *comparisons; /* borrowed */
    double expected;               /* pairs of one entity, among all pairs */
    /* What the evidence is multiplied by, at most 1: comparisons that say the same are not counted twice. */
    double tempering;
    /* What was fitted to answers (refit.h): what is added to the logarithm of the odds of each pair, in nats; and what
     * is added to 1, by which the rarity of values is multiplied. */
    double offset, rareness;
} akin_fellegi_sunter;

/* The odds that a pair is of one entity before its values are known, as pairs do not influence one another; with the
 * offset. */
double akin_fellegi_sunter_prior(const akin_fellegi_sunter *model, uint64_t all);

/* Sets u from counts of levels among pairs of different entities; each level counts `more` pairs more. */
void akin_level_model_set_u(akin_level_model *model, const double *counts, double more);

/* Sets m from counts of levels among pairs of one entity, with AKIN_LEARN_PRIOR pairs more, AKIN_LEARN_PRIOR_TOP of
 * them at the highest level; and the weights. Levels are pooled so that weights do not fall. */
void akin_level_model_set_m(akin_level_model *model, const double *counts);

#define AKIN_LEARN_PRIOR     2.0
#define AKIN_LEARN_PRIOR_TOP 0.65

/* Sets u of pairs that agree in the parent, without the expected matches among them, of which `matches` have each level
 * here. The fewer strangers there are, the nearer u is to that of all pairs. */
void akin_level_model_set_given(akin_level_model *model, const double *matches);

/* Whether a pair agrees in the parent of a comparison. */
static inline int akin_level_is_given(const akin_fellegi_sunter *model, uint32_t comparison, const uint8_t *levels)
{
    const akin_level_model *c = &model->comparisons[comparison];
    return c->is_dependent && (levels[c->parent] & AKIN_LEVEL) + 1u == model->comparisons[c->parent].levels;
}

/* The sum of weights of a pair's levels, without rarity and tempering. */
static inline double akin_level_weights(const akin_fellegi_sunter *model, const uint8_t *levels)
{
    double sum = 0;
    for (uint32_t c = 0; c < model->count; c++) {
        const uint32_t level = levels[c] & AKIN_LEVEL;
        const akin_level_model *own = &model->comparisons[c];
        if (level != AKIN_LEVEL_MISSING)
            sum += akin_level_is_given(model, c, levels) ? own->weights_given[level] : own->weights[level];
    }
    return sum;
}

/*
 * The factor that makes the evidence of dependent comparisons that of independent ones: the sum of the variances of all
 * weights over the variance of their sum, at most 1, over pairs at random. `levels` is [pair][comparison]. The more
 * probable a pair is one of two entities, if a pair has the odds `prior`, the more it counts; 0: all count alike.
 */
double akin_fellegi_sunter_tempering(const akin_fellegi_sunter *model, double prior, const uint8_t *levels,
                                     uint64_t count);

#endif
