/* Levels of pairs, and of pairs at random. */
#include "dedupe/training.h"

#include "dedupe/answered_pairs.h"
#include "dedupe/population.h"
#include "base/bits.h"
#include "base/elementary.h"
#include "base/random.h"
#include "base/sort_parallel.h"
#include "dedupe/selections.h"
#include "learn/posterior.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define RANDOM_PAIRS 262144  /* that u is counted from */
#define ALL_PAIRS    1048576 /* or from all pairs, if there are no more than these */
#define TASK_RANDOM  4096
#define TASK_FOUND   1024

/* ------------------------------------------------------------------------------------------------------ comparisons */

/* Whether a selection has a part of the column. */
static int uses_column(const akin_selection *selection, uint32_t column)
{
    for (uint32_t p = 0; p < akin_selection_parts(selection); p++)
        if (selection->parts[p].column == column)
            return 1;
    return 0;
}

/* Whether a selection does without the column. */
static int is_selected_without(const akin_dedupe_options *options, uint32_t column)
{
    for (uint32_t s = 0; s < options->selection_count; s++)
        if (!uses_column(&options->selections[s], column))
            return 1;
    return 0;
}

/* The comparisons, as pairs have them. */
static void take_comparisons(akin_training *e)
{
    const akin_gathering *gathering = &e->job->gathering;
    e->pairs.comparisons = gathering->count;
    for (uint32_t c = 0; c < gathering->count; c++) {
        const akin_leveled *from = &gathering->comparisons[c];
        e->comparisons[c] = (akin_training_comparison){
            .leveled = *from,
            .cuts = akin_level_cuts + from->cuts,
            .is_overlapping = akin_columns_overlap(&e->job->options, e->job->columns, from->column),
            .is_taught = is_selected_without(&e->job->options, from->column)};
    }
}

uint32_t akin_training_attribute(const akin_training *training, uint32_t comparison, uint32_t at)
{
    return training->job->gathering.members[training->comparisons[comparison].leveled.first + at];
}

/* An attribute of the comparison. */
static const akin_scored *scored_of(const akin_training *e, uint32_t comparison, uint32_t at)
{
    return &e->job->scoring.attributes[akin_training_attribute(e, comparison, at)];
}

uint32_t akin_training_values(const akin_training *training, uint32_t comparison)
{
    return scored_of(training, comparison, 0)->values->count;
}

/* Finds the values of a comparison: a record has one if it has one for any attribute. */
static akin_status find_values(void *argument, uint64_t task, uint32_t thread)
{
    akin_training *e = argument;
    akin_training_comparison *c = &e->comparisons[task];
    const uint32_t records = e->job->records.count;
    (void)thread;
    c->of = scored_of(e, (uint32_t)task, 0)->of;
    for (uint32_t i = 1; i < c->leveled.count; i++) {
        const uint32_t *other = scored_of(e, (uint32_t)task, i)->of;
        if (other == c->of)
            continue;
        if (!c->made && !(c->made = akin_alloc(&e->job->account, records, sizeof *c->made)))
            return AKIN_E_NOMEM;
        for (uint32_t r = 0; r < records; r++)
            c->made[r] = c->of[r] != AKIN_VALUE_NONE ? c->of[r] : other[r];
        c->of = c->made;
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

void akin_training_levels(const akin_training *training, const double *each, uint8_t *levels)
{
    akin_gathering_levels(&training->job->gathering, each, levels);
}

/* Sets which selections have a pair, of the first 64. */
static uint64_t selections_of(const akin_dedupe_job *j, uint32_t a, uint32_t b)
{
    uint64_t have = 0;
    for (uint32_t s = 0; s < j->options.selection_count && s < 64; s++)
        have |= (uint64_t)(akin_selector_has(&j->selectors[s], a, b) != 0) << s;
    return have;
}

/* Whether a pair is selected without that column, given the selections that have it. Pairs that the column itself
 * brought together do not teach how often the values of one entity agree. */
static int is_taught(const akin_training *e, uint32_t comparison, uint64_t have, uint32_t a, uint32_t b)
{
    const akin_dedupe_job *j = e->job;
    for (uint32_t s = 0; s < j->options.selection_count; s++) {
        const int has = s < 64 ? (int)(have >> s & 1) : akin_selector_has(&j->selectors[s], a, b);
        if (has && !uses_column(&j->options.selections[s], e->comparisons[comparison].leveled.column))
            return 1;
    }
    return 0;
}

typedef struct marking {
    const akin_training *training;
    akin_level_pairs *pairs;
} marking;

static akin_status mark_taught(void *argument, uint64_t task, uint32_t thread)
{
    const marking *m = argument;
    const akin_training *e = m->training;
    const akin_level_pairs *pairs = m->pairs;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, pairs->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const uint32_t a = pairs->left[i], b = pairs->right[i];
        const uint64_t have = selections_of(e->job, a, b);
        uint8_t *levels = pairs->levels + i * pairs->comparisons;
        for (uint32_t c = 0; c < pairs->comparisons; c++)
            if (levels[c] != AKIN_LEVEL_MISSING && e->comparisons[c].is_taught && !is_taught(e, c, have, a, b))
                levels[c] |= AKIN_LEVEL_UNTAUGHT;
    }
    return AKIN_OK;
}

void akin_training_idle(akin_training *training, int are_idle)
{
    for (uint32_t c = 0; c < training->pairs.comparisons; c++)
        training->models[c].is_idle = are_idle && training->comparisons[c].is_overlapping;
}

akin_status akin_training_mark(const akin_training *training, akin_level_pairs *pairs, akin_error *error)
{
    marking m = {training, pairs};
    const uint64_t tasks = akin_ceil_div(pairs->count, AKIN_LEVEL_PAIRS);
    const akin_status status = akin_parallel(training->job->scope, NULL, tasks, mark_taught, &m);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the levels of pairs");
}

/* ----------------------------------------------------------------------------------------------------- random pairs */

akin_status akin_training_scorers_make(akin_training *training, akin_training_scorers *out, akin_error *error)
{
    akin_dedupe_job *j = training->job;
    const uint32_t threads = akin_scope_threads(j->scope);
    *out = (akin_training_scorers){.training = training, .threads = threads};
    out->scope = akin_scope_narrow(j->scope, (akin_narrowing){.threads = threads});
    out->scorers = akin_alloc_zero(&j->account, threads, sizeof *out->scorers);
    out->each = akin_alloc_zero(&j->account, threads, sizeof *out->each);
    out->levels = akin_alloc_zero(&j->account, threads, sizeof *out->levels);
    int done = out->scorers && out->each && out->levels;
    for (uint32_t t = 0; t < threads && done; t++) {
        const akin_cancellation cancellation = {.scope = j->scope, .cancelled = &j->cancelled, .thread = t};
        out->scorers[t] = akin_scorer_create(&j->scoring, &cancellation);
        out->each[t] = akin_alloc(&j->account, j->options.attribute_count, sizeof **out->each);
        out->levels[t] = akin_alloc(&j->account, training->pairs.comparisons, sizeof **out->levels);
        done = out->scorers[t] && out->each[t] && out->levels[t];
    }
    return done ? AKIN_OK : akin_fail_memory(error, "the comparison of further pairs");
}

void akin_training_scorers_clear(akin_training_scorers *scorers)
{
    for (uint32_t t = 0; scorers->scorers && t < scorers->threads; t++)
        akin_scorer_free(scorers->scorers[t]);
    for (uint32_t t = 0; scorers->each && t < scorers->threads; t++)
        akin_free(scorers->each[t]);
    for (uint32_t t = 0; scorers->levels && t < scorers->threads; t++)
        akin_free(scorers->levels[t]);
    akin_free(scorers->scorers);
    akin_free(scorers->each);
    akin_free(scorers->levels);
    *scorers = (akin_training_scorers){0};
}

akin_status akin_training_weigh_records(const akin_training_scorers *scorers, uint32_t thread, uint32_t a, uint32_t b,
                                        double *weight)
{
    double similarity;
    const akin_status status = akin_scorer_score(scorers->scorers[thread], a, b, &similarity, scorers->each[thread]);
    if (status == AKIN_OK)
        *weight = akin_training_weigh(scorers->training, a, b, scorers->each[thread], scorers->levels[thread]);
    return status;
}

/* Whether the probability of two records, in any order, is known. Of two tables, that of two records of one is not:
 * answers are about a left and a right record. */
static int is_settled(const akin_training *e, uint32_t a, uint32_t b, double *probability)
{
    const uint32_t border = e->pairs.tables == 2 ? e->pairs.rows[0] : 0, left = a < b ? a : b, right = a < b ? b : a;
    if (border > 0 && (left >= border || right < border))
        return 0;
    const uint64_t key = akin_settled_key(left, right - border);
    for (int is_match = 0; is_match < 2; is_match++) {
        const akin_settled *settled = &e->settled[is_match];
        const uint64_t at = akin_lower_bound_u64(settled->pairs, settled->count, key);
        *probability = is_match;
        if (at < settled->count && settled->pairs[at] == key)
            return 1;
    }
    return 0;
}

int akin_training_accepts(const akin_training *training, uint32_t a, uint32_t b)
{
    double probability = 0;
    return training->settled[1].count > 0 && is_settled(training, a, b, &probability) && probability > 0;
}

akin_status akin_training_score(const akin_training_scorers *scorers, uint32_t thread, uint32_t a, uint32_t b,
                                double *probability)
{
    const akin_training *e = scorers->training;
    double weight = 0;
    if (is_settled(e, a, b, probability))
        return AKIN_OK;
    const akin_status status = akin_training_weigh_records(scorers, thread, a, b, &weight);
    const double odds = akin_fellegi_sunter_prior(&e->model, e->pairs.all) * akin_exponential(weight);
    *probability = akin_posterior_free(odds);
    return status;
}

/* Pairs found, from one on. */
typedef struct found_pairs {
    const akin_training_scorers *scorers;
    uint64_t first;
} found_pairs;

/* Compares pairs once more: their similarities are not kept while weights are learnt. */
static akin_status compare_found(void *argument, uint64_t task, uint32_t thread)
{
    const found_pairs *some = argument;
    const akin_training_scorers *scorers = some->scorers;
    akin_found *found = &scorers->training->found;
    const akin_dedupe_job *j = scorers->training->job;
    const uint32_t border = j->records.tables == 2 ? j->records.rows[0] : 0;
    const uint64_t attributes = j->options.attribute_count,
                   end = akin_min_u64(some->first + (task + 1) * TASK_FOUND, found->count);
    akin_pair pairs[AKIN_SCORER_FETCHED];
    akin_status status = AKIN_OK;
    const uint64_t begin = some->first + task * TASK_FOUND;
    for (uint64_t i = begin; i < end && status == AKIN_OK; i++) {
        double similarity;
        if ((i - begin) % AKIN_SCORER_FETCHED == 0) {
            uint32_t count = 0;
            for (uint64_t k = i; k < end && count < AKIN_SCORER_FETCHED; k++)
                pairs[count++] = (akin_pair){.left = found->pairs[k].left, .right = found->pairs[k].right + border};
            akin_scorer_fetch(scorers->scorers[thread], pairs, count);
        }
        status = akin_scorer_score(scorers->scorers[thread], found->pairs[i].left, found->pairs[i].right + border,
                                   &similarity, found->each + i * attributes);
    }
    return status;
}

uint32_t akin_training_similarities(const akin_training *training)
{
    return training->job->without_each ? 0 : training->job->options.attribute_count;
}

akin_status akin_training_compare_found(const akin_training_scorers *scorers, uint64_t first, akin_error *error)
{
    if (akin_training_similarities(scorers->training) == 0)
        return AKIN_OK;
    found_pairs some = {scorers, first};
    const uint64_t count = scorers->training->found.count - first;
    const akin_status status = akin_parallel_long(&scorers->scope, NULL, akin_ceil_div(count, TASK_FOUND),
                                                  compare_found, &some, &scorers->training->job->cancelled);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the pairs found");
}

/* Pairs that are to be found. */
typedef struct finding {
    const akin_training *training;
    const double *probabilities;
    const uint64_t *numbers;
    uint64_t count;
} finding;

static akin_status find_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const finding *f = argument;
    const akin_level_pairs *from = &f->training->pairs;
    const uint32_t border = from->tables == 2 ? from->rows[0] : 0;
    const uint64_t end = akin_min_u64((task + 1) * AKIN_LEVEL_PAIRS, f->count);
    (void)thread;
    for (uint64_t i = task * AKIN_LEVEL_PAIRS; i < end; i++) {
        const uint64_t number = f->numbers[i];
        f->training->found.pairs[i] =
            (akin_scored_pair){from->left[number], from->right[number] - border, f->probabilities[number]};
    }
    return AKIN_OK;
}

akin_status akin_training_find(akin_training *training, const double *probabilities, const uint64_t *numbers,
                               uint64_t count, akin_error *error)
{
    akin_training *e = training;
    finding f = {e, probabilities, numbers, count};
    akin_training_scorers scorers = {0};
    if (!akin_found_enlarge(&e->found, &e->job->account, count, akin_training_similarities(e), 0))
        return akin_fail_memory(error, "the pairs found");
    akin_status status = akin_parallel(e->job->scope, NULL, akin_ceil_div(count, AKIN_LEVEL_PAIRS), find_pairs, &f);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the pairs found");
    e->found.count = count;
    if (akin_training_similarities(e) == 0)
        return AKIN_OK;
    status = akin_training_scorers_make(e, &scorers, error);
    if (status == AKIN_OK)
        status = akin_training_compare_found(&scorers, 0, error);
    akin_training_scorers_clear(&scorers);
    return status;
}

/* Pair `number` of all pairs of records: those of one table by the larger record. */
static void pair_of_number(const akin_records *records, uint64_t number, uint32_t *a, uint32_t *b)
{
    if (records->tables == 2) {
        *a = (uint32_t)(number / records->rows[1]);
        *b = records->rows[0] + (uint32_t)(number % records->rows[1]);
        return;
    }
    uint64_t smaller, larger;
    akin_pair_of_number(number, &smaller, &larger);
    *a = (uint32_t)smaller;
    *b = (uint32_t)larger;
}

static akin_status draw_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const akin_training_scorers *scorers = argument;
    akin_training *e = scorers->training;
    const uint64_t end = akin_min_u64((task + 1) * TASK_RANDOM, e->random_count);
    const int is_whole = e->random_count == e->pairs.all;
    akin_random random;
    akin_status status = AKIN_OK;
    akin_random_seed(&random, task);
    for (uint64_t i = task * TASK_RANDOM; i < end && status == AKIN_OK; i++) {
        uint32_t a, b;
        double similarity;
        pair_of_number(&e->job->records, is_whole ? i : akin_random_below(&random, e->pairs.all), &a, &b);
        status = akin_scorer_score(scorers->scorers[thread], a, b, &similarity, scorers->each[thread]);
        if (status == AKIN_OK)
            akin_training_levels(e, scorers->each[thread], e->random + i * e->pairs.comparisons);
    }
    return status;
}

/* The levels of pairs of records at random, or of all pairs where these are few. */
static akin_status draw_all(akin_training *e, akin_error *error)
{
    akin_dedupe_job *j = e->job;
    akin_training_scorers scorers = {0};
    e->random_count = e->pairs.all <= ALL_PAIRS ? e->pairs.all : RANDOM_PAIRS;
    e->random = akin_alloc(&j->account, e->random_count * e->pairs.comparisons, sizeof *e->random);
    akin_status status = e->random ? akin_training_scorers_make(e, &scorers, error)
                                   : akin_fail_memory(error, "pairs of records at random");
    if (status == AKIN_OK) {
        status = akin_parallel_long(&scorers.scope, NULL, akin_ceil_div(e->random_count, TASK_RANDOM), draw_pairs,
                                    &scorers, &j->cancelled);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "pairs of records at random");
    }
    akin_training_scorers_clear(&scorers);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------------- u */

/* The share of pairs of records with equal values, exactly: of one table among all pairs, of two tables among pairs of
 * a left and a right record. `own` of them are left out. */
static double share_of_equals(const akin_training_comparison *c, uint32_t tables, uint32_t values, double own)
{
    double equal = 0, left = 0, right = 0;
    for (uint32_t v = 0; v < values; v++) {
        const double n = c->counts[v], l = tables == 2 ? c->lefts[v] : n;
        equal += tables == 2 ? l * (n - l) : n * (n - 1) / 2;
        left += l;
        right += n - l;
    }
    const double all = tables == 2 ? left * right : left * (left - 1) / 2;
    return equal > own ? (equal - own) / (all - own) : 0;
}

/* Sets u of the highest level, if that is higher than random pairs have it; the others keep their proportions. */
static void raise_top(akin_level_model *model, double share)
{
    const uint32_t top = model->levels - 1;
    const double rest = 1 - model->u[top];
    if (share <= model->u[top] || share >= 1)
        return;
    for (uint32_t l = 0; l < top; l++)
        model->u[l] *= (1 - share) / rest;
    model->u[top] = share;
}

/* Sets u of a comparison. Of few pairs, the one that is weighed is a notable share of those with its level. So each
 * level counts one pair less, and all levels together count one pair more: half a pair each would be too many. */
static akin_status set_u(void *argument, uint64_t task, uint32_t thread)
{
    akin_training *e = argument;
    const uint32_t comparison = (uint32_t)task;
    akin_level_model *model = &e->models[comparison];
    const akin_training_comparison *c = &e->comparisons[comparison];
    const double own = akin_level_pairs_are_few(&e->pairs);
    double counts[AKIN_LEVELS_MOST] = {0};
    (void)thread;
    for (uint64_t i = 0; i < e->random_count; i++) {
        const uint32_t level = e->random[i * e->pairs.comparisons + comparison];
        if (level != AKIN_LEVEL_MISSING)
            counts[level]++;
    }
    model->levels = c->leveled.levels;
    for (uint32_t l = 0; l < model->levels; l++)
        counts[l] = counts[l] > own ? counts[l] - own : 0;
    akin_level_model_set_u(model, counts, own > 0 ? 1.0 / model->levels : 0.5);
    raise_top(model, share_of_equals(c, e->job->records.tables, akin_training_values(e, comparison), own));
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- make */

akin_status akin_training_begin(akin_dedupe_job *job, akin_training *out, akin_error *error)
{
    akin_training *e = out;
    const uint32_t attributes = job->options.attribute_count;
    *e = (akin_training){.job = job};
    e->comparisons = akin_alloc_zero(&job->account, attributes, sizeof *e->comparisons);
    e->models = akin_alloc_zero(&job->account, attributes, sizeof *e->models);
    if (!e->comparisons || !e->models)
        return akin_fail_memory(error, "the comparisons");
    e->pairs.all = akin_population_pairs(&job->options, &job->records);
    e->pairs.tables = job->records.tables;
    memcpy(e->pairs.rows, job->records.rows, sizeof e->pairs.rows);
    take_comparisons(e);
    const akin_status status = akin_parallel(job->scope, NULL, e->pairs.comparisons, find_values, e);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the comparisons");
    e->model = (akin_fellegi_sunter){.count = e->pairs.comparisons, .comparisons = e->models, .tempering = 1};
    const akin_status added = akin_answered_pairs_add(job, error);
    return added == AKIN_OK ? akin_training_list(e, error) : added;
}

akin_status akin_training_find_u(akin_training *training, akin_error *error)
{
    akin_status status = draw_all(training, error);
    if (status == AKIN_OK)
        status = akin_training_count(training, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(training->job->scope, NULL, training->pairs.comparisons, set_u, training);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the frequencies of values");
}

void akin_training_clear(akin_training *training)
{
    for (uint32_t c = 0; training->comparisons && c < training->pairs.comparisons; c++) {
        akin_free(training->comparisons[c].made);
        akin_free(training->comparisons[c].counts);
        akin_free(training->comparisons[c].lefts);
        akin_free(training->comparisons[c].rarity);
    }
    akin_found_clear(&training->found);
    akin_free(training->caps.steps);
    akin_free(training->pairs.left);
    akin_free(training->pairs.right);
    akin_free(training->pairs.levels);
    akin_free(training->pairs.rarity);
    akin_free(training->comparisons);
    akin_free(training->models);
    akin_free(training->random);
    akin_free(training->settled[0].pairs);
    akin_free(training->settled[1].pairs);
    *training = (akin_training){0};
}
