/* Learns the signs of a projection by a few steps of power iteration on a sample of the sets. */
#include "signature/projection.h"

#include "base/random.h"

#define SAMPLE_TOKENS 60000 /* about as many tokens are looked at in every step */
#define STEPS         6

typedef struct sample {
    const akin_ranked *ranked;
    uint32_t *sets;
    uint32_t count;
    uint64_t tokens;
} sample;

/* Draws sets at random, or takes each once where there are few. */
static void draw_projection(sample *sample)
{
    const akin_ranked *ranked = sample->ranked;
    akin_random random;
    if (ranked->count <= SAMPLE_TOKENS / 4 && akin_ranked_tokens(ranked) <= SAMPLE_TOKENS) {
        for (; sample->count < ranked->count; sample->count++)
            sample->sets[sample->count] = sample->count;
        sample->tokens = akin_ranked_tokens(ranked);
        return;
    }
    akin_random_seed(&random, 1);
    while (sample->tokens < SAMPLE_TOKENS && sample->count < SAMPLE_TOKENS / 4) {
        uint32_t set = (uint32_t)akin_random_below(&random, ranked->count);
        sample->sets[sample->count++] = set;
        sample->tokens += akin_ranked_size(ranked, set);
    }
}

/*
 * One step. m is the mean sign of a token. Over the sample it sums (p(r) - m |r|) times r's tokens, less the average
 * over sets of r's size. The signs of the sum are the next ones. The step climbs towards the direction of the largest
 * spread at equal size.
 */
static void step(const sample *sample, int8_t *signs, float *slope, const float *share)
{
    double mean = 0, moment = 0;
    for (uint32_t k = 0; k < sample->count; k++) {
        const uint32_t *ranks = sample->ranked->tokens + sample->ranked->offsets[sample->sets[k]];
        uint32_t size = akin_ranked_size(sample->ranked, sample->sets[k]);
        mean += (double)akin_projection(signs, ranks, size);
        for (uint32_t i = 0; i < size; i++)
            slope[ranks[i]] = 0;
    }
    mean /= (double)sample->tokens;
    for (uint32_t k = 0; k < sample->count; k++) {
        const uint32_t *ranks = sample->ranked->tokens + sample->ranked->offsets[sample->sets[k]];
        uint32_t size = akin_ranked_size(sample->ranked, sample->sets[k]);
        double pull = (double)akin_projection(signs, ranks, size) - mean * size;
        moment += pull * size;
        for (uint32_t i = 0; i < size; i++)
            slope[ranks[i]] += (float)pull;
    }
    for (uint32_t k = 0; k < sample->count; k++) {
        const uint32_t *ranks = sample->ranked->tokens + sample->ranked->offsets[sample->sets[k]];
        uint32_t size = akin_ranked_size(sample->ranked, sample->sets[k]);
        for (uint32_t i = 0; i < size; i++)
            signs[ranks[i]] = slope[ranks[i]] >= (float)moment * share[ranks[i]] ? 1 : -1;
    }
}

int8_t *akin_projection_learn(akin_account *account, const akin_ranked *ranked)
{
    sample sample = {.ranked = ranked};
    int8_t *signs = akin_alloc(account, ranked->universe, sizeof *signs);
    float *slope = akin_alloc(account, ranked->universe, sizeof *slope);
    float *share = akin_alloc_zero(account, ranked->universe, sizeof *share);
    sample.sets = akin_alloc(account, SAMPLE_TOKENS / 4, sizeof *sample.sets);
    if (signs && slope && share && sample.sets) {
        for (uint64_t token = 0; token < ranked->universe; token++)
            signs[token] = token * UINT64_C(0x9e3779b97f4a7c15) >> 63 ? 1 : -1;
        if (ranked->count)
            draw_projection(&sample);
        for (uint32_t k = 0; k < sample.count; k++) {
            const uint32_t *ranks = ranked->tokens + ranked->offsets[sample.sets[k]];
            for (uint32_t i = 0; i < akin_ranked_size(ranked, sample.sets[k]); i++)
                share[ranks[i]] += 1 / (float)sample.tokens;
        }
        for (int i = 0; i < STEPS; i++)
            step(&sample, signs, slope, share);
    } else {
        akin_free(signs);
        signs = NULL;
    }
    akin_free(slope);
    akin_free(share);
    akin_free(sample.sets);
    return signs;
}
