/* Searches an index: queries become items, a batch of them at a time, which are searched for, and what was found is handed on. */
#include "base/clock.h"
#include "base/options.h"
#include "base/sort.h"
#include "search/kinds.h"
#include "search/similar.h"
#include "search/vectors.h"
#include "sets/measure.h"
#include "table/columns.h"

#define QUERIES 8192u               /* at a time, at most; a multiple of 8, as rows of validity go */
#define FOUND   (UINT64_C(1) << 20) /* objects at a time, about */
#define VALUES  (UINT64_C(1) << 22) /* of functions */

AKIN_OPTIONS_END(akin_search_options, weights);

static const char what[] = "a search"; /* the memory is for */

akin_status akin_call_reserve(akin_search_call *s, uint64_t count, akin_error *error)
{
    akin_search_hit *hits = akin_enlarge(NULL, s->hits, &s->hits_room, count, sizeof *hits);
    if (!hits)
        return akin_fail_memory(error, what);
    s->hits = hits;
    return AKIN_OK;
}

akin_status akin_call_hand_on(akin_search_call *s, uint64_t count, akin_error *error)
{
    s->report.found += count;
    return count == 0 || s->sink(s->user, s->hits, count) == 0
               ? AKIN_OK
               : akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of a search");
}

/* Adds objects that count nothing to those that were found for a query, `objects`, until there are k: the first that there are. */
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
static akin_status deliver_counted(akin_search_call *s, uint32_t first, uint32_t count,
                                   const akin_search_results *results, akin_error *error)
{
    const uint32_t least = s->options.least, k = (uint32_t)akin_min_u64(results->k, s->index->head.rows);
    uint64_t at = 0;
    akin_status status = akin_call_reserve(s, (uint64_t)count * k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        uint64_t *keys = results->keys + (uint64_t)q * results->k;
        for (uint32_t i = 0; i < results->found[q]; i++) {
            const uint32_t counted = akin_top_count(keys[i]);
            keys[i] = (uint32_t)keys[i];
            if (counted >= least)
                s->hits[at++] =
                    (akin_search_hit){first + q, (uint32_t)keys[i], counted, AKIN_CERTIFIED_BY_COUNT, counted, 0};
        }
        if (least == 0)
            at = add_others(s->hits, at, first + q, keys, results->found[q], k);
    }
    if (s->options.rerank == 0)
        s->report.by_count += count;
    else
        s->report.uncertified += count;
    if (s->index->head.functions > 0) {
        const akin_rating rating = {s->index, s->questions.matrix, s->options.k, s->options.rerank};
        status = akin_vectors_rate(s->context, &rating, s->hits, &at, error);
    }
    return status == AKIN_OK ? akin_call_hand_on(s, at, error) : status;
}

/* Hands on the most similar. */
static akin_status deliver_similar(akin_search_call *s, uint32_t first, uint32_t count, uint32_t k,
                                   const akin_similar_found *similar, akin_error *error)
{
    const uint32_t *sizes = s->index->sections[AKIN_SEARCH_SIZES].data;
    uint64_t at = 0;
    akin_status status = akin_call_reserve(s, (uint64_t)count * k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        uint64_t *best = similar->best + (uint64_t)q * k;
        for (uint32_t i = 0; i < similar->found[q]; i++) {
            const uint32_t object = (uint32_t)best[i], counted = (uint32_t)(best[i] >> 32);
            const double value = akin_measure_value(s->options.measure, s->sizes[q], sizes[object], counted);
            best[i] = object;
            s->hits[at++] = (akin_search_hit){first + q, object, counted, AKIN_CERTIFIED_BY_COUNT, value, 0};
        }
        if (s->options.least == 0)
            at = add_others(s->hits, at, first + q, best, similar->found[q], k);
    }
    s->report.by_count += count;
    return akin_call_hand_on(s, at, error);
}

static akin_status gather(akin_search_call *s, uint32_t first, uint32_t count, akin_error *error)
{
    const akin_search_way *way = akin_search_way_of(&s->index->head);
    akin_status status = way->gather ? way->gather(s->context, &s->questions, first, count, &s->asked, error)
                                     : akin_asker_run(&s->asker, NULL, first, count, s->sizes, &s->asked, error);
    s->report.items += s->asked.used;
    return status;
}

/* Finds the objects most similar to some queries, which have been gathered. */
static akin_status find_similar(akin_search_call *s, uint32_t first, uint32_t count, akin_error *error)
{
    const akin_queries queries = {count, s->asked.offsets, s->asked.items};
    const akin_similar similar = {.objects = &s->index->objects,
                                  .sizes = s->index->sections[AKIN_SEARCH_SIZES].data,
                                  .queries = &queries,
                                  .query_sizes = s->sizes,
                                  .measure = s->options.measure,
                                  .k = (uint32_t)akin_min_u64(s->options.k, s->index->head.rows),
                                  .least = s->options.least};
    const double begun = akin_clock();
    akin_similar_found found;
    akin_status status = akin_searcher_similar(s->searcher, &similar, &found, error);
    s->report.seconds_search += akin_clock() - begun;
    s->report.technique = AKIN_SEARCH_LISTS;
    if (status == AKIN_OK)
        status = deliver_similar(s, first, count, similar.k, &found, error);
    akin_similar_clear(&found);
    return status;
}

akin_status akin_call_count(akin_search_call *s, uint32_t first, uint32_t count, akin_error *error)
{
    const double begun = akin_clock();
    akin_search_results results = {.k = akin_max_u32(s->options.k, s->options.rerank)};
    akin_status status = gather(s, first, count, error);
    const double gathered = akin_clock();
    s->report.seconds_queries += gathered - begun;
    if (status != AKIN_OK)
        return status;
    if (s->sizes)
        return find_similar(s, first, count, error);
    const akin_queries queries = {count, s->asked.offsets, s->asked.items};
    status = akin_searcher_count(s->searcher, &queries, s->options.technique, &results, error);
    s->report.seconds_search += akin_clock() - gathered;
    s->report.technique = results.technique;
    s->report.seconds_lists += results.prices.lists;
    s->report.seconds_scan += results.prices.scan;
    if (status == AKIN_OK)
        status = deliver_counted(s, first, count, &results, error);
    akin_search_clear(&results);
    return status;
}

static akin_status run(akin_search_call *s, uint32_t rows, akin_error *error)
{
    const akin_search_way *way = akin_search_way_of(&s->index->head);
    const uint32_t wanted = akin_max_u32(s->options.k, s->options.rerank);
    const uint64_t k = akin_max_u64(akin_min_u64(wanted, s->index->head.rows), 1);
    const uint64_t most = akin_min_u64(FOUND / k, VALUES / akin_max_u32(s->index->head.functions, 1));
    const uint64_t at_once = akin_min_u64(QUERIES, akin_max_u64(most / 8 * 8, 8));
    akin_status status = AKIN_OK;
    s->report.queries = rows;
    if (s->options.measure != AKIN_OVERLAP && !(s->sizes = akin_alloc(NULL, at_once, sizeof *s->sizes)))
        return akin_fail_memory(error, what);
    if (way->ready)
        status = way->ready(&s->questions, error);
    if (status == AKIN_OK && way->ask)
        status = akin_asker_begin(s->context, &s->questions, way->ask, s->sizes != NULL, &s->asker, error);
    for (uint64_t row = 0; row < rows && status == AKIN_OK; row += at_once) {
        const uint32_t count = (uint32_t)akin_min_u64(at_once, rows - row);
        s->searcher->times = (double)(rows - row) / count;
        status = way->find(s, (uint32_t)row, count, error);
    }
    return status;
}

/* Options that only some kinds have. */
static akin_status check_kind(const akin_search_call *s, akin_error *error)
{
    const akin_search_options *o = &s->options;
    if ((o->candidates > 0 || o->one_round > 0) && !akin_search_takes(s->index, "candidates"))
        return akin_fail(error, AKIN_E_OPTION, "candidates are of sequences, and this is an index of %s",
                         akin_search_index_kind(s->index));
    if (o->rerank > 0 && !s->index->lsh.is_kept)
        return akin_fail(error, AKIN_E_OPTION, "reranked are vectors, and this index keeps none");
    return AKIN_OK;
}

/* Weights are of the columns of rows. */
static akin_status check_weights(const akin_search_call *s, akin_error *error)
{
    const uint32_t *weights = s->options.weights;
    if (weights && !akin_search_takes(s->index, "weight"))
        return akin_fail(error, AKIN_E_OPTION, "weights are of the columns of rows, and this is an index of %s",
                         akin_search_index_kind(s->index));
    for (uint32_t i = 0; weights && i < s->questions.column_count; i++)
        if (weights[i] == 0)
            return akin_fail(error, AKIN_E_OPTION, "column %u has the weight 0; expected at least 1", i);
    return AKIN_OK;
}

/* Only sets and documents are measured, and by lists alone. */
static akin_status check_measure(const akin_search_call *s, akin_error *error)
{
    const akin_measure measure = s->options.measure;
    if (measure == AKIN_OVERLAP)
        return AKIN_OK;
    const akin_measure_row *row = akin_measure_of(measure);
    if (!row || !(row->choice.capabilities & AKIN_FOR_SEARCH))
        return akin_fail(error, AKIN_E_OPTION, "akin_search_options: measure is %d; expected one that there is",
                         (int)measure);
    if (s->index->head.functions > 0)
        return akin_fail(
            error, AKIN_E_OPTION,
            "an index of hash functions estimates similarities: Jaccard, cosine and Dice are of one of tokens");
    if (!akin_search_takes(s->index, "measure"))
        return akin_fail(error, AKIN_E_OPTION,
                         "Jaccard, cosine and Dice are of sets and documents, and this is an index of %s",
                         akin_search_index_kind(s->index));
    if (s->options.technique == AKIN_SEARCH_SCAN)
        return akin_fail(error, AKIN_E_OPTION, "objects without columns cannot be scanned");
    return AKIN_OK;
}

/* Queries are given in the form that objects are. */
static akin_status check_queries(const akin_search_call *s, akin_error *error)
{
    const akin_search_objects given = {.sets = s->questions.sets, .matrix = s->questions.matrix};
    const akin_given_form form = akin_search_form_of(&given);
    char expected[200];
    if (akin_search_is_given(s->index, form))
        return AKIN_OK;
    akin_search_list_kinds(form, expected, sizeof expected);
    return akin_fail(error, AKIN_E_OPTION, "an index of %s; expected one of %s%s", akin_search_index_kind(s->index),
                     expected, form == AKIN_GIVEN_TEXTS ? "" : ", as the queries are");
}

static akin_status check(const akin_search_call *s, akin_error *error)
{
    const akin_search_options *o = &s->options;
    akin_device *device; /* one that was asked for, and is not there, is refused */
    if (o->k == 0 || o->one_round > 1 || o->load_balance > 1 || o->reserved != 0 ||
        !akin_search_technique_name(o->technique))
        return akin_fail(error, AKIN_E_OPTION,
                         "akin_search_options: k is %u, technique %d, one_round %u, load_balance %u, reserved %u; "
                         "expected at least 1, a technique, 0 or 1, and 0",
                         o->k, (int)o->technique, o->one_round, o->load_balance, o->reserved);
    akin_status status = check_queries(s, error);
    if (status == AKIN_OK)
        status =
            akin_paper_check(o, akin_search_takes(s->index, "candidates"), akin_searcher_is_asked(s->searcher), error);
    if (status == AKIN_OK)
        status = check_kind(s, error);
    if (status == AKIN_OK)
        status = check_weights(s, error);
    if (status == AKIN_OK)
        status = check_measure(s, error);
    if (status == AKIN_OK && akin_search_way_of(&s->index->head)->admits)
        status = akin_search_way_of(&s->index->head)->admits(s, error);
    return status == AKIN_OK && akin_searcher_is_asked(s->searcher) ? akin_device_of(s->context, &device, error)
                                                                    : status;
}

static void report_paper(akin_search_call *s)
{
    const akin_paper_report *paper = &s->searcher->paper_report;
    s->report.query_bytes = paper->query_bytes;
    s->report.again = paper->again;
    s->report.seconds_transfer = paper->seconds_transfer;
    s->report.seconds_match = paper->seconds_match;
    s->report.seconds_select = paper->seconds_select;
}

/* Reads the options, searches, reports. */
static akin_status search_all(akin_search_call *s, uint32_t rows, const akin_search_options *options,
                              akin_search_report *report, akin_error *error)
{
    s->context = s->searcher->context;
    s->index = s->questions.index = s->searcher->index;
    s->searcher->device = s->searcher->given_up = 0;
    s->searcher->seconds_device = 0;
    s->options = (akin_search_options)AKIN_SEARCH_OPTIONS_INIT;
    s->report.size = sizeof s->report;
    akin_status status =
        akin_options_read(options, &s->options, sizeof s->options, sizeof s->options, "akin_search_options", error);
    if (status == AKIN_OK)
        status = akin_options_check(report, sizeof *report, "akin_search_report", error);
    if (status == AKIN_OK)
        status = check(s, error);
    s->searcher->counts_by = akin_search_is_paper(s->options.technique) ? s->options.technique : AKIN_SEARCH_LISTS;
    s->searcher->paper = (akin_paper_options){.is_balanced = (int)s->options.load_balance};
    s->searcher->paper_report = (akin_paper_report){0};
    s->questions.tolerance = s->options.tolerance;
    s->questions.weights = s->options.weights;
    if (status == AKIN_OK)
        status = run(s, rows, error);
    akin_asker_clear(&s->asker);
    akin_free((void *)s->questions.dimensions);
    akin_free(s->sizes);
    akin_asked_clear(&s->asked);
    akin_free(s->hits);
    s->report.device = s->searcher->device;
    s->report.parts = s->searcher->device ? s->searcher->parts : 0;
    s->report.given_up = s->searcher->given_up;
    s->report.seconds_device = s->searcher->seconds_device;
    report_paper(s);
    return status == AKIN_OK && report
               ? akin_options_write(&s->report, sizeof s->report, report, "akin_search_report", error)
               : status;
}

akin_status akin_searcher_run(akin_searcher *searcher, const akin_column *queries, uint32_t columns, uint32_t rows,
                              const akin_search_options *options, akin_search_sink sink, void *user,
                              akin_search_report *report, akin_error *error)
{
    akin_status status = akin_table_columns_check(queries, columns, rows, "search by", error);
    if (status != AKIN_OK)
        return status;
    akin_search_call s = {.searcher = searcher, .sink = sink, .user = user};
    s.questions.columns = queries;
    s.questions.column_count = columns;
    return search_all(&s, rows, options, report, error);
}

akin_status akin_searcher_run_sets(akin_searcher *searcher, const akin_sets *queries,
                                   const akin_search_options *options, akin_search_sink sink, void *user,
                                   akin_search_report *report, akin_error *error)
{
    akin_search_call s = {.searcher = searcher, .sink = sink, .user = user};
    s.questions.sets = queries;
    return search_all(&s, akin_sets_rows(queries), options, report, error);
}

akin_status akin_searcher_run_vectors(akin_searcher *searcher, const akin_matrix *queries,
                                      const akin_search_options *options, akin_search_sink sink, void *user,
                                      akin_search_report *report, akin_error *error)
{
    akin_status status = akin_matrix_check(queries, "search for", error);
    if (status != AKIN_OK)
        return status;
    akin_search_call s = {.searcher = searcher, .sink = sink, .user = user};
    s.questions.matrix = queries;
    return search_all(&s, queries->rows, options, report, error);
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
