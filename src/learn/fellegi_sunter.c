/* The probabilities and weights of levels. */
#include "learn/fellegi_sunter.h"

#include "base/elementary.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

void akin_level_model_set_u(akin_level_model *model, const double *counts, double more)
{
    double sum = 0;
    for (uint32_t l = 0; l < model->levels; l++)
        sum += counts[l] + more;
    for (uint32_t l = 0; l < model->levels; l++)
        model->u[l] = (counts[l] + more) / sum;
}

#define GIVEN_SHARE 0.05 /* of the pairs that agree in the parent, as many more have the levels of all pairs, */
#define GIVEN_LEAST 10.0 /* and these */

/* A run of levels that have one weight. */
typedef struct pool {
    double matches, u;
    uint32_t levels;
} pool;

/* Pools neighbours until matches / u does not fall. Returns how many pools there are. */
static uint32_t pool_levels(uint32_t levels, const double *u, const double *matches, pool *pools)
{
    uint32_t count = 0;
    for (uint32_t l = 0; l < levels; l++) {
        pools[count++] = (pool){matches[l], u[l], 1};
        while (count > 1 &&
               pools[count - 2].matches * pools[count - 1].u > pools[count - 1].matches * pools[count - 2].u) {
            pools[count - 2].matches += pools[count - 1].matches;
            pools[count - 2].u += pools[count - 1].u;
            pools[count - 2].levels += pools[count - 1].levels;
            count--;
        }
    }
    return count;
}

/* The weights of levels, and m if that is wanted. */
static void weigh_levels(uint32_t levels, const double *u, const double *matches, double sum, double *weights,
                         double *m)
{
    pool pools[AKIN_LEVELS_MOST];
    const uint32_t count = pool_levels(levels, u, matches, pools);
    for (uint32_t p = 0, l = 0; p < count; p++)
        for (uint32_t i = 0; i < pools[p].levels; i++, l++) {
            const double ratio = pools[p].matches / (sum * pools[p].u);
            weights[l] = akin_logarithm_of(ratio);
            if (m)
                m[l] = ratio * u[l];
        }
}

void akin_level_model_set_given(akin_level_model *model, const double *matches)
{
    const uint32_t top = model->levels - 1;
    const double most = (1 - model->strange) * model->agreeing * model->shares[top];
    const double scale = matches[top] > most ? most / matches[top] : 1;
    const double more = GIVEN_SHARE * model->agreeing + GIVEN_LEAST;
    double sum = 0;
    for (uint32_t l = 0; l < model->levels; l++) {
        const double strangers = model->agreeing * model->shares[l] - scale * matches[l];
        model->u_given[l] = strangers > 0 ? strangers : 0;
        sum += model->u_given[l];
    }
    for (uint32_t l = 0; l < model->levels; l++)
        model->u_given[l] = (model->u_given[l] + more * model->u[l]) / (sum + more);
}

void akin_level_model_set_m(akin_level_model *model, const double *counts)
{
    double matches[AKIN_LEVELS_MOST], sum = AKIN_LEARN_PRIOR;
    const uint32_t top = model->levels - 1;
    for (uint32_t l = 0; l <= top; l++) {
        const double share = l == top ? AKIN_LEARN_PRIOR_TOP : (1 - AKIN_LEARN_PRIOR_TOP) / top;
        matches[l] = counts[l] + AKIN_LEARN_PRIOR * share;
        sum += counts[l];
    }
    for (uint32_t l = 0; l <= top && model->is_idle; l++)
        model->weights[l] = model->weights_given[l] = 0;
    if (model->is_idle)
        return;
    weigh_levels(model->levels, model->u, matches, sum, model->weights, model->m);
    if (model->is_dependent)
        weigh_levels(model->levels, model->u_given, matches, sum, model->weights_given, NULL);
}

double akin_fellegi_sunter_prior(const akin_fellegi_sunter *model, uint64_t all)
{
    const double half = (double)all / 2, expected = model->expected < half ? model->expected : half;
    return expected / ((double)all - expected) * akin_exponential(model->offset);
}

/* Sums of numbers and of their squares. */
typedef struct moments {
    double sum, squares;
} moments;

static void add_moment(moments *m, double share, double value)
{
    m->sum += share * value;
    m->squares += share * (value * value);
}

static double variance_of(moments m, double count)
{
    const double mean = m.sum / count;
    return m.squares / count - mean * mean;
}

/* How probable it is that a pair with these levels is of two entities. */
static double stranger_share(const akin_fellegi_sunter *model, double prior, const uint8_t *levels)
{
    return prior > 0 ? 1 / (1 + prior * akin_exponential(akin_level_weights(model, levels))) : 1;
}

double akin_fellegi_sunter_tempering(const akin_fellegi_sunter *model, double prior, const uint8_t *levels,
                                     uint64_t count)
{
    moments all = {0, 0};
    double parts = 0, strangers = 0;
    if (count == 0)
        return 1;
    for (uint64_t i = 0; i < count; i++) {
        const double share = stranger_share(model, prior, levels + i * model->count);
        strangers += share;
        add_moment(&all, share, akin_level_weights(model, levels + i * model->count));
    }
    for (uint32_t c = 0; c < model->count; c++) {
        moments one = {0, 0};
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t level = levels[i * model->count + c] & AKIN_LEVEL;
            add_moment(&one, stranger_share(model, prior, levels + i * model->count),
                       level == AKIN_LEVEL_MISSING ? 0 : model->comparisons[c].weights[level]);
        }
        parts += variance_of(one, strangers);
    }
    const double whole = variance_of(all, strangers);
    return whole > parts && parts > 0 ? parts / whole : 1;
}
