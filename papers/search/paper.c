/*
 * Match counts on a GPU by the paper's techniques: what the host does. Queries go there as many at a time as there is
 * memory for. Those whose hash tables were full are counted again, in tables four times as large.
 */
#include "papers/search/paper.h"

#include "base/clock.h"
#include "base/context.h"
#include "papers/kernels.h"
#include "papers/search/lists.h"
#include "search/scan.h"
#include "search/techniques.h"

#include <string.h>

#define QUERIES 32768u               /* of a chunk, at most */
#define LISTS   ((uint64_t)1 << 18)  /* of a launch, at most */
#define LIST    ((uint64_t)1 << 21)  /* objects of one, so that a block ends soon, */
#define WORK    ((uint64_t)1 << 29)  /* and of a launch; both take some 10 to 30 ms */
#define TESTS   ((uint64_t)1 << 36)  /* of an object each, of a launch */
#define SPARE   ((uint64_t)16 << 20) /* bytes for lists and the like */
#define SLOTS   ((uint64_t)1 << 27)  /* of a table, at most */

static const char what[] = "a search by a technique of the paper"; /* the memory is for */

typedef struct asking {
    const akin_scope *scope;
    akin_ranges *ranges;
    const akin_queries *queries;
    const akin_search_technique_row *technique;
    const akin_paper_way *way; /* the technique's */
    const akin_paper_options *options;
    akin_search_results *out;
    akin_paper_report *report;
    uint64_t *most;
    uint32_t *todo;         /* queries that are to be counted; those that must be counted again come in front */
    akin_paper_item *items; /* of a chunk */
    akin_paper_list *lists; /* of a launch */
    uint32_t *sizes;        /* of keywords, as far as they are known */
    double since;           /* when lists began to be made */
    akin_gpu_test *tests;   /* of a chunk, */
    akin_scan_test *some;   /* and of a query */
    uint64_t *ends;         /* of the tests of each query */
    uint64_t *keys;         /* of a chunk */
    uint32_t *found, *overflows;
    uint64_t keys_room, tests_room, some_room;
    akin_paper_batch batch;
    akin_device_buffer counters, tables, reached, gates, counts, ids, best, best_found, parts, part_ends;
    akin_error *error;
} asking;

/* ----------------------------------------------------------------------------------------------------------- memory */

/* Slots for k objects of each count, or for all objects, so that half of them stay empty: the least power of 2. */
static uint64_t slots_of(const asking *a)
{
    const uint64_t k = a->out->k, objects = akin_max_u32(a->ranges->objects->head.count, 1);
    const uint64_t wanted = 2 * akin_min_u64(objects, k * a->batch.most);
    uint64_t slots = 64;
    while (slots < wanted && slots < SLOTS)
        slots *= 2;
    return slots;
}

/* Bytes that a query takes there. */
static uint64_t query_bytes(const asking *a)
{
    const akin_paper_batch *b = &a->batch;
    const uint64_t best = b->k * sizeof *b->keys + sizeof *b->found;
    if (!a->way->has_queue)
        return best + (uint64_t)b->objects * (sizeof *b->counts + sizeof *b->ids);
    return best + b->words * sizeof *b->counters + b->slots * sizeof *b->tables +
           ((uint64_t)b->most + 2) * sizeof *b->reached + sizeof *b->gates + sizeof *b->overflows;
}

/* What all queries have alike; `slots` of a hash table. */
static void plan_paper_batch(asking *a, uint64_t slots)
{
    const uint32_t each = 32 / akin_max_u32(akin_bits_of(a->batch.most), 1);
    a->batch.bits = 32 / each; /* the widest with `each` of them in a word */
    a->batch.each = each;
    a->batch.words = akin_ceil_div(a->batch.objects, each);
    a->batch.slots = (uint32_t)slots;
    a->batch.shift = 33 - akin_bits_of(slots);
    a->report->query_bytes = akin_max_u64(a->report->query_bytes, query_bytes(a));
}

static void release(asking *a)
{
    akin_device_buffer *const buffers[] = {&a->counters, &a->tables, &a->reached,    &a->gates, &a->counts,
                                           &a->ids,      &a->best,   &a->best_found, &a->parts, &a->part_ends};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(a->ranges->device, buffers[i]);
}

typedef struct room {
    akin_device_buffer *buffer;
    uint64_t count;
    size_t size;
    int is_clear;
} room;

/* Makes room for a chunk of queries, and clears what is to be zeros. */
static akin_status reserve_paper_batch(asking *a)
{
    akin_ranges *r = a->ranges;
    akin_paper_batch *b = &a->batch;
    const uint64_t count = b->count, objects = b->objects;
    const int is_cpq = a->way->has_queue;
    const room rooms[] = {{&a->best, count * b->k, sizeof *b->keys, 0},
                          {&a->best_found, count, sizeof *b->found, 0},
                          {&a->counters, is_cpq ? count * b->words : 0, sizeof *b->counters, 1},
                          {&a->tables, is_cpq ? count * b->slots : 0, sizeof *b->tables, 1},
                          {&a->reached, is_cpq ? count * ((uint64_t)b->most + 2) : 0, sizeof *b->reached, 1},
                          {&a->gates, is_cpq ? 2 * count : 0, sizeof *b->gates, 1},
                          {&a->counts, is_cpq ? 0 : count * objects, sizeof *b->counts, 1},
                          {&a->ids, is_cpq ? 0 : count * objects, sizeof *b->ids, 0}};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && status == AKIN_OK; i++) {
        const room *own = &rooms[i];
        if (own->count == 0)
            continue;
        status = akin_device_reserve(r->device, own->buffer, own->count, own->size, what, a->error);
        if (status == AKIN_OK && own->is_clear)
            status = akin_device_fill(r->stream, own->buffer->data, 0, own->count * own->size, a->error);
    }
    b->keys = a->best.data;
    b->found = a->best_found.data;
    b->counters = a->counters.data;
    b->tables = a->tables.data;
    b->reached = a->reached.data;
    b->gates = a->gates.data;
    b->overflows = is_cpq ? b->gates + count : NULL;
    b->counts = a->counts.data;
    b->ids = a->ids.data;
    return status;
}

/* --------------------------------------------------------------------------------------------------------- counting */

static akin_status is_cancelled(asking *a)
{
    return akin_scope_report(a->scope, NULL, 0, 0) == AKIN_OK ? AKIN_OK
                                                              : akin_fail_stopped(a->error, AKIN_E_CANCELLED, what);
}

/* Counts `count` lists. The time to make the lists and to bring them to the GPU is counted apart. */
static akin_status count_lists(asking *a, uint64_t count)
{
    akin_ranges *r = a->ranges;
    const uint32_t each = a->options->is_balanced ? AKIN_PAPER_EACH : 1;
    akin_status status = akin_device_reserve(r->device, &a->parts, LISTS, sizeof *a->lists, what, a->error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->stream, a->parts.data, a->lists, count * sizeof *a->lists, a->error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(r->stream, a->error);
    const double there = akin_clock();
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(r->stream)->match_counts->count(r->stream, &r->there, &a->batch, a->parts.data,
                                                                       (uint32_t)count, each, a->error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(r->stream, a->error);
    const double done = akin_clock();
    a->report->seconds_transfer += there - a->since;
    a->report->seconds_match += done - there;
    a->since = done;
    return status == AKIN_OK ? is_cancelled(a) : status;
}

/* Counts the items of a chunk. Each item has one list of a launch, or all of its sublists in turn. */
static akin_status count_items(asking *a, uint64_t items)
{
    const akin_objects *o = a->ranges->objects;
    const int is_balanced = a->options->is_balanced;
    const uint64_t most = is_balanced ? AKIN_PAPER_SUBLIST : LIST;
    akin_status status = AKIN_OK;
    for (uint64_t count = 0, work = 0, left = items; left > 0 && status == AKIN_OK;) {
        left = 0;
        for (uint64_t i = 0; i < items && status == AKIN_OK; i++) {
            for (uint64_t objects = 1; objects > 0 && status == AKIN_OK;) {
                objects = akin_paper_take(o, a->sizes, &a->items[i], most, is_balanced, &a->lists[count]);
                count += objects > 0;
                work += objects;
                left += objects > 0;
                if (count == LISTS || work >= WORK) {
                    status = count_lists(a, count);
                    count = work = 0;
                }
                objects = is_balanced ? objects : 0;
            }
        }
        if (status == AKIN_OK && count > 0)
            status = count_lists(a, count);
        count = work = 0;
    }
    return status;
}

static akin_status count_by_lists(asking *a, const uint32_t *chunk)
{
    uint64_t items = 0;
    a->since = akin_clock();
    for (uint32_t i = 0; i < a->batch.count; i++)
        for (uint64_t at = a->queries->offsets[chunk[i]]; at < a->queries->offsets[chunk[i] + (uint64_t)1]; at++)
            a->items[items++] = akin_paper_item_of(a->ranges->objects, &a->queries->items[at], i);
    return count_items(a, items);
}

/* --------------------------------------------------------------------------------------------------------- scanning */

/* The tests of a query, behind those of the chunk. */
static akin_status add_tests(asking *a, uint32_t query, uint64_t *used)
{
    const akin_objects *o = a->ranges->objects;
    const akin_query_item *items = a->queries->items + a->queries->offsets[query];
    const uint64_t count = a->queries->offsets[query + (uint64_t)1] - a->queries->offsets[query];
    const uint64_t most = akin_scan_most(o, items, count);
    uint32_t narrow;
    akin_scan_test *some = akin_enlarge(NULL, a->some, &a->some_room, most, sizeof *some);
    a->some = some ? some : a->some;
    akin_gpu_test *tests = akin_enlarge(NULL, a->tests, &a->tests_room, *used + most, sizeof *tests);
    a->tests = tests ? tests : a->tests;
    if (!some || !tests)
        return akin_fail_memory(a->error, what);
    const uint32_t made = akin_scan_tests(o, items, count, some, &narrow);
    for (uint32_t i = 0; i < made; i++)
        tests[(*used)++] = (akin_gpu_test){(uint64_t)(some[i].codes - o->bytes), some[i].low, some[i].span,
                                           some[i].weight, i < narrow ? 1 : 2};
    return AKIN_OK;
}

static akin_status bring_tests(asking *a, const uint32_t *chunk)
{
    akin_ranges *r = a->ranges;
    uint64_t used = 0;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < a->batch.count && status == AKIN_OK; i++) {
        status = add_tests(a, chunk[i], &used);
        a->ends[i] = used;
    }
    const double begun = akin_clock();
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &a->parts, akin_max_u64(used, 1), sizeof *a->tests, what, a->error);
    if (status == AKIN_OK)
        status = akin_device_reserve(r->device, &a->part_ends, a->batch.count, sizeof *a->ends, what, a->error);
    if (status == AKIN_OK && used > 0)
        status = akin_device_upload(r->stream, a->parts.data, a->tests, used * sizeof *a->tests, a->error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->stream, a->part_ends.data, a->ends, a->batch.count * sizeof *a->ends, a->error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(r->stream, a->error);
    a->report->seconds_transfer += akin_clock() - begun;
    a->batch.tests = a->parts.data;
    a->batch.ends = a->part_ends.data;
    return status;
}

static akin_status count_by_scan(asking *a, const uint32_t *chunk)
{
    akin_ranges *r = a->ranges;
    akin_status status = bring_tests(a, chunk);
    const double begun = akin_clock();
    for (uint32_t first = 0, count; first < a->batch.count && status == AKIN_OK; first += count) {
        const uint64_t before = first > 0 ? a->ends[first - 1] : 0;
        for (count = 1; first + count < a->batch.count; count++)
            if ((a->ends[first + count] - before + count) * a->batch.objects > TESTS)
                break;
        status = akin_annex_kernels_of(r->stream)->match_counts->scan(r->stream, &r->there, &a->batch, first, count,
                                                                      a->error);
        if (status == AKIN_OK)
            status = akin_device_stream_finish(r->stream, a->error);
        if (status == AKIN_OK)
            status = is_cancelled(a);
    }
    a->report->seconds_match += akin_clock() - begun;
    return status;
}

/* -------------------------------------------------------------------------------------------------------- selecting */

/* Takes the results of a chunk of queries. Queries whose tables were full become the first `*again` to do. */
static akin_status take_paper_batch(asking *a, const uint32_t *chunk, uint32_t *again)
{
    akin_device_stream *stream = a->ranges->stream;
    const akin_paper_batch *b = &a->batch;
    const uint64_t keys = (uint64_t)b->count * b->k;
    uint64_t *room = akin_enlarge(NULL, a->keys, &a->keys_room, keys, sizeof *room);
    if (!room)
        return akin_fail_memory(a->error, what);
    a->keys = room;
    akin_status status = akin_device_download(stream, room, b->keys, keys * sizeof *room, a->error);
    if (status == AKIN_OK)
        status = akin_device_download(stream, a->found, b->found, b->count * sizeof *a->found, a->error);
    if (status == AKIN_OK && b->overflows)
        status = akin_device_download(stream, a->overflows, b->overflows, b->count * sizeof *a->overflows, a->error);
    for (uint32_t i = 0; i < b->count && status == AKIN_OK; i++) {
        const uint32_t query = chunk[i];
        if (b->overflows && a->overflows[i]) {
            a->todo[(*again)++] = query; /* not beyond what has been done */
            continue;
        }
        a->out->found[query] = a->found[i];
        memcpy(a->out->keys + (uint64_t)query * b->k, room + (uint64_t)i * b->k, (size_t)a->found[i] * sizeof *room);
    }
    return status;
}

static akin_status search_chunk(asking *a, const uint32_t *chunk, uint32_t *again)
{
    const int is_cpq = a->way->has_queue;
    const akin_match_count_kernels *kernels = akin_annex_kernels_of(a->ranges->stream)->match_counts;
    akin_status status = reserve_paper_batch(a);
    if (status == AKIN_OK)
        status = a->way->scans ? count_by_scan(a, chunk) : count_by_lists(a, chunk);
    const double begun = akin_clock();
    if (status == AKIN_OK)
        status = (is_cpq ? kernels->select_cpq : kernels->select_spq)(a->ranges->stream, &a->batch, a->error);
    if (status == AKIN_OK)
        status = take_paper_batch(a, chunk, again);
    a->report->seconds_select += akin_clock() - begun;
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- all */

/* Bytes of the tests of a query, at most. */
static uint64_t test_bytes(const asking *a, uint32_t count)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < count && a->way->scans; i++) {
        const uint64_t first = a->queries->offsets[a->todo[i]], end = a->queries->offsets[a->todo[i] + UINT64_C(1)];
        const akin_scan_widths tests = akin_scan_count(a->ranges->objects, a->queries->items + first, end - first);
        most = akin_max_u64(most, tests.narrow + tests.wide);
    }
    return most * sizeof *a->tests + sizeof *a->ends;
}

/* Searches with the first `count` queries that are to be done; *again of them are left. */
static akin_status search_some(asking *a, uint32_t count, uint32_t *again)
{
    akin_status status = AKIN_OK;
    release(a);
    const uint64_t room = akin_device_room(a->ranges->device), each = query_bytes(a) + test_bytes(a, count);
    const uint64_t most = akin_max_u64((room > SPARE ? room - SPARE : 0) / each, 1);
    *again = 0;
    for (uint32_t first = 0; first < count && status == AKIN_OK; first += a->batch.count) {
        a->batch.count = (uint32_t)akin_min_u64(akin_min_u64(most, QUERIES), count - first);
        status = search_chunk(a, a->todo + first, again);
        if (status == AKIN_OK && akin_scope_report(a->scope, "searching", first + a->batch.count, count) != AKIN_OK)
            return akin_fail_stopped(a->error, AKIN_E_CANCELLED, what);
    }
    return status;
}

static akin_status search_until_done(asking *a)
{
    const uint64_t wished = akin_wishes_of(a->scope)->hash_slots;
    uint64_t slots = wished ? wished : slots_of(a);
    akin_status status = AKIN_OK;
    for (uint32_t left = a->queries->count, again; left > 0 && status == AKIN_OK; left = again) {
        if (a->way->has_queue && slots > SLOTS)
            return akin_fail(a->error, AKIN_E_LIMIT,
                             "%lu queries need hash tables of more than %llu objects each: expected another technique",
                             (unsigned long)left, (unsigned long long)SLOTS);
        plan_paper_batch(a, slots);
        status = search_some(a, left, &again);
        a->report->again += status == AKIN_OK ? again : 0;
        slots = slots < SLOTS ? akin_min_u64(4 * slots, SLOTS) : 2 * SLOTS;
    }
    return status;
}

static akin_status check_paper_batch(asking *a)
{
    const uint64_t queries = a->queries->count;
    const int is_cpq = a->way->has_queue;
    akin_status status = akin_search_check(a->ranges->objects, a->queries, a->most, a->error);
    a->batch.most = 1;
    for (uint64_t q = 0; q < queries && status == AKIN_OK; q++) {
        if (is_cpq && a->most[q] > AKIN_CPQ_MOST)
            status =
                akin_fail(a->error, AKIN_E_OPTION,
                          "query %llu: an object can count %llu, and c-PQ counts to %u; expected another technique",
                          (unsigned long long)q, (unsigned long long)a->most[q], AKIN_CPQ_MOST);
        a->batch.most = akin_max_u32(a->batch.most, (uint32_t)a->most[q]);
    }
    if (status == AKIN_OK && a->out->k > AKIN_RANGES_K)
        return akin_fail(a->error, AKIN_E_LIMIT, "%u objects for each query: expected at most %u on a GPU", a->out->k,
                         AKIN_RANGES_K);
    if (status == AKIN_OK && !is_cpq && a->ranges->objects->head.count > AKIN_SPQ_OBJECTS)
        return akin_fail(a->error, AKIN_E_LIMIT, "%lu objects: expected at most %u by the technique %s",
                         (unsigned long)a->ranges->objects->head.count, AKIN_SPQ_OBJECTS, a->technique->choice.name);
    return status;
}

static akin_status search_all(asking *a)
{
    const uint64_t queries = a->queries->count, chunk = akin_min_u64(queries, QUERIES);
    a->most = akin_alloc(NULL, queries, sizeof *a->most);
    a->todo = akin_alloc(NULL, queries, sizeof *a->todo);
    a->items = akin_alloc(NULL, queries > 0 ? a->queries->offsets[queries] : 0, sizeof *a->items);
    a->lists = akin_alloc(NULL, LISTS, sizeof *a->lists);
    a->sizes = akin_alloc_zero(NULL, a->ranges->objects->head.keywords, sizeof *a->sizes);
    a->ends = akin_alloc(NULL, chunk, sizeof *a->ends);
    a->found = akin_alloc(NULL, chunk, sizeof *a->found);
    a->overflows = akin_alloc(NULL, chunk, sizeof *a->overflows);
    a->out->keys = akin_alloc(NULL, queries * a->out->k, sizeof *a->out->keys);
    a->out->found = akin_alloc_zero(NULL, queries, sizeof *a->out->found);
    if (!a->most || !a->todo || !a->items || !a->lists || !a->sizes || !a->ends || !a->found || !a->overflows ||
        !a->out->keys || !a->out->found)
        return akin_fail_memory(a->error, what);
    for (uint32_t q = 0; q < queries; q++)
        a->todo[q] = q;
    a->batch.k = a->out->k;
    a->batch.objects = a->ranges->objects->head.count;
    akin_status status = check_paper_batch(a);
    if (status == AKIN_OK && a->batch.objects > 0)
        status = search_until_done(a);
    if (status != AKIN_OK)
        return status;
    status = akin_search_sort(a->scope, a->out, queries);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(a->error, status, what);
}

static void clear(asking *a)
{
    release(a);
    akin_free(a->most);
    akin_free(a->todo);
    akin_free(a->items);
    akin_free(a->lists);
    akin_free(a->sizes);
    akin_free(a->tests);
    akin_free(a->some);
    akin_free(a->ends);
    akin_free(a->keys);
    akin_free(a->found);
    akin_free(a->overflows);
}

akin_status akin_paper_search(const akin_scope *scope, akin_ranges *ranges, const akin_queries *queries,
                              const akin_search_technique_row *technique, const akin_paper_options *options,
                              akin_search_results *out, akin_paper_report *report, akin_error *error)
{
    asking a = {.scope = scope,
                .ranges = ranges,
                .queries = queries,
                .technique = technique,
                .way = technique->own,
                .options = options,
                .out = out,
                .report = report,
                .error = error};
    char names[128];
    *report = (akin_paper_report){0};
    if (ranges->residents.parts.count > 1) {
        akin_choice_list(&akin_search_techniques, AKIN_BY_AUTO, names, sizeof names);
        return akin_fail(error, AKIN_E_NOMEM,
                         "the technique %s takes all of an index at once, for which the GPU has no room: expected %s",
                         technique->choice.name, names);
    }
    akin_status status =
        akin_search_begin(ranges->objects, a.way->scans ? AKIN_SEARCH_SCAN : AKIN_SEARCH_LISTS, out, error);
    if (status != AKIN_OK)
        return status;
    out->technique = (akin_search_technique)technique->choice.value;
    status = search_all(&a);
    clear(&a);
    return status;
}
