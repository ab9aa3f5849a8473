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
 *     choosing.h     the pairs that are found
 *     competition.h  pairs of a part of tables, if a record has one partner
 */
#include "dedupe/learner.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/context.h"
#include "dedupe/anchors.h"
#include "dedupe/answered.h"
#include "dedupe/choosing.h"
#include "dedupe/competition.h"
#include "dedupe/dependence.h"
#include "dedupe/kept.h"
#include "dedupe/partners.h"
#include "dedupe/single.h"
#include "learn/estimate.h"
#include "learn/level_sample.h"

#include <string.h>

#define ENOUGH   10.0  /* expected matches from which expected figures are compared */
#define ALONE    10.0  /* times as many matches as without it are seen by the combined columns alone */
#define TEMPERED 65536 /* pairs at random that the tempering is computed from */
#define SAMPLED  ((uint64_t)1 << 19)
#define LIKELY   0.5 /* of a single column no threshold is lower: a pair is never more likely wrong than right */

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
        status = akin_choosing_expect(l, &best_without, error);
    if (status == AKIN_OK)
        status = estimate(l, AKIN_PARTNERS_ONE, 0, error);
    if (status == AKIN_OK)
        status = akin_choosing_expect(l, &best_with, error);
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

/* Whether the pairs are a part of those that compete. Then they have weights in place of probabilities. */
static int is_of_part(const learning *l)
{
    return l->training.job->options.population && l->partners == AKIN_PARTNERS_ONE;
}

/* The probabilities by a model that was kept. */
static akin_status apply(learning *l, akin_error *error)
{
    job *j = l->training.job;
    const akin_model_content *kept = &j->options.model->content;
    l->partners = j->options.one_to_one ? AKIN_PARTNERS_ONE : kept->partners;
    j->report.learnt = kept->learnt;
    j->report.applied = 1;
    akin_estimate estimate = estimate_of(l, l->partners);
    akin_status status = find_rare(l, l->partners == AKIN_PARTNERS_MANY, error);
    if (status == AKIN_OK && is_of_part(l))
        status = akin_estimate_weigh(&estimate, &l->training.model, l->probabilities, error);
    else if (status == AKIN_OK)
        status = akin_estimate_apply(&estimate, &l->training.model, l->probabilities, error);
    return status;
}

/* The probability of each pair, by the model of the job; or its weight. */
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
        l->prior = akin_estimate_odds(&estimate, &e->model);
    }
    j->report.partners = l->partners;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- run */

/* Chooses the pairs that are found. */
static akin_status choose(learning *l, akin_error *error)
{
    const akin_estimate estimate = estimate_of(l, l->partners);
    const akin_status status = akin_choosing_lower(l, &estimate, error);
    return status == AKIN_OK ? akin_choosing_run(l, is_single(l) ? LIKELY : 0, error) : status;
}

akin_status akin_dedupe_learn(akin_dedupe_job *job, akin_learnt *out, akin_error *error)
{
    const double start = akin_clock();
    akin_status status = find_probabilities(job, out, error);
    if (status == AKIN_OK && is_of_part(out))
        status = akin_competition_list(&out->training, out->probabilities, error);
    else if (status == AKIN_OK)
        status = choose(out, error);
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
