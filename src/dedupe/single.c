/* The weights of a single column of text. */
#include "dedupe/single.h"

#include "base/elementary.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define LEVELS 9     /* of texts: see training.c */
#define FALL   4     /* the first level that continues the fall of those before */
#define LEAST  0.001 /* a probability */

static const double by_similarity[LEVELS] = {LEAST, LEAST, LEAST, 0.05, 0.2, 0.9, 0.97, 0.99, 0.999};

int akin_training_is_single(const akin_training *training)
{
    return training->pairs.tables == 1 && training->model.count == 1 &&
           training->comparisons[0].leveled.levels == LEVELS;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The shares of levels among strangers, of the counted ones. */
static void continue_fall(const double *counted, double *shares)
{
    for (uint32_t l = 0; l < LEVELS; l++) {
        shares[l] = counted[l];
        if (l >= FALL)
            shares[l] = smaller(counted[l], shares[l - 1] * smaller(1, shares[l - 1] / shares[l - 2]));
    }
}

void akin_training_weigh_single(akin_training *training, double beside)
{
    akin_level_model *model = &training->models[0];
    const akin_level_pairs *pairs = &training->pairs;
    double counts[LEVELS] = {0}, strangers[LEVELS], probabilities[LEVELS], expected = 0;
    for (uint64_t i = 0; i < pairs->count; i++)
        if ((pairs->levels[i] & AKIN_LEVEL) != AKIN_LEVEL_MISSING)
            counts[pairs->levels[i] & AKIN_LEVEL]++;
    continue_fall(model->u, strangers);
    for (uint32_t l = 0; l < LEVELS; l++) {
        const double share = counts[l] > 0 ? 1 - strangers[l] * (double)pairs->all / counts[l] : 1;
        const double p = share > 0 ? by_similarity[l] * share : 0;
        probabilities[l] = p > LEAST ? p : LEAST;
        expected += l >= FALL ? probabilities[l] * counts[l] : 0;
    }
    training->model.expected = (expected > 0.5 ? expected : 0.5) + beside;
    training->model.tempering = 1;
    const double prior = akin_logarithm_of(akin_fellegi_sunter_prior(&training->model, pairs->all));
    for (uint32_t l = 0; l < LEVELS; l++) {
        const double p = probabilities[l];
        model->weights[l] = akin_logarithm_of(p / (1 - p)) - prior;
        model->m[l] = expected > 0 && l >= FALL ? p * counts[l] / expected : 0;
    }
}
