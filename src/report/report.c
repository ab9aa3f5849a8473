/* Makes a report, and draws the pairs that show how alike the compared records are. */
#include "graph/clusterings.h"
#include "graph/clusters.h"
#include "report/report.h"

#include "base/context.h"
#include "base/budget.h"
#include "base/bits.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/random.h"
#include "dedupe/warnings.h"
#include "strings/alphabet.h"

#include <math.h>
#include <string.h>

#define NEAR_BYTES    ((uint64_t)128 << 20) /* of pairs that are gathered below the threshold */
#define BEATEN_BYTES  24 /* that finding out which pairs are beaten, and keeping that, takes for each */
#define GOLD_BYTES    16 /* and evaluating them, if none are beaten */
#define CELLS_MOST    ((uint64_t)1 << 35) /* that measuring the pairs drawn may cost */
#define MARGINS       6                   /* each half the one before */
#define RULE_OF_THREE 3                   /* what was not met in a sample of n may be 3 in n of all */

AKIN_OPTIONS_END(akin_report_options, reserved);

static akin_status check_report_options(const akin_report_options *o, akin_error *error)
{
    if (!(o->margin >= 0 && o->margin <= 1))
        return akin_fail(error, AKIN_E_OPTION, "margin %g: expected 0 to 1", o->margin);
    if (o->pairs < 1 || o->pairs > 10000)
        return akin_fail(error, AKIN_E_OPTION, "%u pairs to be listed: expected 1 to 10000", o->pairs);
    if (o->gold_rows > 0 && !(o->gold[0] && o->gold[1]))
        return akin_fail(error, AKIN_E_OPTION, "gold_rows is %u, and there are not two columns of ids", o->gold_rows);
    for (int side = 0; side < 2; side++) {
        akin_status status = o->ids[side] ? akin_column_check(o->ids[side], "ids", error) : AKIN_OK;
        if (status == AKIN_OK && o->gold[side])
            status = akin_column_check(o->gold[side], "gold", error);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

/* Forgets what was gathered. */
static void clear_report(akin_report *report)
{
    akin_report fresh = {.observer = report->observer,
                         .scope = report->scope,
                         .options = report->options,
                         .clustering = report->clustering,
                         .is_split = report->is_split,
                         .step_count = report->step_count};
    fresh.given_count = report->given_count;
    memcpy(fresh.steps, report->steps, sizeof fresh.steps);
    fresh.account.limit = report->account.limit;
    akin_drawn_clear(&report->drawn);
    akin_clusters_free(report->clusters);
    akin_report_free_job_options(report);
    akin_free(report->columns);
    akin_free(report->selected);
    akin_free(report->parsed);
    akin_free(report->credits);
    akin_free(report->soles);
    akin_free(report->beaten);
    akin_free(report->pairs);
    akin_free(report->each);
    akin_free(report->counts);
    akin_free(report->order);
    akin_free(report->gold.pairs);
    akin_free(report->gold.kinds);
    akin_free(report->learnt.comparisons);
    akin_free(report->learnt.levels);
    akin_free(report->learnt.parts);
    akin_free(report->learnt.completed);
    akin_free(report->learnt.shares);
    *report = fresh;
}

void akin_report_free(akin_report *report)
{
    if (!report)
        return;
    clear_report(report);
    akin_free(report);
}

static void add_step(akin_report *report, const char *name, double seconds)
{
    report->steps[report->step_count].name = name;
    report->steps[report->step_count++].seconds = seconds;
}

void akin_report_step(akin_report *report, const char *name, double seconds)
{
    if (report->given_count == AKIN_REPORT_GIVEN)
        return;
    report->given_count++;
    add_step(report, name, seconds);
}

/* ----------------------------------------------------------------------------------------------------------- sample */

/* Leaves `wanted` of the pairs that were drawn, each with the same probability (D. Knuth, The Art of Computer
 * Programming, volume 2, 3.4.2, algorithm S). */
static void thin_out(akin_drawn *drawn, uint64_t wanted)
{
    akin_random random;
    uint64_t kept = 0;
    akin_random_seed(&random, 2);
    for (uint64_t i = 0; i < drawn->count && kept < wanted; i++)
        if (akin_random_below(&random, drawn->count - i) < wanted - kept)
            drawn->pairs[kept++] = drawn->pairs[i];
    drawn->count = kept;
    drawn->is_all = 0;
}

/* Draws pairs, up to the number that memory and time permit. */
static akin_status draw_pairs(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    uint64_t wanted = AKIN_REPORT_SAMPLE, bytes = 8 * (1 + (uint64_t)job->options->attribute_count);
    double cells = 0,
           most = (double)(akin_wishes_of(report->scope)->sample_cells ? akin_wishes_of(report->scope)->sample_cells
                                                                       : CELLS_MOST);
    if (report->account.limit)
        wanted = akin_min_u64(wanted, akin_budget_part(report->account.limit, AKIN_JOB_SAMPLE) / bytes + 1);
    akin_status status = akin_draw(report->scope, &report->account, job->selectors, job->options->selection_count,
                                   wanted, &report->drawn, error);
    for (uint64_t i = 0; status == AKIN_OK && i < report->drawn.count; i++)
        cells += (double)akin_measure_cells(job->scoring, report->drawn.pairs[i]);
    if (status == AKIN_OK && cells > most) /* more would take too long */
        thin_out(&report->drawn, akin_max_u64((uint64_t)((double)report->drawn.count * (most / cells)), 1));
    return status;
}

/* Counts a pair that was drawn. */
static void count_drawn(akin_report *report, uint32_t attributes, const double *each, double average)
{
    report->drawn_bins[akin_report_bin(average)]++;
    for (uint32_t a = 0; a < attributes; a++) {
        akin_report_column *column = &report->columns[a];
        column->drawn_missing += isnan(each[a]) != 0;
        column->drawn_low += each[a] < 0;
        if (each[a] >= 0)
            column->drawn[akin_step_of(each[a]) - 1]++;
    }
}

/* Measures the pairs drawn. */
static akin_status measure_drawn(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    uint64_t count = report->drawn.count, attributes = job->options->attribute_count;
    double *each = akin_alloc(&report->account, count * attributes, sizeof *each);
    double *averages = akin_alloc(&report->account, count, sizeof *averages);
    akin_status status = AKIN_E_NOMEM;
    if (each && averages) {
        const akin_measured out = {.each = each, .averages = averages};
        status = akin_measure_pairs(report->scope, job->scoring, report->drawn.pairs, count, &out, error);
        for (uint64_t i = 0; status == AKIN_OK && i < count; i++)
            count_drawn(report, (uint32_t)attributes, each + i * attributes, averages[i]);
    } else {
        akin_fail_memory(error, "the report");
    }
    akin_free(each);
    akin_free(averages);
    return status;
}

/* How many of all pairs may be from one hundredth on, below a similarity. */
static double judge(const akin_report *report, uint32_t from, double below)
{
    double hits = 0, count = (double)report->drawn.count;
    for (uint32_t k = from; k < AKIN_CURVE_POINTS && k / 100.0 < below; k++)
        hits += (double)report->drawn_bins[k];
    if (report->drawn.is_all || count == 0)
        return hits;
    return (hits + RULE_OF_THREE) / count * report->drawn.pairs_all;
}

/* Whether the pairs from a hundredth on are not too many: those below the threshold to be kept; and under a bound,
 * together with the found ones, to be examined. */
static int has_room(const akin_report *report, uint32_t from, uint32_t attributes)
{
    uint64_t half = akin_budget_part(report->account.limit, AKIN_JOB_NEAR),
             bytes = half ? akin_min_u64(NEAR_BYTES, half) : NEAR_BYTES;
    uint64_t each = 2 * sizeof(akin_scored_pair) + 2 * sizeof(double) * attributes;
    uint64_t examined = report->job_options.one_to_one ? BEATEN_BYTES : report->options.gold_rows > 0 ? GOLD_BYTES : 0;
    return judge(report, from, akin_ratio_value(report->job_options.threshold)) * (double)each <= (double)bytes &&
           (!half || judge(report, from, 2) * (double)examined <= (double)half);
}

/* From where on pairs are gathered: as far below the threshold as there is room for them. */
static akin_ratio choose_least(akin_report *report, uint32_t attributes)
{
    akin_ratio threshold = report->job_options.threshold;
    double margin = report->options.margin;
    for (int i = 0; i < MARGINS && margin > 0; i++, margin /= 2) {
        double low = akin_ratio_value(threshold) - margin;
        akin_ratio least = {low > 0.01 ? akin_step_of(low) - 1 : 1, AKIN_CURVE_POINTS - 1};
        if (!akin_ratio_below(least, threshold))
            continue;
        if (!(report->is_crowded = !has_room(report, least.num, attributes)))
            return least;
    }
    return threshold;
}

static akin_status reserve_report(akin_report *report, const akin_dedupe_view *job, akin_error *error)
{
    uint32_t selections = job->options->selection_count;
    report->columns = akin_alloc_zero(&report->account, job->options->attribute_count, sizeof *report->columns);
    report->selected = akin_alloc_zero(&report->account, selections, sizeof *report->selected);
    report->parsed =
        akin_alloc_zero(&report->account, 2 * (uint64_t)job->options->attribute_count, sizeof *report->parsed);
    report->credits = akin_alloc_zero(&report->account, selections, sizeof *report->credits);
    report->soles = akin_alloc_zero(&report->account, selections, sizeof *report->soles);
    return report->columns && report->selected && report->parsed && report->credits && report->soles
               ? AKIN_OK
               : akin_fail_memory(error, "the report");
}

static akin_status prepare_report(akin_report *report, const akin_dedupe_view *job, akin_ratio *threshold,
                                  akin_selected **selected, akin_error *error)
{
    double begun = akin_clock();
    if (report->is_done)
        return akin_fail(error, AKIN_E_OPTION, "the report has been used: expected one of its own for each job");
    clear_report(report); /* of a job that failed, or that begins once more in another way */
    report->scope = job->scope;
    akin_status status = akin_report_keep_job_options(report, job, error);
    if (status == AKIN_OK)
        status = reserve_report(report, job, error);
    if (status == AKIN_OK)
        status = draw_pairs(report, job, error);
    if (status == AKIN_OK)
        status = measure_drawn(report, job, error);
    if (status != AKIN_OK)
        return status;
    report->is_crowded = job->without_near;
    report->is_split |= job->sources != NULL; /* no closures of pairs, whatever the clustering */
    *selected = report->selected;
    report->learnt.is_there = job->options->weights == AKIN_WEIGHTS_LEARN;
    if (report->learnt.is_there) { /* the threshold is not known yet */
        report->least =
            (akin_ratio){job->without_near ? AKIN_CURVE_POINTS - 1 : AKIN_REPORT_LEAST, AKIN_CURVE_POINTS - 1};
        report->job_options.threshold = (akin_ratio){1, 1};
        memset(report->drawn_bins, 0, sizeof report->drawn_bins); /* averages, which mean nothing here */
    } else {
        report->least =
            job->without_near ? report->job_options.threshold : choose_least(report, job->options->attribute_count);
        *threshold = report->least;
    }
    report->seconds = akin_clock() - begun;
    return AKIN_OK;
}

void akin_report_warn(const akin_report *report, akin_warning_sink sink, void *user)
{
    akin_dedupe_options options = report->job_options;
    options.selected = report->selected;
    options.parsed = report->parsed;
    akin_warn(&(akin_warned){.options = &options,
                             .columns = report->options.columns,
                             .selections = report->options.selections,
                             .tables = report->records.tables,
                             .found = report->figures.pairs_found,
                             .shape = &report->shape},
              sink, user);
}

static void finish_report(akin_report *report, const akin_dedupe_report *figures, const akin_selected *selected,
                          const akin_parsed *parsed)
{
    report->figures = *figures;
    report->is_done = 1;
    for (uint32_t i = 0; i < report->job_options.selection_count && selected; i++)
        report->selected[i] = selected[i];
    for (uint32_t i = 0; i < 2 * report->job_options.attribute_count; i++)
        report->parsed[i] = parsed[i];
    add_step(report, "values", figures->seconds_values);
    add_step(report, "select", figures->seconds_select);
    add_step(report, "compare", figures->seconds_compare);
    if (report->learnt.is_there)
        add_step(report, "learn", figures->seconds_learn);
    add_step(report, "report", report->seconds);
}

static int lowers(const akin_report *report)
{
    return akin_ratio_below(report->least, report->job_options.threshold);
}

static akin_status make_clusters(akin_report *report, akin_clusters **out, akin_error *error)
{
    akin_status status =
        akin_clusters_create_within(report->scope, report->records.rows[0], report->records.rows[1],
                                    report->is_split ? &report->clustering : NULL, &report->clusters, error);
    *out = report->clusters;
    return status;
}

static const akin_dedupe_observer observer = {prepare_report, akin_report_divide, akin_report_examine, finish_report,
                                              lowers,         make_clusters};

akin_status akin_report_create(akin_context *context, const akin_report_options *options, akin_report **out,
                               akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    static const akin_report_options defaults = AKIN_REPORT_OPTIONS_INIT;
    akin_report_options own = defaults;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_report_options", error);
    if (status == AKIN_OK)
        status = check_report_options(&own, error);
    if (status != AKIN_OK)
        return status;
    akin_report *report = akin_alloc_zero(NULL, 1, sizeof *report);
    if (!report)
        return akin_fail_memory(error, "the report");
    report->observer = &observer;
    report->scope = scope;
    report->account.limit = akin_budget(scope, AKIN_BUDGET_REPORT);
    report->options = own;
    report->clustering = (akin_clusters_options)AKIN_CLUSTERS_OPTIONS_INIT;
    if (own.clustering) {
        const akin_choice *row = akin_choice_of(&akin_clusterings, (int)own.clustering->clustering);
        report->clustering = *own.clustering;
        report->is_split = row && (row->capabilities & AKIN_BY_SIMILARITY);
    }
    *out = report;
    return AKIN_OK;
}
