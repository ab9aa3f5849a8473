/* Rounds of candidates: those queries go on to the next, with more of them, that the one before has not certified; the
 * rest is scanned. */
#include "search/rounds.h"

#include "device/devices.h"
#include "search/grams.h"
#include "search/nearest.h"
#include "table/columns.h"

#define MORE 8 /* times as many candidates in the next round */

/* Of the objects, those that are worth being candidates: beyond that, a scan is faster. */
#define SHARE 32

#define PROBES 32 /* queries that decide whether candidates are worth while for all: */
#define WORTH  28 /* how many of them must be certified, as a scan takes only half as long again as a round */

static const char what[] = "a search"; /* the memory is for */

typedef struct rounds {
    akin_searcher *searcher;
    const akin_search_index *index; /* the searcher's */
    const akin_lettered *queries;
    uint32_t *rows; /* of the queries at hand */
    uint32_t count;
    uint32_t *scanned; /* queries for the scan */
    uint32_t scanned_count;
    akin_query_batch batch;
    akin_query_source source;
    akin_query_builder builder;
    akin_nearest_found *out;
} rounds;

static akin_status run_round(rounds *r, uint32_t candidates, akin_error *error)
{
    akin_status status = akin_query_builder_run(&r->builder, r->rows, 0, r->count, NULL, &r->batch, error);
    return status == AKIN_OK
               ? akin_candidates_compare(r->searcher, r->queries, r->rows, &r->batch, candidates, r->out, error)
               : status;
}

/* Whether a round with more candidates could certify what was found for a query. */
static int can_certify(const rounds *r, uint32_t row)
{
    const uint64_t length = r->queries->column.offsets[row + UINT64_C(1)] - r->queries->column.offsets[row];
    const uint64_t *keys = r->out->keys + (uint64_t)row * r->out->k;
    const uint64_t n = r->index->head.ngram, found = r->out->found[row];
    return found == r->out->k && length + 1 > n + n * (keys[found - 1] >> 32);
}

/* Leaves those queries that are to go on. */
static void sift_queries(rounds *r, uint64_t candidates)
{
    uint32_t left = 0;
    const int more = candidates <= r->index->ordered.count / SHARE &&
                     (!akin_device_is_required(r->searcher->scope) || candidates <= AKIN_RANGES_K);
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t row = r->rows[i];
        if (r->out->certificates[row] != AKIN_CERTIFICATE_NONE)
            continue;
        if (more && can_certify(r, row))
            r->rows[left++] = row;
        else
            r->scanned[r->scanned_count++] = row;
    }
    r->count = left;
}

/* Copies the queries that are to be scanned for. */
static akin_status copy_scanned(const rounds *r, akin_lettered *out, akin_error *error)
{
    const uint64_t *from = r->queries->column.offsets;
    uint64_t total = 0;
    for (uint32_t i = 0; i < r->scanned_count; i++)
        total += from[r->scanned[i] + UINT64_C(1)] - from[r->scanned[i]];
    uint64_t *offsets = akin_alloc(NULL, (uint64_t)r->scanned_count + 1, sizeof *offsets);
    char *bytes = akin_alloc(NULL, total, 1);
    const uint32_t *numbers = r->queries->numbers;
    uint32_t *own = numbers ? akin_alloc(NULL, total, sizeof *own) : NULL;
    *out = (akin_lettered){{.size = sizeof out->column, .offsets = offsets, .bytes = bytes}, own, 1};
    if (!offsets || !bytes || (numbers && !own))
        return akin_fail_memory(error, what);
    offsets[0] = 0;
    for (uint32_t i = 0; i < r->scanned_count; i++) {
        const uint64_t at = from[r->scanned[i]], length = from[r->scanned[i] + UINT64_C(1)] - at;
        if (length > 0)
            memcpy(bytes + offsets[i], r->queries->column.bytes + at, (size_t)length);
        if (length > 0 && own)
            memcpy(own + offsets[i], numbers + at, (size_t)length * sizeof *own);
        offsets[i + UINT64_C(1)] = offsets[i] + length;
    }
    return AKIN_OK;
}

static akin_status scan_rest(rounds *r, akin_error *error)
{
    akin_lettered queries;
    uint64_t *keys = NULL;
    uint32_t *found = NULL, k = r->out->k;
    akin_status status = copy_scanned(r, &queries, error);
    if (status == AKIN_OK)
        status = akin_nearest_search(r->searcher->scope, &r->index->ordered, &queries.column, queries.numbers,
                                     r->scanned_count, &k, &keys, &found, error);
    for (uint32_t i = 0; i < r->scanned_count && status == AKIN_OK; i++) {
        const uint32_t row = r->scanned[i];
        memcpy(r->out->keys + (uint64_t)row * k, keys + (uint64_t)i * k, found[i] * sizeof *keys);
        r->out->found[row] = found[i];
        r->out->certificates[row] = AKIN_CERTIFIED_BY_SCAN;
    }
    akin_lettered_clear(&queries);
    akin_free(keys);
    akin_free(found);
    return status;
}

/* Makes room for the results of `count` queries; up to `at_once` of them may be left to the scan. */
static akin_status make_nearest_results(rounds *r, uint32_t count, uint32_t at_once, akin_error *error)
{
    akin_nearest_found *out = r->out;
    r->scanned = akin_alloc(NULL, at_once, sizeof *r->scanned);
    out->keys = akin_alloc(NULL, (uint64_t)count * out->k, sizeof *out->keys);
    out->found = akin_alloc_zero(NULL, count, sizeof *out->found);
    out->certificates = akin_alloc_zero(NULL, count, 1);
    return r->scanned && out->keys && out->found && out->certificates ? AKIN_OK : akin_fail_memory(error, what);
}

/* Makes room for `count` queries; `at_once` of them are searched for at once. */
static akin_status reserve_queries(rounds *r, uint32_t count, uint32_t at_once, akin_error *error)
{
    r->rows = akin_alloc(NULL, at_once, sizeof *r->rows);
    akin_status status =
        akin_query_builder_begin(r->searcher->scope, &r->source, akin_build_string_query, 0, &r->builder, error);
    if (status != AKIN_OK)
        return status;
    return r->rows ? make_nearest_results(r, count, at_once, error) : akin_fail_memory(error, what);
}

static akin_status search_round(rounds *r, uint32_t count, uint64_t candidates, int one_round, akin_error *error)
{
    akin_status status = reserve_queries(r, count, count, error);
    if (status != AKIN_OK)
        return status;
    for (r->count = 0; r->count < count; r->count++)
        r->rows[r->count] = r->count;
    while (r->count > 0) {
        status = run_round(r, (uint32_t)akin_min_u64(candidates, UINT32_MAX), error);
        if (status != AKIN_OK || one_round)
            return status;
        candidates *= MORE;
        sift_queries(r, candidates);
    }
    return r->scanned_count > 0 ? scan_rest(r, error) : AKIN_OK;
}

static rounds begin_rounds(akin_searcher *searcher, const akin_lettered *queries, akin_nearest_found *out)
{
    const akin_search_index *index = searcher->index;
    rounds r = {.searcher = searcher, .index = index, .queries = queries, .out = out};
    r.source.index = index;
    r.source.columns = &queries->column;
    r.source.column_count = 1;
    out->k = (uint32_t)akin_min_u64(out->k, akin_max_u32(index->ordered.count, 1));
    return r;
}

static void end_rounds(rounds *r)
{
    akin_free(r->rows);
    akin_free(r->scanned);
    akin_query_builder_clear(&r->builder);
    akin_query_batch_clear(&r->batch);
}

akin_status akin_candidates_search(akin_searcher *searcher, const akin_lettered *queries, uint32_t count,
                                   uint32_t candidates, int one_round, akin_nearest_found *out, akin_error *error)
{
    rounds r = begin_rounds(searcher, queries, out);
    akin_status status = search_round(&r, count, candidates, one_round, error);
    end_rounds(&r);
    return status;
}

/* Compares queries on a GPU, if it is to do so, and leaves the others. */
static akin_status compare_there(rounds *r, uint32_t count, akin_error *error)
{
    akin_nearest_found *out = r->out;
    int is_done = 0;
    akin_status status = make_nearest_results(r, count, count, error);
    if (status != AKIN_OK)
        return status;
    uint8_t *is_left = out->certificates; /* for now */
    status = akin_searcher_compare(r->searcher, &r->queries->column, count, out->k, out->keys, out->found, is_left,
                                   &is_done, error);
    for (uint32_t i = 0; i < count; i++) {
        if (akin_column_has(&r->queries->column, i) && (!is_done || is_left[i]))
            r->scanned[r->scanned_count++] = i;
        out->certificates[i] = AKIN_CERTIFIED_BY_SCAN;
    }
    return status;
}

akin_status akin_nearest_scan(akin_searcher *searcher, const akin_lettered *queries, uint32_t count,
                              akin_nearest_found *out, akin_error *error)
{
    rounds r = begin_rounds(searcher, queries, out);
    akin_status status = compare_there(&r, count, error);
    if (status == AKIN_OK && r.scanned_count > 0)
        status = scan_rest(&r, error);
    end_rounds(&r);
    return status;
}

akin_status akin_candidates_probe(akin_searcher *searcher, const akin_lettered *queries, uint32_t count,
                                  uint32_t candidates, uint32_t k, int *worth, akin_error *error)
{
    akin_nearest_found found = {.k = k};
    rounds r = begin_rounds(searcher, queries, &found);
    const uint32_t probes = (uint32_t)akin_min_u64(count, PROBES);
    uint32_t certified = 0;
    akin_status status = reserve_queries(&r, count, probes, error);
    if (status == AKIN_OK) {
        for (r.count = 0; r.count < probes; r.count++)
            r.rows[r.count] = (uint32_t)((uint64_t)r.count * count / probes);
        status = run_round(&r, candidates, error);
        for (uint32_t i = 0; i < probes && status == AKIN_OK; i++)
            certified += found.certificates[r.rows[i]] != AKIN_CERTIFICATE_NONE;
    }
    *worth = probes > 0 && certified * PROBES >= probes * WORTH;
    end_rounds(&r);
    akin_nearest_clear(&found);
    return status;
}
