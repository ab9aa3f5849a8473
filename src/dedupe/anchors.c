/* Sessions of expectation maximization among pairs that agree in one column. */
#include "dedupe/anchors.h"

#include "dedupe/partners.h"

#include <string.h>

/* What the sessions have found. */
typedef struct sessions {
    akin_training *training;
    akin_estimate how;
    double *counts; /* [comparison][AKIN_LEVELS_MOST]: expected matches of each level */
    uint32_t count; /* sessions */
} sessions;

static int is_anchored(const akin_training *e, uint32_t comparison, uint64_t pair)
{
    return (e->pairs.levels[pair * e->pairs.comparisons + comparison] & AKIN_LEVEL) + 1u ==
           e->comparisons[comparison].levels;
}

static void clear_pairs(akin_level_pairs *pairs)
{
    akin_free(pairs->levels);
    akin_free(pairs->rarity);
}

/* The pairs that agree in a comparison, without their records. */
static akin_status list_anchored(const akin_training *e, uint32_t comparison, akin_level_pairs *out, akin_error *error)
{
    akin_account *account = &e->job->account;
    const uint64_t width = e->pairs.comparisons;
    *out = e->pairs;
    out->left = out->right = NULL;
    out->count = 0;
    for (uint64_t i = 0; i < e->pairs.count; i++)
        out->count += (uint64_t)is_anchored(e, comparison, i);
    out->all = out->count;
    out->levels = akin_alloc(account, out->count * width, sizeof *out->levels);
    out->rarity = akin_alloc(account, out->count, sizeof *out->rarity);
    if (!out->levels || !out->rarity)
        return akin_fail_memory(error, "the pairs to learn from");
    for (uint64_t i = 0, at = 0; i < e->pairs.count; i++)
        if (is_anchored(e, comparison, i)) {
            out->rarity[at] = e->pairs.rarity[i];
            memcpy(out->levels + at++ * width, e->pairs.levels + i * width, width);
        }
    return AKIN_OK;
}

/* Learns from pairs that agree in a comparison, which counts for nothing then. */
static akin_status run_session(sessions *s, uint32_t anchor, akin_error *error)
{
    akin_training *e = s->training;
    akin_level_pairs pairs = {0};
    akin_fellegi_sunter model = e->model;
    akin_status status = list_anchored(e, anchor, &pairs, error);
    double *probabilities = status == AKIN_OK ? akin_alloc(&e->job->account, pairs.count, sizeof *probabilities) : NULL;
    if (status == AKIN_OK && !probabilities)
        status = akin_fail_memory(error, "the probabilities of pairs");
    akin_estimate how = s->how;
    how.pairs = &pairs;
    e->models[anchor].is_idle = 1;
    if (status == AKIN_OK && pairs.count > 0)
        status = akin_estimate_run(&how, &model, probabilities, error);
    e->models[anchor].is_idle = 0;
    for (uint32_t c = 0; c < e->model.count && status == AKIN_OK && pairs.count > 0; c++)
        for (uint32_t l = 0; l < e->models[c].levels && c != anchor && !e->models[c].is_idle; l++)
            s->counts[c * AKIN_LEVELS_MOST + l] += model.expected * e->models[c].m[l];
    s->count += pairs.count > 0;
    akin_free(probabilities);
    clear_pairs(&pairs);
    return status;
}

akin_status akin_training_anchor(akin_training *training, const akin_estimate *how, int *are_set, akin_error *error)
{
    akin_training *e = training;
    sessions s = {e, *how,
                  akin_alloc_zero(&e->job->account, (uint64_t)e->model.count * AKIN_LEVELS_MOST, sizeof *s.counts), 0};
    akin_level_model *before = akin_alloc(&e->job->account, e->model.count, sizeof *before);
    akin_status status = s.counts && before ? AKIN_OK : akin_fail_memory(error, "the comparisons");
    if (status == AKIN_OK && before)
        memcpy(before, e->models, e->model.count * sizeof *before);
    s.how.beside = 0;
    for (uint32_t c = 0; c < e->model.count && status == AKIN_OK && s.counts; c++)
        if (akin_training_is_telling(e, c))
            status = run_session(&s, c, error);
    if (status == AKIN_OK && before && s.count < 2)
        memcpy(e->models, before, e->model.count * sizeof *before);
    for (uint32_t c = 0; c < e->model.count && status == AKIN_OK && s.counts && s.count >= 2; c++)
        akin_level_model_set_m(&e->models[c], s.counts + c * AKIN_LEVELS_MOST);
    *are_set = s.count >= 2;
    akin_free(s.counts);
    akin_free(before);
    return status;
}
