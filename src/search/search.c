/*
 * Match-count search by any technique. A task has some queries and a span of ranges: all of them, if there are queries
 * enough for all threads; else what was found in each span is put together.
 */
#include "search/search.h"

#include "base/parallel.h"
#include "base/sort.h"
#include "search/scan.h"
#include "search/tally.h"

#include <string.h>

#define GROUP       64                  /* queries that a scan takes at once, at most */
#define GROUP_BYTES ((uint64_t)4 << 20) /* that the best objects of these take, about */
#define TASKS       4                   /* for each thread, at least */

/* A query that is scanned for: its tests, and how many of these are narrow. */
typedef struct scanned {
    uint32_t begin, count, narrow;
    int is_wide;
} scanned;

/* What a thread has. */
typedef struct worker {
    akin_tally tally;
    akin_top tops[GROUP];
    akin_scan_test *tests;
    scanned scanned[GROUP];
    uint64_t tests_room;
    akin_scan_sums sums;
} worker;

typedef struct searching {
    const akin_objects *objects;
    const akin_queries *queries;
    akin_search_results *out;
    uint64_t *most; /* of each query, and 0 if it has no items */
    akin_search_technique technique;
    akin_scan scan;
    uint32_t group;  /* queries of a task */
    uint32_t spans;  /* that objects are cut into */
    uint64_t *keys;  /* of all spans, if there are several */
    uint32_t *found; /* likewise */
    worker *workers;
} searching;

static const char what[] = "a search"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------ tasks */

/* The ranges of a span. */
static void span_ranges(const searching *s, uint32_t span, uint32_t *first, uint32_t *end)
{
    const uint64_t ranges = akin_objects_ranges(s->objects);
    *first = (uint32_t)(span * ranges / s->spans);
    *end = (uint32_t)((span + 1) * ranges / s->spans);
}

static void keep_best(const searching *s, uint64_t query, uint32_t span, akin_top *top)
{
    const uint64_t at = s->keys ? query * s->spans + span : query;
    akin_top_finish(top);
    memcpy((s->keys ? s->keys : s->out->keys) + at * s->out->k, top->keys, (size_t)top->held * sizeof *top->keys);
    (s->keys ? s->found : s->out->found)[at] = (uint32_t)top->held;
}

static akin_status tally_some(const searching *s, worker *w, uint64_t first, uint64_t end, uint32_t span)
{
    uint32_t from, to;
    span_ranges(s, span, &from, &to);
    for (uint64_t q = first; q < end; q++) {
        const uint64_t begin = s->queries->offsets[q], count = s->queries->offsets[q + 1] - begin;
        akin_top_reset(&w->tops[0], 1);
        akin_status status =
            akin_tally_query(&w->tally, s->queries->items + begin, count, s->most[q], from, to, &w->tops[0]);
        if (status != AKIN_OK)
            return status;
        keep_best(s, q, span, &w->tops[0]);
    }
    return AKIN_OK;
}

/* Makes the tests of some queries, query by query. */
static akin_status make_tests(const searching *s, worker *w, uint64_t first, uint64_t end)
{
    uint64_t most = 0;
    uint32_t made = 0;
    for (uint64_t q = first; q < end; q++)
        most += akin_scan_most(s->objects, s->queries->items + s->queries->offsets[q],
                               s->queries->offsets[q + 1] - s->queries->offsets[q]);
    if (most > UINT32_MAX)
        return AKIN_E_NOMEM;
    akin_scan_test *tests = akin_enlarge(NULL, w->tests, &w->tests_room, most, sizeof *tests);
    if (!tests)
        return AKIN_E_NOMEM;
    w->tests = tests;
    for (uint64_t q = first; q < end; q++) {
        const uint64_t begin = s->queries->offsets[q], count = s->queries->offsets[q + 1] - begin;
        scanned *own = &w->scanned[q - first];
        own->begin = made;
        own->count = akin_scan_tests(s->objects, s->queries->items + begin, count, tests + made, &own->narrow);
        own->is_wide = akin_scan_is_wide(tests + made, own->count);
        made += own->count;
    }
    return AKIN_OK;
}

/* Scans a block of objects for a query. */
static void scan_block(const searching *s, worker *w, const scanned *query, uint32_t first, uint32_t end, akin_top *top)
{
    const akin_scan_job job = {w->tests + query->begin, query->narrow, query->count, first, end, top, NULL};
    if (query->is_wide)
        akin_scan_wide(s->scan, &job, &w->sums);
    else
        s->scan(&job);
}

static akin_status scan_some(const searching *s, worker *w, uint64_t first, uint64_t end, uint32_t span)
{
    uint32_t from, to;
    span_ranges(s, span, &from, &to);
    const uint64_t behind = akin_min_u64((uint64_t)to * AKIN_RANGE, s->objects->head.count);
    akin_status status = make_tests(s, w, first, end);
    for (uint64_t q = first; q < end; q++)
        akin_top_reset(&w->tops[q - first], 1);
    for (uint64_t at = (uint64_t)from * AKIN_RANGE; at < behind && status == AKIN_OK; at += AKIN_SCAN_BLOCK)
        for (uint64_t q = first; q < end; q++) {
            akin_top *top = &w->tops[q - first];
            if (top->least <= s->most[q])
                scan_block(s, w, &w->scanned[q - first], (uint32_t)at,
                           (uint32_t)akin_min_u64(at + AKIN_SCAN_BLOCK, behind), top);
        }
    for (uint64_t q = first; q < end && status == AKIN_OK; q++)
        keep_best(s, q, span, &w->tops[q - first]);
    return status;
}

static akin_status search_span_task(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    const uint64_t first = task / s->spans * s->group, end = akin_min_u64(first + s->group, s->queries->count);
    const uint32_t span = (uint32_t)(task % s->spans);
    worker *w = &s->workers[thread];
    return s->technique == AKIN_SEARCH_SCAN ? scan_some(s, w, first, end, span) : tally_some(s, w, first, end, span);
}

/* Puts together what was found of a query in all spans. */
static akin_status merge_spans_task(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    akin_top *top = &s->workers[thread].tops[0];
    const uint32_t k = s->out->k;
    akin_top_reset(top, 1);
    for (uint32_t i = 0; i < s->spans; i++) {
        const uint64_t at = task * s->spans + i;
        for (uint32_t j = 0; j < s->found[at]; j++) {
            const uint64_t key = s->keys[at * k + j];
            if (akin_top_count(key) < top->least)
                break;
            akin_top_add(top, akin_top_count(key), (uint32_t)key);
        }
    }
    akin_top_finish(top);
    memcpy(s->out->keys + task * k, top->keys, (size_t)top->held * sizeof *top->keys);
    s->out->found[task] = (uint32_t)top->held;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ batch */

akin_status akin_search_begin(const akin_objects *objects, akin_search_technique technique, akin_search_results *out,
                              akin_error *error)
{
    *out = (akin_search_results){.k = out->k};
    if (out->k == 0)
        return akin_fail(error, AKIN_E_OPTION, "k is 0: expected 1 or more");
    if (technique == AKIN_SEARCH_SCAN && objects->head.dimensions == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "a scan takes columns, or functions, of up to 65,535 keywords each, which these objects have "
                         "not: expected lists");
    out->k = (uint32_t)akin_min_u64(out->k, akin_max_u32(objects->head.count, 1));
    return AKIN_OK;
}

akin_status akin_search_check(const akin_objects *objects, const akin_queries *queries, uint64_t *most,
                              akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t q = 0; q < queries->count && status == AKIN_OK; q++)
        status = akin_query_check(objects, queries, q, &most[q], error);
    return status;
}

/* How queries and ranges are shared among threads. */
static void share_spans(searching *s, uint32_t threads)
{
    const uint64_t ranges = akin_max_u32(akin_objects_ranges(s->objects), 1), wanted = (uint64_t)threads * TASKS;
    const uint64_t bytes = 2 * sizeof(uint64_t) * ((uint64_t)s->out->k + 1);
    uint64_t group = s->technique == AKIN_SEARCH_SCAN ? akin_min_u64(GROUP, akin_max_u64(GROUP_BYTES / bytes, 1)) : 1;
    if (threads > 1)
        group = akin_min_u64(group, akin_ceil_div(s->queries->count, wanted));
    s->group = (uint32_t)group;
    s->spans = 1;
    if (threads > 1 && akin_ceil_div(s->queries->count, group) < threads)
        s->spans = (uint32_t)akin_min_u64(ranges, wanted);
}

static akin_status prepare_search(const akin_scope *scope, searching *s, akin_error *error)
{
    const uint64_t count = s->queries->count;
    s->workers = akin_alloc_zero(NULL, scope->threads, sizeof *s->workers);
    if (!s->workers)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < scope->threads; i++) {
        int made = akin_tally_begin(&s->workers[i].tally, s->objects, scope->cpu);
        for (uint32_t j = 0; j < s->group; j++)
            made &= akin_top_begin(&s->workers[i].tops[j], s->out->k, NULL);
        if (!made)
            return akin_fail_memory(error, what);
    }
    s->out->keys = akin_alloc(NULL, count * s->out->k, sizeof *s->out->keys);
    s->out->found = akin_alloc(NULL, count, sizeof *s->out->found);
    if (s->spans > 1) {
        s->keys = akin_alloc(NULL, count * s->spans * s->out->k, sizeof *s->keys);
        s->found = akin_alloc(NULL, count * s->spans, sizeof *s->found);
    }
    if (!s->out->keys || !s->out->found || (s->spans > 1 && (!s->keys || !s->found)))
        return akin_fail_memory(error, what);
    return AKIN_OK;
}

static akin_status search_all_queries(const akin_scope *scope, searching *s, akin_error *error)
{
    s->most = akin_alloc(NULL, s->queries->count, sizeof *s->most);
    if (!s->most)
        return akin_fail_memory(error, what);
    akin_status status = akin_search_check(s->objects, s->queries, s->most, error);
    if (status != AKIN_OK)
        return status;
    if (s->technique == AKIN_SEARCH_AUTO)
        s->technique = akin_search_choose(scope->cpu, s->objects, s->queries, &s->out->prices);
    s->out->technique = s->technique;
    share_spans(s, scope->threads);
    status = prepare_search(scope, s, error);
    if (status != AKIN_OK)
        return status;
    const uint64_t tasks = akin_ceil_div(s->queries->count, s->group) * s->spans;
    status = akin_parallel(scope, "searching", tasks, search_span_task, s);
    if (status == AKIN_OK && s->spans > 1)
        status = akin_parallel(scope, NULL, s->queries->count, merge_spans_task, s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_search_batch(const akin_scope *scope, const akin_objects *objects, const akin_queries *queries,
                              akin_search_technique technique, akin_search_results *out, akin_error *error)
{
    searching s = {.objects = objects, .queries = queries, .out = out, .technique = technique};
    akin_status status = akin_search_begin(objects, technique, out, error);
    if (status != AKIN_OK)
        return status;
    s.scan = akin_scan_choose(scope->cpu);
    status = search_all_queries(scope, &s, error);
    for (uint32_t i = 0; s.workers && i < scope->threads; i++) {
        akin_tally_clear(&s.workers[i].tally);
        for (uint32_t j = 0; j < GROUP; j++)
            akin_top_clear(&s.workers[i].tops[j]);
        akin_free(s.workers[i].tests);
    }
    akin_free(s.workers);
    akin_free(s.most);
    akin_free(s.keys);
    akin_free(s.found);
    return status;
}

static akin_status sort_found_task(void *argument, uint64_t task, uint32_t thread)
{
    const akin_search_results *out = argument;
    (void)thread;
    akin_sort_u64(out->keys + task * out->k, out->found[task]);
    return AKIN_OK;
}

akin_status akin_search_sort(const akin_scope *scope, akin_search_results *results, uint64_t count)
{
    return akin_parallel(scope, NULL, count, sort_found_task, results);
}

void akin_search_clear(akin_search_results *results)
{
    akin_free(results->keys);
    akin_free(results->found);
    results->keys = NULL;
    results->found = NULL;
}
