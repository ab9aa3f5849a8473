/* Pairs that compete: those of a part of tables, and all of them together. */
#include "dedupe/competition.h"

#include "base/context.h"
#include "base/elementary.h"
#include "base/options.h"
#include "dedupe/matching.h"
#include "dedupe/model.h"
#include "dedupe/population.h"
#include "learn/estimate.h"
#include "learn/reaching.h"

#include <float.h>
#include <math.h>

#define MARGIN 1e-6 /* in nats: so inexact is the least weight */

static const char what[] = "the pairs that compete";

/* Pairs of whole tables as an estimate takes them. They have no levels. */
typedef struct competition {
    akin_level_pairs pairs;
    akin_fellegi_sunter model;
    akin_estimate estimate;
} competition;

akin_status akin_competition_check(const akin_model_content *content, uint32_t tables, akin_error *error)
{
    if (tables == 1 || content->has_caps || content->learnt == 0)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "the model has no \"caps\", which a link of parts of tables needs where a record has one partner: "
                     "learn another model from two tables, with one_to_one");
}

/* `c` must not move as long as it is used. */
static void begin(const akin_scope *scope, akin_account *account, const akin_model_content *content,
                  const uint32_t rows[2], competition *c)
{
    const uint64_t left = rows[0], right = rows[1];
    const uint32_t tables = right > 0 ? 2 : 1;
    *c = (competition){.pairs = {.all = right > 0  ? left * right
                                        : left > 0 ? left * (left - 1) / 2
                                                   : 0,
                                 .tables = tables,
                                 .rows = {rows[0], rows[1]}},
                       .model = {.tempering = content->tempering,
                                 .offset = content->offset,
                                 .rareness = content->rareness,
                                 .expected = akin_model_expected(content, tables, rows)}};
    c->estimate = (akin_estimate){.scope = scope,
                                  .account = account,
                                  .way = tables == 2 ? AKIN_POSTERIOR_MATCHING : AKIN_POSTERIOR_COMPETITION,
                                  .pairs = &c->pairs};
}

/* ------------------------------------------------------------------------------------------------------------- part */

/* The least weight of pairs with these odds, or a lower one. Of models with extreme numbers it is that of all pairs. */
static double least_weight(const competition *c, double odds)
{
    const double before = akin_estimate_odds(&c->estimate, &c->model);
    return before >= DBL_MIN ? akin_logarithm_of(odds) - akin_logarithm_of(before) - MARGIN : -INFINITY;
}

akin_status akin_competition_list(akin_training *training, const double *weights, akin_error *error)
{
    akin_training *e = training;
    akin_dedupe_job *j = e->job;
    const akin_model_content *content = &j->options.model->content;
    const double threshold = akin_model_threshold(content, j->options.threshold);
    competition c;
    uint32_t rows[2];
    uint64_t *numbers = NULL, count = 0;
    const uint32_t tables = akin_population_rows(&j->options, &j->records, rows);
    akin_status status = akin_competition_check(content, tables, error);
    if (status != AKIN_OK)
        return status;
    begin(j->scope, &j->account, content, rows, &c);
    const double least = least_weight(&c, threshold < AKIN_ODDS_FAINT ? threshold : AKIN_ODDS_FAINT);
    status = akin_reaching_list(j->scope, &j->account, weights, e->pairs.count, least, &numbers, &count, NULL, error);
    if (status == AKIN_OK)
        status = akin_training_find(e, weights, numbers, count, error);
    akin_free(numbers);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- together */

typedef struct together {
    uint32_t *left, *right; /* records: those of a right table are behind those of the left one */
    double *weights, *probabilities;
    uint32_t *billionths;
} together;

static int make_together(akin_account *account, uint64_t count, together *t)
{
    *t = (together){.left = akin_alloc(account, count, sizeof *t->left),
                    .right = akin_alloc(account, count, sizeof *t->right),
                    .weights = akin_alloc(account, count, sizeof *t->weights),
                    .probabilities = akin_alloc(account, count, sizeof *t->probabilities),
                    .billionths = akin_alloc(account, count, sizeof *t->billionths)};
    return t->left && t->right && t->weights && t->probabilities && t->billionths;
}

static void clear_together(together *t)
{
    akin_free(t->left);
    akin_free(t->right);
    akin_free(t->weights);
    akin_free(t->probabilities);
    akin_free(t->billionths);
}

/* Whether a pair is of these rows. */
static int is_there(const akin_scored_pair *pair, const uint32_t rows[2])
{
    const uint32_t left = pair->left, right = pair->right;
    return left < rows[0] && (rows[1] > 0 ? right < rows[1] : right < rows[0] && left < right);
}

/* Whether a pair is behind the one before. */
static int is_next(const akin_scored_pair *pairs, uint64_t at)
{
    if (at == 0)
        return 1;
    const akin_scored_pair *before = &pairs[at - 1], *pair = &pairs[at];
    return pair->left > before->left || (pair->left == before->left && pair->right > before->right);
}

static akin_status check_pair(const akin_scored_pair *pairs, uint64_t at, const uint32_t rows[2], akin_error *error)
{
    const unsigned long long number = at;
    if (!is_there(&pairs[at], rows))
        return akin_fail(error, AKIN_E_OPTION, "pair %llu is %u and %u: expected rows of tables of %u and %u%s", number,
                         pairs[at].left, pairs[at].right, rows[0], rows[1], rows[1] ? "" : ", the lower one first");
    if (!is_next(pairs, at))
        return akin_fail(error, AKIN_E_OPTION, "pair %llu: expected pairs that are sorted, each once", number);
    if (!(fabs(pairs[at].similarity) <= AKIN_CAPS_WEIGHT))
        return akin_fail(error, AKIN_E_OPTION, "pair %llu weighs %g: expected a number from %g to %g", number,
                         pairs[at].similarity, -AKIN_CAPS_WEIGHT, AKIN_CAPS_WEIGHT);
    return AKIN_OK;
}

/* Takes the pairs, and sets `numbers`; `rows` become those up to the last one of a pair. */
static akin_status take_pairs(const akin_scope *scope, const akin_scored_pair *pairs, uint64_t count, uint32_t rows[2],
                              together *t, uint64_t *numbers, akin_error *error)
{
    const uint32_t given[2] = {rows[0], rows[1]};
    rows[0] = rows[1] = 0;
    for (uint64_t i = 0; i < count; i++) {
        const akin_status status = check_pair(pairs, i, given, error);
        if (status != AKIN_OK)
            return status;
        uint32_t *right = &rows[given[1] > 0];
        t->left[i] = pairs[i].left;
        t->right[i] = pairs[i].right;
        rows[0] = akin_max_u32(rows[0], pairs[i].left + 1);
        *right = akin_max_u32(*right, pairs[i].right + 1);
        t->weights[i] = t->probabilities[i] = pairs[i].similarity;
        numbers[i] = i;
        if (akin_is_stopped(scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    for (uint64_t i = 0; given[1] > 0 && i < count; i++)
        t->right[i] += rows[0];
    return AKIN_OK;
}

/* Drops pairs below a probability. */
static void drop(double least, akin_scored_pair *pairs, uint64_t *numbers, uint64_t *count)
{
    uint64_t left = 0;
    for (uint64_t i = 0; i < *count; i++)
        if (pairs[i].similarity >= least) {
            pairs[left] = pairs[i];
            numbers[left++] = numbers[i];
        }
    *count = left;
}

/* Leaves the pairs that are found, with their probabilities. */
static akin_status choose(competition *c, const akin_model_content *content, double threshold, together *t,
                          akin_scored_pair *pairs, uint64_t *numbers, uint64_t *count, akin_error *error)
{
    const akin_caps none = {NULL, 0};
    const akin_caps *caps = c->pairs.tables == 2 ? &content->caps : &none;
    for (uint64_t i = 0; i < *count; i++) {
        pairs[i].similarity = akin_caps_lower(caps, t->weights[i], t->probabilities[i]);
        if (akin_is_stopped(c->estimate.scope, i))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    drop(akin_matching_least(threshold), pairs, numbers, count);
    for (uint64_t i = 0; i < *count; i++)
        t->billionths[i] = akin_billionths_of(pairs[i].similarity);
    if (!akin_matching_choose(c->estimate.account, pairs, t->billionths, numbers, count, c->pairs.rows[0],
                              c->pairs.rows[1]))
        return akin_fail_memory(error, what);
    drop(threshold, pairs, numbers, count);
    return AKIN_OK;
}

static akin_status check_match(const akin_model_content *content, const uint32_t rows[2], akin_ratio threshold,
                               uint64_t count, akin_error *error)
{
    if ((uint64_t)rows[0] + rows[1] >= UINT32_MAX || count >= UINT32_MAX)
        return akin_fail(
            error, AKIN_E_LIMIT,
            "%llu pairs of tables of %u and %u records: expected fewer than %u pairs, and records together",
            (unsigned long long)count, rows[0], rows[1], UINT32_MAX);
    if (threshold.num > 0 && !akin_is_share(threshold))
        return akin_fail(error, AKIN_E_OPTION,
                         "threshold %u/%u: expected 0 to 1, and at most 1000000000 below the line", threshold.num,
                         threshold.den);
    return akin_competition_check(content, rows[1] > 0 ? 2 : 1, error);
}

akin_status akin_dedupe_model_match(akin_context *context, const akin_dedupe_model *model, const uint32_t rows[2],
                                    akin_ratio threshold, akin_scored_pair *pairs, uint64_t *numbers, uint64_t *count,
                                    akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    const akin_model_content *content = &model->content;
    const double least = akin_model_threshold(content, threshold);
    akin_account account;
    competition c;
    together t;
    akin_status status = check_match(content, rows, threshold, *count, error);
    if (status != AKIN_OK)
        return status;
    akin_account_begin(&account, scope);
    begin(scope, &account, content, rows, &c);
    const double odds = akin_estimate_odds(&c.estimate, &c.model);
    if (!make_together(&account, *count, &t))
        status = akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = take_pairs(scope, pairs, *count, c.pairs.rows, &t, numbers, error);
    c.pairs.count = *count;
    c.pairs.left = t.left;
    c.pairs.right = t.right;
    if (status == AKIN_OK)
        status = akin_estimate_finish(&c.estimate, odds, t.probabilities, error);
    if (status == AKIN_OK)
        status = choose(&c, content, least, &t, pairs, numbers, count, error);
    clear_together(&t);
    return status;
}
