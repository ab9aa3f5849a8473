/* Answers teach weights. */
#include "dedupe/answered.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "dedupe/labelling.h"
#include "learn/refit.h"

#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define STRATA  25     /* of logarithms of odds, from -12 to 12, which have half of the pool */
#define MIDDLE  12     /* the stratum of even odds */
#define FAINT   1e-4   /* what a pair without doubt counts, in the other half */
#define CERTAIN 2000.0 /* evidence of a pair that was answered, in nats: no other counts beside it */
#define ROUNDS  2      /* of weights and rivals, which depend on one another */
#define DOUBTED 0.5    /* the trust in an answer that is doubted is less */

#define TASK_ANSWERS 256

akin_status akin_labelling_check(akin_labelling *labelling, const akin_records *records, akin_error *error)
{
    const uint32_t rights = records->rows[records->tables - 1];
    akin_labelling_settle(labelling, records->tables);
    for (uint64_t i = 0; i < labelling->count; i++) {
        const akin_labelled_pair *a = &labelling->answers[i];
        if (a->left >= records->rows[0] || a->right >= rights)
            return akin_fail(error, AKIN_E_OPTION, "the answer of rows %u and %u: the tables have no such row", a->left,
                             a->right);
        if (records->tables == 1 && a->left == a->right)
            return akin_fail(error, AKIN_E_OPTION, "the answer of rows %u and %u: this is one record", a->left,
                             a->right);
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* The place of a pair among those that were selected; their number: it was not selected. */
static uint64_t find_pair(const akin_training *e, uint32_t left, uint32_t right)
{
    const akin_level_pairs *pairs = &e->pairs;
    uint64_t low = 0, high = pairs->count;
    right += pairs->tables == 2 ? pairs->rows[0] : 0;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (pairs->left[middle] < left || (pairs->left[middle] == left && pairs->right[middle] < right))
            low = middle + 1;
        else
            high = middle;
    }
    return low < pairs->count && pairs->left[low] == left && pairs->right[low] == right ? low : pairs->count;
}

/* The logarithm of the odds of a selected pair, without other pairs. */
static double odds_of(const akin_training *e, double prior, uint64_t pair)
{
    const double weights = akin_level_weights(&e->model, e->pairs.levels + pair * e->pairs.comparisons);
    return prior + e->model.tempering * (weights + e->pairs.rarity[pair]);
}

/* What the rivals of a pair add to the logarithm of its odds. */
static double rivals_of(const akin_estimate *estimate, double odds, double probability)
{
    if (estimate->way == AKIN_POSTERIOR_FREE || probability >= 1)
        return 0;
    if (probability < 1e-300)
        return AKIN_LABELLING_FARTHEST;
    const double with = akin_logarithm_of(probability) - akin_logarithm_of(1 - probability);
    return fmax(AKIN_LABELLING_FARTHEST, fmin(0, with - odds));
}

/* ------------------------------------------------------------------------------------------------------------- pool */

/* The sample: the chance of each pair. */
typedef struct sampling {
    const akin_training *training;
    const double *probabilities;
    double prior, doubts;
    uint64_t strata[STRATA], filled;
} sampling;

static uint32_t stratum_of(double odds)
{
    const double at = floor(odds) + MIDDLE;
    return at < 0 ? 0 : at >= STRATA ? STRATA - 1 : (uint32_t)at;
}

static double doubt_of(double probability)
{
    return sqrt(probability * (1 - probability)) + FAINT;
}

static akin_status begin_sampling(sampling *s, akin_error *error)
{
    for (uint64_t i = 0; i < s->training->pairs.count; i++) {
        s->doubts += doubt_of(s->probabilities[i]);
        s->strata[stratum_of(odds_of(s->training, s->prior, i))]++;
        if (akin_is_stopped(s->training->job->scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, "the questions");
    }
    for (uint32_t k = 0; k < STRATA; k++)
        s->filled += s->strata[k] > 0;
    return AKIN_OK;
}

static double chance_of(const sampling *s, double odds, double probability)
{
    const double of_doubt = doubt_of(probability) / s->doubts;
    const double of_stratum = 1 / ((double)s->strata[stratum_of(odds)] * (double)s->filled);
    const double chance = AKIN_LABELLING_POOL * (0.5 * of_doubt + 0.5 * of_stratum);
    return s->training->pairs.count <= AKIN_LABELLING_POOL || chance > 1 ? 1 : chance;
}

static akin_status add_pair(akin_labelling *l, const akin_training *e, const akin_pool_pair *pair,
                            const uint8_t *levels, akin_error *error)
{
    akin_pool_pair own = *pair;
    if (e->pairs.tables == 2 && own.right >= e->pairs.rows[0])
        own.right -= e->pairs.rows[0];
    return akin_pool_add(&l->pool, &own, levels, error);
}

/* Adds a sample of the selected pairs, without those that were answered. */
static akin_status fill_pool(const akin_training *e, const akin_estimate *estimate, const double *probabilities,
                             akin_labelling *l, akin_error *error)
{
    sampling s = {.training = e, .probabilities = probabilities, .prior = l->pool.prior};
    const uint32_t border = e->pairs.tables == 2 ? e->pairs.rows[0] : 0;
    akin_random random;
    akin_status status = begin_sampling(&s, error);
    akin_random_seed(&random, 0);
    for (uint64_t i = 0; i < e->pairs.count && status == AKIN_OK; i++) {
        const double odds = odds_of(e, s.prior, i), chance = chance_of(&s, odds, probabilities[i]);
        if (akin_is_stopped(e->job->scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, "the questions");
        if (akin_random_unit(&random) >= chance ||
            akin_labelling_find(l, e->pairs.left[i], e->pairs.right[i] - border) < l->count)
            continue;
        const akin_pool_pair pair = {e->pairs.left[i], e->pairs.right[i], 1 / chance, e->pairs.rarity[i],
                                     rivals_of(estimate, odds, probabilities[i])};
        status = add_pair(l, e, &pair, e->pairs.levels + i * e->pairs.comparisons, error);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------- answered pairs */

/* The pairs that were answered, selected or not, in the order of the answers. */
typedef struct answered {
    akin_pool_pair *pairs;
    uint8_t *levels;
    uint64_t *places; /* among the selected pairs */
} answered;

static void clear_answered(answered *a)
{
    akin_free(a->pairs);
    akin_free(a->levels);
    akin_free(a->places);
}

/* The scoring of them. */
typedef struct scoring {
    akin_training *training;
    const akin_estimate *estimate;
    const double *probabilities;
    const akin_labelling *labelling;
    akin_training_scorers scorers;
    double prior;
    const answered *out;
} scoring;

static akin_status score_answer(const scoring *s, uint64_t answer, uint32_t thread)
{
    const akin_training *e = s->training;
    const akin_labelled_pair *a = &s->labelling->answers[answer];
    const uint32_t border = e->pairs.tables == 2 ? e->pairs.rows[0] : 0, comparisons = e->pairs.comparisons;
    const uint64_t place = s->out->places[answer] = find_pair(e, a->left, a->right);
    akin_pool_pair *pair = &s->out->pairs[answer];
    double similarity, *each = s->scorers.each[thread];
    uint8_t *levels = s->scorers.levels[thread];
    *pair = (akin_pool_pair){.left = a->left, .right = a->right + border};
    const akin_status status =
        akin_scorer_score(s->scorers.scorers[thread], pair->left, pair->right, &similarity, each);
    if (status != AKIN_OK)
        return status;
    pair->rarity = akin_training_rarity(e, pair->left, pair->right, each, levels);
    if (place < e->pairs.count)
        pair->given = rivals_of(s->estimate, odds_of(e, s->prior, place), s->probabilities[place]);
    memcpy(s->out->levels + answer * comparisons, levels, comparisons);
    return AKIN_OK;
}

static akin_status score_answers(void *argument, uint64_t task, uint32_t thread)
{
    const scoring *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_ANSWERS, s->labelling->count);
    akin_status status = AKIN_OK;
    for (uint64_t i = task * TASK_ANSWERS; i < end && status == AKIN_OK; i++)
        status = score_answer(s, i, thread);
    return status;
}

static akin_status fill_answered(akin_training *e, const akin_estimate *estimate, const double *probabilities,
                                 const akin_labelling *l, answered *out, akin_error *error)
{
    scoring s = {.training = e,
                 .estimate = estimate,
                 .probabilities = probabilities,
                 .labelling = l,
                 .prior = akin_estimate_prior(estimate, &e->model),
                 .out = out};
    akin_status status = l->count > 0 ? akin_training_scorers_make(e, &s.scorers, error) : AKIN_OK;
    if (status == AKIN_OK && l->count > 0) {
        status = akin_parallel_long(&s.scorers.scope, NULL, akin_ceil_div(l->count, TASK_ANSWERS), score_answers, &s,
                                    &e->job->cancelled);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "the answers");
    }
    akin_training_scorers_clear(&s.scorers);
    return status;
}

/* The caller clears *out in any case. */
static akin_status find_answered(akin_training *e, const akin_estimate *estimate, const double *probabilities,
                                 const akin_labelling *l, answered *out, akin_error *error)
{
    akin_account *account = &e->job->account;
    *out = (answered){.pairs = akin_alloc(account, l->count, sizeof *out->pairs),
                      .levels = akin_alloc(account, l->count * e->pairs.comparisons, 1),
                      .places = akin_alloc(account, l->count, sizeof *out->places)};
    return out->pairs && out->levels && out->places ? fill_answered(e, estimate, probabilities, l, out, error)
                                                    : akin_fail_memory(error, "the answers");
}

static akin_status add_answered(akin_training *e, const akin_estimate *estimate, const double *probabilities,
                                akin_labelling *l, akin_error *error)
{
    answered found;
    akin_status status = find_answered(e, estimate, probabilities, l, &found, error);
    for (uint64_t i = 0; i < l->count && status == AKIN_OK; i++)
        status = add_pair(l, e, &found.pairs[i], found.levels + i * e->pairs.comparisons, error);
    clear_answered(&found);
    return status;
}

akin_status akin_training_ask(akin_training *training, const akin_estimate *estimate, const double *probabilities,
                              int *are_many, akin_error *error)
{
    akin_training *e = training;
    akin_labelling *l = e->job->options.labelling;
    akin_status status = akin_pool_begin(&l->pool, &e->model, error);
    *are_many = 0;
    if (status != AKIN_OK)
        return status;
    l->pool.tables = e->pairs.tables;
    l->pool.one = estimate->way != AKIN_POSTERIOR_FREE;
    l->pool.is_told = e->job->options.one_to_one != 0;
    l->pool.prior = akin_estimate_prior(estimate, &e->model);
    status = fill_pool(e, estimate, probabilities, l, error);
    if (status == AKIN_OK)
        status = add_answered(e, estimate, probabilities, l, error);
    return status == AKIN_OK ? akin_labelling_find_many(l, e->job->scope, &e->job->account, are_many, error) : status;
}

/* -------------------------------------------------------------------------------------------------------------- fit */

/* The answers yes and no. */
typedef struct examples {
    akin_refit refit;
    akin_level_model *models; /* that were learnt without answers */
    uint8_t *levels, *is_match;
    double *rarity, *given;
    uint64_t *places;  /* among the selected pairs; UINT64_MAX: `given` stays */
    uint64_t *answers; /* their numbers */
    double *trust;     /* in them, by the fit */
} examples;

/* Takes an answer, which is not unsure. `competes`: a record has one partner. */
static void take_example(const answered *found, const akin_labelling_index *index, uint64_t answer, int competes,
                         uint32_t comparisons, examples *out)
{
    const uint64_t at = out->refit.count++;
    memcpy(out->levels + at * comparisons, found->levels + answer * comparisons, comparisons);
    out->is_match[at] = index->labelling->answers[answer].answer == AKIN_ANSWER_YES;
    out->answers[at] = answer;
    out->rarity[at] = found->pairs[answer].rarity;
    out->given[at] = competes ? akin_labelling_given(index, answer, found->pairs[answer].given) : 0;
    out->places[at] = competes && !akin_labelling_is_rival(index, answer) ? found->places[answer] : UINT64_MAX;
}

/* The caller clears *out in any case. */
static akin_status begin_examples(akin_training *e, const akin_estimate *estimate, const double *probabilities,
                                  const akin_labelling *l, examples *out, akin_error *error)
{
    akin_account *account = &e->job->account;
    const uint32_t comparisons = e->pairs.comparisons;
    answered found;
    akin_labelling_index index = {0};
    akin_status status = find_answered(e, estimate, probabilities, l, &found, error);
    if (status == AKIN_OK)
        status = akin_labelling_index_make(l, account, &index, error);
    *out = (examples){.models = akin_alloc(account, comparisons, sizeof *out->models),
                      .levels = akin_alloc(account, l->count * comparisons, 1),
                      .is_match = akin_alloc(account, l->count, 1),
                      .rarity = akin_alloc(account, l->count, sizeof *out->rarity),
                      .given = akin_alloc(account, l->count, sizeof *out->given),
                      .places = akin_alloc(account, l->count, sizeof *out->places),
                      .answers = akin_alloc(account, l->count, sizeof *out->answers),
                      .trust = akin_alloc(account, l->count, sizeof *out->trust)};
    if (status == AKIN_OK && (!out->models || !out->levels || !out->is_match || !out->rarity || !out->given ||
                              !out->places || !out->answers || !out->trust))
        status = akin_fail_memory(error, "the answers");
    if (status == AKIN_OK) {
        memcpy(out->models, e->models, comparisons * sizeof *out->models);
        out->refit = (akin_refit){.scope = e->job->scope,
                                  .account = account,
                                  .prior = akin_estimate_prior(estimate, &e->model),
                                  .levels = out->levels,
                                  .rarity = out->rarity,
                                  .given = out->given,
                                  .is_match = out->is_match,
                                  .trust = out->trust};
    }
    for (uint64_t i = 0; i < l->count && status == AKIN_OK; i++)
        if (l->answers[i].answer != AKIN_ANSWER_UNSURE)
            take_example(&found, &index, i, estimate->way != AKIN_POSTERIOR_FREE, comparisons, out);
    akin_labelling_index_clear(&index);
    clear_answered(&found);
    return status;
}

static void clear_examples(examples *x)
{
    akin_free(x->models);
    akin_free(x->levels);
    akin_free(x->is_match);
    akin_free(x->rarity);
    akin_free(x->given);
    akin_free(x->places);
    akin_free(x->answers);
    akin_free(x->trust);
}

/* Marks the answers that the fit does not trust. Returns their number. */
static uint32_t mark_doubted(akin_labelling *l, const examples *x)
{
    uint32_t doubted = 0;
    for (uint64_t i = 0; i < l->count; i++)
        l->answers[i].is_doubted = 0;
    for (uint32_t i = 0; i < x->refit.count; i++) {
        l->answers[x->answers[i]].is_doubted = x->trust[i] < DOUBTED;
        doubted += x->trust[i] < DOUBTED;
    }
    return doubted;
}

/* The probabilities of pairs by the models as they are now. */
static akin_status apply(akin_training *e, const akin_estimate *estimate, double *probabilities, akin_error *error)
{
    const akin_status status = akin_training_find_rare(e, &e->pairs, error);
    return status == AKIN_OK ? akin_estimate_apply(estimate, &e->model, probabilities, error) : status;
}

/* The pairs that were answered are certain from here on. */
static akin_status pin(akin_training *e, const akin_labelling *l, akin_error *error)
{
    for (int is_match = 0; is_match < 2; is_match++) {
        akin_settled *settled = &e->settled[is_match];
        settled->pairs = akin_alloc(&e->job->account, l->count, sizeof *settled->pairs);
        if (!settled->pairs)
            return akin_fail_memory(error, "the answers");
        for (uint64_t i = 0; i < l->count; i++) {
            const akin_labelled_pair *a = &l->answers[i];
            const uint64_t place = find_pair(e, a->left, a->right);
            if (a->answer != (is_match ? AKIN_ANSWER_YES : AKIN_ANSWER_NO))
                continue;
            settled->pairs[settled->count++] = akin_settled_key(a->left, a->right);
            if (place < e->pairs.count)
                e->pairs.rarity[place] = (float)((is_match ? CERTAIN : -CERTAIN) / e->model.tempering);
        }
        akin_sort_u64(settled->pairs, settled->count);
    }
    return AKIN_OK;
}

/* Pairs that were answered with yes do not compete with one another. */
static void accept_all(const akin_training *e, const akin_labelling *l, double *probabilities)
{
    for (uint64_t i = 0; i < l->count; i++) {
        const uint64_t place = find_pair(e, l->answers[i].left, l->answers[i].right);
        if (l->answers[i].answer == AKIN_ANSWER_YES && place < e->pairs.count)
            probabilities[place] = 1;
    }
}

static akin_status fit(akin_training *e, const akin_estimate *estimate, double *probabilities, const akin_labelling *l,
                       examples *x, akin_error *error)
{
    const uint32_t rounds = estimate->way == AKIN_POSTERIOR_FREE ? 1 : ROUNDS;
    const double offset = e->model.offset, rareness = e->model.rareness;
    akin_status status = AKIN_OK;
    for (uint32_t round = 0; round < rounds && status == AKIN_OK; round++) {
        memcpy(e->models, x->models, e->pairs.comparisons * sizeof *e->models);
        e->model.offset = offset;
        e->model.rareness = rareness;
        status = akin_refit_run(&x->refit, &e->model, error);
        if (status == AKIN_OK && round + 1 < rounds)
            status = apply(e, estimate, probabilities, error);
        const double prior = akin_estimate_prior(estimate, &e->model);
        for (uint32_t i = 0; i < x->refit.count && status == AKIN_OK && round + 1 < rounds; i++)
            if (x->places[i] < e->pairs.count)
                x->given[i] = rivals_of(estimate, odds_of(e, prior, x->places[i]), probabilities[x->places[i]]);
    }
    if (status == AKIN_OK)
        status = akin_training_find_rare(e, &e->pairs, error);
    if (status == AKIN_OK)
        status = pin(e, l, error);
    if (status == AKIN_OK)
        status = akin_estimate_apply(estimate, &e->model, probabilities, error);
    if (status == AKIN_OK)
        accept_all(e, l, probabilities);
    return status;
}

akin_status akin_training_answer(akin_training *training, const akin_estimate *estimate, double *probabilities,
                                 akin_error *error)
{
    akin_training *e = training;
    akin_labelling *l = e->job->options.labelling;
    examples x;
    akin_status status = begin_examples(e, estimate, probabilities, l, &x, error);
    if (status == AKIN_OK && x.refit.count > 0)
        status = fit(e, estimate, probabilities, l, &x, error);
    if (status == AKIN_OK)
        e->job->report.answers_doubted = mark_doubted(l, &x);
    e->job->report.answers = x.refit.count;
    clear_examples(&x);
    return status;
}
