/* akin_dedupe: selects pairs, scores them, and hands over those that reach the threshold. */
#include "base/bits.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "dedupe/scorer.h"
#include "dedupe/selection.h"
#include "strings/alphabet.h"

#include <math.h>
#include <string.h>

#define PAIRS_AT_ONCE 4096 /* that a sink receives */

AKIN_OPTIONS_END(akin_dedupe_options, reserved);
AKIN_OPTIONS_END(akin_dedupe_report, memory);

/* The pairs that a thread found: those of pair i are each[i * attributes] and the next ones. */
typedef struct found_pairs {
    akin_scored_pair *pairs;
    double *each;
    uint64_t count, room_pairs, room_each;
} found_pairs;

typedef struct worker {
    _Alignas(64) akin_scorer *scorer;
    found_pairs found;
    uint64_t pairs, fresh; /* of the selection at hand */
    double *each;
    uint32_t fresh_partners[AKIN_PARTNERS]; /* of a list */
    akin_status status;
    akin_asking asking;
    struct job *job;
} worker;

typedef struct job {
    akin_context *context;
    akin_account account;
    akin_dedupe_options options;
    akin_records records;
    akin_values *values;                         /* of columns that are named, in any order */
    const akin_values **of_columns;              /* of each column; NULL: it is not named */
    uint32_t columns, values_count, threads, at; /* at: the selection at hand */
    akin_selector *selectors;
    akin_visits visits;
    akin_scoring scoring;
    atomic_int cancelled;
    worker *workers;
    uint64_t found;
    akin_dedupe_report report;
} job;

/* ---------------------------------------------------------------------------------------------------------- options */

static akin_status check_column(uint32_t column, uint32_t columns, const char *what, uint32_t at, akin_error *error)
{
    if (column < columns)
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION, "%s %u: there is no column %u of %u", what, at, column, columns);
}

static akin_status check_selection(const akin_selection *s, uint32_t at, uint32_t columns, akin_error *error)
{
    akin_status status = AKIN_OK;
    int window = s->kind == AKIN_SELECT_WINDOW, block = s->kind == AKIN_SELECT_BLOCK;
    int similar = s->kind == AKIN_SELECT_SIMILAR, one = window || similar;
    if (!one && !block && s->kind != AKIN_SELECT_ALL)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: there is no kind %d", at, (int)s->kind);
    if (window && s->window < 2)
        return akin_fail(error, AKIN_E_OPTION, "selection %u: a window of %u: expected 2 or more", at, s->window);
    if (s->reserved != 0 || ((one || block) && s->part_count > 0 && !s->parts))
        return akin_fail(error, AKIN_E_OPTION, "selection %u: %s", at,
                         s->reserved ? "reserved is not 0" : "there are no keys where parts point");
    if (similar && (s->measure < AKIN_JACCARD || s->measure > AKIN_DICE || s->cutoff.num == 0 || s->cutoff.den == 0 ||
                    s->cutoff.num > s->cutoff.den))
        return akin_fail(error, AKIN_E_OPTION,
                         "selection %u: expected Jaccard, cosine or Dice, and a similarity above 0, to 1", at);
    if ((one && s->part_count != 1) || (block && s->part_count == 0))
        return akin_fail(error, AKIN_E_OPTION, "selection %u: %u keys: expected %s", at, s->part_count,
                         one ? "one" : "one or more");
    for (uint32_t i = 0; (one || block) && i < s->part_count && status == AKIN_OK; i++) {
        status = check_column(s->parts[i].column, columns, "selection", at, error);
        if (status == AKIN_OK && !similar && (s->parts[i].key < AKIN_KEY_VALUE || s->parts[i].key > AKIN_KEY_SOUNDEX))
            status = akin_fail(error, AKIN_E_OPTION, "selection %u: there is no key %d", at, (int)s->parts[i].key);
    }
    return status;
}

static akin_status check_attribute(const akin_attribute *a, uint32_t at, uint32_t columns, akin_error *error)
{
    akin_status status = check_column(a->column, columns, "attribute", at, error);
    if (status == AKIN_OK && a->reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "attribute %u: reserved is not 0", at);
    if (status == AKIN_OK && !(a->threshold >= 0 && a->threshold <= 1))
        status = akin_fail(error, AKIN_E_OPTION, "attribute %u: threshold %g: expected 0 to 1", at, a->threshold);
    if (status == AKIN_OK && !(a->weight > 0 && a->weight <= 1e9))
        status = akin_fail(error, AKIN_E_OPTION, "attribute %u: weight %g: expected a number above 0, to 1e9", at,
                           a->weight);
    return status;
}

static akin_status check_options(const akin_dedupe_options *o, uint32_t columns, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (o->selection_count == 0 || o->attribute_count == 0)
        return akin_fail(error, AKIN_E_OPTION, "there is nothing to %s",
                         o->selection_count ? "compare: expected an attribute"
                                            : "select pairs by: expected a selection");
    if (!o->selections || !o->attributes || o->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_dedupe_options: %s",
                         o->reserved ? "reserved is not 0" : "there are no selections or attributes where it points");
    if (o->max_block < 2)
        return akin_fail(error, AKIN_E_OPTION, "blocks of %llu records at most: expected 2 or more",
                         (unsigned long long)o->max_block);
    if (!(o->threshold > AKIN_SCORE_SLACK && o->threshold <= 1))
        return akin_fail(error, AKIN_E_OPTION, "threshold %g: expected a number above 0, to 1", o->threshold);
    if (o->missing < AKIN_MISSING_ZERO || o->missing > AKIN_MISSING_EQUAL)
        return akin_fail(error, AKIN_E_OPTION, "there is no way %d to deal with missing values", (int)o->missing);
    for (uint32_t i = 0; i < o->selection_count && status == AKIN_OK; i++)
        status = check_selection(&o->selections[i], i, columns, error);
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++)
        status = check_attribute(&o->attributes[i], i, columns, error);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- values */

/* Makes the values of a column, unless that has been done. */
static akin_status need_values(job *j, uint32_t column, akin_error *error)
{
    if (j->of_columns[column])
        return AKIN_OK;
    akin_values *values = &j->values[j->values_count++];
    j->of_columns[column] = values;
    for (uint32_t side = 0; side < j->records.tables; side++) {
        if (j->records.rows[side] == 0)
            continue;
        akin_status status = akin_column_check(&j->records.columns[side][column], side ? "right" : "left", error);
        if (status != AKIN_OK)
            return status;
    }
    return akin_values_make(j->context, &j->account, &j->records, column, values, error);
}

static akin_status make_values(job *j, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    akin_status status = AKIN_OK;
    j->values = akin_alloc_zero(&j->account, j->columns, sizeof *j->values);
    j->of_columns = akin_alloc_zero(&j->account, j->columns, sizeof *j->of_columns);
    if (!j->values || !j->of_columns)
        return akin_fail_memory(error, "the values");
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++)
        status = need_values(j, o->attributes[i].column, error);
    for (uint32_t i = 0; i < o->selection_count; i++)
        for (uint32_t p = 0; p < o->selections[i].part_count && status == AKIN_OK; p++)
            if (o->selections[i].kind == AKIN_SELECT_WINDOW || o->selections[i].kind == AKIN_SELECT_BLOCK)
                status = need_values(j, o->selections[i].parts[p].column, error);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- selections */

static akin_status make_selectors(job *j, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    akin_status status = AKIN_OK;
    j->selectors = akin_alloc_zero(&j->account, o->selection_count, sizeof *j->selectors);
    if (!j->selectors)
        return akin_fail_memory(error, "the pairs to compare");
    for (uint32_t i = 0; i < o->selection_count && status == AKIN_OK; i++) {
        status = akin_selector_make(j->context, &j->account, &o->selections[i], j->of_columns, o->max_block,
                                    &j->records, &j->selectors[i], error);
        if (status == AKIN_OK)
            status = akin_records_ask(j->context, 0, error);
    }
    return status;
}

/* Whether a selection before the one at hand selects the pair. */
static int is_known(const job *j, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < j->at; i++)
        if (akin_selector_has(&j->selectors[i], a, b))
            return 1;
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- comparing */

/* Keeps a pair. 0: memory is short. */
static int keep(job *j, found_pairs *f, akin_scored_pair pair, const double *each)
{
    uint64_t attributes = j->options.attribute_count;
    akin_scored_pair *pairs = akin_enlarge(&j->account, f->pairs, &f->room_pairs, f->count + 1, sizeof *pairs);
    if (pairs)
        f->pairs = pairs;
    double *all = akin_enlarge(&j->account, f->each, &f->room_each, (f->count + 1) * attributes, sizeof *all);
    if (all)
        f->each = all;
    if (!pairs || !all)
        return 0;
    pairs[f->count] = pair;
    memcpy(all + f->count++ * attributes, each, attributes * sizeof *each);
    return 1;
}

/* Scores a pair, and keeps it if it reaches the threshold. */
static akin_status score_pair(worker *w, uint32_t a, uint32_t b)
{
    const akin_records *records = &w->job->records;
    uint32_t border = records->tables == 2 ? records->rows[0] : 0;
    double similarity = -1;
    akin_status status = akin_scorer_score(w->scorer, a, b, &similarity, w->each);
    if (status != AKIN_OK || similarity < 0)
        return status;
    akin_scored_pair pair = {a < b ? a : b, (a < b ? b : a) - border, similarity};
    return keep(w->job, &w->found, pair, w->each) ? AKIN_OK : AKIN_E_NOMEM;
}

/* Scores a record with its partners, those that are new. */
static int score_list(void *user, uint32_t record, const uint32_t *partners, uint32_t count)
{
    worker *w = user;
    const job *j = w->job;
    uint32_t *fresh = w->fresh_partners, left = 0;
    if (!akin_goes_on(&w->asking)) {
        w->status = AKIN_E_CANCELLED;
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        int meet = akin_records_meet(&j->records, record, partners[i]);
        w->pairs += (uint64_t)meet;
        fresh[left] = partners[i];
        left += meet && !is_known(j, record, partners[i]);
    }
    w->fresh += left;
    left = akin_scorer_screen(w->scorer, record, fresh, left, fresh);
    for (uint32_t i = 0; i < left && w->status == AKIN_OK; i++)
        w->status = score_pair(w, record, fresh[i]);
    return w->status == AKIN_OK;
}

/* Brings from memory what is known of a record, and where it stands in the selections before this one. */
static void expect_record(void *user, uint32_t record, int sooner)
{
    const worker *w = user;
    for (uint32_t i = 0; i < w->job->at && !sooner; i++)
        if (w->job->selectors[i].places)
            __builtin_prefetch(&w->job->selectors[i].places[record]);
    akin_scorer_expect(w->scorer, record, sooner);
}

static akin_status score_task(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    worker *w = &j->workers[thread];
    akin_selector_visit(&j->selectors[j->at], &j->visits, task, score_list, expect_record, w);
    return w->status;
}

static akin_status make_workers(job *j, akin_error *error)
{
    int done = 1;
    j->threads = akin_memory_threads(j->context);
    j->workers = akin_alloc_zero(&j->account, j->threads, sizeof *j->workers);
    for (uint32_t t = 0; j->workers && t < j->threads; t++) {
        worker *w = &j->workers[t];
        w->job = j;
        w->asking = (akin_asking){.context = j->context, .cancelled = &j->cancelled, .thread = t};
        w->scorer = akin_scorer_create(&j->scoring, &w->asking);
        w->each = akin_alloc(&j->account, j->options.attribute_count, sizeof *w->each);
        done = done && w->scorer && w->each;
    }
    return j->workers && done ? AKIN_OK : akin_fail_memory(error, "comparing records");
}

/* Scores the pairs of one selection after the other. */
static akin_status compare(job *j, akin_error *error)
{
    akin_context few = *j->context;
    akin_status status = make_workers(j, error);
    few.threads = j->threads;
    for (j->at = 0; j->at < j->options.selection_count && status == AKIN_OK; j->at++) {
        const akin_selector *s = &j->selectors[j->at];
        akin_selected selected = {.oversized = s->oversized, .oversized_records = s->oversized_records};
        j->visits = akin_selector_visits(s);
        status = akin_parallel_long(&few, "comparing", j->visits.tasks, score_task, j, &j->cancelled);
        for (uint32_t t = 0; t < j->threads; t++) {
            selected.pairs += j->workers[t].pairs;
            selected.fresh += j->workers[t].fresh;
            j->workers[t].pairs = j->workers[t].fresh = 0;
        }
        j->report.pairs_selected += selected.fresh;
        if (j->options.selected)
            j->options.selected[j->at] = selected;
        if (status == AKIN_E_LIMIT)
            akin_fail(error, status, "a value has 2^32 tokens or more: expected fewer");
        else if (status != AKIN_OK)
            akin_fail_stopped(error, status, "comparing records");
    }
    for (uint32_t t = 0; t < j->threads && status == AKIN_OK; t++) {
        j->found += j->workers[t].found.count;
        j->report.values_compared += akin_scorer_compared(j->workers[t].scorer);
    }
    j->report.pairs_found = j->found;
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- delivery */

/* Where a pair is, by its key: the thread and the number of it there. */
typedef struct place {
    uint32_t thread;
    uint64_t at;
} place;

static place place_of(const job *j, uint64_t number)
{
    uint32_t thread = 0;
    while (number >= j->workers[thread].found.count)
        number -= j->workers[thread++].found.count;
    return (place){thread, number};
}

/* Room for what is handed over. */
typedef struct parcel {
    akin_u128 *keys; /* of all pairs, sorted: left, right, and the number of it */
    akin_scored_pair *pairs;
    double *each;
} parcel;

static void sort_keys(const job *j, akin_u128 *keys)
{
    uint64_t number = 0;
    for (uint32_t t = 0; t < j->threads; t++)
        for (uint64_t i = 0; i < j->workers[t].found.count; i++) {
            const akin_scored_pair *p = &j->workers[t].found.pairs[i];
            keys[number] = (akin_u128)((uint64_t)p->left << 32 | p->right) << 64 | number;
            number++;
        }
    akin_sort_u128(keys, j->found);
}

/* Hands pairs first to first + count - 1 over. */
static akin_status hand_over(const job *j, const parcel *parcel, uint64_t first, uint64_t count, akin_scored_sink sink,
                             void *user, akin_error *error)
{
    uint64_t attributes = j->options.attribute_count;
    for (uint64_t i = 0; i < count; i++) {
        place p = place_of(j, (uint64_t)parcel->keys[first + i]);
        const found_pairs *f = &j->workers[p.thread].found;
        parcel->pairs[i] = f->pairs[p.at];
        memcpy(parcel->each + i * attributes, f->each + p.at * attributes, attributes * sizeof *parcel->each);
    }
    akin_status status = akin_records_ask(j->context, 0, error);
    if (status == AKIN_OK && sink(user, parcel->pairs, parcel->each, count) != 0)
        status = akin_fail(error, AKIN_E_CANCELLED, "cancelled by the receiver of pairs");
    return status;
}

/* Hands the pairs over, sorted. */
static akin_status deliver(job *j, akin_scored_sink sink, void *user, akin_error *error)
{
    uint64_t at_once = akin_min_u64(PAIRS_AT_ONCE, j->found);
    parcel p = {akin_alloc(&j->account, j->found, sizeof *p.keys), akin_alloc(&j->account, at_once, sizeof *p.pairs),
                akin_alloc(&j->account, at_once * j->options.attribute_count, sizeof *p.each)};
    akin_status status = AKIN_E_NOMEM;
    if (p.keys && p.pairs && p.each) {
        sort_keys(j, p.keys);
        status = AKIN_OK;
    } else {
        akin_fail_memory(error, "the pairs found");
    }
    for (uint64_t first = 0; first < j->found && status == AKIN_OK; first += at_once)
        status = hand_over(j, &p, first, akin_min_u64(at_once, j->found - first), sink, user, error);
    akin_free(p.keys);
    akin_free(p.pairs);
    akin_free(p.each);
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- job */

/* Frees all but the pairs that were found. */
static void clear_work(job *j)
{
    for (uint32_t t = 0; j->workers && t < j->threads; t++) {
        akin_scorer_free(j->workers[t].scorer);
        akin_free(j->workers[t].each);
        j->workers[t].scorer = NULL;
        j->workers[t].each = NULL;
    }
    akin_scoring_clear(&j->scoring);
    for (uint32_t i = 0; j->selectors && i < j->options.selection_count; i++)
        akin_selector_clear(&j->selectors[i]);
    akin_free(j->selectors);
    j->selectors = NULL;
    for (uint32_t i = 0; i < j->values_count; i++)
        akin_values_clear(&j->values[i]);
    j->values_count = 0;
    akin_free(j->values);
    akin_free(j->of_columns);
    j->values = NULL;
    j->of_columns = NULL;
}

static void clear(job *j)
{
    clear_work(j);
    for (uint32_t t = 0; j->workers && t < j->threads; t++) {
        akin_free(j->workers[t].found.pairs);
        akin_free(j->workers[t].found.each);
    }
    akin_free(j->workers);
}

static akin_status run(job *j, akin_scored_sink sink, void *user, akin_error *error)
{
    double start = akin_clock();
    akin_status status = make_values(j, error);
    j->report.seconds_values = akin_clock() - start;
    start = akin_clock();
    if (status == AKIN_OK)
        status = make_selectors(j, error);
    j->report.seconds_select = akin_clock() - start;
    start = akin_clock();
    if (status == AKIN_OK)
        status = akin_scoring_make(j->context, &j->account, &j->options, j->of_columns, &j->scoring, error);
    if (status == AKIN_OK)
        status = compare(j, error);
    j->report.seconds_compare = akin_clock() - start;
    clear_work(j);
    return status == AKIN_OK && sink ? deliver(j, sink, user, error) : status;
}

/* Sets out what there is to compare. */
static akin_status begin(job *j, const akin_column *left, uint32_t rows_left, const akin_column *right,
                         uint32_t rows_right, const akin_dedupe_options *options, akin_dedupe_report *report,
                         akin_error *error)
{
    static const akin_dedupe_options defaults = AKIN_DEDUPE_OPTIONS_INIT;
    j->options = defaults;
    akin_status status =
        akin_options_read(options, &j->options, sizeof j->options, sizeof j->options, "akin_dedupe_options", error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof j->report, "akin_dedupe_report", error);
    if (status == AKIN_OK)
        status = check_options(&j->options, j->columns, error);
    if (status == AKIN_OK && right && (uint64_t)rows_left + rows_right >= UINT32_MAX)
        status = akin_fail(error, AKIN_E_LIMIT, "%u and %u records: expected fewer than %u together", rows_left,
                           rows_right, UINT32_MAX);
    j->records = (akin_records){{left, right}, right ? 2 : 1, {rows_left, right ? rows_right : 0}, rows_left};
    j->records.count += j->records.rows[1];
    j->report.pairs_all = right       ? (uint64_t)rows_left * rows_right
                          : rows_left ? (uint64_t)rows_left * (rows_left - 1) / 2
                                      : 0;
    j->account.limit = akin_memory_job(j->context->memory);
    return status;
}

akin_status akin_dedupe(akin_context *context, const akin_column *left, uint32_t rows_left, const akin_column *right,
                        uint32_t rows_right, uint32_t columns, const akin_dedupe_options *options,
                        akin_scored_sink sink, void *user, uint64_t *count, akin_dedupe_report *report,
                        akin_error *error)
{
    job j = {.context = context, .columns = columns};
    akin_status status = begin(&j, left, rows_left, right, rows_right, options, report, error);
    if (status == AKIN_OK)
        status = run(&j, sink, user, error);
    clear(&j);
    if (status != AKIN_OK)
        return status;
    j.report.memory = j.account.peak;
    if (count)
        *count = j.found;
    return report ? akin_options_write(&j.report, sizeof j.report, report, "akin_dedupe_report", error) : AKIN_OK;
}
