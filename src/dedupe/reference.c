/* Joins records with a reference table by measures of texts, and by what the reference table says of these. */
#include "dedupe/reference.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/sort_parallel.h"
#include "dedupe/likeness.h"
#include "dedupe/reference_search.h"
#include "learn/decoys.h"
#include "learn/expected.h"

#include <string.h>

#define MEASURES 7
#define BATCH    32  /* texts of a task */
#define LEAST    0.5 /* a join is never more likely wrong than right */

static const char what[] = "the join with the reference table";

/* The candidate that is most like a text. */
typedef struct choice {
    akin_likeness likeness;
    double second;  /* the similarity of the second best one; 0: there is none */
    uint32_t value; /* AKIN_VALUE_NONE: there is no candidate */
} choice;

typedef struct worker {
    _Alignas(64) akin_likeness_reader reader;
} worker;

typedef struct reference {
    akin_dedupe_job *job;
    akin_likeness_texts texts;
    uint32_t *partners; /* of each reference text: see reference_search.h */
    uint32_t *records;  /* of each value how many left records have it */
    uint64_t *pairs;    /* candidates: right value << 32 | left value, ascending, each once */
    uint64_t pair_count;
    uint64_t *starts; /* of the pairs of each right text in `pairs`, and the end */
    uint64_t item_count;
    choice *decoys, *items; /* of each value; of each right text */
    double *measures[2];    /* of items, and of decoys */
    uint64_t decoy_count;
    double *probabilities; /* of each item */
    uint32_t *chosen;      /* of each right record its left record; AKIN_VALUE_NONE: none */
    worker *workers;
} reference;

/* ------------------------------------------------------------------------------------------------------- candidates */

/* Counts the left records of each value. */
static akin_status count_records(reference *f, akin_error *error)
{
    const akin_values *values = f->texts.values;
    f->records = akin_alloc_zero(&f->job->account, values->count, sizeof *f->records);
    if (!f->records)
        return akin_fail_memory(error, what);
    for (uint32_t r = 0; r < values->records->rows[0]; r++)
        if (values->of[r] != AKIN_VALUE_NONE)
            f->records[values->of[r]]++;
    return AKIN_OK;
}

static uint64_t key_of_pair(const reference *f, const akin_scored_pair *pair)
{
    const akin_values *values = f->texts.values;
    const uint32_t left = values->of[pair->left], right = values->of[pair->right + values->records->rows[0]];
    return left == AKIN_VALUE_NONE || right == AKIN_VALUE_NONE ? UINT64_MAX : (uint64_t)right << 32 | left;
}

/* Lists the pairs of values among the gathered pairs. */
static akin_status list_pairs(reference *f, akin_error *error)
{
    akin_dedupe_job *j = f->job;
    uint64_t count = 0, kept = 0;
    for (uint32_t t = 0; t < j->threads; t++)
        count += j->workers[t].found.count;
    f->pairs = akin_alloc(&j->account, count, sizeof *f->pairs);
    if (!f->pairs)
        return akin_fail_memory(error, what);
    count = 0;
    for (uint32_t t = 0; t < j->threads; t++)
        for (uint64_t i = 0; i < j->workers[t].found.count; i++)
            f->pairs[count++] = key_of_pair(f, &j->workers[t].found.pairs[i]);
    const akin_status status = akin_sort_parallel_u64(j->scope, &j->account, f->pairs, count);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    for (uint64_t i = 0; i < count && f->pairs[i] != UINT64_MAX; i++)
        if (i == 0 || f->pairs[i] != f->pairs[i - 1])
            f->pairs[kept++] = f->pairs[i];
    f->pair_count = kept;
    return AKIN_OK;
}

/* Finds where the pairs of each right text begin. */
static akin_status find_items(reference *f, akin_error *error)
{
    for (uint64_t i = 0; i < f->pair_count; i++)
        f->item_count += i == 0 || f->pairs[i] >> 32 != f->pairs[i - 1] >> 32;
    f->starts = akin_alloc(&f->job->account, f->item_count + 1, sizeof *f->starts);
    if (!f->starts)
        return akin_fail_memory(error, what);
    for (uint64_t i = 0, item = 0; i < f->pair_count; i++)
        if (i == 0 || f->pairs[i] >> 32 != f->pairs[i - 1] >> 32)
            f->starts[item++] = i;
    f->starts[f->item_count] = f->pair_count;
    return AKIN_OK;
}

/* Whether a reference text has a partner; each pair of partners has a first one, of which it is counted. */
static int has_partner(const reference *f, uint32_t value, uint32_t partner)
{
    const uint32_t *of = f->partners + (uint64_t)value * AKIN_REFERENCE_MOST;
    for (uint32_t i = 0; i < AKIN_REFERENCE_MOST && of[i] != AKIN_VALUE_NONE; i++)
        if (of[i] == partner)
            return 1;
    return 0;
}

/* Gathers the differences between reference texts and their partners. */
static akin_status find_differences(reference *f, akin_error *error)
{
    akin_likeness_texts *t = &f->texts;
    akin_account *account = &f->job->account;
    uint64_t room = 0;
    for (uint32_t value = 0; value < t->values->count && f->partners; value++) {
        const uint32_t *of = f->partners + (uint64_t)value * AKIN_REFERENCE_MOST;
        for (uint32_t i = 0; i < AKIN_REFERENCE_MOST && of[i] != AKIN_VALUE_NONE; i++) {
            const uint64_t difference =
                value < of[i] || !has_partner(f, of[i], value) ? akin_likeness_difference(t, value, of[i]) : 0;
            if (difference == 0)
                continue;
            uint64_t *larger = akin_enlarge(account, t->contrary, &room, t->contrary_count + 1, sizeof *larger);
            if (!larger)
                return akin_fail_memory(error, what);
            t->contrary = larger;
            t->contrary[t->contrary_count++] = difference;
        }
        if (akin_is_stopped(f->job->scope, value))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    const akin_status status = t->contrary_count > 0
                                   ? akin_sort_parallel_u64(f->job->scope, account, t->contrary, t->contrary_count)
                                   : AKIN_OK;
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ---------------------------------------------------------------------------------------------------------- choices */

/* Compares a text with a candidate, which is chosen if it is the best one so far. Of equal ones the first one is. */
static akin_status consider(akin_likeness_reader *reader, uint32_t value, uint32_t candidate, int own, choice *best)
{
    akin_likeness likeness;
    const akin_status status = akin_likeness_compare(reader, value, candidate, own, &likeness);
    if (status != AKIN_OK)
        return status;
    if (best->value == AKIN_VALUE_NONE || likeness.similarity > best->likeness.similarity ||
        (likeness.similarity == best->likeness.similarity && candidate < best->value)) {
        best->second = best->value == AKIN_VALUE_NONE ? 0 : best->likeness.similarity;
        best->likeness = likeness;
        best->value = candidate;
    } else if (likeness.similarity > best->second)
        best->second = likeness.similarity;
    return AKIN_OK;
}

static akin_status choose_decoys(void *argument, uint64_t task, uint32_t thread)
{
    reference *f = argument;
    const uint64_t end = akin_min_u64((task + 1) * BATCH, f->texts.values->count);
    akin_status status = AKIN_OK;
    for (uint64_t value = task * BATCH; value < end && status == AKIN_OK; value++) {
        const uint32_t *of = f->partners + value * AKIN_REFERENCE_MOST;
        choice *best = &f->decoys[value];
        *best = (choice){.value = AKIN_VALUE_NONE};
        for (uint32_t i = 0; i < AKIN_REFERENCE_MOST && of[i] != AKIN_VALUE_NONE && status == AKIN_OK; i++)
            status = consider(&f->workers[thread].reader, (uint32_t)value, of[i], 1, best);
    }
    return status;
}

static akin_status choose_items(void *argument, uint64_t task, uint32_t thread)
{
    reference *f = argument;
    const uint64_t end = akin_min_u64((task + 1) * BATCH, f->item_count);
    akin_status status = AKIN_OK;
    for (uint64_t item = task * BATCH; item < end && status == AKIN_OK; item++) {
        choice *best = &f->items[item];
        *best = (choice){.value = AKIN_VALUE_NONE};
        for (uint64_t i = f->starts[item]; i < f->starts[item + 1] && status == AKIN_OK; i++)
            status =
                consider(&f->workers[thread].reader, (uint32_t)(f->pairs[i] >> 32), (uint32_t)f->pairs[i], 0, best);
        if (best->value != AKIN_VALUE_NONE && f->records[best->value] > 1)
            best->second = best->likeness.similarity; /* that of another record */
    }
    return status;
}

static akin_status choose(reference *f, akin_error *error)
{
    akin_dedupe_job *j = f->job;
    const uint32_t threads = akin_scope_threads(j->scope);
    f->decoys = akin_alloc(&j->account, f->texts.values->count, sizeof *f->decoys);
    f->items = akin_alloc(&j->account, f->item_count, sizeof *f->items);
    f->workers = akin_alloc(&j->account, threads, sizeof *f->workers);
    if (!f->decoys || !f->items || !f->workers)
        return akin_fail_memory(error, what);
    for (uint32_t t = 0; t < threads; t++)
        akin_likeness_reader_begin(&f->texts, j->scope->cpu, &j->account, &f->workers[t].reader);
    akin_status status = akin_parallel_long(j->scope, "comparing", akin_ceil_div(f->texts.values->count, BATCH),
                                            choose_decoys, f, &j->cancelled);
    if (status == AKIN_OK)
        status = akin_parallel_long(j->scope, "comparing", akin_ceil_div(f->item_count, BATCH), choose_items, f,
                                    &j->cancelled);
    for (uint32_t t = 0; t < threads; t++)
        akin_likeness_reader_clear(&f->workers[t].reader);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* ---------------------------------------------------------------------------------------------------- probabilities */

/* What the model sees of a choice: how alike, how much more than the second best one, and how near to the chosen
 * reference text there is another one. */
static void write_measures(const reference *f, const choice *c, double out[MEASURES])
{
    const akin_likeness *l = &c->likeness;
    const choice *other = &f->decoys[c->value];
    out[0] = l->similarity;
    out[1] = l->similarity - c->second;
    out[2] = other->value == AKIN_VALUE_NONE ? 0 : other->likeness.similarity;
    out[3] = l->cosine;
    out[4] = l->words;
    out[5] = l->contrary;
    out[6] = l->numbers;
}

static akin_status find_probabilities(reference *f, akin_error *error)
{
    akin_account *account = &f->job->account;
    const uint32_t values = f->texts.values->count;
    f->measures[0] = akin_alloc(account, f->item_count * MEASURES, sizeof(double));
    f->measures[1] = akin_alloc(account, (uint64_t)values * MEASURES, sizeof(double));
    f->probabilities = akin_alloc(account, f->item_count, sizeof(double));
    if (!f->measures[0] || !f->measures[1] || !f->probabilities)
        return akin_fail_memory(error, what);
    for (uint64_t i = 0; i < f->item_count; i++)
        write_measures(f, &f->items[i], f->measures[0] + i * MEASURES);
    for (uint32_t v = 0; v < values; v++)
        if (f->decoys[v].value != AKIN_VALUE_NONE)
            write_measures(f, &f->decoys[v], f->measures[1] + f->decoy_count++ * MEASURES);
    const akin_decoys decoys = {MEASURES, f->measures[0], f->item_count, f->measures[1], f->decoy_count};
    return akin_decoys_run(f->job->scope, account, &decoys, f->probabilities, error);
}

/* ----------------------------------------------------------------------------------------------------------- pairs */

/* The item of a right value, or that there is none. */
static uint64_t item_of(const reference *f, uint32_t value)
{
    uint64_t first = 0, end = f->item_count;
    while (first < end) {
        const uint64_t middle = first + (end - first) / 2;
        if (f->pairs[f->starts[middle]] >> 32 < value)
            first = middle + 1;
        else
            end = middle;
    }
    return first < f->item_count && f->pairs[f->starts[first]] >> 32 == value ? first : UINT64_MAX;
}

/* The probability of a gathered pair, if its left value is the choice of its right one; else 0. */
static double probability_of(const reference *f, const akin_scored_pair *pair)
{
    const uint64_t key = key_of_pair(f, pair);
    const uint64_t item = key == UINT64_MAX ? UINT64_MAX : item_of(f, (uint32_t)(key >> 32));
    return item != UINT64_MAX && f->items[item].value == (uint32_t)key ? f->probabilities[item] : 0;
}

/* Chooses the first one of the left records that have the chosen text, for each right record, and lists the
 * probabilities of these pairs. */
static akin_status choose_records(reference *f, double **probabilities, uint64_t *count, double *matches,
                                  akin_error *error)
{
    const akin_dedupe_job *j = f->job;
    const uint32_t rows = j->records.rows[1], border = j->records.rows[0];
    f->chosen = akin_alloc(&f->job->account, rows, sizeof *f->chosen);
    *probabilities = akin_alloc(&f->job->account, rows, sizeof **probabilities);
    if (!f->chosen || !*probabilities)
        return akin_fail_memory(error, what);
    for (uint32_t r = 0; r < rows; r++)
        f->chosen[r] = AKIN_VALUE_NONE;
    for (uint32_t t = 0; t < j->threads; t++)
        for (uint64_t i = 0; i < j->workers[t].found.count; i++) {
            const akin_scored_pair *pair = &j->workers[t].found.pairs[i];
            if (probability_of(f, pair) > 0 && pair->left < f->chosen[pair->right])
                f->chosen[pair->right] = pair->left;
        }
    for (uint32_t r = 0; r < rows; r++) {
        const uint64_t item =
            f->chosen[r] == AKIN_VALUE_NONE ? UINT64_MAX : item_of(f, f->texts.values->of[r + border]);
        const double p = item == UINT64_MAX ? 0 : f->probabilities[item];
        *matches += p;
        if (p >= LEAST)
            (*probabilities)[(*count)++] = p;
    }
    return AKIN_OK;
}

/* Keeps the chosen pairs that reach the threshold. */
static void keep_pairs(reference *f, double threshold)
{
    akin_dedupe_job *j = f->job;
    const uint64_t attributes = j->options.attribute_count;
    j->found = 0;
    for (uint32_t t = 0; t < j->threads; t++) {
        akin_found *found = &j->workers[t].found;
        uint64_t kept = 0;
        for (uint64_t i = 0; i < found->count; i++) {
            akin_scored_pair pair = found->pairs[i];
            pair.similarity = probability_of(f, &pair);
            if (pair.similarity < threshold || f->chosen[pair.right] != pair.left)
                continue;
            found->pairs[kept] = pair;
            memmove(found->each + kept++ * attributes, found->each + i * attributes, attributes * sizeof *found->each);
        }
        found->count = kept;
        j->found += kept;
    }
}

static akin_status answer(reference *f, akin_error *error)
{
    akin_dedupe_job *j = f->job;
    akin_dedupe_report *report = &j->report;
    akin_expected expected = {.threshold = 1};
    double *probabilities = NULL, matches = 0;
    uint64_t count = 0;
    akin_status status = choose_records(f, &probabilities, &count, &matches, error);
    if (status == AKIN_OK)
        status = akin_expected_choose_precise(j->scope, &j->account, probabilities, count, matches,
                                              akin_ratio_value(j->options.precision), &expected, error);
    if (status == AKIN_OK) {
        keep_pairs(f, expected.accepted > 0 ? expected.threshold : 2);
        report->pairs_found = j->found;
        report->threshold = expected.threshold;
        report->expected_matches = matches;
        report->expected_precision = j->found > 0 ? expected.right / (double)j->found : 0;
        report->expected_recall = matches > 0 ? expected.right / matches : 0;
        report->partners = AKIN_PARTNERS_MANY; /* of a reference record */
        report->decoys = f->decoy_count;
    }
    akin_free(probabilities);
    return status;
}

static void clear(reference *f)
{
    akin_likeness_texts_clear(&f->texts);
    void *const blocks[] = {f->partners,    f->records,     f->pairs,         f->starts, f->decoys, f->items,
                            f->measures[0], f->measures[1], f->probabilities, f->chosen, f->workers};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        akin_free(blocks[i]);
}

akin_status akin_dedupe_join_reference(akin_dedupe_job *job, akin_error *error)
{
    const double start = akin_clock();
    reference f = {.job = job};
    const akin_values *values = job->of_columns[akin_columns_text(&job->options, job->columns)];
    akin_status status = akin_likeness_texts_make(job->scope, &job->account, values, &f.texts, error);
    if (status == AKIN_OK &&
        !(f.partners = akin_alloc(&job->account, (uint64_t)values->count * AKIN_REFERENCE_MOST, sizeof *f.partners)))
        status = akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = akin_reference_search(job->scope, &job->account, values, f.partners, error);
    if (status == AKIN_OK)
        status = find_differences(&f, error);
    if (status == AKIN_OK)
        status = count_records(&f, error);
    if (status == AKIN_OK)
        status = list_pairs(&f, error);
    if (status == AKIN_OK)
        status = find_items(&f, error);
    if (status == AKIN_OK)
        status = choose(&f, error);
    if (status == AKIN_OK)
        status = find_probabilities(&f, error);
    if (status == AKIN_OK)
        status = answer(&f, error);
    clear(&f);
    job->report.seconds_learn = akin_clock() - start;
    return status;
}
