/* Chooses the pairs of a job that has learnt, or that has a model. */
#include "dedupe/choosing.h"

#include "base/parallel.h"
#include "dedupe/completion.h"
#include "dedupe/link_decoys.h"
#include "dedupe/matching.h"
#include "dedupe/model.h"
#include "graph/clusters.h"
#include "learn/expected.h"
#include "learn/reaching.h"

#include <string.h>

#define POSSIBLE 0.25  /* the lowest threshold that is chosen: below, there are three wrong pairs for a right one */
#define HOPEFUL  0.1   /* but of few records, which teach little */
#define GATHERED 65536 /* probabilities of a task */

/* ------------------------------------------------------------------------------------------------------- candidates */

/* Pairs that may be found. */
typedef struct candidates {
    uint64_t *numbers; /* of the training's pairs, ascending */
    double *probabilities;
    uint64_t count;
    double matches; /* expected among all selected pairs */
} candidates;

/* Whether a selected pair was answered with yes. */
static int is_accepted(const akin_learnt *l, uint64_t pair)
{
    const akin_level_pairs *pairs = &l->training.pairs;
    return akin_training_accepts(&l->training, pairs->left[pair], pairs->right[pair]);
}

/* Adds the pairs of `all` that were answered with yes to those that stay: both are ascending. */
static akin_status add_accepted(const akin_learnt *l, const uint64_t *all, uint64_t count, candidates *c)
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
static akin_status match(const akin_learnt *l, candidates *c, akin_error *error)
{
    akin_dedupe_job *j = l->training.job;
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
static double given_threshold(const akin_dedupe_job *j)
{
    const akin_dedupe_model *kept = j->options.model;
    return kept ? akin_model_threshold(&kept->content, j->options.threshold) : akin_ratio_value(j->options.threshold);
}

/* The least probability of a candidate. A report shows them all. */
static double least_candidate(const akin_dedupe_job *j)
{
    const double given = given_threshold(j);
    return j->options.report ? 0 : akin_matching_least(given > 0 ? given : 1);
}

/* Lists the pairs whose probability is `least` or more, without their probabilities. */
static akin_status list_candidates(const akin_learnt *l, double least, candidates *c, akin_error *error)
{
    akin_account *account = &l->training.job->account;
    const akin_dedupe_job *j = l->training.job;
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

static akin_status find_candidates(const akin_learnt *l, candidates *c, akin_error *error)
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

akin_status akin_choosing_expect(const akin_learnt *learnt, double *best, akin_error *error)
{
    const akin_learnt *l = learnt;
    const akin_dedupe_job *j = l->training.job;
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
static akin_status keep_probable(akin_learnt *l, const candidates *c, double threshold, akin_error *error)
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
static akin_status choose_threshold(const akin_learnt *l, const candidates *c, double least, akin_expected *out,
                                    akin_error *error)
{
    akin_dedupe_job *j = l->training.job;
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
    if (least == 0)
        least = akin_level_pairs_are_few(&l->training.pairs) ? HOPEFUL : POSSIBLE;
    if (!j->options.labelling && out->threshold < least)
        out->threshold = least;
    return status;
}

/* `least`: the lowest threshold that is chosen, if it is not 0. */
static akin_status answer(akin_learnt *l, double least, akin_error *error)
{
    akin_dedupe_job *j = l->training.job;
    const akin_dedupe_model *kept = j->options.model;
    const double given = given_threshold(j);
    akin_expected expected = {.threshold = given};
    candidates c = {0};
    akin_status status = find_candidates(l, &c, error);
    if (status == AKIN_OK && j->options.precision.num > 0)
        status = akin_expected_choose_precise(j->scope, &j->account, c.probabilities, c.count, c.matches,
                                              akin_ratio_value(j->options.precision), &expected, error);
    else if (status == AKIN_OK && !kept && given == 0)
        status = choose_threshold(l, &c, least, &expected, error);
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
static akin_status raise_threshold(akin_learnt *l, int *is_higher, akin_error *error)
{
    const akin_found *found = &l->training.found;
    akin_dedupe_job *j = l->training.job;
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
static akin_status choose_with_others(akin_learnt *l, akin_error *error)
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
static akin_status complete(akin_learnt *l, akin_error *error)
{
    akin_training *e = &l->training;
    akin_dedupe_job *j = e->job;
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

akin_status akin_choosing_run(akin_learnt *learnt, double least, akin_error *error)
{
    akin_status status = answer(learnt, least, error);
    if (status == AKIN_OK && learnt->partners == AKIN_PARTNERS_MANY && learnt->training.job->options.precision.num > 0)
        status = choose_with_others(learnt, error);
    return status == AKIN_OK ? complete(learnt, error) : status;
}

/* ----------------------------------------------------------------------------------------------------------- caps */

/* The caps of the model that was kept; NULL: there is none, or it has no caps. */
static const akin_caps *known_caps(const akin_dedupe_job *j)
{
    const akin_dedupe_model *kept = j->options.model;
    return kept && kept->content.has_caps ? &kept->content.caps : NULL;
}

/* Whether decoys are looked for, where records of two tables have one partner. They do not mend default weights, and
 * answers say more. */
static int has_decoys(const akin_dedupe_job *j)
{
    return j->report.learnt > 0 && !j->options.labelling && !known_caps(j);
}

typedef struct lowering {
    const akin_caps *caps;
    const double *weights;
    double *probabilities;
    uint64_t count;
} lowering;

static akin_status lower(void *argument, uint64_t task, uint32_t thread)
{
    const lowering *l = argument;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, l->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++)
        l->probabilities[i] = akin_caps_lower(l->caps, l->weights[i], l->probabilities[i]);
    return AKIN_OK;
}

static akin_status lower_all(const akin_learnt *l, const double *weights, akin_error *error)
{
    const akin_training *e = &l->training;
    const uint64_t tasks = akin_ceil_div(e->pairs.count, AKIN_LEVEL_PAIRS);
    lowering all = {&e->caps, weights, l->probabilities, e->pairs.count};
    const akin_status status = akin_parallel(e->job->scope, NULL, tasks, lower, &all);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the probabilities of pairs");
}

/* Finds what decoys allow. What is wanted of the job does not change it. */
static akin_status find_caps(akin_learnt *l, const double *weights, akin_error *error)
{
    candidates c = {0};
    akin_status status = list_candidates(l, akin_matching_least(1), &c, error);
    if (status == AKIN_OK)
        status = akin_training_find_caps(&l->training, weights, c.numbers, c.count, &l->training.caps, error);
    akin_free(c.numbers);
    return status;
}

/* The caps of the training: those of the kept model, or what decoys allow. */
static akin_status set_caps(akin_learnt *l, const double *weights, akin_error *error)
{
    const akin_caps *known = known_caps(l->training.job);
    if (!known)
        return find_caps(l, weights, error);
    if (!akin_caps_copy(&l->training.job->account, known, &l->training.caps))
        return akin_fail_memory(error, "the model");
    return AKIN_OK;
}

akin_status akin_choosing_lower(akin_learnt *learnt, const akin_estimate *estimate, akin_error *error)
{
    const akin_training *e = &learnt->training;
    akin_dedupe_job *j = e->job;
    const akin_caps *known = known_caps(j);
    if (learnt->partners != AKIN_PARTNERS_ONE || j->records.tables != 2)
        return AKIN_OK;
    if (known ? known->count == 0 : !has_decoys(j))
        return AKIN_OK;
    double *weights = akin_alloc(&j->account, e->pairs.count, sizeof *weights);
    if (!weights)
        return akin_fail_memory(error, "the weights of pairs");
    akin_status status = akin_estimate_weigh(estimate, &e->model, weights, error);
    if (status == AKIN_OK)
        status = set_caps(learnt, weights, error);
    if (status == AKIN_OK)
        status = lower_all(learnt, weights, error);
    akin_free(weights);
    return status;
}
