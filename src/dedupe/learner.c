/*
 * Learns the weights of a job from the pairs that it has gathered, or takes those of a kept model, and keeps the pairs
 * that are probable:
 *
 *     training.h     pairs become levels of similarity
 *     partners.h     how many partners a record has: of pairs that do not influence one another
 *     single.h       the model of a single column
 *     estimate.h     the model, for one partner once more; probabilities
 *     answered.h     a model that is fitted to answers
 *     kept.h         the model of the job, and one that was kept
 *     link_decoys.h   what two tables say of wrong partners, if a record has one partner
 *     matching.h     one pair for each record, if a record has one partner
 *     expected.h     the threshold
 *     completion.h   pairs inside components, which no selection has
 */
#include "dedupe/learner.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "dedupe/anchors.h"
#include "dedupe/answered.h"
#include "dedupe/completion.h"
#include "dedupe/dependence.h"
#include "dedupe/kept.h"
#include "dedupe/matching.h"
#include "dedupe/link_decoys.h"
#include "dedupe/partners.h"
#include "dedupe/single.h"
#include "graph/clusters.h"
#include "learn/estimate.h"
#include "learn/expected.h"
#include "learn/level_sample.h"
#include "learn/reaching.h"

#include <string.h>

#define ENOUGH   10.0  /* expected matches from which expected figures are compared */
#define ALONE    10.0  /* times as many matches as without it are seen by the combined columns alone */
#define TEMPERED 65536 /* pairs at random that the tempering is computed from */
#define SAMPLED  ((uint64_t)1 << 19)
#define LIKELY   0.5   /* of a single column no threshold is lower: a pair is never more likely wrong than right */
#define POSSIBLE 0.25  /* no other threshold that is chosen: below, there are three wrong pairs for a right one */
#define HOPEFUL  0.1   /* but of few records, which teach little */
#define GATHERED 65536 /* probabilities of a task */
#define FAINT    1e-6  /* no threshold is as low, unless it is given: pairs below are no candidates */

typedef akin_dedupe_job job;

typedef akin_learnt learning;

static akin_estimate estimate_of(const learning *l, akin_partners partners)
{
    const akin_training *e = &l->training;
    job *j = e->job;
    const int one = partners == AKIN_PARTNERS_ONE;
    return (akin_estimate){.scope = j->scope,
                           .account = &j->account,
                           .way = !one                     ? AKIN_POSTERIOR_FREE
                                  : j->records.tables == 2 ? AKIN_POSTERIOR_MATCHING
                                                           : AKIN_POSTERIOR_COMPETITION,
                           .pairs = &e->pairs,
                           .rarities = akin_training_rarities,
                           .rarities_of = e,
                           .random = one ? e->random : NULL,
                           .random_count = akin_min_u64(e->random_count, TEMPERED),
                           .is_fixed = j->report.learnt == 0,
                           .beside = j->report.learnt == 0 ? (double)j->equals : 0};
}

/* How many pairs weights are learnt from at most, if pairs do not influence one another. */
static uint64_t most_learnt(const job *j)
{
    const uint64_t wished = akin_wishes_of(j->scope)->learnt_pairs;
    return wished ? wished : SAMPLED;
}

/* Whether weights are learnt from a sample. */
static int is_sampled(const learning *l, akin_partners partners)
{
    return partners == AKIN_PARTNERS_MANY && l->training.pairs.count > most_learnt(l->training.job);
}

/* Sets what rare values add to all pairs, or leaves it to the one pass that needs it. */
static akin_status find_rare(learning *l, int is_one_pass, akin_error *error)
{
    akin_training *e = &l->training;
    if (is_one_pass && !e->job->options.report && !e->job->options.labelling)
        return AKIN_OK;
    return akin_training_find_rare(e, &e->pairs, error);
}

/* Chooses the pairs to learn from, which are marked: all, or a sample, which the caller clears in any case. */
static akin_status choose_pairs(learning *l, akin_partners partners, akin_level_pairs *sample,
                                const akin_level_pairs **out, akin_error *error)
{
    akin_training *e = &l->training;
    job *j = e->job;
    akin_status status = AKIN_OK;
    *out = &e->pairs;
    if (is_sampled(l, partners)) {
        *out = sample;
        status = akin_level_sample(j->scope, &j->account, &e->pairs, e->models, most_learnt(j), sample, error);
        if (status == AKIN_OK && !sample->rarity)
            status = akin_training_find_rare(e, sample, error);
        return status == AKIN_OK ? akin_training_mark(e, sample, error) : status;
    }
    if (!l->are_marked)
        status = akin_training_mark(e, &e->pairs, error);
    l->are_marked |= status == AKIN_OK;
    return status;
}

/* Learns from the estimate's pairs, and finds the probabilities of all pairs. */
static akin_status run_estimate(learning *l, akin_estimate *estimate, akin_error *error)
{
    akin_training *e = &l->training;
    if (estimate->pairs == &e->pairs)
        return akin_estimate_run(estimate, &e->model, l->probabilities, error);
    double *probabilities = akin_alloc(&e->job->account, estimate->pairs->count, sizeof *probabilities);
    akin_status status = probabilities ? akin_estimate_run(estimate, &e->model, probabilities, error)
                                       : akin_fail_memory(error, "the probabilities of pairs");
    akin_free(probabilities);
    estimate->pairs = &e->pairs;
    return status == AKIN_OK ? akin_estimate_apply(estimate, &e->model, l->probabilities, error) : status;
}

/* A record with one partner: evidence is tempered. `are_idle`: comparisons of overlapping columns weigh nothing. */
static akin_status estimate(learning *l, akin_partners partners, int are_idle, akin_error *error)
{
    akin_training *e = &l->training;
    akin_estimate estimate = estimate_of(l, partners);
    akin_level_pairs sample = {0};
    akin_training_idle(e, are_idle);
    akin_status status = find_rare(l, is_sampled(l, partners), error);
    if (status == AKIN_OK)
        status = choose_pairs(l, partners, &sample, &estimate.pairs, error);
    if (status == AKIN_OK)
        status = run_estimate(l, &estimate, error);
    akin_level_sample_clear(&sample);
    return status;
}

/* Learns from pairs that agree in a column that tells entities apart. The class that was found is not of entities. */
static akin_status estimate_anchored(learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    akin_estimate estimate = estimate_of(l, AKIN_PARTNERS_MANY);
    akin_level_pairs sample = {0};
    int are_set = 0;
    akin_status status = choose_pairs(l, AKIN_PARTNERS_MANY, &sample, &estimate.pairs, error);
    if (status == AKIN_OK)
        status = akin_training_anchor(e, &estimate, &are_set, error);
    estimate.is_fixed = estimate.has_m = 1;
    if (status == AKIN_OK && are_set)
        status = run_estimate(l, &estimate, error);
    akin_level_sample_clear(&sample);
    return status;
}

/* A model and its probabilities, to go back to. */
typedef struct kept_model {
    akin_level_model *models;
    akin_fellegi_sunter model;
    double prior, *probabilities;
} kept_model;

static akin_status keep_model(const learning *l, kept_model *out, akin_error *error)
{
    const akin_training *e = &l->training;
    akin_account *account = &e->job->account;
    out->model = e->model;
    out->models = akin_alloc(account, e->model.count, sizeof *out->models);
    out->probabilities = akin_alloc(account, e->pairs.count, sizeof *out->probabilities);
    if (!out->models || !out->probabilities)
        return akin_fail_memory(error, "the probabilities of pairs");
    memcpy(out->models, e->models, e->model.count * sizeof *out->models);
    memcpy(out->probabilities, l->probabilities, e->pairs.count * sizeof *out->probabilities);
    return AKIN_OK;
}

static akin_status restore_model(learning *l, const kept_model *from, akin_error *error)
{
    akin_training *e = &l->training;
    e->model = from->model;
    memcpy(e->models, from->models, e->model.count * sizeof *from->models);
    memcpy(l->probabilities, from->probabilities, e->pairs.count * sizeof *l->probabilities);
    return akin_training_find_rare(e, &e->pairs, error);
}

/* The largest expected F1 of the pairs, if a record has one partner. */
static akin_status expect_best(const learning *l, double *best, akin_error *error);

/* Whether the model with the comparison of combined columns is worse than that without it: by the expected F1, or if it
 * alone sees a class of matches. */
static int is_misled(const akin_fellegi_sunter *without, double best_without, const akin_fellegi_sunter *with,
                     double best_with, int has_class)
{
    if (best_without > best_with && without->expected >= ENOUGH)
        return 1;
    return !has_class && with->expected >= ENOUGH && ALONE * without->expected < with->expected;
}

/*
 * A record with one partner: a comparison of combined columns, which overlap others, counts if it raises the expected
 * F1. It finds values that moved to another column, and words in another order. But it counts other columns twice.
 * `has_class`: a class of entities was found without it, where records may have many partners.
 */
static akin_status learn_one(learning *l, int has_class, akin_error *error)
{
    akin_training *e = &l->training;
    kept_model without = {0};
    const uint32_t compared = akin_columns_compared(&e->job->options, e->job->columns);
    double best_without = 0, best_with = 0;
    akin_status status = AKIN_OK;
    if (compared == e->model.count || compared < AKIN_LEARNABLE)
        return estimate(l, AKIN_PARTNERS_ONE, 0, error);
    status = estimate(l, AKIN_PARTNERS_ONE, 1, error);
    if (status == AKIN_OK)
        status = keep_model(l, &without, error);
    if (status == AKIN_OK)
        status = expect_best(l, &best_without, error);
    if (status == AKIN_OK)
        status = estimate(l, AKIN_PARTNERS_ONE, 0, error);
    if (status == AKIN_OK)
        status = expect_best(l, &best_with, error);
    if (status == AKIN_OK && is_misled(&without.model, best_without, &e->model, best_with, has_class)) {
        status = restore_model(l, &without, error);
        e->job->report.learnt = e->job->report.learnt > 0 ? compared : 0;
    }
    akin_free(without.models);
    akin_free(without.probabilities);
    return status;
}

/* Whether weights are those of a single column. */
static int is_single(const learning *l)
{
    return akin_training_is_single(&l->training) && !l->training.job->options.one_to_one;
}

/* A single column teaches nothing: its weights are fixed. */
static akin_status weigh_single(learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    const akin_estimate estimate = estimate_of(l, AKIN_PARTNERS_MANY);
    akin_training_weigh_single(e, (double)e->job->equals);
    akin_status status = find_rare(l, 1, error);
    l->partners = AKIN_PARTNERS_MANY;
    return status == AKIN_OK ? akin_estimate_apply(&estimate, &e->model, l->probabilities, error) : status;
}

/* The model of pairs that do not influence one another. */
static akin_status estimate_free(learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    akin_status status = estimate(l, AKIN_PARTNERS_MANY, 1, error);
    if (status == AKIN_OK && e->job->report.learnt > 0 && !akin_training_is_of_entities(e))
        status = estimate_anchored(l, error);
    return status;
}

/*
 * Two columns of one table are enough to learn from, as u is known. But they do not show how many partners a record
 * has: many, as clusters that are too large fall apart, and partners that are left out are lost. If the class is none
 * of entities, the probabilities of levels are the default ones.
 */
static akin_status learn_two(learning *l, akin_error *error)
{
    akin_status status = estimate_free(l, error);
    l->partners = AKIN_PARTNERS_MANY;
    if (status == AKIN_OK && !akin_training_is_of_entities(&l->training)) {
        l->training.job->report.learnt = 0;
        status = estimate(l, AKIN_PARTNERS_MANY, 1, error);
    }
    return status;
}

static akin_status learn_all(learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    job *j = e->job;
    const uint32_t compared = akin_columns_compared(&j->options, j->columns);
    const int are_two =
        compared == 2 && j->records.tables == 1 && !j->options.one_to_one && !akin_level_pairs_are_few(&e->pairs);
    akin_status status = AKIN_OK;
    int has_class = 1;
    l->partners = AKIN_PARTNERS_ONE;
    j->report.learnt = compared >= AKIN_LEARNABLE || are_two ? e->model.count : 0;
    if (are_two)
        status = learn_two(l, error);
    else if (!j->options.one_to_one)
        status = estimate_free(l, error);
    if (status == AKIN_OK && !j->options.one_to_one)
        has_class = e->model.expected >= 1 && akin_training_is_of_entities(e);
    if (status == AKIN_OK && !are_two && !j->options.one_to_one)
        status = akin_training_find_partners(e, l->probabilities, &l->partners, error);
    if (status == AKIN_OK && l->partners == AKIN_PARTNERS_ONE)
        status = learn_one(l, has_class, error);
    if (j->report.learnt > 0 && l->partners == AKIN_PARTNERS_MANY)
        j->report.learnt = compared;
    return status;
}

/* Learns from answers, which may show that records have many partners. */
static akin_status learn_from_answers(learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    job *j = e->job;
    akin_estimate estimate = estimate_of(l, l->partners);
    int are_many;
    akin_status status = akin_training_ask(e, &estimate, l->probabilities, &are_many, error);
    if (status == AKIN_OK && are_many) {
        l->partners = AKIN_PARTNERS_MANY;
        status = estimate_free(l, error);
        j->report.learnt = j->report.learnt > 0 ? akin_columns_compared(&j->options, j->columns) : 0;
        estimate = estimate_of(l, l->partners);
    }
    return status == AKIN_OK ? akin_training_answer(e, &estimate, l->probabilities, error) : status;
}

static akin_status learn(learning *l, akin_error *error)
{
    const akin_status status = is_single(l) ? weigh_single(l, error) : learn_all(l, error);
    return status == AKIN_OK && l->training.job->options.labelling ? learn_from_answers(l, error) : status;
}

/* The probabilities by a model that was kept. */
static akin_status apply(learning *l, akin_error *error)
{
    job *j = l->training.job;
    const akin_model_content *kept = &j->options.model->content;
    l->partners = j->options.one_to_one ? AKIN_PARTNERS_ONE : kept->partners;
    if (j->options.population && l->partners != AKIN_PARTNERS_MANY)
        return akin_fail(error, AKIN_E_OPTION,
                         "by the model a record has one partner at most. Then a pair competes with all other pairs of "
                         "its records, and a part of the tables lacks some: expected a model of many partners");
    j->report.learnt = kept->learnt;
    j->report.applied = 1;
    akin_estimate estimate = estimate_of(l, l->partners);
    akin_status status = find_rare(l, l->partners == AKIN_PARTNERS_MANY, error);
    if (status == AKIN_OK)
        status = akin_estimate_apply(&estimate, &l->training.model, l->probabilities, error);
    return status;
}

/* The probability of each pair, by the model of the job. */
static akin_status find_probabilities(job *j, learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    const akin_dedupe_model *kept = j->options.model;
    akin_status status = akin_training_begin(j, e, error);
    if (status == AKIN_OK && kept)
        akin_training_take(e, &kept->content);
    else if (status == AKIN_OK)
        status = akin_training_find_u(e, error);
    if (status == AKIN_OK)
        status = akin_training_make(e, error);
    if (status == AKIN_OK && !kept)
        status = akin_training_find_dependence(e, error);
    l->probabilities = status == AKIN_OK ? akin_alloc(&j->account, e->pairs.count, sizeof *l->probabilities) : NULL;
    if (status == AKIN_OK && !l->probabilities)
        status = akin_fail_memory(error, "the probabilities of pairs");
    if (status == AKIN_OK)
        status = kept ? apply(l, error) : learn(l, error);
    if (status == AKIN_OK) {
        const akin_estimate estimate = estimate_of(l, l->partners);
        l->prior = akin_exponential(akin_estimate_prior(&estimate, &e->model));
    }
    j->report.partners = l->partners;
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- answer */

/* Pairs that may be found. */
typedef struct candidates {
    uint64_t *numbers; /* of the training's pairs, ascending */
    double *probabilities;
    uint64_t count;
    double matches; /* expected among all selected pairs */
} candidates;

/* Whether a selected pair was answered with yes. */
static int is_accepted(const learning *l, uint64_t pair)
{
    const akin_level_pairs *pairs = &l->training.pairs;
    return akin_training_accepts(&l->training, pairs->left[pair], pairs->right[pair]);
}

/* Adds the pairs of `all` that were answered with yes to those that stay: both are ascending. */
static akin_status add_accepted(const learning *l, const uint64_t *all, uint64_t count, candidates *c)
{
    const akin_scope *scope = l->training.job->scope;
    const uint64_t chosen = c->count;
    uint64_t at = 0, to;
    for (uint64_t i = 0; i < count; i++) {
        if (at < chosen && c->numbers[at] == all[i])
            at++;
        else if (is_accepted(l, all[i]))
            c->count++;
        if (akin_is_stopped(scope, i))
            return AKIN_E_CANCELLED;
    }
    to = c->count;
    for (uint64_t i = count; i-- > 0 && at < to;) {
        if (at > 0 && c->numbers[at - 1] == all[i])
            c->numbers[--to] = c->numbers[--at];
        else if (is_accepted(l, all[i]))
            c->numbers[--to] = all[i];
        if (akin_is_stopped(scope, i))
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

/* Of pairs of one record the most probable one alone, and those that were answered with yes. */
static akin_status match(const learning *l, candidates *c, akin_error *error)
{
    job *j = l->training.job;
    const uint64_t count = c->count;
    akin_scored_pair *pairs = akin_alloc(&j->account, count, sizeof *pairs);
    uint32_t *billionths = akin_alloc(&j->account, count, sizeof *billionths);
    uint64_t *all = akin_alloc(&j->account, count, sizeof *all);
    const akin_level_pairs *from = &l->training.pairs;
    const uint32_t border = j->records.tables == 2 ? j->records.rows[0] : 0;
    int done = pairs && billionths && all;
    for (uint64_t i = 0; i < count && done; i++) {
        const uint64_t number = all[i] = c->numbers[i];
        pairs[i] = (akin_scored_pair){from->left[number], from->right[number] - border, 0};
        billionths[i] = akin_billionths_of(l->probabilities[number]);
    }
    done = done && akin_matching_choose(&j->account, pairs, billionths, c->numbers, &c->count, j->records.rows[0],
                                        j->records.rows[1]);
    akin_status status = done ? AKIN_OK : AKIN_E_NOMEM;
    if (done && !j->options.one_to_one)
        status = add_accepted(l, all, count, c);
    akin_free(pairs);
    akin_free(billionths);
    akin_free(all);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the pairs found");
}

/* The threshold that is given, by itself or with a model; 0: none is. */
static double given_threshold(const job *j)
{
    const akin_dedupe_model *kept = j->options.model;
    return j->options.threshold.num > 0 ? akin_ratio_value(j->options.threshold) : kept ? kept->content.threshold : 0;
}

/* The least probability of a candidate. A report shows them all. */
static double least_candidate(const job *j)
{
    const double given = given_threshold(j);
    return j->options.report ? 0 : given > 0 && given < FAINT ? given : FAINT;
}

/* Lists the pairs whose probability is `least` or more, without their probabilities. */
static akin_status list_candidates(const learning *l, double least, candidates *c, akin_error *error)
{
    akin_account *account = &l->training.job->account;
    const job *j = l->training.job;
    const uint64_t pairs = l->training.pairs.count;
    akin_status status = akin_reaching_list(j->scope, account, l->probabilities, pairs, least, &c->numbers, &c->count,
                                            &c->matches, error);
    if (status == AKIN_OK && l->partners == AKIN_PARTNERS_ONE)
        status = match(l, c, error);
    return status;
}

/* The probabilities of candidates are gathered. */
typedef struct gathering {
    const double *probabilities; /* of all pairs */
    const candidates *candidates;
} gathering;

static akin_status gather_task(void *argument, uint64_t task, uint32_t thread)
{
    const gathering *g = argument;
    const candidates *c = g->candidates;
    const uint64_t end = akin_min_u64((task + 1) * GATHERED, c->count);
    (void)thread;
    for (uint64_t i = task * GATHERED; i < end; i++)
        c->probabilities[i] = g->probabilities[c->numbers[i]];
    return AKIN_OK;
}

static akin_status find_candidates(const learning *l, candidates *c, akin_error *error)
{
    akin_account *account = &l->training.job->account;
    akin_status status = list_candidates(l, least_candidate(l->training.job), c, error);
    c->probabilities = status == AKIN_OK ? akin_alloc(account, c->count, sizeof *c->probabilities) : NULL;
    if (status == AKIN_OK && !c->probabilities)
        status = akin_fail_memory(error, "the pairs found");
    gathering g = {l->probabilities, c};
    if (status == AKIN_OK && (status = akin_parallel(l->training.job->scope, NULL, akin_ceil_div(c->count, GATHERED),
                                                     gather_task, &g)) != AKIN_OK)
        akin_fail_stopped(error, status, "the pairs found");
    return status;
}

static akin_status expect_best(const learning *l, double *best, akin_error *error)
{
    const job *j = l->training.job;
    akin_expected expected = {0};
    candidates c = {0};
    akin_status status = find_candidates(l, &c, error);
    if (status == AKIN_OK)
        status = akin_expected_choose(j->scope, &l->training.job->account, c.probabilities, c.count, c.matches,
                                      &expected, error);
    const double all = (double)expected.accepted + expected.matches;
    *best = all > 0 ? 2 * expected.right / all : 0;
    akin_free(c.numbers);
    akin_free(c.probabilities);
    return status;
}

/* Keeps the candidates whose probability reaches the threshold, with what is expected of them. */
static akin_status keep_probable(learning *l, const candidates *c, double threshold, akin_error *error)
{
    akin_training *e = &l->training;
    akin_dedupe_report *report = &e->job->report;
    uint64_t kept = 0, *numbers = akin_alloc(&e->job->account, c->count, sizeof *numbers);
    double right = 0;
    if (!numbers)
        return akin_fail_memory(error, "the pairs found");
    for (uint64_t i = 0; i < c->count; i++)
        if (c->probabilities[i] >= threshold) {
            numbers[kept++] = c->numbers[i];
            right += c->probabilities[i];
        }
    const akin_status status = akin_training_find(e, l->probabilities, numbers, kept, error);
    akin_free(numbers);
    report->threshold = threshold;
    report->expected_matches = c->matches;
    report->expected_precision = kept > 0 ? right / (double)kept : 0;
    report->expected_recall = c->matches > 0 ? right / c->matches : 0;
    return status;
}

/* The threshold of the largest expected F1, with the pairs that the job does not see. */
static akin_status choose_threshold(const learning *l, const candidates *c, akin_expected *out, akin_error *error)
{
    job *j = l->training.job;
    double *all = akin_alloc(&j->account, c->count + j->equals, sizeof *all);
    if (!all)
        return akin_fail_memory(error, "the pairs found");
    akin_status status = akin_copy_long(j->scope, all, c->probabilities, c->count * sizeof *all);
    for (uint64_t i = 0; i < j->equals; i++)
        all[c->count + i] = 1;
    status = status == AKIN_OK ? akin_expected_choose(j->scope, &j->account, all, c->count + j->equals,
                                                      c->matches + (double)j->equals, out, error)
                               : akin_fail_stopped(error, status, "the pairs found");
    akin_free(all);
    const double least = is_single(l) ? LIKELY : akin_level_pairs_are_few(&l->training.pairs) ? HOPEFUL : POSSIBLE;
    if (!j->options.labelling && out->threshold < least)
        out->threshold = least;
    return status;
}

/* Whether decoys count: two tables whose records have one partner. They do not mend default weights, and answers say
 * more. */
static int has_decoys(const learning *l)
{
    const job *j = l->training.job;
    return l->partners == AKIN_PARTNERS_ONE && j->records.tables == 2 && j->report.learnt > 0 && !j->options.labelling;
}

/* Lowers probabilities to what decoys allow. What is wanted of the job does not change them. */
static akin_status heed_decoys(learning *l, akin_error *error)
{
    candidates c = {0};
    akin_status status = list_candidates(l, FAINT, &c, error);
    if (status == AKIN_OK)
        status = akin_training_heed_decoys(&l->training, c.numbers, c.count, l->probabilities, error);
    akin_free(c.numbers);
    return status;
}

static akin_status answer(learning *l, akin_error *error)
{
    job *j = l->training.job;
    const akin_dedupe_model *kept = j->options.model;
    const double given = given_threshold(j);
    akin_expected expected = {.threshold = given};
    candidates c = {0};
    akin_status status = find_candidates(l, &c, error);
    if (status == AKIN_OK && j->options.precision.num > 0)
        status = akin_expected_choose_precise(j->scope, &j->account, c.probabilities, c.count, c.matches,
                                              akin_ratio_value(j->options.precision), &expected, error);
    else if (status == AKIN_OK && !kept && given == 0)
        status = choose_threshold(l, &c, &expected, error);
    if (status == AKIN_OK)
        status = keep_probable(l, &c, expected.threshold, error);
    l->kept = l->training.found.count;
    if (j->options.report) {
        l->candidates = c.numbers;
        l->candidate_count = c.count;
        c.numbers = NULL;
    }
    akin_free(c.numbers);
    akin_free(c.probabilities);
    return status;
}

/* Of the pairs found, drops those below a threshold. */
static void drop_improbable(akin_training *e, double threshold)
{
    const uint64_t attributes = akin_training_similarities(e);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < e->found.count; i++)
        if (e->found.pairs[i].similarity >= threshold) {
            if (attributes > 0)
                memmove(e->found.each + kept * attributes, e->found.each + i * attributes,
                        attributes * sizeof *e->found.each);
            e->found.pairs[kept++] = e->found.pairs[i];
        }
    e->found.count = kept;
}

/* Chooses a threshold from the pairs found; *is_higher: it has to rise for the precision that is wanted. */
static akin_status raise_threshold(learning *l, int *is_higher, akin_error *error)
{
    const akin_found *found = &l->training.found;
    job *j = l->training.job;
    akin_expected expected;
    double *probabilities = akin_alloc(&j->account, found->count, sizeof *probabilities);
    if (!probabilities)
        return akin_fail_memory(error, "the threshold");
    for (uint64_t i = 0; i < found->count; i++)
        probabilities[i] = found->pairs[i].similarity;
    const akin_status status =
        akin_expected_choose_precise(j->scope, &j->account, probabilities, found->count, j->report.expected_matches,
                                     akin_ratio_value(j->options.precision), &expected, error);
    akin_free(probabilities);
    *is_higher = status == AKIN_OK && expected.threshold > j->report.threshold && found->count > 0;
    if (*is_higher)
        j->report.threshold = expected.threshold;
    return status;
}

/* The threshold at which the precision is as wanted with the other pairs of components, too. */
static akin_status choose_with_others(learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    akin_dedupe_report *report = &e->job->report;
    akin_status status = AKIN_OK;
    for (int is_higher = 1; is_higher && status == AKIN_OK;) {
        const uint64_t kept = e->found.count;
        double added;
        status = akin_training_complete(e, l->probabilities, report->threshold, NULL, &added, error);
        if (status == AKIN_OK)
            status = raise_threshold(l, &is_higher, error);
        e->found.count = kept;
        drop_improbable(e, report->threshold);
    }
    double right = 0;
    l->kept = e->found.count;
    for (uint64_t i = 0; i < e->found.count; i++)
        right += e->found.pairs[i].similarity;
    report->expected_precision = e->found.count > 0 ? right / (double)e->found.count : 0;
    report->expected_recall = report->expected_matches > 0 ? right / report->expected_matches : 0;
    return status;
}

/* Records with many partners: the other pairs of components. */
static akin_status complete(learning *l, akin_error *error)
{
    akin_training *e = &l->training;
    job *j = e->job;
    akin_dedupe_report *report = &j->report;
    akin_clusters *clusters = j->options.clusters ? j->options.clusters : l->clusters;
    const double right = report->expected_precision * (double)e->found.count;
    double added = 0;
    if (l->partners != AKIN_PARTNERS_MANY || j->options.population)
        return AKIN_OK;
    l->are_clusters_made = clusters && akin_clusters_least(clusters).num > 0;
    j->are_clusters_made = l->are_clusters_made && j->options.clusters;
    const akin_status status = akin_training_complete(e, l->probabilities, report->threshold,
                                                      l->are_clusters_made ? clusters : NULL, &added, error);
    report->expected_matches += added;
    if (status == AKIN_OK && e->found.count > 0) {
        report->expected_precision = (right + added) / (double)e->found.count;
        report->expected_recall = (right + added) / report->expected_matches;
    }
    return status;
}

akin_status akin_dedupe_learn(akin_dedupe_job *job, akin_learnt *out, akin_error *error)
{
    const double start = akin_clock();
    akin_status status = find_probabilities(job, out, error);
    if (status == AKIN_OK && has_decoys(out))
        status = heed_decoys(out, error);
    if (status == AKIN_OK)
        status = answer(out, error);
    if (status == AKIN_OK && out->partners == AKIN_PARTNERS_MANY && job->options.precision.num > 0)
        status = choose_with_others(out, error);
    if (status == AKIN_OK)
        status = complete(out, error);
    if (status == AKIN_OK && job->options.learnt_model)
        status = akin_training_keep(&out->training, out->partners, &job->learnt, error);
    if (status == AKIN_OK) {
        job->workers[0].found = out->training.found;
        out->training.found = (akin_found){0};
        job->found = job->report.pairs_found = job->workers[0].found.count;
        job->workers[0].found.reaching = job->found;
    }
    job->report.seconds_learn = akin_clock() - start;
    return status;
}

void akin_learnt_clear(akin_learnt *learnt)
{
    akin_free(learnt->probabilities);
    akin_free(learnt->candidates);
    akin_training_clear(&learnt->training);
    *learnt = (akin_learnt){0};
}
