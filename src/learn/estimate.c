/* Expectation maximization. */
#include "learn/estimate.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "base/parallel.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define ROUNDS    60
#define SETTLING  5 /* times as many rounds of belief propagation, until messages hardly change */
#define TWICE     2.0
#define NO_MATCH  1.0  /* expected matches, at most, that are none */
#define UNCHANGED 1e-4 /* a change of the expected number of matches, as a share of it, that ends the search */

/* The weights of a comparison: of its levels, and of pairs that agree in the parent. A missing value weighs 0. */
typedef struct weighing {
    double weights[2][AKIN_LEVEL + 1];
    uint32_t parent, parent_top; /* the highest level there; none of the model: no level is that high */
} weighing;

typedef struct step {
    const akin_estimate *estimate;
    const akin_fellegi_sunter *model;
    double *probabilities; /* or weights, or odds */
    weighing *weighings;   /* of each comparison */
    double prior;          /* the odds of a pair before evidence */
    int are_weights;       /* weights are wanted, not odds */
    double *counts;        /* [task][1 + comparison * AKIN_LEVELS_MOST + level]: first the sum of probabilities; and all
                          * comparisons once more, of pairs that agree in the parent */
    uint64_t width;
} step;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/*
 * The odds of a pair, before its values are known, of `expected` matches. If a record has one partner at most, two
 * tables of a and b records have (a - expected) (b - expected) pairs of records without a partner.
 */
double akin_estimate_odds(const akin_estimate *estimate, const akin_fellegi_sunter *model)
{
    const akin_estimate *e = estimate;
    const double expected = model->expected;
    const akin_level_pairs *p = e->pairs;
    if (e->way != AKIN_POSTERIOR_MATCHING)
        return akin_fellegi_sunter_prior(model, p->all);
    const double least = smaller(p->rows[0], p->rows[1]) * 0.05 + 1;
    double left = p->rows[0] - expected, right = p->rows[1] - expected;
    left = left > least ? left : least;
    right = right > least ? right : least;
    return expected / (left * right) * akin_exponential(model->offset);
}

static void set_weighings(const akin_fellegi_sunter *model, weighing *weighings)
{
    for (uint32_t c = 0; c < model->count; c++) {
        const akin_level_model *from = &model->comparisons[c];
        weighing *w = &weighings[c];
        *w = (weighing){.parent = c, .parent_top = AKIN_LEVEL + 1};
        memcpy(w->weights[0], from->weights, from->levels * sizeof *from->weights);
        if (from->is_dependent) {
            w->parent = from->parent;
            w->parent_top = model->comparisons[from->parent].levels - 1;
            memcpy(w->weights[1], from->weights_given, from->levels * sizeof *from->weights_given);
        }
    }
}

/* What akin_level_weights gives. */
static double sum_weights(const weighing *weighings, uint32_t count, const uint8_t *levels)
{
    double sum = 0;
    for (uint32_t c = 0; c < count; c++) {
        const weighing *w = &weighings[c];
        const int is_given = (levels[w->parent] & AKIN_LEVEL) == w->parent_top;
        sum += w->weights[is_given][levels[c] & AKIN_LEVEL];
    }
    return sum;
}

/* Sets what some pairs weigh, in nats. */
static void set_some_weights(const step *s, uint64_t first, uint64_t count)
{
    const akin_level_pairs *pairs = s->estimate->pairs;
    const double tempering = s->model->tempering;
    double *weights = s->probabilities + first;
    float found[AKIN_RARITIES];
    const float *rarity = pairs->rarity ? pairs->rarity + first : found;
    if (!pairs->rarity)
        s->estimate->rarities(s->estimate->rarities_of, pairs, first, count, found);
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *levels = pairs->levels + (first + i) * pairs->comparisons;
        weights[i] = tempering * (sum_weights(s->weighings, pairs->comparisons, levels) + rarity[i]);
    }
}

/* Turns weights of some pairs into odds, or into probabilities if pairs do not influence one another. */
static void weights_to_odds(const step *s, double *odds, uint64_t count)
{
    akin_exponentials(odds, count);
    for (uint64_t i = 0; i < count; i++)
        odds[i] *= s->prior;
    for (uint64_t i = 0; i < count && s->estimate->way == AKIN_POSTERIOR_FREE; i++)
        odds[i] = akin_posterior_free(odds[i]);
}

/* Sets weights, odds or probabilities. */
static akin_status set_odds(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, s->estimate->pairs->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS, now; i < end; i += now) {
        now = akin_min_u64(AKIN_RARITIES, end - i);
        set_some_weights(s, i, now);
        if (!s->are_weights)
            weights_to_odds(s, s->probabilities + i, now);
    }
    return AKIN_OK;
}

static akin_status set_odds_of_weights(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const uint64_t first = task * AKIN_LEVEL_PAIRS;
    (void)thread;
    weights_to_odds(s, s->probabilities + first, akin_min_u64(AKIN_LEVEL_PAIRS, s->estimate->pairs->count - first));
    return AKIN_OK;
}

static akin_status count_levels(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_level_pairs *pairs = s->estimate->pairs;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, pairs->count);
    double *counts = s->counts + task * s->width;
    (void)thread;
    for (uint64_t i = 0; i < s->width; i++)
        counts[i] = 0;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const uint8_t *levels = pairs->levels + i * pairs->comparisons;
        const double p = s->probabilities[i] * (pairs->weights ? pairs->weights[i] : 1);
        counts[0] += p;
        for (uint32_t c = 0; c < pairs->comparisons; c++)
            if ((levels[c] & AKIN_LEVEL) != AKIN_LEVEL_MISSING) {
                const uint64_t at = 1 + c * AKIN_LEVELS_MOST + (levels[c] & AKIN_LEVEL);
                if (!(levels[c] & AKIN_LEVEL_UNTAUGHT))
                    counts[at] += p;
                if (akin_level_is_given(s->model, c, levels))
                    counts[at + (uint64_t)pairs->comparisons * AKIN_LEVELS_MOST] += p;
            }
    }
    return AKIN_OK;
}

/* Goes through all pairs. */
static akin_status for_pairs(akin_task task, step *s, akin_error *error)
{
    const akin_estimate *e = s->estimate;
    const akin_status status = akin_parallel(e->scope, NULL, akin_ceil_div(e->pairs->count, AKIN_LEVEL_PAIRS), task, s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the probabilities of pairs");
}

/* The probabilities of pairs by the model. */
static akin_status expect(step *s, akin_posterior *posterior, akin_error *error)
{
    s->prior = akin_estimate_odds(s->estimate, s->model);
    set_weighings(s->model, s->weighings);
    const akin_status status = for_pairs(set_odds, s, error);
    if (status != AKIN_OK || s->estimate->way == AKIN_POSTERIOR_FREE)
        return status;
    return akin_posterior_run(posterior, s->probabilities, error);
}

/* The counts of levels by probabilities, summed up in counts[0 ..]. */
static akin_status count_all(step *s, akin_error *error)
{
    const akin_estimate *e = s->estimate;
    const uint64_t tasks = akin_ceil_div(e->pairs->count, AKIN_LEVEL_PAIRS);
    const akin_status status = akin_parallel(e->scope, NULL, tasks, count_levels, s);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the probabilities of levels");
    for (uint64_t t = 1; t < tasks; t++)
        for (uint64_t i = 0; i < s->width; i++)
            s->counts[i] += s->counts[t * s->width + i];
    return AKIN_OK;
}

/* `counts` are those of all expected matches, and then those of matches that agree in a parent. */
static void set_all_given(akin_fellegi_sunter *model, const double *counts)
{
    for (uint32_t c = 0; c < model->count; c++)
        if (model->comparisons[c].is_dependent)
            akin_level_model_set_given(&model->comparisons[c], counts + (model->count + c) * AKIN_LEVELS_MOST);
}

static void set_all_m(akin_fellegi_sunter *model, const double *counts)
{
    for (uint32_t c = 0; c < model->count; c++)
        akin_level_model_set_m(&model->comparisons[c], counts + c * AKIN_LEVELS_MOST);
}

/* Of few pairs, matches would make most of the variance of the evidence. */
static double find_tempering(const akin_estimate *e, const akin_fellegi_sunter *model)
{
    const double prior = akin_level_pairs_are_few(e->pairs) ? akin_fellegi_sunter_prior(model, e->pairs->all) : 0;
    return akin_fellegi_sunter_tempering(model, prior, e->random, e->random_count);
}

/* Rounds until the expected number of matches stays. */
static akin_status iterate(step *s, akin_estimate *e, akin_fellegi_sunter *model, akin_posterior *posterior,
                           akin_error *error)
{
    akin_status status = AKIN_OK;
    for (e->rounds = 0; e->rounds < ROUNDS && status == AKIN_OK;) {
        const double before = model->expected;
        e->rounds++;
        status = expect(s, posterior, error);
        if (status == AKIN_OK)
            status = count_all(s, error);
        if (status != AKIN_OK)
            break;
        model->expected = (s->counts[0] > 0.5 ? s->counts[0] : 0.5) + e->beside;
        set_all_given(model, s->counts + 1);
        if (!e->is_fixed)
            set_all_m(model, s->counts + 1);
        if (e->random)
            model->tempering = find_tempering(e, model);
        const double change = model->expected > before ? model->expected - before : before - model->expected;
        if (change < UNCHANGED * model->expected)
            break;
    }
    return status;
}

/* Pairs that agree in twice as much as it takes for chance to make less than one such pair have the probability 1, as
 * two columns may say the same, and others 0. */
static akin_status set_striking(void *argument, uint64_t task, uint32_t thread)
{
    const step *s = argument;
    const akin_level_pairs *pairs = s->estimate->pairs;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, pairs->count);
    const double enough = TWICE * akin_logarithm_of((double)pairs->all);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const uint8_t *levels = pairs->levels + i * pairs->comparisons;
        double sum = pairs->rarity[i];
        for (uint32_t c = 0; c < pairs->comparisons; c++) {
            const akin_level_model *own = &s->model->comparisons[c];
            if ((levels[c] & AKIN_LEVEL) + 1u == own->levels && !own->is_idle)
                sum -= akin_logarithm_of(akin_level_is_given(s->model, c, levels) ? own->u_given[own->levels - 1]
                                                                                  : own->u[own->levels - 1]);
        }
        s->probabilities[i] = sum > enough;
    }
    return AKIN_OK;
}

/*
 * Where many columns differ between records of one entity, such as times and hashes, the m that the search begins with
 * is far from the truth, and with few matches the search ends at none. It begins once more with the m of striking
 * pairs.
 */
static akin_status begin_again(step *s, akin_estimate *e, akin_fellegi_sunter *model, akin_posterior *posterior,
                               akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(e->pairs->count, AKIN_LEVEL_PAIRS);
    akin_status status = akin_parallel(e->scope, NULL, tasks, set_striking, s);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the probabilities of pairs");
    status = count_all(s, error);
    if (status != AKIN_OK || s->counts[0] < 1)
        return status;
    const uint32_t rounds = e->rounds;
    akin_posterior_clear(posterior); /* its messages are those of the first search */
    status = akin_posterior_make(e->scope, e->account, e->way, e->pairs, posterior, error);
    model->expected = s->counts[0] + e->beside;
    set_all_given(model, s->counts + 1);
    set_all_m(model, s->counts + 1);
    model->tempering = e->random ? find_tempering(e, model) : 1;
    if (status == AKIN_OK)
        status = iterate(s, e, model, posterior, error);
    e->rounds += rounds;
    return status;
}

double akin_estimate_prior(const akin_estimate *estimate, const akin_fellegi_sunter *model)
{
    return akin_logarithm_of(akin_estimate_odds(estimate, model));
}

/* Sets weights, or without `are_weights` odds. If pairs do not influence one another, probabilities take the place of
 * odds. */
static akin_status weigh(const akin_estimate *e, const akin_fellegi_sunter *model, int are_weights, double *out,
                         akin_error *error)
{
    step s = {.estimate = e, .model = model, .probabilities = out, .are_weights = are_weights};
    s.weighings = akin_alloc(e->account, model->count, sizeof *s.weighings);
    if (!s.weighings)
        return akin_fail_memory(error, "the weights of levels");
    s.prior = akin_estimate_odds(e, model);
    set_weighings(model, s.weighings);
    const akin_status status = for_pairs(set_odds, &s, error);
    akin_free(s.weighings);
    return status;
}

/* The probabilities of pairs that influence one another, from their odds, in place. */
static akin_status settle(const akin_estimate *e, double *odds, akin_error *error)
{
    akin_posterior posterior = {0};
    akin_status status = akin_posterior_make(e->scope, e->account, e->way, e->pairs, &posterior, error);
    if (status == AKIN_OK) {
        posterior.rounds *= SETTLING;
        status = akin_posterior_run(&posterior, odds, error);
    }
    akin_posterior_clear(&posterior);
    return status;
}

akin_status akin_estimate_weigh(const akin_estimate *estimate, const akin_fellegi_sunter *model, double *weights,
                                akin_error *error)
{
    return weigh(estimate, model, 1, weights, error);
}

akin_status akin_estimate_finish(const akin_estimate *estimate, double odds, double *weights, akin_error *error)
{
    step s = {.estimate = estimate, .probabilities = weights, .prior = odds};
    const akin_status status = for_pairs(set_odds_of_weights, &s, error);
    return status == AKIN_OK && estimate->way != AKIN_POSTERIOR_FREE ? settle(estimate, weights, error) : status;
}

akin_status akin_estimate_apply(const akin_estimate *estimate, const akin_fellegi_sunter *model, double *probabilities,
                                akin_error *error)
{
    const akin_status status = weigh(estimate, model, 0, probabilities, error);
    return status == AKIN_OK && estimate->way != AKIN_POSTERIOR_FREE ? settle(estimate, probabilities, error) : status;
}

akin_status akin_estimate_run(akin_estimate *e, akin_fellegi_sunter *model, double *probabilities, akin_error *error)
{
    const akin_level_pairs *pairs = e->pairs;
    step s = {.estimate = e,
              .model = model,
              .probabilities = probabilities,
              .width = 1 + 2 * (uint64_t)pairs->comparisons * AKIN_LEVELS_MOST};
    const uint64_t tasks = akin_max_u64(1, akin_ceil_div(pairs->count, AKIN_LEVEL_PAIRS));
    akin_posterior posterior = {0};
    akin_status status = akin_posterior_make(e->scope, e->account, e->way, pairs, &posterior, error);
    s.counts = akin_alloc_zero(e->account, tasks * s.width, sizeof *s.counts);
    s.weighings = akin_alloc(e->account, model->count, sizeof *s.weighings);
    if (status == AKIN_OK && (!s.counts || !s.weighings))
        status = akin_fail_memory(error, "the probabilities of levels");
    if (status == AKIN_OK) {
        const double records = pairs->tables == 2 ? smaller(pairs->rows[0], pairs->rows[1]) : pairs->rows[0] / 4.0;
        model->expected = smaller(records / 2 + 1, (double)pairs->all / 2 + 0.5);
        model->tempering = 1;
        set_all_given(model, s.counts + 1);
        if (!e->has_m)
            set_all_m(model, s.counts + 1);
        if (e->random)
            model->tempering = find_tempering(e, model);
        status = iterate(&s, e, model, &posterior, error);
        if (status == AKIN_OK && !e->is_fixed && model->expected <= NO_MATCH)
            status = begin_again(&s, e, model, &posterior, error);
    }
    akin_free(s.counts);
    akin_free(s.weighings);
    akin_posterior_clear(&posterior);
    return status == AKIN_OK ? akin_estimate_apply(e, model, probabilities, error) : status;
}
