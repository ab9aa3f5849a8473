/* Logistic regression by coordinate descent, each step within a region in which it cannot overshoot (A. Genkin, D. D.
 * Lewis, D. Madigan, Large-Scale Bayesian Logistic Regression for Text Categorization, Technometrics 49, 2007). */
#include "learn/refit.h"

#include "base/elementary.h"

#include <math.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define ROUNDS 2000
#define REGION 1.0  /* the first step, at most */
#define TRUSTS 50   /* how often the trust in the answers is found anew, at most, */
#define CLOSE  1e-5 /* and no more once no answer's trust changes by as much */
#define BATCH  256  /* pairs whose exponentials are computed together */
#define REPORT 65536

/* A number that is fitted. */
typedef struct parameter {
    double value, mean, precision; /* the prior: its mean, and 1 over its variance */
    double least;
    double region; /* the next step, at most */
} parameter;

/* The weights of a comparison, or those where the parent agrees. Its pairs are sorted by falling level, so the first
 * `reaching[l]` ones have level l or a higher one. */
typedef struct block {
    uint32_t comparison;
    int is_given;
    parameter steps[AKIN_LEVELS_MOST]; /* the weight at level 0, and steps from there */
    uint32_t reaching[AKIN_LEVELS_MOST];
    const uint32_t *pairs;
} block;

typedef struct fit {
    const akin_refit *refit;
    const akin_fellegi_sunter *model;
    parameter offset, rareness;
    block *blocks; /* two a comparison; the second one is of pairs that agree in the parent */
    uint32_t *pairs;
    double *odds;          /* logarithms, of each pair */
    double *probabilities; /* of each pair */
    double *rarity;        /* of each pair, tempered */
    double *trust;         /* of each pair: the probability that its answer is no mistake */
    double largest;        /* step of the round */
    uint64_t passed;       /* pairs since the caller could cancel */
    uint32_t rounds;
    akin_status status; /* AKIN_E_CANCELLED: nothing goes on */
} fit;

static parameter parameter_of(double mean, double deviation, double least)
{
    return (parameter){mean, mean, 1 / (deviation * deviation), least, REGION};
}

static double probability_of(double odds)
{
    return 1 / (1 + akin_exponential(-odds));
}

/* ------------------------------------------------------------------------------------------------------------ begin */

static const double *weights_of(const fit *f, const block *b)
{
    const akin_level_model *model = &f->model->comparisons[b->comparison];
    return b->is_given ? model->weights_given : model->weights;
}

static void begin_steps(const fit *f, block *b)
{
    const akin_level_model *model = &f->model->comparisons[b->comparison];
    const double *weights = weights_of(f, b);
    for (uint32_t l = 0; l < model->levels; l++) {
        const double before = l > 0 ? weights[l - 1] : 0, step = f->model->tempering * (weights[l] - before);
        const double share = AKIN_REFIT_SHARE * step;
        const double deviation = model->is_idle ? AKIN_REFIT_IDLE
                                 : l == 0       ? AKIN_REFIT_FIRST
                                                : sqrt(AKIN_REFIT_STEP * AKIN_REFIT_STEP + share * share);
        b->steps[l] = parameter_of(step, deviation, l == 0 ? -INFINITY : 0);
    }
}

/* Sorts the pairs of a block by falling level, at `to`; returns how many there are. */
static uint32_t sort_pairs(const fit *f, block *b, uint32_t *to)
{
    const uint32_t comparisons = f->model->count;
    uint32_t at = 0;
    b->pairs = to;
    for (uint32_t l = f->model->comparisons[b->comparison].levels; l-- > 0;) {
        for (uint32_t i = 0; i < f->refit->count; i++) {
            const uint8_t *levels = f->refit->levels + (uint64_t)i * comparisons;
            if ((levels[b->comparison] & AKIN_LEVEL) == l &&
                akin_level_is_given(f->model, b->comparison, levels) == b->is_given)
                to[at++] = i;
        }
        b->reaching[l] = at;
    }
    return at;
}

static akin_status begin(fit *f, akin_error *error)
{
    const akin_refit *r = f->refit;
    uint64_t at = 0;
    f->offset = parameter_of(0, AKIN_REFIT_OFFSET, -INFINITY);
    f->rareness = parameter_of(f->model->rareness, AKIN_REFIT_RARENESS, -1);
    f->blocks = akin_alloc_zero(r->account, 2 * (uint64_t)f->model->count, sizeof *f->blocks);
    f->pairs = akin_alloc(r->account, (uint64_t)r->count * f->model->count, sizeof *f->pairs);
    f->odds = akin_alloc(r->account, r->count, sizeof *f->odds);
    f->probabilities = akin_alloc(r->account, r->count, sizeof *f->probabilities);
    f->rarity = akin_alloc(r->account, r->count, sizeof *f->rarity);
    f->trust = akin_alloc(r->account, r->count, sizeof *f->trust);
    if (!f->blocks || !f->pairs || !f->odds || !f->probabilities || !f->rarity || !f->trust)
        return akin_fail_memory(error, "the answers");
    for (uint32_t i = 0; i < 2 * f->model->count; i++) {
        f->blocks[i].comparison = i / 2;
        f->blocks[i].is_given = i % 2;
        begin_steps(f, &f->blocks[i]);
        at += sort_pairs(f, &f->blocks[i], f->pairs + at);
    }
    for (uint32_t i = 0; i < r->count; i++)
        f->rarity[i] = f->model->tempering * r->rarity[i];
    return AKIN_OK;
}

/* Goes back to the model that was learnt without answers. */
static void begin_again(fit *f)
{
    const akin_refit *r = f->refit;
    parameter *const others[] = {&f->offset, &f->rareness};
    for (uint32_t i = 0; i < 2; i++)
        *others[i] = (parameter){others[i]->mean, others[i]->mean, others[i]->precision, others[i]->least, REGION};
    for (uint32_t i = 0; i < 2 * f->model->count; i++)
        begin_steps(f, &f->blocks[i]);
    for (uint32_t i = 0; i < r->count; i++) {
        f->odds[i] = r->prior + r->given[i] + (1 + f->model->rareness) * f->rarity[i] +
                     f->model->tempering * akin_level_weights(f->model, r->levels + (uint64_t)i * f->model->count);
        f->probabilities[i] = probability_of(f->odds[i]);
    }
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

/* The pairs that a parameter counts for: the first `count` of `pairs`, or of all, if that is NULL. It is a part of
 * their odds, multiplied by `factors` of the pairs, unless that is NULL. */
typedef struct concerned {
    const uint32_t *pairs;
    uint32_t count;
    const double *factors;
} concerned;

static uint32_t pair_of(const concerned *some, uint32_t at)
{
    return some->pairs ? some->pairs[at] : at;
}

static double factor_of(const concerned *some, uint32_t pair)
{
    return some->factors ? some->factors[pair] : 1;
}

static uint32_t batch_from(const concerned *some, uint32_t first)
{
    return some->count - first < BATCH ? some->count - first : BATCH;
}

/* Adds the slope of the function, and a bound of its curvature: the largest slope of the probability where the
 * logarithm of the odds differs by the region at most, which is 1 / (2 + e + 1 / e). */
static void add_slopes(const fit *f, const concerned *some, double region, double *gradient, double *curvature)
{
    double e[BATCH];
    for (uint32_t first = 0, now; first < some->count; first += now) {
        now = batch_from(some, first);
        for (uint32_t i = 0; i < now; i++) {
            const uint32_t pair = pair_of(some, first + i);
            e[i] = fmax(0, fabs(f->odds[pair]) - fabs(factor_of(some, pair)) * region);
        }
        akin_exponentials(e, now);
        for (uint32_t i = 0; i < now; i++) {
            const uint32_t pair = pair_of(some, first + i);
            const double factor = factor_of(some, pair);
            *gradient += f->trust[pair] * factor * (f->probabilities[pair] - f->refit->is_match[pair]);
            *curvature += f->trust[pair] * factor * factor * (1 / (2 + e[i] + 1 / e[i]));
        }
    }
}

static void move_odds(fit *f, const concerned *some, double step)
{
    double e[BATCH];
    for (uint32_t first = 0, now; first < some->count; first += now) {
        now = batch_from(some, first);
        for (uint32_t i = 0; i < now; i++) {
            const uint32_t pair = pair_of(some, first + i);
            f->odds[pair] += step * factor_of(some, pair);
            e[i] = -f->odds[pair];
        }
        akin_exponentials(e, now);
        for (uint32_t i = 0; i < now; i++)
            f->probabilities[pair_of(some, first + i)] = 1 / (1 + e[i]);
    }
}

/* Improves a parameter. */
static akin_status improve(fit *f, parameter *p, concerned some)
{
    double gradient = (p->value - p->mean) * p->precision, curvature = p->precision;
    add_slopes(f, &some, p->region, &gradient, &curvature);
    double step = fmax(-p->region, fmin(p->region, -gradient / curvature));
    step = fmax(step, p->least - p->value);
    p->region = fmax(2 * fabs(step), p->region / 2);
    if (step != 0) {
        p->value += step;
        move_odds(f, &some, step);
        f->largest = fmax(f->largest, fabs(step));
    }
    f->passed += some.count;
    if (f->passed < REPORT || !f->refit->scope)
        return AKIN_OK;
    f->passed = 0;
    return akin_scope_report(f->refit->scope, NULL, 0, 0);
}

static akin_status improve_all(fit *f)
{
    f->largest = 0;
    akin_status status = improve(f, &f->offset, (concerned){NULL, f->refit->count, NULL});
    if (status == AKIN_OK)
        status = improve(f, &f->rareness, (concerned){NULL, f->refit->count, f->rarity});
    for (uint32_t i = 0; i < 2 * f->model->count && status == AKIN_OK; i++) {
        block *b = &f->blocks[i];
        const uint32_t levels = f->model->comparisons[b->comparison].levels;
        for (uint32_t l = 0; l < levels && b->reaching[l] > 0 && status == AKIN_OK; l++)
            status = improve(f, &b->steps[l], (concerned){b->pairs, b->reaching[l], NULL});
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ trust */

/* The fit with the trust as it is. */
static void descend(fit *f)
{
    const double near = f->refit->near > 0 ? f->refit->near : AKIN_REFIT_NEAR;
    f->largest = INFINITY;
    for (uint32_t round = 0; round < ROUNDS && f->largest > near && f->status == AKIN_OK; round++, f->rounds++)
        f->status = improve_all(f);
}

/* The probability of an answer, if it is right. */
static double likelihood_of(const fit *f, uint32_t pair)
{
    return f->refit->is_match[pair] ? f->probabilities[pair] : 1 - f->probabilities[pair];
}

/* Finds the trust anew. Returns the largest change. */
static double find_trust(fit *f)
{
    double largest = 0;
    for (uint32_t i = 0; i < f->refit->count; i++) {
        const double right = (1 - AKIN_REFIT_MISTAKES) * likelihood_of(f, i);
        const double trust = right / (right + AKIN_REFIT_MISTAKES / 2);
        largest = fmax(largest, fabs(trust - f->trust[i]));
        f->trust[i] = trust;
    }
    return largest;
}

/* The fit and the trust depend on one another: EM, which never raises the cost. */
static void settle(fit *f)
{
    double change = 1;
    for (uint32_t i = 0; i < TRUSTS && change > CLOSE && f->status == AKIN_OK; i++) {
        descend(f);
        change = find_trust(f);
    }
}

static double cost_of_parameter(const parameter *p)
{
    return (p->value - p->mean) * (p->value - p->mean) * p->precision / 2;
}

/* What the fit costs: the negative logarithm of its probability. */
static double cost_of(const fit *f)
{
    double cost = cost_of_parameter(&f->offset) + cost_of_parameter(&f->rareness);
    for (uint32_t i = 0; i < 2 * f->model->count; i++)
        for (uint32_t l = 0; l < f->model->comparisons[i / 2].levels; l++)
            cost += cost_of_parameter(&f->blocks[i].steps[l]);
    for (uint32_t i = 0; i < f->refit->count; i++)
        cost -= akin_logarithm_of((1 - AKIN_REFIT_MISTAKES) * likelihood_of(f, i) + AKIN_REFIT_MISTAKES / 2);
    return cost;
}

/* Fits from one of two beginnings: all answers are right, or the model without answers is, which doubts some. */
static void settle_from(fit *f, int is_doubting)
{
    begin_again(f);
    for (uint32_t i = 0; i < f->refit->count; i++)
        f->trust[i] = 1;
    if (is_doubting)
        find_trust(f);
    settle(f);
}

/* The cheaper of the two fits. */
static void settle_best(fit *f)
{
    settle_from(f, 1);
    const double doubting = cost_of(f);
    settle_from(f, 0);
    if (doubting < cost_of(f))
        settle_from(f, 1);
}

/* -------------------------------------------------------------------------------------------------------------- end */

static void take(const fit *f, akin_fellegi_sunter *model)
{
    for (uint32_t i = 0; i < 2 * model->count; i++) {
        const block *b = &f->blocks[i];
        akin_level_model *own = &model->comparisons[b->comparison];
        double *weights = b->is_given ? own->weights_given : own->weights, sum = 0;
        for (uint32_t l = 0; l < own->levels; l++) {
            sum += b->steps[l].value;
            weights[l] = sum / model->tempering;
        }
    }
    model->offset += f->offset.value;
    model->rareness = f->rareness.value;
}

akin_status akin_refit_run(akin_refit *refit, akin_fellegi_sunter *model, akin_error *error)
{
    fit f = {.refit = refit, .model = model};
    akin_status status = begin(&f, error);
    if (status == AKIN_OK) {
        settle_best(&f);
        status = f.status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, f.status, "the answers");
    }
    if (status == AKIN_OK) {
        take(&f, model);
        for (uint32_t i = 0; i < refit->count && refit->trust; i++)
            refit->trust[i] = f.trust[i];
    }
    refit->rounds = f.rounds;
    akin_free(f.blocks);
    akin_free(f.pairs);
    akin_free(f.odds);
    akin_free(f.probabilities);
    akin_free(f.rarity);
    akin_free(f.trust);
    return status;
}
