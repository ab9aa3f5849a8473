/*
 * Match-count search on a GPU: what the host does. Queries go there some at a time, as their keys have room, and as a
 * launch is to end soon; a query that takes longer than that has its units counted by several launches.
 *
 * Where objects are brought part by part, all queries are searched for in each part while the next part is brought. The
 * best of a part join the best of the parts before, which have the lower objects. So an object of a later part must
 * count more than the worst of the best.
 */
#include "search/ranges.h"

#include "base/parallel.h"
#include "base/sort.h"
#include "device/bring.h"
#include "search/gather.h"
#include "search/scan.h"
#include "search/score.h"

#include <string.h>

#define QUERIES 32768u                     /* of a chunk, at most */
#define KEYS    ((uint64_t)256 << 20)      /* bytes that the keys of a chunk take, unless one query takes more */
#define WORK    ((uint64_t)1 << 33)        /* of a launch, in places, some 10 ms */
#define UNIT    ((uint64_t)1 << 14)        /* what a unit is, beside its places, */
#define RANKED  ((uint64_t)1 << 18)        /* and if it is ranked by similarity, at worst */
#define LOOK    ((uint64_t)16)             /* and each keyword that is looked up in it */
#define TEST    ((uint64_t)AKIN_RANGE / 4) /* a test of a range, for each byte of a code */
#define RATE    8e11                       /* places a second */
#define SAMPLE  64                         /* queries by which that is predicted */

static const char what[] = "a search on a GPU"; /* the memory is for */

typedef struct range_search {
    const akin_scope *scope;
    akin_ranges *ranges;
    const akin_queries *queries;
    const akin_similar *similar; /* NULL: objects are ranked by what they count */
    akin_search_results *out;
    int is_scan;
    uint64_t *most;        /* of each query, 0 if it has no items */
    akin_gpu_query *heads; /* of a chunk */
    akin_gpu_item *items;  /* likewise */
    akin_scan_test *tests; /* of a query, */
    akin_gpu_test *there;  /* and of a chunk */
    uint64_t tests_room, there_room, parts;
    uint64_t *shown;       /* of each query, as a batch has it: what must be counted from the beginning */
    const akin_slot *slot; /* of several parts: the one at hand, */
    uint32_t next;         /* and the number of the next */
    uint64_t *keys;        /* what is found in a part: out's, unless there are several */
    uint32_t *found;
    uint64_t *both; /* keys that are put together, 2 k for each thread */
    akin_gpu_batch batch;
    akin_error *error;
} range_search;

akin_status akin_ranges_begin(const akin_scope *scope, akin_device *device, const akin_objects *objects, uint64_t room,
                              akin_ranges *out, akin_error *error)
{
    *out = (akin_ranges){.device = device, .objects = objects};
    akin_status status = akin_device_stream_create(device, &out->stream, error);
    if (status == AKIN_OK)
        status = akin_residents_begin(scope, device, objects, room, &out->residents, error);
    if (status == AKIN_OK && out->residents.parts.count == 1)
        out->there = out->residents.slots[0].there;
    return status;
}

void akin_ranges_clear(akin_ranges *ranges)
{
    if (!ranges->device)
        return;
    akin_residents_clear(&ranges->residents);
    akin_device_stream_free(ranges->stream);
    akin_device_buffer *const buffers[] = {
        &ranges->queries, &ranges->parts,   &ranges->shown,         &ranges->keys,          &ranges->found,
        &ranges->best[0], &ranges->best[1], &ranges->best_found[0], &ranges->best_found[1], &ranges->sizes};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        akin_device_release(ranges->device, buffers[i]);
    *ranges = (akin_ranges){0};
}

/* ---------------------------------------------------------------------------------------------------------- queries */

/* Bytes of the counters that a query needs. */
static uint32_t counter_bytes_of(uint64_t most)
{
    return most <= UINT8_MAX ? 1 : most <= UINT16_MAX ? 2 : 4;
}

/* What a query costs by lists, in places, a unit costing `unit` besides; each of the units of a range looks at all of
 * them. */
static uint64_t cost_of_lists(const akin_objects *o, const akin_query_item *items, uint64_t count, uint32_t bytes,
                              uint64_t unit)
{
    uint64_t cells = 0, keywords = 0;
    for (uint64_t i = 0; i < count; i++) {
        keywords += (uint64_t)items[i].last - items[i].first + 1;
        cells += o->lists[items[i].last + (uint64_t)1].cell - o->lists[items[i].first].cell;
    }
    return bytes * (cells + akin_objects_ranges(o) * (unit + LOOK * keywords));
}

static uint64_t cost_of_scan(const akin_objects *o, const akin_query_item *items, uint64_t count, uint32_t bytes)
{
    const akin_scan_widths widths = akin_scan_count(o, items, count);
    return akin_objects_ranges(o) * (bytes * UNIT + TEST * (widths.narrow + 2 * widths.wide));
}

double akin_ranges_seconds(const akin_objects *objects, const akin_queries *queries, akin_search_technique technique)
{
    const uint64_t step = akin_max_u64(queries->count / SAMPLE, 1);
    double lists = 0, scan = 0;
    for (uint64_t q = 0; q < queries->count; q += step) {
        const akin_query_item *items = queries->items + queries->offsets[q];
        const uint64_t count = queries->offsets[q + 1] - queries->offsets[q];
        const uint32_t bytes = counter_bytes_of(akin_query_most(objects, items, count));
        lists += (double)cost_of_lists(objects, items, count, bytes, UNIT);
        scan += (double)cost_of_scan(objects, items, count, bytes);
    }
    const int can_scan = objects->head.dimensions > 0 && technique != AKIN_SEARCH_LISTS;
    const int is_scan = can_scan && (technique == AKIN_SEARCH_SCAN || scan < lists);
    return (is_scan ? scan : lists) * (double)step / RATE;
}

double akin_ranges_seconds_similar(const akin_objects *objects, const akin_queries *queries)
{
    const uint64_t step = akin_max_u64(queries->count / SAMPLE, 1);
    double lists = 0;
    for (uint64_t q = 0; q < queries->count; q += step) {
        const uint64_t first = queries->offsets[q], count = queries->offsets[q + 1] - first;
        lists += (double)cost_of_lists(objects, queries->items + first, count, counter_bytes_of(count), RANKED);
    }
    return lists * (double)step / RATE;
}

/* Whether queries can be scanned for, and that is cheaper. */
static int should_scan(const range_search *a)
{
    const akin_objects *o = a->ranges->objects;
    uint64_t lists = 0, scan = 0;
    for (uint64_t q = 0; q < a->queries->count && o->head.dimensions > 0; q++) {
        const akin_query_item *items = a->queries->items + a->queries->offsets[q];
        const uint64_t count = a->queries->offsets[q + 1] - a->queries->offsets[q];
        lists += cost_of_lists(o, items, count, counter_bytes_of(a->most[q]), UNIT);
        scan += cost_of_scan(o, items, count, counter_bytes_of(a->most[q]));
    }
    return o->head.dimensions > 0 && scan < lists;
}

/* Where the codes of a test's column begin there. */
static uint64_t codes_begin(const range_search *a, uint64_t begin)
{
    const akin_objects *o = a->ranges->objects;
    uint32_t low = 0, count = o->head.dimensions;
    if (!a->slot)
        return begin;
    while (count > 1) { /* the last column that begins no later */
        const uint32_t half = count / 2;
        low += o->codes[low + half].begin <= begin ? half : 0;
        count -= half;
    }
    return a->slot->columns[low];
}

/* The tests of a query, as the kernels have them, behind those of the chunk. */
static akin_status add_scan_tests(range_search *a, const akin_query_item *items, uint64_t count, akin_gpu_query *head)
{
    const akin_objects *o = a->ranges->objects;
    const uint64_t most = akin_scan_most(o, items, count);
    uint32_t narrow;
    akin_scan_test *tests = akin_enlarge(NULL, a->tests, &a->tests_room, most, sizeof *tests);
    a->tests = tests ? tests : a->tests;
    akin_gpu_test *there = akin_enlarge(NULL, a->there, &a->there_room, a->parts + most, sizeof *there);
    a->there = there ? there : a->there;
    if (!tests || !there)
        return akin_fail_memory(a->error, what);
    head->parts = akin_scan_tests(o, items, count, tests, &narrow);
    for (uint32_t i = 0; i < head->parts; i++)
        there[a->parts++] = (akin_gpu_test){codes_begin(a, (uint64_t)(tests[i].codes - o->bytes)), tests[i].low,
                                            tests[i].span, tests[i].weight, i < narrow ? 1 : 2};
    return AKIN_OK;
}

static akin_status add_items(range_search *a, const akin_query_item *items, uint64_t count, akin_gpu_query *head)
{
    for (uint64_t i = 0; i < count; i++) {
        a->items[a->parts++] = (akin_gpu_item){head->keywords, items[i].first, items[i].last, items[i].weight, 0};
        head->keywords += (uint64_t)items[i].last - items[i].first + 1;
    }
    head->parts = (uint32_t)count;
    if (head->keywords > AKIN_RANGES_KEYWORDS)
        return akin_fail(a->error, AKIN_E_LIMIT, "a query of %llu keywords: expected at most %u on a GPU",
                         (unsigned long long)head->keywords, AKIN_RANGES_KEYWORDS);
    return AKIN_OK;
}

/* What a chunk of queries is. */
typedef struct chunk {
    uint64_t first, count;
    uint64_t work; /* in places */
    uint32_t most; /* that an object can count, or its score can be */
} chunk;

/* Takes as many queries as there is room for, one at least, all with counters as wide. */
static akin_status take_queries_chunk(range_search *a, uint64_t first, chunk *out)
{
    const akin_objects *o = a->ranges->objects;
    const uint64_t ranges = akin_max_u32(a->ranges->there.ranges, 1);
    const uint32_t bytes = counter_bytes_of(a->most[first]),
                   room = (uint32_t)akin_min_u64(a->out->k, AKIN_RANGE / bytes);
    const uint64_t size = ranges * bytes * room * sizeof(uint64_t);
    const uint64_t most = akin_min_u64(KEYS, akin_device_room(a->ranges->device) / 4);
    akin_status status = AKIN_OK;
    *out = (chunk){.first = first};
    a->parts = 0;
    for (uint64_t q = first; q < a->queries->count && out->count < QUERIES && status == AKIN_OK; q++) {
        const uint64_t begin = a->queries->offsets[q], count = a->queries->offsets[q + 1] - begin;
        const akin_query_item *items = a->queries->items + begin;
        const uint64_t work = a->is_scan ? cost_of_scan(o, items, count, bytes)
                                         : cost_of_lists(o, items, count, bytes, a->similar ? RANKED : UNIT);
        if (out->count > 0 &&
            (counter_bytes_of(a->most[q]) != bytes || (out->count + 1) * size > most || out->work + work > WORK))
            break;
        akin_gpu_query *head = &a->heads[out->count++];
        *head = (akin_gpu_query){.part = a->parts,
                                 .most = (uint32_t)akin_max_u64(a->most[q], 1),
                                 .size = a->similar ? a->similar->query_sizes[q] : 0};
        status = a->is_scan ? add_scan_tests(a, items, count, head) : add_items(a, items, count, head);
        out->work += work;
        out->most = a->similar ? AKIN_SCORE_MOST : akin_max_u32(out->most, head->most);
    }
    a->batch = (akin_gpu_batch){.count = (uint32_t)out->count,
                                .k = a->out->k,
                                .room = room,
                                .units = (uint32_t)ranges * bytes,
                                .counter_bytes = bytes};
    if (a->similar) {
        a->batch.sizes = a->ranges->sizes.data;
        a->batch.is_cosine = (uint32_t)akin_form_is_squared(a->similar->form);
        a->batch.least = akin_max_u32(a->similar->least, 1);
    }
    return status;
}

/* Makes room for what a chunk takes there, and brings its queries. */
static akin_status bring_queries_chunk(range_search *a, const chunk *c)
{
    akin_ranges *r = a->ranges;
    akin_gpu_batch *b = &a->batch;
    const uint64_t slots = (uint64_t)b->count * b->units;
    const size_t part = a->is_scan ? sizeof *a->there : sizeof *a->items;
    const struct {
        akin_device_buffer *buffer;
        uint64_t count;
        size_t size;
    } rooms[] = {{&r->queries, b->count, sizeof *a->heads},
                 {&r->parts, akin_max_u64(a->parts, 1), part},
                 {&r->shown, b->count, sizeof *b->shown},
                 {&r->keys, slots * b->room, sizeof *b->keys},
                 {&r->found, slots, sizeof *b->found}};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && status == AKIN_OK; i++)
        status = akin_device_reserve(r->device, rooms[i].buffer, rooms[i].count, rooms[i].size, what, a->error);
    if (status == AKIN_OK)
        status = akin_device_upload(r->stream, r->queries.data, a->heads, b->count * sizeof *a->heads, a->error);
    if (status == AKIN_OK && a->parts > 0)
        status = akin_device_upload(r->stream, r->parts.data, a->is_scan ? (const void *)a->there : a->items,
                                    a->parts * part, a->error);
    if (status == AKIN_OK)
        status =
            akin_device_upload(r->stream, r->shown.data, a->shown + c->first, b->count * sizeof *a->shown, a->error);
    b->queries = r->queries.data;
    b->items = a->is_scan ? NULL : r->parts.data;
    b->tests = a->is_scan ? r->parts.data : NULL;
    b->shown = r->shown.data;
    b->keys = r->keys.data;
    b->found = r->found.data;
    return status;
}

/* Brings some of the next part while a chunk is counted; `units` units of the chunk have been launched. */
static akin_status bring_meanwhile(const range_search *a, const chunk *c, uint64_t units)
{
    akin_residents *all = &a->ranges->residents;
    const double launched = (double)c->first + (double)c->count * (double)units / a->batch.units;
    return a->slot && a->next < all->parts.count ? akin_residents_go_on(all, launched / a->queries->count, a->error)
                                                 : AKIN_OK;
}

/* Counts a chunk, in as many launches as its work is worth. */
static akin_status count_query_chunk(range_search *a, const chunk *c)
{
    akin_ranges *r = a->ranges;
    const akin_gpu_batch *b = &a->batch;
    const uint64_t launches = akin_max_u64(akin_min_u64(akin_ceil_div(c->work, WORK), b->units), 1);
    const uint64_t step = akin_ceil_div(b->units, launches);
    akin_status status = bring_queries_chunk(a, c);
    for (uint64_t first = 0; first < b->units && status == AKIN_OK; first += step) {
        const uint64_t count = akin_min_u64(step, b->units - first);
        status =
            akin_kernels(r->stream)->ranges->count(r->stream, &r->there, b, (uint32_t)first, (uint32_t)count, a->error);
        if (status == AKIN_OK && launches > 1)
            status = bring_meanwhile(a, c, first + count);
        if (status == AKIN_OK && launches > 1)
            status = akin_device_stream_finish(r->stream, a->error);
        if (status == AKIN_OK && akin_scope_report(a->scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail_stopped(a->error, AKIN_E_CANCELLED, what);
    }
    return status;
}

/* Puts the keys of a chunk's units together, some units at a time, until there are the best of all, and brings
 * these. */
static akin_status gather_chunk(range_search *a, const chunk *c)
{
    akin_ranges *r = a->ranges;
    const akin_gpu_batch *b = &a->batch;
    const akin_gathering gathering = {.scope = a->scope,
                                      .device = r->device,
                                      .stream = r->stream,
                                      .best = r->best,
                                      .best_found = r->best_found,
                                      .what = what};
    akin_gpu_groups best;
    akin_status status = akin_gather_keys(&gathering, b, c->most, r->objects->head.count, &best, a->error);
    if (status == AKIN_OK)
        status = bring_meanwhile(a, c, b->units);
    if (status == AKIN_OK)
        status = akin_gather_take(&gathering, &best, a->keys + c->first * b->k, a->found + c->first, a->error);
    return status;
}

static akin_status count_chunks(range_search *a)
{
    const uint64_t parts = akin_max_u32(a->ranges->residents.parts.count, 1);
    const uint64_t before = a->slot ? (a->next - UINT64_C(1)) * a->queries->count : 0;
    chunk c = {0};
    akin_status status = AKIN_OK;
    for (uint64_t first = 0; first < a->queries->count && status == AKIN_OK; first += c.count) {
        status = take_queries_chunk(a, first, &c);
        if (status == AKIN_OK)
            status = count_query_chunk(a, &c);
        if (status == AKIN_OK)
            status = gather_chunk(a, &c);
        if (status == AKIN_OK &&
            akin_scope_report(a->scope, "searching", before + first + c.count, parts * a->queries->count) != AKIN_OK)
            return akin_fail_stopped(a->error, AKIN_E_CANCELLED, what);
    }
    return status;
}

static akin_status search_all_at_once(range_search *a)
{
    a->keys = a->out->keys;
    a->found = a->out->found;
    akin_status status = count_chunks(a);
    if (status != AKIN_OK || a->out->k <= AKIN_RANGES_SORTED)
        return status;
    status = akin_search_sort(a->scope, a->out, a->queries->count);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(a->error, status, what);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

/* Adds what was found of a query in a part to what was found before. */
static akin_status add_part_task(void *argument, uint64_t task, uint32_t thread)
{
    const range_search *a = argument;
    const uint32_t k = a->out->k, held = a->out->found[task], more = a->found[task];
    uint64_t *best = a->out->keys + task * k, *both = a->both + (uint64_t)thread * 2 * k;
    if (held > 0)
        memcpy(both, best, held * sizeof *both);
    if (more > 0)
        memcpy(both + held, a->keys + task * k, more * sizeof *both);
    akin_sort_u64(both, (uint64_t)held + more);
    a->out->found[task] = (uint32_t)akin_min_u64((uint64_t)held + more, k);
    if (held + more > 0)
        memcpy(best, both, a->out->found[task] * sizeof *both);
    if (a->out->found[task] == k)
        a->shown[task] = AKIN_SHOWN(akin_top_count(best[k - 1]) + 1, UINT32_MAX);
    return AKIN_OK;
}

/* Searches a part, which is there or on its way, and begins to bring the next. */
static akin_status search_part(range_search *a, uint32_t part)
{
    akin_residents *all = &a->ranges->residents;
    akin_status status = akin_residents_use(all, part, a->ranges->stream, &a->slot, a->error);
    if (status != AKIN_OK)
        return status;
    a->ranges->there = a->slot->there;
    a->next = part + 1;
    if (a->next < all->parts.count)
        akin_residents_bring(all, a->next, a->is_scan);
    status = count_chunks(a);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(a->scope, NULL, a->queries->count, add_part_task, a);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(a->error, status, what);
}

static akin_status search_parts(range_search *a)
{
    akin_residents *all = &a->ranges->residents;
    const uint64_t keys = (uint64_t)a->queries->count * a->out->k;
    a->keys = akin_alloc(NULL, keys, sizeof *a->keys);
    a->found = akin_alloc_zero(NULL, a->queries->count, sizeof *a->found);
    a->both = akin_alloc(NULL, (uint64_t)a->scope->threads * 2 * a->out->k, sizeof *a->both);
    akin_status status = a->keys && a->found && a->both ? AKIN_OK : akin_fail_memory(a->error, what);
    if (status == AKIN_OK) /* of a search that failed, something may still be under way */
        status = akin_device_stream_finish(a->ranges->stream, a->error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(all->stream, a->error);
    if (status == AKIN_OK && all->parts.count > 0 && a->queries->count > 0)
        akin_residents_bring(all, 0, a->is_scan);
    for (uint32_t part = 0; part < all->parts.count && a->queries->count > 0 && status == AKIN_OK; part++)
        status = search_part(a, part);
    akin_free(a->keys);
    akin_free(a->found);
    akin_free(a->both);
    return status;
}

static akin_status search_all_parts(range_search *a, akin_search_technique technique)
{
    const uint64_t queries = a->queries->count;
    a->most = akin_alloc(NULL, queries, sizeof *a->most);
    a->heads = akin_alloc(NULL, akin_min_u64(queries, QUERIES), sizeof *a->heads);
    a->shown = akin_alloc(NULL, queries, sizeof *a->shown);
    a->items = akin_alloc(NULL, queries > 0 ? a->queries->offsets[queries] : 0, sizeof *a->items);
    a->out->keys = akin_alloc(NULL, queries * a->out->k, sizeof *a->out->keys);
    a->out->found = akin_alloc_zero(NULL, queries, sizeof *a->out->found);
    if (!a->most || !a->heads || !a->shown || !a->items || !a->out->keys || !a->out->found)
        return akin_fail_memory(a->error, what);
    for (uint64_t q = 0; q < queries; q++)
        a->shown[q] = AKIN_SHOWN_NONE;
    akin_status status = akin_search_check(a->ranges->objects, a->queries, a->most, a->error);
    if (status != AKIN_OK)
        return status;
    if (a->out->k > AKIN_RANGES_K)
        return akin_fail(a->error, AKIN_E_LIMIT, "%u objects for each query: expected at most %u on a GPU", a->out->k,
                         AKIN_RANGES_K);
    a->is_scan = technique == AKIN_SEARCH_SCAN || (technique == AKIN_SEARCH_AUTO && should_scan(a));
    a->out->technique = a->is_scan ? AKIN_SEARCH_SCAN : AKIN_SEARCH_LISTS;
    return a->ranges->residents.parts.count == 1 ? search_all_at_once(a) : search_parts(a);
}

/* Brings the sizes of objects, once. */
static akin_status bring_sizes(range_search *a)
{
    akin_ranges *r = a->ranges;
    const uint64_t count = r->objects->head.count;
    if (r->has_sizes || count == 0)
        return AKIN_OK;
    akin_status status = akin_device_reserve(r->device, &r->sizes, count, sizeof(uint32_t), what, a->error);
    if (status == AKIN_OK)
        status = akin_device_send(a->scope, r->stream, r->sizes.data, a->similar->sizes, count * sizeof(uint32_t), what,
                                  a->error);
    r->has_sizes = status == AKIN_OK;
    return status;
}

static akin_status search_ranges(range_search *a, akin_search_technique technique)
{
    akin_status status = akin_search_begin(a->ranges->objects, technique, a->out, a->error);
    if (status == AKIN_OK && a->similar)
        status = bring_sizes(a);
    if (status == AKIN_OK)
        status = search_all_parts(a, technique);
    akin_free(a->most);
    akin_free(a->heads);
    akin_free(a->shown);
    akin_free(a->items);
    akin_free(a->tests);
    akin_free(a->there);
    return status;
}

akin_status akin_ranges_search(const akin_scope *scope, akin_ranges *ranges, const akin_queries *queries,
                               akin_search_technique technique, akin_search_results *out, akin_error *error)
{
    range_search a = {.scope = scope, .ranges = ranges, .queries = queries, .out = out, .error = error};
    return search_ranges(&a, technique);
}

akin_status akin_ranges_search_similar(const akin_scope *scope, akin_ranges *ranges, const akin_similar *similar,
                                       akin_search_results *out, akin_error *error)
{
    range_search a = {
        .scope = scope, .ranges = ranges, .queries = similar->queries, .similar = similar, .out = out, .error = error};
    return search_ranges(&a, AKIN_SEARCH_LISTS);
}
