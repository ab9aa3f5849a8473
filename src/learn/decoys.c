/* Probabilities by decoys: a logistic model is fitted to items and decoys by Newton's method, again and again. */
#include "learn/decoys.h"

#include <math.h>

#include "base/bits.h"
#include "base/budget.h"
#include "base/elementary.h"
#include "base/parallel.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define TERMS        (AKIN_DECOY_MEASURES + 1) /* of the model: a constant, and the measures */
#define ITEMS        16384                     /* that the model is fitted to, at most, */
#define DECOYS       3000                      /* and decoys */
#define ROUNDS       10
#define FIRST_STEPS  8    /* of Newton's method, at first */
#define STEPS        3    /* and in each round */
#define RIDGE        2    /* what a weight costs: half of this, times its square */
#define TEMPERATURE  0.7  /* what evidence is multiplied by */
#define SHARE        0.56 /* of the logarithm of the odds by which decoys outnumber wrong items */
#define FARTHEST     30   /* the largest logit, so that no item is certain */
#define NEARLY_RIGHT 1e-3 /* wrong items that there are at least */

static const char what[] = "the probabilities of the joins";

/* Rows that the model is fitted to: every so many of a list. */
typedef struct sample {
    const double *rows;
    uint64_t count, step;
} sample;

/* The model: terms are standardised, [0] is the constant. */
typedef struct model {
    uint32_t terms;
    double means[TERMS], scales[TERMS], weights[TERMS];
} model;

typedef struct fitting {
    model model;
    sample items, decoys;
    double *right; /* of each sampled item its probability */
} fitting;

static sample sample_of(const double *rows, uint64_t count, uint64_t most)
{
    const uint64_t step = akin_max_u64(1, count / most);
    return (sample){rows, akin_ceil_div(count, step), step};
}

static const double *row_of(const sample *s, const model *m, uint64_t at)
{
    return s->rows + at * s->step * (m->terms - 1);
}

static void read_terms(const model *m, const double *row, double terms[TERMS])
{
    terms[0] = 1;
    for (uint32_t t = 1; t < m->terms; t++)
        terms[t] = (row[t - 1] - m->means[t]) * m->scales[t];
}

static double logit_of(const model *m, const double terms[TERMS])
{
    double sum = 0;
    for (uint32_t t = 0; t < m->terms; t++)
        sum += m->weights[t] * terms[t];
    return sum;
}

static double probability_of(double logit)
{
    const double kept = logit > FARTHEST ? FARTHEST : logit < -FARTHEST ? -FARTHEST : logit;
    return 1 / (1 + akin_exponential(-kept));
}

/* Adds up a measure of all rows, or the squares of what it is apart from the mean. */
static double sum_term(const fitting *f, uint32_t term, int squares)
{
    const sample *const of[2] = {&f->items, &f->decoys};
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (uint64_t at = 0; at < of[i]->count; at++) {
            const double value = row_of(of[i], &f->model, at)[term - 1] - f->model.means[term];
            sum += squares ? value * value : value;
        }
    return sum;
}

/* Standardises: each measure has mean 0 and variance 1, or is 0 if it is the same everywhere. */
static void standardise(fitting *f)
{
    const double rows = (double)(f->items.count + f->decoys.count);
    for (uint32_t t = 1; t < f->model.terms; t++) {
        f->model.means[t] = sum_term(f, t, 0) / rows;
        const double variance = sum_term(f, t, 1) / rows;
        f->model.scales[t] = variance > 1e-18 ? 1 / sqrt(variance) : 0;
    }
}

/* ------------------------------------------------------------------------------------------------------------ steps */

/* The gradient, and the lower half of the matrix of second derivatives. */
typedef struct slope {
    double gradient[TERMS], curvature[TERMS][TERMS];
} slope;

/* Adds a row that counts `weight` times, and is right with probability `right`. */
static void add_row(const model *m, const double *row, double right, double weight, slope *out)
{
    double terms[TERMS];
    read_terms(m, row, terms);
    const double p = probability_of(logit_of(m, terms));
    for (uint32_t i = 0; i < m->terms; i++) {
        out->gradient[i] += weight * (right - p) * terms[i];
        for (uint32_t j = 0; j <= i; j++)
            out->curvature[i][j] += weight * p * (1 - p) * terms[i] * terms[j];
    }
}

/* Solves curvature x = gradient by Cholesky's decomposition, in place; the matrix is positive by the ridge. */
static void solve(slope *s, uint32_t terms, double x[TERMS])
{
    double(*a)[TERMS] = s->curvature;
    for (uint32_t i = 0; i < terms; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (uint32_t k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    for (uint32_t i = 0; i < terms; i++) {
        x[i] = s->gradient[i];
        for (uint32_t k = 0; k < i; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (uint32_t i = terms; i-- > 0;) {
        for (uint32_t k = i + 1; k < terms; k++)
            x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
}

/* Fits the model by some steps; all decoys together count as much as all items. */
static void fit(fitting *f, int steps)
{
    model *m = &f->model;
    const double weight = (double)f->items.count / (double)f->decoys.count;
    for (int step = 0; step < steps; step++) {
        slope s = {{0}, {{0}}};
        double change[TERMS];
        for (uint64_t i = 0; i < f->items.count; i++)
            add_row(m, row_of(&f->items, m, i), f->right[i], 1, &s);
        for (uint64_t i = 0; i < f->decoys.count; i++)
            add_row(m, row_of(&f->decoys, m, i), 0, weight, &s);
        for (uint32_t t = 0; t < m->terms; t++) {
            s.gradient[t] -= t > 0 ? RIDGE * m->weights[t] : 0;
            s.curvature[t][t] += RIDGE;
        }
        solve(&s, m->terms, change);
        for (uint32_t t = 0; t < m->terms; t++)
            m->weights[t] += change[t];
    }
}

/* ---------------------------------------------------------------------------------------------------- probabilities */

/* What is added to the logits, as there are no decoys among the items: the model takes them for wrong ones. */
static double odds_of_decoys(const fitting *f)
{
    double wrong = NEARLY_RIGHT;
    for (uint64_t i = 0; i < f->items.count; i++)
        wrong += 1 - f->right[i];
    return SHARE * akin_logarithm_of(((double)f->items.count + wrong) / wrong);
}

static double judge(const model *m, const double *row, double temperature, double added)
{
    double terms[TERMS];
    read_terms(m, row, terms);
    return probability_of(logit_of(m, terms) * temperature + added);
}

static void judge_sample(fitting *f, double temperature, double added)
{
    for (uint64_t i = 0; i < f->items.count; i++)
        f->right[i] = judge(&f->model, row_of(&f->items, &f->model, i), temperature, added);
}

akin_status akin_decoys_run(const akin_scope *scope, akin_account *account, const akin_decoys *decoys,
                            double *probabilities, akin_error *error)
{
    fitting f = {.model = {.terms = decoys->measures + 1},
                 .items = sample_of(decoys->items, decoys->item_count, ITEMS),
                 .decoys = sample_of(decoys->decoys, decoys->decoy_count, DECOYS)};
    double added = 0;
    akin_status status = AKIN_OK;
    for (uint64_t i = 0; i < decoys->item_count; i++)
        probabilities[i] = 0;
    if (decoys->item_count == 0 || decoys->decoy_count == 0)
        return AKIN_OK;
    f.right = akin_alloc(account, f.items.count, sizeof *f.right);
    if (!f.right)
        return akin_fail_memory(error, what);
    for (uint64_t i = 0; i < f.items.count; i++)
        f.right[i] = 1;
    standardise(&f);
    fit(&f, FIRST_STEPS);
    judge_sample(&f, 1, 0);
    for (int round = 0; round < ROUNDS && status == AKIN_OK; round++) {
        fit(&f, STEPS);
        added = odds_of_decoys(&f);
        judge_sample(&f, TEMPERATURE, added);
        status = akin_scope_report(scope, NULL, 0, 0);
    }
    for (uint64_t i = 0; i < decoys->item_count && status == AKIN_OK; i++) {
        probabilities[i] = judge(&f.model, decoys->items + i * decoys->measures, TEMPERATURE, added);
        status = akin_is_stopped(scope, i) ? AKIN_E_CANCELLED : AKIN_OK;
    }
    akin_free(f.right);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}
