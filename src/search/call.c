/* Searches an index: queries become items, a batch of them at a time, which are searched for, and what was found is
 * handed on. */
#include "base/annex.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/sort.h"
#include "device/devices.h"
#include "search/kinds.h"
#include "search/similar.h"
#include "search/vectors.h"
#include "sets/measure.h"
#include "table/columns.h"

#include <string.h>

#define QUERIES 8192u               /* at a time, at most; a multiple of 8, as rows of validity go */
#define FOUND   (UINT64_C(1) << 20) /* objects at a time, about */
#define VALUES  (UINT64_C(1) << 22) /* of functions */

AKIN_OPTIONS_END(akin_search_options, annex);

static const char what[] = "a search"; /* the memory is for */

akin_status akin_call_reserve(akin_search_call *call, uint64_t count, akin_error *error)
{
    akin_search_hit *hits = akin_enlarge(NULL, call->hits, &call->hits_room, count, sizeof *hits);
    if (!hits)
        return akin_fail_memory(error, what);
    call->hits = hits;
    return AKIN_OK;
}

akin_status akin_call_hand_on(akin_search_call *call, uint64_t count, akin_error *error)
{
    call->report.found += count;
    return count == 0 || call->sink(call->user, call->hits, count) == 0
               ? AKIN_OK
               : akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of a search");
}

/* Adds objects that count nothing to those that were found for a query, `objects`, until there are k: the first that
 * there are. */
static uint64_t add_others(akin_search_hit *hits, uint64_t at, uint32_t query, uint64_t *objects, uint32_t found,
                           uint32_t k)
{
    akin_sort_u64(objects, found);
    for (uint32_t object = 0, i = 0, held = found; held < k; object++) {
        if (i < found && objects[i] == object) {
            i++;
            continue;
        }
        hits[at++] = (akin_search_hit){query, object, 0, AKIN_CERTIFIED_BY_COUNT, 0, 0};
        held++;
    }
    return at;
}

/* Hands on what was counted for some queries, from `first` on. The keys are not needed any more then. */
static akin_status deliver_counted(akin_search_call *call, uint32_t first, uint32_t count,
                                   const akin_search_results *results, akin_error *error)
{
    const uint32_t least = call->options.least, k = (uint32_t)akin_min_u64(results->k, call->index->head.rows);
    uint64_t at = 0;
    akin_status status = akin_call_reserve(call, (uint64_t)count * k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        uint64_t *keys = results->keys + (uint64_t)q * results->k;
        for (uint32_t i = 0; i < results->found[q]; i++) {
            const uint32_t counted = akin_top_count(keys[i]);
            keys[i] = (uint32_t)keys[i];
            if (counted >= least)
                call->hits[at++] =
                    (akin_search_hit){first + q, (uint32_t)keys[i], counted, AKIN_CERTIFIED_BY_COUNT, counted, 0};
        }
        if (least == 0)
            at = add_others(call->hits, at, first + q, keys, results->found[q], k);
    }
    if (call->options.rerank == 0)
        call->report.by_count += count;
    else
        call->report.uncertified += count;
    if (call->index->head.functions > 0) {
        const akin_rating rating = {call->index, call->source.matrix, call->options.k, call->options.rerank};
        status = akin_vectors_rate(call->scope, &rating, call->hits, &at, error);
    }
    return status == AKIN_OK ? akin_call_hand_on(call, at, error) : status;
}

/* Hands on the most similar. */
static akin_status deliver_similar(akin_search_call *call, uint32_t first, uint32_t count, uint32_t k,
                                   const akin_similar_found *similar, akin_error *error)
{
    const uint32_t *sizes = call->index->sections[AKIN_SEARCH_SIZES].data;
    uint64_t at = 0;
    akin_status status = akin_call_reserve(call, (uint64_t)count * k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        uint64_t *best = similar->best + (uint64_t)q * k;
        for (uint32_t i = 0; i < similar->found[q]; i++) {
            const uint32_t object = (uint32_t)best[i], counted = (uint32_t)(best[i] >> 32);
            const double value = akin_measure_value(call->options.measure, call->sizes[q], sizes[object], counted);
            best[i] = object;
            call->hits[at++] = (akin_search_hit){first + q, object, counted, AKIN_CERTIFIED_BY_COUNT, value, 0};
        }
        if (call->options.least == 0)
            at = add_others(call->hits, at, first + q, best, similar->found[q], k);
    }
    call->report.by_count += count;
    return akin_call_hand_on(call, at, error);
}

static akin_status gather_queries(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const akin_search_way *way = akin_search_way_of(&call->index->head);
    akin_status status =
        way->gather ? way->gather(call->scope, &call->source, first, count, &call->batch, error)
                    : akin_query_builder_run(&call->builder, NULL, first, count, call->sizes, &call->batch, error);
    call->report.items += call->batch.used;
    return status;
}

/* Finds the objects most similar to some queries, which have been gathered. */
static akin_status find_similar(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const akin_queries queries = {count, call->batch.offsets, call->batch.items};
    const akin_similar similar = {.objects = &call->index->objects,
                                  .sizes = call->index->sections[AKIN_SEARCH_SIZES].data,
                                  .queries = &queries,
                                  .query_sizes = call->sizes,
                                  .form = akin_measure_of(call->options.measure)->form,
                                  .k = (uint32_t)akin_min_u64(call->options.k, call->index->head.rows),
                                  .least = call->options.least};
    const double begun = akin_clock();
    akin_similar_found found;
    akin_status status = akin_searcher_similar(call->searcher, &similar, &found, error);
    call->report.seconds_search += akin_clock() - begun;
    call->report.technique = AKIN_SEARCH_LISTS;
    if (status == AKIN_OK)
        status = deliver_similar(call, first, count, similar.k, &found, error);
    akin_similar_clear(&found);
    return status;
}

akin_status akin_call_count(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const double begun = akin_clock();
    akin_search_results results = {.k = akin_max_u32(call->options.k, call->options.rerank)};
    akin_status status = gather_queries(call, first, count, error);
    const double gathered = akin_clock();
    call->report.seconds_queries += gathered - begun;
    if (status != AKIN_OK)
        return status;
    if (call->sizes)
        return find_similar(call, first, count, error);
    const akin_queries queries = {count, call->batch.offsets, call->batch.items};
    status = call->technique->count(call->searcher, &queries, call->technique, &results, error);
    call->report.seconds_search += akin_clock() - gathered;
    call->report.technique = results.technique;
    call->report.seconds_lists += results.prices.lists;
    call->report.seconds_scan += results.prices.scan;
    if (status == AKIN_OK)
        status = deliver_counted(call, first, count, &results, error);
    akin_search_clear(&results);
    return status;
}

static akin_status run_batches(akin_search_call *call, uint32_t rows, akin_error *error)
{
    const akin_search_way *way = akin_search_way_of(&call->index->head);
    const uint32_t wanted = akin_max_u32(call->options.k, call->options.rerank);
    const uint64_t k = akin_max_u64(akin_min_u64(wanted, call->index->head.rows), 1);
    const uint64_t most = akin_min_u64(FOUND / k, VALUES / akin_max_u32(call->index->head.functions, 1));
    const uint64_t at_once = akin_min_u64(QUERIES, akin_max_u64(most / 8 * 8, 8));
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
        return akin_fail(error, AKIN_E_OPTION, "candidates are of strings, and this is an index of %s",
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
static akin_status check_queries(const akin_search_call *call, akin_error *error)
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
static akin_status check_annex(const akin_search_call *call, akin_error *error)
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
    akin_status status = check_queries(call, error);
    if (status == AKIN_OK)
        status = check_annex(call, error);
    if (status == AKIN_OK && call->technique->check)
        status = call->technique->check(call, error);
    if (status == AKIN_OK)
        status = check_kind_options(call, error);
    if (status == AKIN_OK)
        status = check_column_weights(call, error);
    if (status == AKIN_OK)
        status = check_measure(call, error);
    if (status == AKIN_OK && akin_search_way_of(&call->index->head)->admits)
        status = akin_search_way_of(&call->index->head)->admits(call, error);
    return status == AKIN_OK && akin_searcher_requires_gpu(call->searcher) ? akin_device_of(call->scope, &device, error)
                                                                           : status;
}

/* Reads the options, and finds their technique. */
static akin_status take_options(akin_search_call *call, const akin_search_options *options, akin_error *error)
{
    akin_search_options *own = &call->options;
    const akin_choice *row = NULL;
    *own = (akin_search_options)AKIN_SEARCH_OPTIONS_INIT;
    akin_status status = akin_options_read(options, own, sizeof *own, sizeof *own, "akin_search_options", error);
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
    if (!akin_search_way_of(&call->index->head)->has_letters || (q->column_count == 1 && !folds))
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
    call->report.size = sizeof call->report;
    akin_status status = take_options(call, options, error);
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
        status = run_batches(call, rows, error);
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
