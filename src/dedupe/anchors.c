/* Sessions of expectation maximization among pairs that agree in one column. */
#include "dedupe/anchors.h"

#include "base/parallel.h"
#include "dedupe/partners.h"

#include <string.h>

/* What the sessions have found. */
typedef struct sessions {
    akin_training *training;
    const akin_estimate *how;
    akin_level_model *before;
    double *counts; /* [comparison][AKIN_LEVELS_MOST]: expected matches of each level */
    uint32_t count; /* sessions that found matches of entities */
} sessions;

static int is_anchored(const sessions *s, uint32_t anchor, uint64_t pair)
{
    const akin_level_pairs *pairs = s->how->pairs;
    return akin_level_is_top(pairs->levels[pair * pairs->comparisons + anchor],
                             s->training->comparisons[anchor].leveled.levels);
}

static void clear_pairs(akin_level_pairs *pairs)
{
    akin_free(pairs->levels);
    akin_free(pairs->rarity);
    akin_free(pairs->weights);
}

/* The pairs that agree in the anchor, without their records. What its rare values add stays: a rare title is more
 * probably that of one paper. */
static akin_status list_anchored(const sessions *s, uint32_t anchor, akin_level_pairs *out, akin_error *error)
{
    akin_account *account = &s->training->job->account;
    const akin_scope *scope = s->training->job->scope;
    const akin_level_pairs *from = s->how->pairs;
    const uint64_t width = from->comparisons;
    uint64_t count = 0;
    *out = *from;
    akin_status status = AKIN_OK;
    out->left = out->right = NULL;
    out->levels = NULL;
    out->rarity = out->weights = NULL;
    for (uint64_t i = 0; i < from->count && status == AKIN_OK; i++) {
        count += (uint64_t)is_anchored(s, anchor, i);
        status = akin_is_stopped(scope, i) ? AKIN_E_CANCELLED : AKIN_OK;
    }
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the pairs to learn from");
    out->levels = akin_alloc(account, count * width, sizeof *out->levels);
    out->rarity = akin_alloc(account, count, sizeof *out->rarity);
    out->weights = akin_alloc(account, count, sizeof *out->weights);
    out->count = 0;
    if (!out->levels || !out->rarity || !out->weights)
        return akin_fail_memory(error, "the pairs to learn from");
    double all = 0;
    for (uint64_t i = 0; i < from->count && status == AKIN_OK; i++) {
        if (is_anchored(s, anchor, i)) {
            out->rarity[out->count] = from->rarity[i];
            out->weights[out->count] = from->weights ? from->weights[i] : 1;
            all += (double)out->weights[out->count];
            memcpy(out->levels + out->count++ * width, from->levels + i * width, width);
        }
        status = akin_is_stopped(scope, i) ? AKIN_E_CANCELLED : AKIN_OK;
    }
    out->all = (uint64_t)all;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the pairs to learn from");
}

/* Counts what a session has found, of the columns beside the anchor. */
static void count_session(sessions *s, uint32_t anchor, double expected)
{
    const akin_training *e = s->training;
    for (uint32_t c = 0; c < e->model.count; c++)
        for (uint32_t l = 0; l < e->models[c].levels && c != anchor && !e->models[c].is_idle; l++)
            s->counts[c * AKIN_LEVELS_MOST + l] += expected * e->models[c].m[l];
    s->count++;
}

/* Learns from pairs that agree in the anchor, whose own levels weigh nothing then. Pairs of one album may be songs of
 * one album: a session counts only if its class is of entities. */
static akin_status run_session(sessions *s, uint32_t anchor, akin_error *error)
{
    akin_training *e = s->training;
    const akin_fellegi_sunter before = e->model;
    akin_level_pairs pairs = {0};
    akin_estimate how = *s->how;
    akin_status status = list_anchored(s, anchor, &pairs, error);
    double *probabilities = status == AKIN_OK ? akin_alloc(&e->job->account, pairs.count, sizeof *probabilities) : NULL;
    if (status == AKIN_OK && !probabilities)
        status = akin_fail_memory(error, "the probabilities of pairs");
    how.pairs = &pairs;
    e->models[anchor].is_idle = 1;
    if (status == AKIN_OK && pairs.count > 0) {
        status = akin_estimate_run(&how, &e->model, probabilities, error);
        if (status == AKIN_OK && e->model.expected >= AKIN_LEARN_PRIOR && akin_training_is_of_entities(e))
            count_session(s, anchor, e->model.expected);
    }
    e->models[anchor].is_idle = 0;
    e->model = before;
    akin_free(probabilities);
    clear_pairs(&pairs);
    return status;
}

/* Sets the models by all sessions, or as they were. A column that no session teaches has the default m. */
static void set_models(const sessions *s)
{
    akin_training *e = s->training;
    memcpy(e->models, s->before, e->model.count * sizeof *e->models);
    for (uint32_t c = 0; c < e->model.count && s->count > 0; c++)
        akin_level_model_set_m(&e->models[c], s->counts + c * AKIN_LEVELS_MOST);
}

akin_status akin_training_anchor(akin_training *training, const akin_estimate *how, int *are_set, akin_error *error)
{
    akin_training *e = training;
    akin_account *account = &e->job->account;
    sessions s = {.training = e,
                  .how = how,
                  .before = akin_alloc(account, e->model.count, sizeof *s.before),
                  .counts = akin_alloc_zero(account, (uint64_t)e->model.count * AKIN_LEVELS_MOST, sizeof *s.counts)};
    akin_status status = AKIN_OK;
    *are_set = 0;
    if (!s.before || !s.counts) {
        status = akin_fail_memory(error, "the comparisons");
    } else {
        memcpy(s.before, e->models, e->model.count * sizeof *s.before);
        for (uint32_t c = 0; c < e->model.count && status == AKIN_OK; c++)
            if (akin_training_is_telling(e, c))
                status = run_session(&s, c, error);
        set_models(&s);
        *are_set = status == AKIN_OK && s.count > 0;
    }
    akin_free(s.counts);
    akin_free(s.before);
    return status;
}
