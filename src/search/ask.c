/* Searches an index: queries become items, a batch of them at a time, which are searched for, and what was found is handed on. */
#include "base/clock.h"
#include "base/options.h"
#include "base/sort.h"
#include "search/candidates.h"
#include "search/asker.h"
#include "search/nearest.h"
#include "search/similar.h"
#include "search/vectors.h"
#include "sets/measure.h"
#include "table/columns.h"

#define QUERIES 8192u               /* at a time, at most; a multiple of 8, as rows of validity go */
#define FOUND   (UINT64_C(1) << 20) /* objects at a time, about */
#define VALUES  (UINT64_C(1) << 22) /* of functions */

#define CANDIDATES 32 /* as the paper has it, or twice as many as are wanted */

AKIN_OPTIONS_END(akin_search_options, weights);

typedef struct search {
    akin_searcher *searcher;
    akin_context *context;          /* the searcher's, */
    const akin_search_index *index; /* likewise */
    akin_questions questions;
    akin_search_options options;
    akin_search_sink sink;
    void *user;
    akin_search_report report;
    akin_asker asker;
    akin_asked asked;
    uint32_t *sizes; /* of the queries at hand, if they are measured */
    akin_search_hit *hits;
    uint64_t hits_room;
} search;

static const char what[] = "a search"; /* the memory is for */

/* Makes room for so many hits, which become *hits. */
static akin_status make_room(search *s, uint64_t count, akin_error *error)
{
    akin_search_hit *hits = akin_enlarge(NULL, s->hits, &s->hits_room, count, sizeof *hits);
    if (!hits)
        return akin_fail_memory(error, what);
    s->hits = hits;
    return AKIN_OK;
}

static akin_status hand_on(search *s, uint64_t count, akin_error *error)
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
static akin_status deliver_counted(search *s, uint32_t first, uint32_t count, const akin_search_results *results,
                                   akin_error *error)
{
    const uint32_t least = s->options.least, k = (uint32_t)akin_min_u64(results->k, s->index->head.rows);
    uint64_t at = 0;
    akin_status status = make_room(s, (uint64_t)count * k, error);
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
    return status == AKIN_OK ? hand_on(s, at, error) : status;
}

/* Hands on the most similar. */
static akin_status deliver_similar(search *s, uint32_t first, uint32_t count, uint32_t k,
                                   const akin_similar_found *similar, akin_error *error)
{
    const uint32_t *sizes = s->index->sections[AKIN_SEARCH_SIZES].data;
    uint64_t at = 0;
    akin_status status = make_room(s, (uint64_t)count * k, error);
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
    return hand_on(s, at, error);
}

/* Hands on the nearest. */
static akin_status deliver_nearest(search *s, uint32_t first, uint32_t count, const akin_nearest_found *nearest,
                                   akin_error *error)
{
    uint64_t at = 0;
    akin_status status = make_room(s, (uint64_t)count * nearest->k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        const akin_certificate certificate =
            nearest->certificates ? (akin_certificate)nearest->certificates[q] : AKIN_CERTIFIED_BY_SCAN;
        for (uint32_t i = 0; i < nearest->found[q]; i++) {
            const uint64_t key = nearest->keys[(uint64_t)q * nearest->k + i];
            s->hits[at++] = (akin_search_hit){first + q, (uint32_t)key, (uint32_t)(key >> 32), certificate, 0, 0};
        }
        s->report.by_count += certificate == AKIN_CERTIFIED_BY_COUNT;
        s->report.by_scan += certificate == AKIN_CERTIFIED_BY_SCAN;
        s->report.uncertified += certificate == AKIN_CERTIFICATE_NONE;
    }
    return hand_on(s, at, error);
}

static akin_status gather(search *s, uint32_t first, uint32_t count, akin_error *error)
{
    const int is_signed = s->index->head.functions > 0 && s->index->head.kind != AKIN_KIND_SIGNATURES;
    akin_status status = is_signed ? akin_ask_vectors(s->context, &s->questions, first, count, &s->asked, error)
                                   : akin_asker_run(&s->asker, NULL, first, count, s->sizes, &s->asked, error);
    s->report.items += s->asked.used;
    return status;
}

/* Finds the objects most similar to some queries, which have been gathered. */
static akin_status find_similar(search *s, uint32_t first, uint32_t count, akin_error *error)
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

/* Counts the matches of some queries. */
static akin_status count_some(search *s, uint32_t first, uint32_t count, akin_error *error)
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

/* How many candidates auto takes; 0: none, but a scan. A GPU that was asked for counts them if it cannot compare all strings. */
static akin_status choose_candidates(search *s, const akin_column *queries, uint32_t count, uint32_t *candidates,
                                     akin_error *error)
{
    const uint32_t most = (uint32_t)akin_min_u64(akin_max_u64(CANDIDATES, 2 * (uint64_t)s->options.k), UINT32_MAX);
    const int is_asked = akin_searcher_is_asked(s->searcher);
    int worth = is_asked && !akin_searcher_compares(s->searcher, s->options.k);
    akin_status status = AKIN_OK;
    if (!is_asked && s->index->head.ngram > 0 && s->options.technique == AKIN_SEARCH_AUTO)
        status = akin_candidates_probe(s->searcher, queries, count, most, s->options.k, &worth, error);
    *candidates = worth ? most : 0;
    return status;
}

/* Finds the strings nearest to some queries. */
static akin_status find_nearest(search *s, uint32_t first, uint32_t count, akin_error *error)
{
    const double begun = akin_clock();
    akin_nearest_found nearest = {.k = s->options.k};
    akin_column queries = *s->questions.columns;
    queries.offsets += first;
    queries.validity = queries.validity ? queries.validity + first / 8 : NULL;
    uint32_t candidates = s->options.candidates;
    akin_status status = candidates > 0 ? AKIN_OK : choose_candidates(s, &queries, count, &candidates, error);
    if (status == AKIN_OK && candidates > 0)
        status = akin_candidates_search(s->searcher, &queries, count, candidates, (int)s->options.one_round, &nearest,
                                        error);
    else if (status == AKIN_OK)
        status = akin_nearest_scan(s->searcher, &queries, count, &nearest, error);
    s->report.seconds_search += akin_clock() - begun;
    s->report.technique = candidates > 0 ? s->searcher->counts_by : AKIN_SEARCH_SCAN;
    if (status == AKIN_OK)
        status = deliver_nearest(s, first, count, &nearest, error);
    akin_nearest_clear(&nearest);
    return status;
}

static akin_status run(search *s, uint32_t rows, akin_error *error)
{
    const uint32_t kind = s->index->head.kind;
    const uint32_t wanted = akin_max_u32(s->options.k, s->options.rerank);
    const uint64_t k = akin_max_u64(akin_min_u64(wanted, s->index->head.rows), 1);
    const uint64_t most = akin_min_u64(FOUND / k, VALUES / akin_max_u32(s->index->head.functions, 1));
    const uint64_t at_once = akin_min_u64(QUERIES, akin_max_u64(most / 8 * 8, 8));
    akin_status status = AKIN_OK;
    s->report.queries = rows;
    if (s->options.measure != AKIN_OVERLAP && !(s->sizes = akin_alloc(NULL, at_once, sizeof *s->sizes)))
        return akin_fail_memory(error, what);
    if (kind == AKIN_KIND_ROWS)
        status = akin_ask_columns(&s->questions, error);
    if (status == AKIN_OK && kind != AKIN_KIND_SEQUENCES) /* whose rounds gather themselves */
        status = akin_asker_begin(s->context, &s->questions,
                                  kind == AKIN_KIND_SIGNATURES  ? akin_ask_signature
                                  : kind == AKIN_KIND_SETS      ? akin_ask_set
                                  : kind == AKIN_KIND_DOCUMENTS ? akin_ask_document
                                                                : akin_ask_row,
                                  s->sizes != NULL, &s->asker, error);
    for (uint64_t row = 0; row < rows && status == AKIN_OK; row += at_once) {
        const uint32_t count = (uint32_t)akin_min_u64(at_once, rows - row);
        s->searcher->times = (double)(rows - row) / count;
        status = kind == AKIN_KIND_SEQUENCES ? find_nearest(s, (uint32_t)row, count, error)
                                             : count_some(s, (uint32_t)row, count, error);
    }
    return status;
}

/* What only sequences have, or have not. */
static akin_status check_sequences(const search *s, akin_error *error)
{
    const akin_search_options *o = &s->options;
    if (s->index->head.kind != AKIN_KIND_SEQUENCES)
        return o->candidates == 0 && o->one_round == 0
                   ? AKIN_OK
                   : akin_fail(error, AKIN_E_OPTION, "candidates are of sequences, and this is an index of %s",
                               akin_search_kind_name((akin_search_kind)s->index->head.kind));
    if (s->questions.column_count != 1)
        return akin_fail(error, AKIN_E_OPTION, "queries of %u columns; expected 1 for sequences",
                         s->questions.column_count);
    if (o->least > 0)
        return akin_fail(error, AKIN_E_OPTION, "a least count of %u; sequences have distances", o->least);
    if (o->candidates > 0 && s->index->head.ngram == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "candidates are told by n-grams, and this index was made without: make it with --ngram 3");
    if (o->one_round > 0 && o->candidates == 0)
        return akin_fail(error, AKIN_E_OPTION, "one round of candidates; expected to be told how many these are");
    if (o->technique == (o->candidates > 0 ? AKIN_SEARCH_SCAN : AKIN_SEARCH_LISTS))
        return akin_fail(error, AKIN_E_OPTION, "the technique %s is for a search %s candidates",
                         akin_search_technique_name(o->technique), o->candidates > 0 ? "without" : "with");
    return AKIN_OK;
}

/* Weights are of the columns of rows. */
static akin_status check_weights(const search *s, akin_error *error)
{
    const uint32_t *weights = s->options.weights;
    if (weights && s->index->head.kind != AKIN_KIND_ROWS)
        return akin_fail(error, AKIN_E_OPTION, "weights are of the columns of rows, and this is an index of %s",
                         akin_search_kind_name((akin_search_kind)s->index->head.kind));
    for (uint32_t i = 0; weights && i < s->questions.column_count; i++)
        if (weights[i] == 0)
            return akin_fail(error, AKIN_E_OPTION, "column %u has the weight 0; expected at least 1", i);
    return AKIN_OK;
}

/* Only sets and documents are measured, and by lists alone. */
static akin_status check_measure(const search *s, akin_error *error)
{
    const akin_measure measure = s->options.measure;
    const uint32_t kind = s->index->head.kind;
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
    if (kind != AKIN_KIND_SETS && kind != AKIN_KIND_DOCUMENTS)
        return akin_fail(error, AKIN_E_OPTION,
                         "Jaccard, cosine and Dice are of sets and documents, and this is an index of %s",
                         akin_search_kind_name((akin_search_kind)kind));
    if (s->options.technique == AKIN_SEARCH_SCAN)
        return akin_fail(error, AKIN_E_OPTION, "objects without columns cannot be scanned");
    return AKIN_OK;
}

/* What a GPU lacks that was asked for is refused, be it there or not; and so is one that is not. */
static akin_status check_gpu(const search *s, akin_error *error)
{
    const akin_search_options *o = &s->options;
    akin_device *device;
    if (s->index->head.kind == AKIN_KIND_SEQUENCES && !akin_searcher_compares(s->searcher, o->k) &&
        (s->index->head.ngram == 0 || o->technique == AKIN_SEARCH_SCAN))
        return akin_fail(error, AKIN_E_OPTION,
                         "a GPU compares strings of up to %u bytes, for the %u nearest, and of longer ones counts "
                         "n-grams: make the index with --ngram 3, without the technique scan, or let the CPU do it "
                         "(device cpu)",
                         AKIN_COMPARE_LONGEST, AKIN_RANGES_K);
    return akin_device_of(s->context, &device, error);
}

/* Queries are of the kind that objects are. */
static akin_status check_queries(const search *s, akin_error *error)
{
    const uint32_t kind = s->index->head.kind;
    const int of_matrix = kind == AKIN_KIND_VECTORS || kind == AKIN_KIND_SIGNATURES;
    return (kind == AKIN_KIND_SETS) == (s->questions.sets != NULL) && of_matrix == (s->questions.matrix != NULL)
               ? AKIN_OK
               : akin_fail(error, AKIN_E_OPTION, "an index of %s; expected one of %s",
                           akin_search_kind_name((akin_search_kind)kind),
                           s->questions.sets     ? "sets, as the queries are"
                           : s->questions.matrix ? "vectors or signatures, as the queries are"
                                                 : "documents, rows or sequences");
}

static akin_status check(const search *s, akin_error *error)
{
    const akin_search_options *o = &s->options;
    if (o->k == 0 || o->one_round > 1 || o->load_balance > 1 || o->reserved != 0 ||
        !akin_search_technique_name(o->technique))
        return akin_fail(error, AKIN_E_OPTION,
                         "akin_search_options: k is %u, technique %d, one_round %u, load_balance %u, reserved %u; "
                         "expected at least 1, a technique, 0 or 1, and 0",
                         o->k, (int)o->technique, o->one_round, o->load_balance, o->reserved);
    akin_status status = check_queries(s, error);
    if (status == AKIN_OK)
        status = akin_paper_check(o, (akin_search_kind)s->index->head.kind, akin_searcher_is_asked(s->searcher), error);
    if (status == AKIN_OK)
        status = akin_ask_check_matrix(&s->questions, o->rerank, error);
    if (status == AKIN_OK)
        status = check_weights(s, error);
    if (status == AKIN_OK)
        status = check_measure(s, error);
    if (status == AKIN_OK)
        status = check_sequences(s, error);
    return status == AKIN_OK && akin_searcher_is_asked(s->searcher) ? check_gpu(s, error) : status;
}

static void report_paper(search *s)
{
    const akin_paper_report *paper = &s->searcher->paper_report;
    s->report.query_bytes = paper->query_bytes;
    s->report.again = paper->again;
    s->report.seconds_transfer = paper->seconds_transfer;
    s->report.seconds_match = paper->seconds_match;
    s->report.seconds_select = paper->seconds_select;
}

/* Reads the options, searches, reports. */
static akin_status search_all(search *s, uint32_t rows, const akin_search_options *options, akin_search_report *report,
                              akin_error *error)
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
    search s = {.searcher = searcher, .sink = sink, .user = user};
    s.questions.columns = queries;
    s.questions.column_count = columns;
    return search_all(&s, rows, options, report, error);
}

akin_status akin_searcher_run_sets(akin_searcher *searcher, const akin_sets *queries,
                                   const akin_search_options *options, akin_search_sink sink, void *user,
                                   akin_search_report *report, akin_error *error)
{
    search s = {.searcher = searcher, .sink = sink, .user = user};
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
    search s = {.searcher = searcher, .sink = sink, .user = user};
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
