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

#define MARGIN 1e-6 /* in nats: so inexact is the least weight */

static const char what[] = "the pairs that compete";

/* Pairs of whole tables as an estimate takes them. They have no levels. */
typedef struct competition {
    akin_level_pairs pairs;
    akin_fellegi_sunter model;
    akin_estimate estimate;
} competition;

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

akin_status akin_competition_check(const akin_dedupe_job *job, akin_error *error)
{
    uint32_t rows[2];
    const akin_model_content *content = &job->options.model->content;
    if (akin_population_rows(&job->options, &job->records, rows) == 1 || content->has_caps || content->learnt == 0)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "the model has no \"caps\", which a link of parts of tables needs where a record has one partner: "
                     "learn the model anew, from two tables, with one_to_one");
}

akin_status akin_competition_list(akin_training *training, const double *weights, akin_error *error)
{
    akin_training *e = training;
    akin_dedupe_job *j = e->job;
    const akin_model_content *content = &j->options.model->content;
    const akin_ratio given = j->options.threshold;
    const double threshold = given.num > 0 ? akin_ratio_value(given) : content->threshold;
    competition c;
    uint32_t rows[2];
    uint64_t *numbers = NULL, count = 0;
    akin_population_rows(&j->options, &j->records, rows);
    begin(j->scope, &j->account, content, rows, &c);
    const double least = akin_logarithm_of(threshold < AKIN_ODDS_FAINT ? threshold : AKIN_ODDS_FAINT) -
                         akin_estimate_prior(&c.estimate, &c.model) - MARGIN;
    akin_status status =
        akin_reaching_list(j->scope, &j->account, weights, e->pairs.count, least, &numbers, &count, NULL, error);
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

/* Whether a pair is of these rows, and behind the one before. */
static int is_next(const akin_scored_pair *pairs, uint64_t at, const uint32_t rows[2])
{
    const akin_scored_pair *pair = &pairs[at], *before = at > 0 ? pair - 1 : NULL;
    const int is_behind =
        !before || pair->left > before->left || (pair->left == before->left && pair->right > before->right);
    const int is_there = pair->left < rows[0] &&
                         (rows[1] > 0 ? pair->right < rows[1] : pair->right < rows[0] && pair->left < pair->right);
    return is_behind && is_there && pair->similarity >= -1e6 && pair->similarity <= 1e6;
}

/* Takes the pairs, and sets `numbers`; `rows` become those up to the last one of a pair. */
static akin_status take_pairs(const akin_scope *scope, const akin_scored_pair *pairs, uint64_t count, uint32_t rows[2],
                              together *t, uint64_t *numbers, akin_error *error)
{
    const uint32_t given[2] = {rows[0], rows[1]};
    rows[0] = rows[1] = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!is_next(pairs, i, given))
            return akin_fail(
                error, AKIN_E_OPTION,
                "pair %llu: expected pairs of rows of tables of %u and %u, sorted, each once, whose weight "
                "is a number",
                (unsigned long long)i, given[0], given[1]);
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
    for (uint64_t i = 0; i < *count; i++)
        pairs[i].similarity = akin_caps_lower(caps, t->weights[i], t->probabilities[i]);
    drop(threshold < AKIN_MATCHING_LEAST ? threshold : AKIN_MATCHING_LEAST, pairs, numbers, count);
    for (uint64_t i = 0; i < *count; i++)
        t->billionths[i] = akin_billionths_of(pairs[i].similarity);
    if (!akin_matching_choose(c->estimate.account, pairs, t->billionths, numbers, count, c->pairs.rows[0],
                              c->pairs.rows[1]))
        return akin_fail_memory(error, what);
    drop(threshold, pairs, numbers, count);
    return AKIN_OK;
}

akin_status akin_dedupe_model_match(akin_context *context, const akin_dedupe_model *model, const uint32_t rows[2],
                                    akin_ratio threshold, akin_scored_pair *pairs, uint64_t *numbers, uint64_t *count,
                                    akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    const akin_model_content *content = &model->content;
    const double least = threshold.num > 0 ? akin_ratio_value(threshold) : content->threshold;
    akin_account account;
    competition c;
    together t = {NULL};
    if ((uint64_t)rows[0] + rows[1] >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "tables of %u and %u records: expected fewer than %u together", rows[0],
                         rows[1], UINT32_MAX);
    if (threshold.num > 0 && (threshold.den == 0 || threshold.num > threshold.den))
        return akin_fail(error, AKIN_E_OPTION, "a threshold of %u/%u: expected at most 1", threshold.num,
                         threshold.den);
    akin_account_begin(&account, scope);
    begin(scope, &account, content, rows, &c);
    const double odds = akin_estimate_odds(&c.estimate, &c.model);
    akin_status status = make_together(&account, *count, &t) ? AKIN_OK : akin_fail_memory(error, what);
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
