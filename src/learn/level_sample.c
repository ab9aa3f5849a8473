/* A stratified sample of pairs. */
#include "learn/level_sample.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/random.h"

#include <string.h>

typedef struct sampling {
    const akin_level_pairs *pairs;
    const akin_level_model *models;
    akin_level_pairs *sample;
    uint32_t strata;
    uint64_t *counts; /* [task][stratum]: pairs, and then those that are drawn */
    uint64_t *starts; /* of each task: its first pair in the sample */
    uint64_t *all;    /* of each stratum: its pairs, */
    uint64_t *bounds; /* the highest hash of a pair that is drawn, */
    float *weights;   /* and how many pairs one that is drawn stands for */
} sampling;

/* In how many comparisons a pair has the highest level. */
static uint32_t stratum_of(const sampling *s, uint64_t pair)
{
    const uint8_t *levels = s->pairs->levels + pair * s->pairs->comparisons;
    uint32_t agreeing = 0;
    for (uint32_t c = 0; c < s->pairs->comparisons; c++)
        agreeing += (uint32_t)akin_level_is_top(levels[c], s->models[c].levels);
    return agreeing;
}

static int is_drawn(const sampling *s, uint64_t pair, uint32_t stratum)
{
    const uint64_t records = (uint64_t)s->pairs->left[pair] << 32 | s->pairs->right[pair];
    return akin_random_mixed(records) <= s->bounds[stratum];
}

static uint64_t end_of_task(const sampling *s, uint64_t task)
{
    return akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, s->pairs->count);
}

static akin_status count_strata(void *argument, uint64_t task, uint32_t thread)
{
    const sampling *s = argument;
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end_of_task(s, task); i++)
        s->counts[task * s->strata + stratum_of(s, i)]++;
    return AKIN_OK;
}

static akin_status count_drawn(void *argument, uint64_t task, uint32_t thread)
{
    const sampling *s = argument;
    uint64_t *drawn = s->counts + task * s->strata;
    (void)thread;
    for (uint32_t k = 0; k < s->strata; k++)
        drawn[k] = 0;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end_of_task(s, task); i++) {
        const uint32_t stratum = stratum_of(s, i);
        drawn[stratum] += (uint64_t)is_drawn(s, i, stratum);
    }
    for (uint32_t k = 0; k < s->strata; k++)
        s->starts[task + 1] += drawn[k];
    return AKIN_OK;
}

static akin_status take_drawn(void *argument, uint64_t task, uint32_t thread)
{
    const sampling *s = argument;
    const akin_level_pairs *from = s->pairs;
    akin_level_pairs *to = s->sample;
    const uint32_t width = from->comparisons;
    uint64_t at = s->starts[task];
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end_of_task(s, task); i++) {
        const uint32_t stratum = stratum_of(s, i);
        if (!is_drawn(s, i, stratum))
            continue;
        to->left[at] = from->left[i];
        to->right[at] = from->right[i];
        to->rarity[at] = from->rarity[i];
        to->weights[at] = s->weights[stratum];
        memcpy(to->levels + at++ * width, from->levels + i * width, width);
    }
    return AKIN_OK;
}

static uint64_t count_of_stratum(const sampling *s, uint64_t tasks, uint32_t stratum)
{
    uint64_t count = 0;
    for (uint64_t t = 0; t < tasks; t++)
        count += s->counts[t * s->strata + stratum];
    return count;
}

/* Of each stratum the same number of pairs, or all that it has. */
static void share_out(const sampling *s, uint64_t tasks, uint64_t most)
{
    for (uint32_t k = 0; k < s->strata; k++) {
        s->all[k] = count_of_stratum(s, tasks, k);
        const double share = (double)most / s->strata / (double)akin_max_u64(1, s->all[k]);
        s->bounds[k] = share < 1 ? (uint64_t)(share * 0x1p64) : UINT64_MAX;
    }
}

/* The pairs of a stratum that are drawn stand for all of them. */
static void weigh_strata(const sampling *s, uint64_t tasks)
{
    for (uint32_t k = 0; k < s->strata; k++)
        s->weights[k] = (float)((double)s->all[k] / (double)akin_max_u64(1, count_of_stratum(s, tasks, k)));
}

static int make_sample(akin_account *account, akin_level_pairs *sample)
{
    sample->left = akin_alloc(account, sample->count, sizeof *sample->left);
    sample->right = akin_alloc(account, sample->count, sizeof *sample->right);
    sample->levels = akin_alloc(account, sample->count * sample->comparisons, sizeof *sample->levels);
    sample->rarity = akin_alloc(account, sample->count, sizeof *sample->rarity);
    sample->weights = akin_alloc(account, sample->count, sizeof *sample->weights);
    return sample->left && sample->right && sample->levels && sample->rarity && sample->weights;
}

/* There is memory for what is counted. */
static akin_status draw(const akin_scope *scope, akin_account *account, sampling *s, uint64_t most, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(s->pairs->count, AKIN_LEVEL_PAIRS);
    akin_status status = akin_parallel(scope, NULL, tasks, count_strata, s);
    share_out(s, tasks, most);
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, tasks, count_drawn, s);
    weigh_strata(s, tasks);
    for (uint64_t t = 0; t < tasks; t++)
        s->starts[t + 1] += s->starts[t];
    s->sample->count = s->starts[tasks];
    if (status == AKIN_OK && !make_sample(account, s->sample))
        return akin_fail_memory(error, "the pairs to learn from");
    if (status == AKIN_OK)
        status = akin_parallel(scope, NULL, tasks, take_drawn, s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the pairs to learn from");
}

akin_status akin_level_sample(const akin_scope *scope, akin_account *account, const akin_level_pairs *pairs,
                              const akin_level_model *models, uint64_t most, akin_level_pairs *out, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(pairs->count, AKIN_LEVEL_PAIRS), strata = (uint64_t)pairs->comparisons + 1;
    sampling s = {pairs,
                  models,
                  out,
                  (uint32_t)strata,
                  akin_alloc_zero(account, tasks * strata, sizeof *s.counts),
                  akin_alloc_zero(account, tasks + 1, sizeof *s.starts),
                  akin_alloc(account, strata, sizeof *s.all),
                  akin_alloc(account, strata, sizeof *s.bounds),
                  akin_alloc(account, strata, sizeof *s.weights)};
    akin_status status = AKIN_OK;
    *out = *pairs;
    out->left = out->right = NULL;
    out->levels = NULL;
    out->rarity = out->weights = NULL;
    if (!s.counts || !s.starts || !s.all || !s.bounds || !s.weights)
        status = akin_fail_memory(error, "the pairs to learn from");
    else
        status = draw(scope, account, &s, most, error);
    akin_free(s.counts);
    akin_free(s.starts);
    akin_free(s.all);
    akin_free(s.bounds);
    akin_free(s.weights);
    return status;
}

void akin_level_sample_clear(akin_level_pairs *sample)
{
    akin_free(sample->left);
    akin_free(sample->right);
    akin_free(sample->levels);
    akin_free(sample->rarity);
    akin_free(sample->weights);
    *sample = (akin_level_pairs){0};
}
