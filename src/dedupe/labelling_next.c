/*
 * Chooses the pair to ask about next. The weights are fitted to the answers so far, and each pair of the pool gets its
 * probability p. Four ways of choosing take turns:
 *
 *     doubt    the pair with the largest p (1 - p)
 *     share    a pair at random; its chance is p (1 - p), times the number of pairs that it stands for
 *     probe    each eighth time: a pair that the weights are sure of, of matches and strangers in turns. It shows
 *              where they are wrong
 *     rival    each eighth time, if a record has one partner, until that is clear: the likeliest rival of a pair that
 *              was answered with yes
 *
 * A pair that has an answer is not asked about again. If a record has one partner, the other ways do not ask about
 * rivals. If the answers show that records have many partners (labelling.h), pairs do not compete from there on.
 */
#include "dedupe/labelling.h"

#include "base/elementary.h"
#include "base/random.h"
#include "learn/refit.h"

#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define NEAR     1e-3 /* the accuracy of weights that choose */
#define PROBES   8    /* one of so many questions is a probe, */
#define RIVALS   4    /* and the fourth of so many is about a rival */
#define SURE     2    /* logarithms of odds of probes: of matches from here on, */
#define UNLIKELY (-8) /* and of strangers from here to -SURE */

/* The choice in the making. */
typedef struct choice {
    const akin_labelling *labelling;
    const akin_scope *scope; /* NULL: nobody cancels */
    akin_account *account;   /* that is charged; NULL: none */
    akin_fellegi_sunter model;
    akin_level_model *models;
    akin_labelling_index index;
    uint8_t *is_settled; /* of each pair of the pool: it is not asked about */
    uint8_t *is_answered;
    double *odds;     /* logarithms, of each pair, */
    double *alone;    /* and without competition */
    double *chances;  /* of each pair, in a draw */
    uint64_t *places; /* of each answer, in the pool; pool.count: nowhere */
    int one;          /* a record has one partner */
    akin_rivals rivals;
    /* The answers yes and no. */
    uint8_t *levels, *is_match;
    double *rarity, *given;
    uint32_t answered;
} choice;

/* Finds the pairs of the pool that have an answer. */
static void find_places(choice *c)
{
    const akin_labelling *l = c->labelling;
    const akin_pool *pool = &l->pool;
    for (uint64_t i = 0; i < l->count; i++)
        c->places[i] = pool->count;
    for (uint64_t i = 0; i < pool->count; i++) {
        const uint64_t answer = akin_labelling_find(l, pool->pairs[i].left, pool->pairs[i].right);
        c->is_answered[i] = answer < l->count;
        if (answer < l->count)
            c->places[answer] = i;
    }
}

static akin_status begin(choice *c, const akin_labelling *l, const akin_scope *scope, akin_account *account,
                         akin_error *error)
{
    const akin_pool *pool = &l->pool;
    *c = (choice){.labelling = l, .scope = scope, .account = account, .model = pool->model, .one = pool->one};
    c->models = akin_alloc(account, pool->comparisons, sizeof *c->models);
    c->is_settled = akin_alloc(account, pool->count, 1);
    c->is_answered = akin_alloc(account, pool->count, 1);
    c->odds = akin_alloc(account, pool->count, sizeof *c->odds);
    c->alone = akin_alloc(account, pool->count, sizeof *c->alone);
    c->chances = akin_alloc(account, pool->count, sizeof *c->chances);
    c->places = akin_alloc(account, l->count, sizeof *c->places);
    c->levels = akin_alloc(account, l->count * pool->comparisons, 1);
    c->is_match = akin_alloc(account, l->count, 1);
    c->rarity = akin_alloc(account, l->count, sizeof *c->rarity);
    c->given = akin_alloc(account, l->count, sizeof *c->given);
    if (!c->models || !c->is_settled || !c->is_answered || !c->odds || !c->alone || !c->chances || !c->places ||
        !c->levels || !c->is_match || !c->rarity || !c->given)
        return akin_fail_memory(error, "the questions");
    c->model.comparisons = c->models;
    find_places(c);
    return akin_labelling_index_make(l, account, &c->index, error);
}

static void clear(choice *c)
{
    akin_labelling_index_clear(&c->index);
    akin_free(c->models);
    akin_free(c->is_settled);
    akin_free(c->is_answered);
    akin_free(c->odds);
    akin_free(c->alone);
    akin_free(c->chances);
    akin_free(c->places);
    akin_free(c->levels);
    akin_free(c->is_match);
    akin_free(c->rarity);
    akin_free(c->given);
}

/* What answers settle is not asked about. */
static void settle(choice *c)
{
    const akin_pool *pool = &c->labelling->pool;
    const akin_labelling_index *index = &c->index;
    for (uint64_t i = 0; i < pool->count; i++) {
        c->is_settled[i] = c->is_answered[i];
        for (uint32_t side = 0; side < 2 && c->one && !c->is_settled[i]; side++) {
            const akin_pool_pair *pair = &pool->pairs[i];
            const uint64_t record = akin_labelling_index_find(index, side ? pair->right : pair->left, side);
            c->is_settled[i] = record < index->record_count && index->yes[record] > 0;
        }
    }
}

/* Takes an answer, whose pair may be in the pool. */
static void take_answer(choice *c, uint64_t index)
{
    const akin_pool *pool = &c->labelling->pool;
    const akin_labelled_pair *answer = &c->labelling->answers[index];
    const uint64_t place = c->places[index];
    if (place == pool->count || answer->answer == AKIN_ANSWER_UNSURE)
        return;
    memcpy(c->levels + (uint64_t)c->answered * pool->comparisons, pool->levels + place * pool->comparisons,
           pool->comparisons);
    c->is_match[c->answered] = answer->answer == AKIN_ANSWER_YES;
    c->rarity[c->answered] = pool->pairs[place].rarity;
    c->given[c->answered++] = c->one ? akin_labelling_given(&c->index, index, pool->pairs[place].given) : 0;
}

/* Takes the answers, and fits the weights to them. */
static akin_status weigh(choice *c, akin_error *error)
{
    const akin_pool *pool = &c->labelling->pool;
    memcpy(c->models, pool->models, pool->comparisons * sizeof *c->models);
    c->model = pool->model;
    c->model.comparisons = c->models;
    c->answered = 0;
    settle(c);
    for (uint64_t i = 0; i < c->labelling->count; i++)
        take_answer(c, i);
    akin_refit refit = {.scope = c->scope,
                        .account = c->account,
                        .prior = pool->prior,
                        .count = c->answered,
                        .levels = c->levels,
                        .rarity = c->rarity,
                        .given = c->given,
                        .is_match = c->is_match,
                        .near = NEAR};
    const akin_status status = c->answered > 0 ? akin_refit_run(&refit, &c->model, error) : AKIN_OK;
    const double prior = pool->prior + (c->model.offset - pool->model.offset);
    for (uint64_t i = 0; i < pool->count && status == AKIN_OK; i++) {
        const akin_pool_pair *pair = &pool->pairs[i];
        const double weights = akin_level_weights(&c->model, pool->levels + i * pool->comparisons);
        const double rarity = (1 + c->model.rareness) * pair->rarity;
        c->alone[i] = prior + c->model.tempering * (weights + rarity);
        c->odds[i] = c->alone[i] + (c->one ? pair->given : 0);
    }
    return status;
}

/* Fits the weights to the answers, and then, if they show that records have many partners, once more. */
static akin_status weigh_all(choice *c, akin_error *error)
{
    const akin_pool *pool = &c->labelling->pool;
    const akin_status status = weigh(c, error);
    if (status != AKIN_OK || !pool->one || pool->is_told)
        return status;
    c->rivals = akin_labelling_judge_rivals(&c->index, c->places, c->alone);
    c->one = c->rivals != AKIN_RIVALS_SHOW_MANY;
    return c->one ? AKIN_OK : weigh(c, error);
}

static double probability_of(double odds)
{
    return 1 / (1 + akin_exponential(-odds));
}

static double doubt_of(double odds)
{
    const double p = probability_of(odds);
    return p * (1 - p);
}

static uint64_t find_doubt(const choice *c)
{
    const uint64_t count = c->labelling->pool.count;
    uint64_t best = count;
    double most = -1;
    for (uint64_t i = 0; i < count; i++) {
        const double doubt = c->is_settled[i] ? -1 : doubt_of(c->odds[i]);
        if (doubt > most) {
            most = doubt;
            best = i;
        }
    }
    return best;
}

/* Draws a pair by its chances; pool.count: none has any. */
static uint64_t draw(const choice *c)
{
    const uint64_t count = c->labelling->pool.count;
    uint64_t drawn = count;
    double sum = 0;
    akin_random random;
    akin_random_seed(&random, c->labelling->count);
    for (uint64_t i = 0; i < count; i++)
        sum += c->chances[i];
    double at = akin_random_unit(&random) * sum;
    for (uint64_t i = 0; i < count && at >= 0; i++) {
        if (c->chances[i] > 0)
            drawn = i;
        at -= c->chances[i];
    }
    return drawn;
}

static uint64_t draw_share(choice *c)
{
    for (uint64_t i = 0; i < c->labelling->pool.count; i++)
        c->chances[i] = c->is_settled[i] ? 0 : doubt_of(c->odds[i]) * c->labelling->pool.pairs[i].weight;
    return draw(c);
}

static uint64_t draw_probe(choice *c, int of_matches)
{
    for (uint64_t i = 0; i < c->labelling->pool.count; i++) {
        const double odds = c->odds[i];
        const int is_sure = of_matches ? odds > SURE : odds < -SURE && odds > UNLIKELY;
        c->chances[i] = is_sure && !c->is_settled[i] ? c->labelling->pool.pairs[i].weight : 0;
    }
    return draw(c);
}

/* Whether the next question may be about a rival. */
static int has_rivals(const choice *c)
{
    return c->one && !c->labelling->pool.is_told && c->rivals == AKIN_RIVALS_SHOW_NOTHING;
}

/* *chosen: the next pair; pool.count: there is none. */
static akin_status choose(choice *c, uint64_t *chosen, akin_error *error)
{
    const akin_pool *pool = &c->labelling->pool;
    const uint64_t asked = c->labelling->count;
    akin_status status = AKIN_OK;
    *chosen = pool->count;
    if (asked % PROBES == PROBES - 1)
        *chosen = draw_probe(c, asked / PROBES % 2 == 0);
    if (asked % PROBES == RIVALS - 1 && has_rivals(c))
        status = akin_labelling_find_rival(&c->index, c->is_answered, c->alone, chosen, error);
    if (*chosen == pool->count && asked % 2 == 0)
        *chosen = draw_share(c);
    if (*chosen == pool->count)
        *chosen = find_doubt(c);
    return status;
}

akin_status akin_labelling_find_many(const akin_labelling *labelling, const akin_scope *scope, akin_account *account,
                                     int *are_many, akin_error *error)
{
    choice c;
    *are_many = 0;
    if (!labelling->pool.one || labelling->pool.is_told || labelling->count == 0)
        return AKIN_OK;
    akin_status status = begin(&c, labelling, scope, account, error);
    if (status == AKIN_OK)
        status = weigh_all(&c, error);
    *are_many = status == AKIN_OK && labelling->pool.one && !c.one;
    clear(&c);
    return status;
}

akin_status akin_labelling_next(akin_labelling *labelling, akin_scored_pair *out, int *is_there, akin_error *error)
{
    const akin_pool *pool = &labelling->pool;
    choice c;
    uint64_t chosen = pool->count;
    *is_there = 0;
    if (pool->comparisons == 0)
        return akin_fail(error, AKIN_E_OPTION, "no job has used the labelling: its pairs are those to ask about");
    akin_status status = begin(&c, labelling, NULL, NULL, error);
    if (status == AKIN_OK)
        status = weigh_all(&c, error);
    if (status == AKIN_OK)
        status = choose(&c, &chosen, error);
    if (status == AKIN_OK && chosen < pool->count) {
        *out = (akin_scored_pair){pool->pairs[chosen].left, pool->pairs[chosen].right, probability_of(c.odds[chosen])};
        *is_there = 1;
    }
    clear(&c);
    return status;
}
