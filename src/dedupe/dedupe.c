/* akin_dedupe: selects pairs, scores them, and hands over those that reach the threshold. */
#include "base/clock.h"
#include "base/budget.h"
#include "base/ceiling.h"
#include "base/limits.h"
#include "base/options.h"
#include "base/pair_limit.h"
#include "dedupe/answered.h"
#include "dedupe/distinct_records.h"
#include "dedupe/gpu_kernels.h"
#include "dedupe/equals.h"
#include "dedupe/job.h"
#include "dedupe/learner.h"
#include "dedupe/population.h"
#include "dedupe/reference.h"
#include "dedupe/select_given.h"
#include "dedupe/selections.h"
#include "dedupe/sources.h"
#include "device/devices.h"
#include "graph/clusters.h"
#include "strings/alphabet.h"
#include "strings/comparators.h"
#include "strings/parsed.h"

typedef akin_dedupe_job job;

AKIN_OPTIONS_END(akin_dedupe_options, population);
AKIN_OPTIONS_END(akin_dedupe_report, reserved);

/* ----------------------------------------------------------------------------------------------------------- values */

static akin_status check_sides(const job *j, uint32_t column, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t side = 0; side < j->records.tables && status == AKIN_OK; side++)
        if (j->records.rows[side] > 0)
            status = akin_column_check(&j->records.columns[side][column], side ? "right" : "left", error);
    return status;
}

/* Checks the columns that attributes and selections name, here or on a GPU. */
static akin_status check_named(const job *j, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK; i++)
        status = check_sides(j, o->attributes[i].column, error);
    for (uint32_t i = 0; i < o->selection_count; i++)
        for (uint32_t p = 0; p < akin_selection_parts(&o->selections[i]); p++)
            if (status == AKIN_OK)
                status = check_sides(j, o->selections[i].parts[p].column, error);
    return status;
}

/* Makes the values of a column, unless that has been done. */
static akin_status need_values(job *j, uint32_t column, akin_error *error)
{
    if (j->of_columns[column])
        return AKIN_OK;
    akin_values *values = &j->values[j->values_count++];
    j->of_columns[column] = values;
    return akin_values_make(j->scope, &j->account, &j->records, column, values, error);
}

/* Whether values and selections are needed here: to compare by them, for a report, or because a limit of symbols is
 * below that of a GPU, which refuses longer values itself. */
static int is_needed_here(const job *j)
{
    const uint64_t most = akin_limit_of(j->scope, AKIN_LIMIT_SYMBOLS);
    return !j->device || (most && most < AKIN_GPU_LONGEST) || j->options.report ||
           j->options.weights == AKIN_WEIGHTS_LEARN;
}

/* Whether a selection is made of values, here and not on a GPU. */
static int needs_values(const job *j, const akin_selection *selection)
{
    return akin_selection_row_of(selection->kind)->has_values &&
           (is_needed_here(j) || j->in_parts || !akin_gpu_selects(selection));
}

/* Refuses values that are too long for a comparator of quadratic time: the first record that has one. */
static akin_status check_symbols(const job *j, const akin_attribute *attribute, akin_error *error)
{
    const uint64_t most = akin_limit_of(j->scope, AKIN_LIMIT_SYMBOLS);
    const akin_values *values = j->of_columns[attribute->column];
    akin_compare_options compare;
    akin_status status = akin_compare_options_read(attribute->compare, &compare, error);
    if (status != AKIN_OK || !most || !akin_comparator_of(compare.comparator)->is_quadratic)
        return status;
    uint32_t record = AKIN_NO_ROW, length = 0;
    for (uint32_t v = 0; v < values->count; v++)
        if (values->shapes[v].length > most && values->first[v] < record) {
            record = values->first[v];
            length = values->shapes[v].length;
        }
    if (record == AKIN_NO_ROW)
        return AKIN_OK;
    const int right = record >= j->records.rows[0];
    const char *name = j->records.columns[right][attribute->column].name;
    akin_fail_row(error, AKIN_E_LIMIT, AKIN_REASON_LIMIT, right ? record - j->records.rows[0] : record, name,
                  ", column '%s': has %u symbols; expected at most %llu for %s, whose time is quadratic",
                  name ? name : "", length, (unsigned long long)most, akin_comparator_name(&compare));
    return akin_note_limit(error, AKIN_LIMIT_SYMBOLS);
}

static akin_status make_values(job *j, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    akin_status status = AKIN_OK;
    j->values = akin_alloc_zero(&j->account, j->columns, sizeof *j->values);
    j->of_columns = akin_alloc_zero(&j->account, j->columns, sizeof *j->of_columns);
    if (!j->values || !j->of_columns)
        return akin_fail_memory(error, "the values");
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK && is_needed_here(j); i++)
        status = need_values(j, o->attributes[i].column, error);
    for (uint32_t i = 0; i < o->attribute_count && status == AKIN_OK && is_needed_here(j); i++)
        status = check_symbols(j, &o->attributes[i], error);
    for (uint32_t i = 0; i < o->selection_count; i++)
        for (uint32_t p = 0; p < akin_selection_parts(&o->selections[i]) && status == AKIN_OK; p++)
            if (needs_values(j, &o->selections[i]))
                status = need_values(j, o->selections[i].parts[p].column, error);
    return status;
}

/* Counts the values in which comparators find nothing, as they are when they are compared. */
static akin_status count_parsed(job *j, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < 2 * o->attribute_count && status == AKIN_OK && j->parsed; i++) {
        const akin_attribute *attribute = &o->attributes[i / 2];
        const uint32_t side = i % 2, rows = side < j->records.tables ? j->records.rows[side] : 0;
        j->parsed[i] = (akin_parsed){.values = 0};
        if (rows > 0)
            status = akin_compare_parse_within(
                j->scope, attribute->compare, &j->records.columns[side][attribute->column], rows, &j->parsed[i], error);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------- selections */

/* Whether pairs are compared as they are found. A GPU takes lists, and a report draws from them. */
static int may_stream(const job *j)
{
    return !j->device && !j->options.report;
}

static akin_status make_selectors(job *j, akin_error *error)
{
    const akin_dedupe_options *o = &j->options;
    akin_status status = AKIN_OK;
    j->selectors = akin_alloc_zero(&j->account, o->selection_count, sizeof *j->selectors);
    if (!j->selectors)
        return akin_fail_memory(error, "the pairs to compare");
    for (uint32_t i = 0; i < o->selection_count && status == AKIN_OK; i++) {
        const akin_selecting job = {
            .scope = j->scope,
            .account = &j->account,
            .selection = &o->selections[i],
            .values = j->of_columns,
            .max_block = o->max_block,
            .streams = may_stream(j),
            .given = {{o->given_left, o->given_right}, o->given_count, j->places},
        };
        j->selectors[i] = akin_selector_begin(&o->selections[i], &j->records);
        if (is_needed_here(j) || j->in_parts || !akin_gpu_selects(&o->selections[i]))
            status = akin_selector_make(&job, &j->selectors[i], error);
        if (status == AKIN_OK)
            status = akin_records_check_cancelled(j->scope, 0, error);
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- report */

/* What the report is shown; `stored` has room for each thread, or is NULL if there are no pairs yet. */
static akin_dedupe_view report_job(const job *j, const akin_learnt *learnt, akin_gathered_pairs *stored)
{
    for (uint32_t t = 0; stored && t < j->threads; t++) {
        const akin_found *found = &j->workers[t].found;
        stored[t] = (akin_gathered_pairs){found->pairs, found->each, found->count, found->reaching};
    }
    return (akin_dedupe_view){.scope = j->scope,
                              .options = &j->options,
                              .without_near = j->without_near,
                              .records = &j->records,
                              .given = j->given,
                              .own = j->columns - (uint32_t)j->options.combined_count,
                              .sources = j->sources,
                              .selectors = j->selectors,
                              .scoring = &j->scoring,
                              .stored = stored,
                              .threads = j->threads,
                              .learnt = learnt,
                              .figures = &j->report};
}

/* The report may lower the threshold: pairs near it are scored from here on, too. */
static akin_status prepare_report(job *j, akin_error *error)
{
    const akin_dedupe_view shown = report_job(j, NULL, NULL);
    const akin_dedupe_observer *observer = akin_observer_of(j->options.report);
    akin_selected *selected = NULL;
    akin_status status = observer->prepare(j->options.report, &shown, &j->options.threshold, &selected, error);
    if (status == AKIN_OK && j->options.weights == AKIN_WEIGHTS_GIVEN)
        status = akin_scoring_find_from(&j->scoring, j->options.threshold, error);
    if (status == AKIN_OK && !j->options.selected)
        j->options.selected = selected;
    return status;
}

/* Gives back the room of pairs that were dropped. */
static void shrink_found(akin_found *f, uint64_t attributes)
{
    akin_scored_pair *pairs = akin_resize(NULL, f->pairs, f->count, sizeof *pairs);
    double *each = akin_resize(NULL, f->each, f->count * attributes, sizeof *each);
    f->pairs = pairs ? pairs : f->pairs;
    f->each = each ? each : f->each;
    f->room_pairs = pairs ? f->count : f->room_pairs;
    f->room_each = each ? f->count * attributes : f->room_each;
}

/* Drops the pairs that do not reach the threshold. */
static void drop_near(job *j)
{
    uint64_t attributes = j->options.attribute_count;
    j->found = 0;
    for (uint32_t t = 0; t < j->threads; t++) {
        akin_found *f = &j->workers[t].found;
        if (f->reaching < f->count) {
            f->count = f->reaching;
            shrink_found(f, attributes);
        }
        j->found += f->count;
    }
    j->report.pairs_found = j->found;
}

/* Shows the report all pairs that were gathered, and drops those below the threshold of the job. `learnt` NULL: weights
 * are given. */
static akin_status examine(job *j, const akin_learnt *learnt, akin_error *error)
{
    const akin_dedupe_observer *observer = akin_observer_of(j->options.report);
    akin_gathered_pairs *stored = akin_alloc(&j->account, j->threads, sizeof *stored);
    akin_status status = stored ? AKIN_OK : akin_fail_memory(error, "the report");
    for (uint32_t t = 0; t < j->threads && status == AKIN_OK && !learnt; t++)
        status = observer->divide(j->options.report, &j->scoring, &j->workers[t].found, error);
    if (status == AKIN_OK) {
        const akin_dedupe_view shown = report_job(j, learnt, stored);
        status = observer->examine(j->options.report, &shown, error);
    }
    akin_free(stored);
    drop_near(j);
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
    akin_gathering_clear(&j->gathering);
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

static void clear_found(job *j)
{
    for (uint32_t t = 0; j->workers && t < j->threads; t++)
        akin_found_clear(&j->workers[t].found);
    akin_free(j->workers);
    j->workers = NULL;
    j->found = 0;
    akin_dedupe_model_free(j->learnt);
    j->learnt = NULL;
    j->report = (akin_dedupe_report){.size = j->report.size, .pairs_all = j->report.pairs_all};
}

/* Compares, here or on the GPU. */
static akin_status compare_anywhere(job *j, akin_error *error)
{
    double start = akin_clock();
    if (j->device)
        return akin_dedupe_compare_on_gpu(j, error);
    akin_status status = akin_dedupe_compare(j, error);
    j->report.seconds_compare += akin_clock() - start;
    return status;
}

/* Whether weights are learnt from the pairs compared. */
static int learns(const job *j)
{
    return j->options.weights == AKIN_WEIGHTS_LEARN && !akin_dedupe_has_reference(&j->options, j->columns);
}

/* Learns weights from the pairs compared, and shows the report what was learnt. */
static akin_status learn(job *j, akin_error *error)
{
    akin_learnt learnt = {.clusters = NULL};
    akin_report *report = j->options.report;
    akin_status status = AKIN_OK;
    if (akin_dedupe_has_reference(&j->options, j->columns))
        return akin_dedupe_join_reference(j, error);
    if (report && !j->options.clusters)
        status = akin_observer_of(report)->make_clusters(report, &learnt.clusters, error);
    if (status == AKIN_OK && learnt.clusters)
        status = akin_sources_separate(j, learnt.clusters, error);
    if (status == AKIN_OK)
        status = akin_dedupe_learn(j, &learnt, error);
    if (status == AKIN_OK && report)
        status = examine(j, &learnt, error);
    akin_learnt_clear(&learnt);
    return status;
}

/* Selects and compares. */
static akin_status work(job *j, akin_error *error)
{
    double start = akin_clock();
    akin_status status = make_values(j, error);
    j->report.seconds_values = akin_clock() - start;
    start = akin_clock();
    if (status == AKIN_OK)
        status = make_selectors(j, error);
    j->report.seconds_select = akin_clock() - start;
    start = akin_clock();
    if (status == AKIN_OK && is_needed_here(j))
        status = akin_scoring_make(j->scope, &j->account, &j->options, j->of_columns, &j->scoring, error);
    if (status == AKIN_OK && learns(j))
        status = akin_gathering_make(&j->account, &j->options, &j->scoring, &j->gathering, error);
    j->report.seconds_compare = akin_clock() - start;
    if (status == AKIN_OK && j->options.report)
        status = prepare_report(j, error);
    if (status == AKIN_OK)
        status = compare_anywhere(j, error);
    if (status == AKIN_OK)
        akin_sources_drop_pairs(j);
    if (status == AKIN_OK && j->options.weights == AKIN_WEIGHTS_LEARN)
        status = learn(j, error);
    else if (status == AKIN_OK && j->options.report)
        status = examine(j, NULL, error);
    return status;
}

/* Does the work, and clears what is only needed for it. */
static akin_status work_alone(job *j, akin_error *error)
{
    const akin_dedupe_options given = j->options; /* which a report changes */
    clear_found(j);
    akin_status status = work(j, error);
    j->options = given;
    clear_work(j);
    return status;
}

/* Whether there would be enough of a bounded memory without the pairs that a report is to have from below the
 * threshold. */
static int lacks_near_room(const job *j, akin_status status)
{
    const akin_report *report = j->options.report;
    return status == AKIN_E_NOMEM && j->scope->memory && report && akin_observer_of(report)->lowers(report);
}

/* Whether pairs are wanted in their order, by who receives them, or by clusters or choices that are made of them. */
static int needs_delivery(const job *j, akin_scored_sink sink)
{
    return sink || (j->options.clusters && !j->are_clusters_made) ||
           (j->options.one_to_one && j->options.weights == AKIN_WEIGHTS_GIVEN);
}

/* The columns have been checked. */
static akin_status run_checked(job *j, akin_scored_sink sink, void *user, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    akin_status status = akin_dedupe_choose_device(j, error);
    if (status == AKIN_OK)
        status = count_parsed(j, error);
    if (status != AKIN_OK)
        return status;
    j->in_parts = j->device && !akin_dedupe_device_fits(j);
    status = work_alone(j, &own);
    if (lacks_near_room(j, status)) {
        j->without_near = 1;
        status = work_alone(j, &own);
    }
    if (status == AKIN_E_NOMEM && j->device && !j->in_parts) {
        j->in_parts = 1;
        status = work_alone(j, &own);
    }
    if (j->device && akin_dedupe_may_go_on_here(j, status)) {
        const uint32_t given_up = akin_device_number(j->device) + 1;
        j->device = NULL;
        status = work_alone(j, &own);
        j->report.given_up = given_up;
    }
    if (status != AKIN_OK)
        return akin_fail_again(error, status, &own);
    return needs_delivery(j, sink) ? akin_dedupe_deliver(j, sink, user, error) : AKIN_OK;
}

/* Counts pairs of equal records, which the job did not see, to what is expected. */
static void count_equals(akin_dedupe_report *report, uint64_t found)
{
    const double before = (double)report->pairs_found, more = (double)found - before;
    const double right = report->expected_precision * before + more;
    report->expected_recall = report->expected_recall * report->expected_matches + more;
    report->expected_matches += more;
    report->expected_recall /= report->expected_matches > 0 ? report->expected_matches : 1;
    report->expected_precision = found > 0 ? right / (double)found : 0;
    report->pairs_found = found;
}

/* Runs the job on the records that are kept, and adds the others to what comes of it. */
static akin_status run_kept(job *j, const akin_equals *equals, akin_scored_sink sink, void *user, akin_error *error)
{
    const akin_records all = j->records;
    akin_clusters *const clusters = j->options.clusters;
    akin_equals_sink handing = {equals, j, all.columns[0], sink, user, NULL, 0, 0};
    akin_status status = AKIN_OK;
    j->records = (akin_records){{equals->columns, NULL}, 1, {equals->kept, 0}, equals->kept, NULL};
    j->options.clusters = NULL;
    j->equals = all.count - equals->kept;
    handing.each = akin_alloc(&j->account, j->options.attribute_count, sizeof *handing.each);
    if (j->options.given_count > 0)
        j->places = akin_equals_places(equals, &j->account, all.count);
    if (!handing.each || (j->options.given_count > 0 && !j->places))
        status = akin_fail_memory(error, "the pairs found");
    if (status == AKIN_OK && clusters)
        status = akin_clusters_create_like(j->scope, equals->kept, 0, clusters, &j->options.clusters, error);
    if (status == AKIN_OK)
        status = run_checked(j, akin_equals_hand_over, &handing, error);
    if (status == AKIN_OK && akin_equals_finish(&handing) != 0)
        status = akin_fail(error, AKIN_E_CANCELLED, "cancelled by the receiver of pairs");
    if (status == AKIN_OK && clusters)
        status = akin_clusters_close_within(j->scope, j->options.clusters, error);
    if (status == AKIN_OK && clusters)
        status = akin_equals_cluster(equals, j->options.clusters, clusters, error);
    if (clusters)
        akin_clusters_free(j->options.clusters);
    j->options.clusters = clusters;
    j->records = all;
    akin_free(j->places);
    j->places = NULL;
    count_equals(&j->report, handing.found);
    j->report.equal_records = all.count - equals->kept;
    j->report.equal_pairs = equals->all;
    j->found = handing.found;
    akin_free(handing.each);
    return status;
}

/* Runs the job on distinct records, on the CPU. *gives_up: it failed, and nothing has come of it; the job on all
 * records shows whether and where it fails. */
static akin_status run_distinct(job *j, akin_scored_sink sink, void *user, int *gives_up, akin_error *error)
{
    const akin_records all = j->records;
    akin_clusters *const clusters = j->options.clusters;
    akin_distinct_records d;
    int handed = 0;
    double start = akin_clock();
    akin_status status = akin_distinct_records_make(j, &d, error);
    const double seconds = akin_clock() - start;
    if (status == AKIN_OK)
        status = count_parsed(j, error);
    if (status == AKIN_OK) {
        j->records = (akin_records){{d.kept.columns, NULL}, 1, {d.kept.kept, 0}, d.kept.kept, d.stand_for};
        j->options.clusters = NULL;
        j->groups = d.groups;
        status = work_alone(j, error);
    }
    j->records = all;
    j->options.clusters = clusters;
    j->groups = NULL;
    j->report.seconds_values += seconds;
    if (status == AKIN_OK)
        status = akin_distinct_records_deliver(j, &d, sink, user, &handed, error);
    *gives_up = status != AKIN_OK && status != AKIN_E_CANCELLED && !handed;
    akin_distinct_records_clear(&d);
    return status;
}

/* Runs the job on all records, or on distinct ones if these are far fewer. */
static akin_status run_all(job *j, akin_scored_sink sink, void *user, akin_error *error)
{
    akin_error own = {.code = AKIN_OK};
    int pays, gives_up = 0;
    akin_status status = akin_distinct_records_pay(j, &pays, error);
    if (status != AKIN_OK)
        return status;
    if (pays)
        status = run_distinct(j, sink, user, &gives_up, &own);
    if (!pays || gives_up)
        return run_checked(j, sink, user, error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_again(error, status, &own);
}

/* Whether many equal records would mislead a job: where it learns, and a record may have many partners. Equal records
 * of one source are several entities, so they are as frequent as they look, and no two of them may be one cluster. */
static int needs_distinct(const job *j)
{
    return j->options.weights == AKIN_WEIGHTS_LEARN && j->records.tables == 1 && !j->options.one_to_one &&
           !j->options.report && !j->options.labelling && !j->sources && !j->options.population;
}

static akin_status run_job(job *j, akin_scored_sink sink, void *user, akin_error *error)
{
    akin_equals equals = {0};
    akin_status status = check_named(j, error);
    if (status == AKIN_OK)
        status = akin_sources_find(j, error);
    if (status == AKIN_OK && needs_distinct(j))
        status = akin_equals_find(j, &equals, error);
    if (status == AKIN_OK)
        status = equals.count > 0 ? run_kept(j, &equals, sink, user, error) : run_all(j, sink, user, error);
    akin_equals_clear(&equals);
    return status;
}

akin_status akin_dedupe_check(const char *device, uint32_t columns, const akin_dedupe_options *options,
                              akin_error *error)
{
    akin_device_wish wish;
    job j = {.columns = columns};
    akin_status status = akin_device_wish_read(device, &wish, error);
    if (status == AKIN_OK)
        status = akin_dedupe_read_options(&j, options, error);
    return status == AKIN_OK ? akin_dedupe_check_device(wish.choice, &j.options, error) : status;
}

/* Refuses comparators that need a left and a right table. */
static akin_status check_direction(const akin_dedupe_options *options, akin_error *error)
{
    for (uint32_t i = 0; i < options->attribute_count; i++) {
        akin_compare_options compare;
        akin_status status = akin_compare_options_read(options->attributes[i].compare, &compare, error);
        if (status != AKIN_OK)
            return status;
        const akin_choice *choice = &akin_comparator_of(compare.comparator)->choice;
        if (choice->capabilities & AKIN_IS_DIRECTED)
            return akin_fail(error, AKIN_E_OPTION,
                             "%s compares a value of a left table with one of a right table, and there is one table: "
                             "expected two tables, or a comparator that has no direction, such as %s",
                             choice->name, akin_choice_name(&akin_comparators, AKIN_DATE));
    }
    return AKIN_OK;
}

/* Sets out what there is to compare. */
static akin_status begin_job(job *j, const akin_column *left, uint32_t rows_left, const akin_column *right,
                             uint32_t rows_right, const akin_dedupe_options *options, akin_dedupe_report *report,
                             akin_error *error)
{
    akin_status status = akin_dedupe_read_options(j, options, error);
    if (status == AKIN_OK && !right)
        status = check_direction(&j->options, error);
    if (status == AKIN_OK && !right && akin_dedupe_has_reference(&j->options, j->columns))
        status = akin_fail(error, AKIN_E_OPTION,
                           "the precision can be expected from %d compared columns or more, or of two tables, of which "
                           "the left one has no duplicates: compare more columns, or give a threshold",
                           AKIN_LEARNABLE);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof j->report, "akin_dedupe_report", error);
    if (status == AKIN_OK && (uint64_t)rows_left + (right ? rows_right : 0) >= UINT32_MAX)
        status = right ? akin_fail(error, AKIN_E_LIMIT, "%u and %u records: expected fewer than %u together", rows_left,
                                   rows_right, UINT32_MAX)
                       : akin_fail(error, AKIN_E_LIMIT, "%u records: expected fewer than %u", rows_left, UINT32_MAX);
    j->given[0] = left;
    j->given[1] = right;
    j->records = (akin_records){{left, right}, right ? 2 : 1, {rows_left, right ? rows_right : 0}, rows_left, NULL};
    j->records.count += j->records.rows[1];
    j->report.pairs_all = right       ? (uint64_t)rows_left * rows_right
                          : rows_left ? (uint64_t)rows_left * (rows_left - 1) / 2
                                      : 0;
    if (status == AKIN_OK && j->options.labelling)
        status = akin_labelling_check(j->options.labelling, &j->records, error);
    if (status == AKIN_OK && j->options.population && !j->options.model)
        status = akin_fail(error, AKIN_E_OPTION, "a population is for the weights of a model, and there is none");
    if (status == AKIN_OK)
        status = akin_population_check_records(&j->options, &j->records, error);
    if (status == AKIN_OK)
        status = akin_given_check(j->scope, &j->options, &j->records, error);
    akin_account_begin(&j->account, j->scope);
    j->parsed = j->options.parsed;
    if (status == AKIN_OK && j->options.report && !j->parsed) {
        j->parsed = j->own_parsed =
            akin_alloc_zero(&j->account, 2 * (uint64_t)j->options.attribute_count, sizeof *j->parsed);
        status = j->parsed ? AKIN_OK : akin_fail_memory(error, "the report");
    }
    return status;
}

akin_status akin_dedupe(akin_context *context, const akin_column *left, uint32_t rows_left, const akin_column *right,
                        uint32_t rows_right, uint32_t columns, const akin_dedupe_options *options,
                        akin_scored_sink sink, void *user, uint64_t *count, akin_dedupe_report *report,
                        akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    job j = {.scope = scope, .columns = columns};
    akin_pair_limit limit;
    akin_status status = begin_job(&j, left, rows_left, right, rows_right, options, report, error);
    double start = akin_clock();
    akin_pair_limit_begin(&limit, scope, NULL, sink, user);
    j.without_each = !sink && !j.options.report;
    if (status == AKIN_OK)
        status = akin_columns_make(scope, &j.account, &j.options, j.columns, &j.records, &j.made, error);
    double seconds = akin_clock() - start;
    if (status == AKIN_OK)
        status = run_job(&j, sink ? akin_pair_limit_scored : NULL, &limit, error);
    status = akin_pair_limit_end(&limit, status, error);
    status = akin_ceiling_conclude(scope, &j.account, "the deduplication", status, error);
    akin_columns_clear(&j.made);
    j.report.seconds_values += seconds;
    j.report.memory = j.account.peak;
    if (status == AKIN_OK && count)
        *count = j.found;
    if (status == AKIN_OK && j.options.learnt_model) {
        *j.options.learnt_model = j.learnt;
        j.learnt = NULL;
    }
    akin_dedupe_report made = j.report;
    if (status == AKIN_OK && j.options.report)
        akin_observer_of(j.options.report)->finish(j.options.report, &made, j.options.selected, j.parsed);
    clear_work(&j);
    clear_found(&j);
    akin_free(j.own_parsed);
    akin_free(j.sources);
    if (status != AKIN_OK)
        return status;
    return report ? akin_options_write(&made, sizeof made, report, "akin_dedupe_report", error) : AKIN_OK;
}
