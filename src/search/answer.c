/* Answers a call of a searcher: checks its options and queries, and hands the queries to the index's kind, a batch at a
 * time. */
#include "base/annex.h"
#include "base/budget.h"
#include "base/options.h"
#include "device/devices.h"
#include "search/call.h"
#include "search/call_flat.h"
#include "search/index_strings.h"
#include "search/kinds.h"
#include "search/techniques.h"
#include "sets/measure.h"
#include "table/columns.h"

#include <string.h>

#define QUERIES 8192u               /* at a time, at most; a multiple of 8, as rows of validity go */
#define FOUND   (UINT64_C(1) << 20) /* objects at a time, about */
#define VALUES  (UINT64_C(1) << 22) /* of functions */

AKIN_OPTIONS_END(akin_search_options, reserved);

static const char what[] = "a search"; /* the memory is for */

static akin_status answer_batches(akin_search_call *call, uint32_t rows, akin_error *error)
{
    const akin_search_way *way = call->way;
    const int is_flat = akin_call_is_flat(call);
    const uint32_t wanted = is_flat ? call->options.k : akin_max_u32(call->options.k, call->options.rerank);
    const uint64_t k = akin_max_u64(akin_min_u64(wanted, call->index->head.rows), 1);
    const uint64_t most = akin_min_u64(FOUND / k, VALUES / akin_max_u32(call->index->head.functions, 1));
    const uint64_t fit = is_flat ? akin_call_flat_most(call) : most;
    const uint64_t at_once = akin_min_u64(QUERIES, akin_max_u64(fit / 8 * 8, 8));
    akin_status status = AKIN_OK;
    call->report.queries = rows;
    if (call->options.measure != AKIN_OVERLAP && !(call->sizes = akin_alloc(NULL, at_once, sizeof *call->sizes)))
        return akin_fail_memory(error, what);
    if (way->all)
        return way->all(call, rows, error);
    if (way->ready)
        status = way->ready(&call->source, error);
    if (status == AKIN_OK && way->build)
        status = akin_query_builder_begin(call->scope, &call->source, way->build, call->sizes != NULL, &call->builder,
                                          error);
    for (uint64_t row = 0; row < rows && status == AKIN_OK; row += at_once) {
        const uint32_t count = (uint32_t)akin_min_u64(at_once, rows - row);
        call->searcher->times = (double)(rows - row) / count;
        status = way->find(call, (uint32_t)row, count, error);
    }
    return status;
}

/* Options that only some kinds have. */
static akin_status check_kind_options(const akin_search_call *call, akin_error *error)
{
    const akin_search_options *o = &call->options;
    if ((o->candidates > 0 || o->one_round > 0) && !akin_search_takes(call->index, "candidates"))
        return akin_fail(error, AKIN_E_OPTION, "candidates are compared by edit distance, and this is an index of %s",
                         akin_search_index_kind(call->index));
    if (o->within != UINT32_MAX && !akin_search_takes(call->index, "within"))
        return akin_fail(error, AKIN_E_OPTION, "within is a distance of trees, and this is an index of %s",
                         akin_search_index_kind(call->index));
    if (o->rerank > 0 && !call->index->lsh.is_kept)
        return akin_fail(error, AKIN_E_OPTION, "reranked are vectors, and this index keeps none");
    return AKIN_OK;
}

/* Weights are of the columns of rows. */
static akin_status check_column_weights(const akin_search_call *call, akin_error *error)
{
    const uint32_t *weights = call->options.weights;
    if (weights && !akin_search_takes(call->index, "weight"))
        return akin_fail(error, AKIN_E_OPTION, "weights are of the columns of rows, and this is an index of %s",
                         akin_search_index_kind(call->index));
    for (uint32_t i = 0; weights && i < call->source.column_count; i++)
        if (weights[i] == 0)
            return akin_fail(error, AKIN_E_OPTION, "column %u has the weight 0; expected at least 1", i);
    return AKIN_OK;
}

/* Only sets and documents are measured, and by lists alone. */
static akin_status check_measure(const akin_search_call *call, akin_error *error)
{
    const akin_measure measure = call->options.measure;
    if (measure == AKIN_OVERLAP)
        return AKIN_OK;
    const akin_measure_row *row = akin_measure_of(measure);
    if (!row || !(row->choice.capabilities & AKIN_FOR_SEARCH))
        return akin_fail(error, AKIN_E_OPTION, "akin_search_options: measure is %d; expected one that there is",
                         (int)measure);
    if (call->index->head.functions > 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "the measure %s is of an index of tokens, and one of hash functions estimates similarities",
                         row->choice.name);
    if (!akin_search_takes(call->index, "measure"))
        return akin_fail(error, AKIN_E_OPTION, "the measure %s is of sets of tokens, and this is an index of %s",
                         row->choice.name, akin_search_index_kind(call->index));
    if (call->options.technique == AKIN_SEARCH_SCAN)
        return akin_fail(error, AKIN_E_OPTION, "objects without columns cannot be scanned");
    return AKIN_OK;
}

/* Queries are given in the form that objects are. */
static akin_status check_query_form(const akin_search_call *call, akin_error *error)
{
    const akin_search_objects given = {.sets = call->source.sets, .matrix = call->source.matrix};
    const akin_given_form form = akin_search_form_of(&given);
    char expected[200];
    if (akin_search_is_given(call->index, form))
        return AKIN_OK;
    akin_search_list_kinds(form, expected, sizeof expected);
    return akin_fail(error, AKIN_E_OPTION, "an index of %s; expected one of %s%s", akin_search_index_kind(call->index),
                     expected, form == AKIN_GIVEN_TEXTS ? "" : ", as the queries are");
}

/* Options of an annex are checked by it, whatever the technique is. */
static akin_status check_search_annex(const akin_search_call *call, akin_error *error)
{
    const akin_choice *reader;
    if (!call->options.annex)
        return AKIN_OK;
    akin_status status =
        akin_annex_reader(akin_annex_of(call->scope), &akin_search_readers, "akin_search_options", &reader, error);
    return status == AKIN_OK ? ((const akin_search_reader *)reader)->check(call, error) : status;
}

static akin_status check_search_call(const akin_search_call *call, akin_error *error)
{
    akin_device *device; /* a required GPU that is not there is refused */
    akin_status status = check_query_form(call, error);
    if (status == AKIN_OK)
        status = check_search_annex(call, error);
    if (status == AKIN_OK && call->technique->check)
        status = call->technique->check(call, error);
    if (status == AKIN_OK)
        status = check_kind_options(call, error);
    if (status == AKIN_OK)
        status = check_column_weights(call, error);
    if (status == AKIN_OK)
        status = check_measure(call, error);
    if (status == AKIN_OK && call->way->admits)
        status = call->way->admits(call, error);
    return status == AKIN_OK && akin_device_is_required(call->searcher->scope)
               ? akin_device_of(call->scope, &device, error)
               : status;
}

/* Reads the options, and finds their technique. */
static akin_status take_search_options(akin_search_call *call, const akin_search_options *options, akin_error *error)
{
    akin_search_options *own = &call->options;
    const akin_choice *row = NULL;
    *own = (akin_search_options)AKIN_SEARCH_OPTIONS_INIT;
    akin_status status = akin_options_read(options, own, sizeof *own, sizeof *own, "akin_search_options", error);
    if (status == AKIN_OK && own->reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "akin_search_options: reserved is %u; expected 0", own->reserved);
    if (status == AKIN_OK && (own->k == 0 || own->one_round > 1))
        status = akin_fail(error, AKIN_E_OPTION,
                           "akin_search_options: k is %u, one_round %u; expected at least 1, and 0 or 1", own->k,
                           own->one_round);
    if (status == AKIN_OK)
        status = akin_annex_row(akin_annex_of(call->scope), &akin_search_techniques, (int)own->technique,
                                "akin_search_options", &row, error);
    call->technique = (const akin_search_technique_row *)row;
    return status;
}

/* What the searcher knows of the call. */
static void begin_call(akin_search_call *call)
{
    akin_searcher *s = call->searcher;
    s->device = s->given_up = 0;
    s->seconds_device = 0;
    s->counts_by = call->technique && call->technique->counts_grams ? call->technique
                                                                    : akin_search_technique_of(NULL, AKIN_SEARCH_LISTS);
    s->annex_options = call->options.annex;
    memset(s->annex_figures, 0, sizeof s->annex_figures);
}

/* Makes strings of queries as they were made for the index: of several columns one, which is folded. */
static akin_status take_strings(akin_search_call *call, uint32_t rows, akin_error *error)
{
    const uint32_t folds = call->index->head.folds;
    akin_query_source *q = &call->source;
    akin_status status = AKIN_OK;
    if (!call->way->has_letters || (q->column_count == 1 && !folds))
        return AKIN_OK;
    call->strings = *q->columns;
    if (q->column_count > 1)
        status =
            akin_search_combine(call->scope, q->columns, q->column_count, rows, &call->combined, &call->strings, error);
    q->columns = &call->strings;
    q->column_count = 1;
    return status == AKIN_OK && folds
               ? akin_folded_make(call->scope, NULL, akin_budget(call->scope, AKIN_BUDGET_FOLDED), folds, rows,
                                  &call->strings, &call->folded, error)
               : status;
}

/* Reads the options, searches, reports. */
static akin_status search_queries(akin_search_call *call, uint32_t rows, const akin_search_options *options,
                                  akin_search_report *report, akin_error *error)
{
    call->scope = call->searcher->scope;
    call->index = call->source.index = call->searcher->index;
    call->way = akin_search_way_of(&call->index->head);
    call->report.size = sizeof call->report;
    akin_status status = take_search_options(call, options, error);
    begin_call(call);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_search_report", error);
    if (status == AKIN_OK)
        status = check_search_call(call, error);
    call->source.tolerance = call->options.tolerance;
    call->source.weights = call->options.weights;
    if (status == AKIN_OK)
        status = take_strings(call, rows, error);
    if (status == AKIN_OK)
        status = answer_batches(call, rows, error);
    akin_folded_clear(&call->folded);
    akin_table_free(call->combined);
    akin_query_builder_clear(&call->builder);
    akin_free((void *)call->source.dimensions);
    akin_free(call->sizes);
    akin_query_batch_clear(&call->batch);
    akin_free(call->hits);
    call->report.device = call->searcher->device;
    call->report.parts = call->searcher->device ? call->searcher->parts : 0;
    call->report.given_up = call->searcher->given_up;
    call->report.seconds_device = call->searcher->seconds_device;
    memcpy(call->report.annex_figures, call->searcher->annex_figures, sizeof call->report.annex_figures);
    return status == AKIN_OK && report
               ? akin_options_write(&call->report, sizeof call->report, report, "akin_search_report", error)
               : status;
}

akin_status akin_searcher_run(akin_searcher *searcher, const akin_column *queries, uint32_t columns, uint32_t rows,
                              const akin_search_options *options, akin_search_sink sink, void *user,
                              akin_search_report *report, akin_error *error)
{
    akin_status status = akin_table_columns_check(queries, columns, rows, "search by", error);
    if (status != AKIN_OK)
        return status;
    akin_search_call call = {.searcher = searcher, .sink = sink, .user = user};
    call.source.columns = queries;
    call.source.column_count = columns;
    return search_queries(&call, rows, options, report, error);
}

akin_status akin_searcher_run_sets(akin_searcher *searcher, const akin_sets *queries,
                                   const akin_search_options *options, akin_search_sink sink, void *user,
                                   akin_search_report *report, akin_error *error)
{
    akin_search_call call = {.searcher = searcher, .sink = sink, .user = user};
    call.source.sets = queries;
    return search_queries(&call, akin_sets_rows(queries), options, report, error);
}

akin_status akin_searcher_run_vectors(akin_searcher *searcher, const akin_matrix *queries,
                                      const akin_search_options *options, akin_search_sink sink, void *user,
                                      akin_search_report *report, akin_error *error)
{
    akin_status status = akin_matrix_check(queries, "search for", error);
    if (status != AKIN_OK)
        return status;
    akin_search_call call = {.searcher = searcher, .sink = sink, .user = user};
    call.source.matrix = queries;
    return search_queries(&call, queries->rows, options, report, error);
}

akin_status akin_search(akin_context *context, const akin_search_index *index, const akin_column *queries,
                        uint32_t columns, uint32_t rows, const akin_search_options *options, akin_search_sink sink,
                        void *user, akin_search_report *report, akin_error *error)
{
    akin_searcher *searcher = NULL;
    akin_status status = akin_searcher_create(context, index, &searcher, error);
    if (status == AKIN_OK)
        status = akin_searcher_run(searcher, queries, columns, rows, options, sink, user, report, error);
    akin_searcher_free(searcher);
    return status;
}

akin_status akin_search_sets(akin_context *context, const akin_search_index *index, const akin_sets *queries,
                             const akin_search_options *options, akin_search_sink sink, void *user,
                             akin_search_report *report, akin_error *error)
{
    akin_searcher *searcher = NULL;
    akin_status status = akin_searcher_create(context, index, &searcher, error);
    if (status == AKIN_OK)
        status = akin_searcher_run_sets(searcher, queries, options, sink, user, report, error);
    akin_searcher_free(searcher);
    return status;
}

akin_status akin_search_vectors(akin_context *context, const akin_search_index *index, const akin_matrix *queries,
                                const akin_search_options *options, akin_search_sink sink, void *user,
                                akin_search_report *report, akin_error *error)
{
    akin_searcher *searcher = NULL;
    akin_status status = akin_searcher_create(context, index, &searcher, error);
    if (status == AKIN_OK)
        status = akin_searcher_run_vectors(searcher, queries, options, sink, user, report, error);
    akin_searcher_free(searcher);
    return status;
}
