/*
 * Match-count search against what it says it does, object by object: random objects of few or many ranges, as sets or
 * with dimensions, random queries whose items overlap, counts beyond 8 and 16 bits; every technique, every SIMD level,
 * several threads. And what becomes of damaged sections.
 *
 * Built with PROPERTY_HOST_GPU on a GPU that the host plays, with PROPERTY_DEVICE on a real one.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 60 if not given
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annex.h"
#include "base/context.h"
#include "base/random.h"
#include "property/setting.h"
#include "papers/search/cpu_idx.h"
#include "papers/search/paper.h"

#ifdef PROPERTY_HOST_GPU
#include "property/host_search.h"
#endif

#define QUERIES    12
#define ITEMS      10
#define DIMENSIONS 1000
#define WHOLE      2 /* queries that are as an object is */

/* Objects, as the tests and as the library have them. */
typedef struct world {
    akin_objects_source source;
    uint64_t *offsets;
    uint32_t *tokens;
    uint32_t counts[DIMENSIONS], *codes[DIMENSIONS];
    const uint32_t *columns[DIMENSIONS];
} world;

typedef struct batch {
    uint64_t offsets[QUERIES + 1];
    akin_query_item items[QUERIES * ITEMS + WHOLE * DIMENSIONS];
    akin_queries queries;
} batch;

static void *must(void *block)
{
    assert_non_null(block);
    return block;
}

/* A small keyword more often than a large one. */
static uint32_t draw_keyword(akin_random *random, uint32_t keywords)
{
    double unit = akin_random_unit(random);
    uint32_t keyword = (uint32_t)(unit * unit * unit * keywords);
    return keyword < keywords ? keyword : keywords - 1;
}

static void draw_sets(akin_random *random, world *w, uint32_t objects)
{
    const uint32_t keywords = 1 + (uint32_t)akin_random_below(random, akin_random_below(random, 2) ? 40 : 5000);
    const uint32_t most = 1 + (uint32_t)akin_random_below(random, 12);
    uint64_t used = 0;
    w->offsets = must(calloc(objects + 1, sizeof *w->offsets));
    w->tokens = must(calloc((size_t)objects * most + 1, sizeof *w->tokens));
    for (uint32_t i = 0; i < objects; i++) {
        uint32_t count = (uint32_t)akin_random_below(random, most + 1);
        for (uint32_t j = 0; j < count; j++) {
            uint32_t token = draw_keyword(random, keywords), known = 0;
            for (uint64_t at = w->offsets[i]; at < used; at++)
                known |= w->tokens[at] == token;
            if (!known)
                w->tokens[used++] = token;
        }
        w->offsets[i + 1] = used;
    }
    w->source =
        (akin_objects_source){.objects = objects, .keywords = keywords, .offsets = w->offsets, .tokens = w->tokens};
}

static void draw_columns(akin_random *random, world *w, uint32_t objects, uint32_t dimensions, const uint32_t *sizes,
                         uint32_t kinds)
{
    w->source =
        (akin_objects_source){.objects = objects, .dimensions = dimensions, .counts = w->counts, .codes = w->columns};
    for (uint32_t d = 0; d < dimensions; d++) {
        w->counts[d] = sizes[akin_random_below(random, kinds)];
        w->columns[d] = w->codes[d] = must(calloc((size_t)objects + 1, sizeof *w->codes[d]));
        for (uint32_t i = 0; i < objects; i++)
            w->codes[d][i] = w->counts[d] == 0 || akin_random_below(random, 20) == 0
                                 ? UINT32_MAX
                                 : draw_keyword(random, w->counts[d]);
        w->source.keywords += w->counts[d];
    }
}

static void draw_dimensions(akin_random *random, world *w, uint32_t objects)
{
    static const uint32_t sizes[] = {0, 1, 2, 20, 255, 256, 1024, 65535, 65536};
    const uint32_t dimensions = 1 + (uint32_t)akin_random_below(random, 8);
    draw_columns(random, w, objects, dimensions, sizes, akin_random_below(random, 6) ? 8 : 9);
}

/* As many columns as a byte counts to, or more. */
static void draw_signatures(akin_random *random, world *w)
{
    static const uint32_t dimensions[] = {255, 256, 300, DIMENSIONS}, most[] = {5000, 5000, 3000, 300};
    static const uint32_t sizes[] = {2, 1, 4, 67, 300};
    const uint32_t kind = (uint32_t)akin_random_below(random, 4);
    draw_columns(random, w, (uint32_t)akin_random_below(random, most[kind]), dimensions[kind], sizes,
                 1 + (uint32_t)akin_random_below(random, 5));
}

static void clear_world(world *w)
{
    free(w->offsets);
    free(w->tokens);
    for (int d = 0; d < DIMENSIONS; d++)
        free(w->codes[d]);
}

/* Of kind 0 to 7: an object counts less than 2^32 in all. */
static uint32_t draw_weight(akin_random *random, uint32_t kind)
{
    return kind < 5 ? 1 : 1 + (uint32_t)akin_random_below(random, kind < 7 ? 100 : 300000);
}

/* An item for each of many dimensions: what an object has. */
static uint64_t draw_whole(akin_random *random, const world *w, uint32_t kind, akin_query_item *items)
{
    const uint64_t object = akin_random_below(random, w->source.objects);
    uint64_t made = 0;
    uint32_t base = 0;
    for (uint32_t d = 0; d < w->source.dimensions; d++) {
        const uint32_t code = w->codes[d][object];
        if (code != UINT32_MAX)
            items[made++] = (akin_query_item){base + code, base + code, draw_weight(random, kind)};
        base += w->counts[d];
    }
    return made;
}

static void draw_queries(akin_random *random, const world *w, const akin_objects *objects, batch *b)
{
    const uint32_t kind = (uint32_t)akin_random_below(random, 8); /* of weights */
    const uint32_t whole = w->source.dimensions > 8 && w->source.objects > 0 ? WHOLE : 0;
    uint64_t used = 0;
    b->queries = (akin_queries){1 + (uint32_t)akin_random_below(random, QUERIES), b->offsets, b->items};
    for (uint32_t q = 0; q < b->queries.count; q++) {
        uint32_t items = objects->head.keywords ? (uint32_t)akin_random_below(random, ITEMS + 1) : 0;
        for (uint32_t i = 0; i < items; i++) {
            uint32_t first = draw_keyword(random, objects->head.keywords), longest = objects->head.keywords - first;
            uint32_t length = akin_random_below(random, 3) ? 1 : 1 + (uint32_t)akin_random_below(random, longest);
            b->items[used++] = (akin_query_item){first, first + length - 1, draw_weight(random, kind)};
        }
        if (q < whole)
            used += draw_whole(random, w, kind, b->items + used);
        b->offsets[q + 1] = used;
    }
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

static uint32_t count_one(const akin_query_item *items, uint64_t count, uint32_t keyword)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += keyword >= items[i].first && keyword <= items[i].last ? items[i].weight : 0;
    return sum;
}

static uint32_t count_object(const world *w, uint32_t object, const akin_query_item *items, uint64_t count)
{
    uint32_t sum = 0, base = 0;
    for (uint64_t at = w->offsets ? w->offsets[object] : 1; w->offsets && at < w->offsets[object + 1]; at++)
        sum += count_one(items, count, w->tokens[at]);
    for (uint32_t d = 0; d < w->source.dimensions; d++) {
        if (w->codes[d][object] != UINT32_MAX)
            sum += count_one(items, count, base + w->codes[d][object]);
        base += w->counts[d];
    }
    return sum;
}

static int by_key(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* All objects that count anything for a query, best first. */
static uint64_t *expect(const world *w, const akin_queries *queries, uint32_t query, uint64_t *found)
{
    uint64_t *keys = must(calloc((size_t)w->source.objects + 1, sizeof *keys));
    const uint64_t begin = queries->offsets[query], count = queries->offsets[query + 1] - begin;
    *found = 0;
    for (uint32_t i = 0; i < w->source.objects; i++) {
        uint32_t sum = count_object(w, i, queries->items + begin, count);
        if (sum > 0)
            keys[(*found)++] = (uint64_t)(UINT32_MAX - sum) << 32 | i;
    }
    qsort(keys, *found, sizeof *keys, by_key);
    return keys;
}

static void compare(const akin_search_results *got, uint32_t query, const uint64_t *expected, uint64_t count,
                    uint32_t k)
{
    count = count < k ? count : k;
    assert_int_equal(got->found[query], count);
    assert_memory_equal(got->keys + (uint64_t)query * got->k, expected, count * sizeof *expected);
}

/* What the library says that an object can count is enough, and where there are dimensions, one keyword of each. */
static void is_bounded(const akin_objects *objects, const akin_queries *queries, uint32_t query,
                       const uint64_t *expected, uint64_t count)
{
    const akin_query_item *items = queries->items + queries->offsets[query];
    const uint64_t size = queries->offsets[query + 1] - queries->offsets[query];
    const uint64_t most = akin_query_most(objects, items, size);
    uint64_t bound = 0;
    assert_true(count == 0 || UINT32_MAX - (expected[0] >> 32) <= most);
    for (uint64_t i = 0; i < size; i++)
        for (uint32_t d = 0; d < objects->head.dimensions; d++) {
            const akin_codes *codes = &objects->codes[d];
            if (codes->first <= items[i].last && codes->first + (codes->count ? codes->count : 1) > items[i].first)
                bound += items[i].weight;
        }
    assert_true(objects->head.dimensions == 0 || most <= bound);
}

/* ------------------------------------------------------------------------------------------------------------ cases */

static int can_scan(const akin_objects *objects)
{
    return objects->head.dimensions > 0;
}

#if defined(PROPERTY_HOST_GPU) || defined(PROPERTY_DEVICE)
static akin_device *device;
static uint64_t counted_again; /* queries, as their tables were full */
static uint64_t parts;         /* in which objects were brought */

/* What an object can count for any of the queries. */
static uint64_t most_of(const akin_objects *objects, const akin_queries *queries)
{
    uint64_t most = 0;
    for (uint32_t q = 0; q < queries->count; q++) {
        const uint64_t own = akin_query_most(objects, queries->items + queries->offsets[q],
                                             queries->offsets[q + 1] - queries->offsets[q]);
        most = own > most ? own : most;
    }
    return most;
}

/* By the techniques of the paper, load balanced or not, in tables as large as they should be or too small, as `how`
 * says; returns how many could. */
static int search_by_paper(akin_context *context, akin_ranges *ranges, const batch *b, uint32_t k, uint32_t how,
                           akin_search_results *results)
{
    const akin_choice *row;
    int ways = 0;
    for (uint32_t i = 0; (row = akin_annex_choices(akin_papers(), "search-techniques", i)); i++) {
        if (!(row->capabilities & AKIN_ON_GPU))
            continue;
        const akin_search_technique technique = (akin_search_technique)row->value;
        const akin_paper_options options = {.is_balanced = how % 2};
        const akin_wishes wishes = {.hash_slots = how % 4 < 2 ? 0 : 64};
        const int can = technique == AKIN_SEARCH_CPQ   ? most_of(ranges->objects, &b->queries) <= AKIN_CPQ_MOST
                        : technique == AKIN_SEARCH_SPQ ? 1
                                                       : can_scan(ranges->objects);
        akin_search_results *r = &results[ways];
        akin_paper_report report;
        akin_error error = {.message = ""};
        *r = (akin_search_results){.k = k};
        context->wishes = &wishes;
        akin_status status = akin_paper_search(akin_scope_of(context), ranges, &b->queries,
                                               (const akin_search_technique_row *)row, &options, r, &report, &error);
        assert_true(status != AKIN_OK || r->technique == technique);
        context->wishes = NULL;
        counted_again += report.again;
        assert_int_equal(status, can ? AKIN_OK : AKIN_E_OPTION);
        if (can) {
            assert_true(ranges->objects->head.count == 0 || report.query_bytes > 0);
            ways++;
        } else {
            akin_search_clear(r);
        }
    }
    return ways;
}

/* By each technique, twice with the same residents; returns how many could. */
static int search_by_ranges(akin_context *context, akin_ranges *ranges, const batch *b, uint32_t k,
                            akin_search_results *results)
{
    const akin_objects *objects = ranges->objects;
    const akin_choice *row;
    akin_error error;
    int ways = 0;
    const akin_wishes wishes = {.gathered_keys = objects->head.count % 3 ? 0 : 1}; /* a few units at a time */
    context->wishes = &wishes;
    for (uint32_t i = 0; (row = akin_choices("search-techniques", i)); i++)
        for (int again = 0; again < 2; again++) {
            const akin_search_technique technique = (akin_search_technique)row->value;
            akin_search_results *r = &results[ways++];
            *r = (akin_search_results){.k = k};
            akin_status status = akin_ranges_search(akin_scope_of(context), ranges, &b->queries, technique, r, &error);
            if (technique == AKIN_SEARCH_SCAN && !can_scan(objects)) {
                assert_int_equal(status, AKIN_E_OPTION);
                akin_search_clear(r);
                ways--;
            } else if (status == AKIN_E_NOMEM && k > 3000) { /* the host's */
                akin_search_clear(r);
                ways--;
            } else {
                assert_int_equal(status, AKIN_OK);
            }
        }
    context->wishes = NULL;
    return ways;
}

/* Makes ready to bring objects in parts, as little room as they may have, or more; 0: they need room for all. */
static int begin_parts(akin_context *context, const akin_objects *objects, akin_ranges *ranges)
{
    const uint64_t all = akin_residents_bytes(objects);
    akin_error error;
    for (uint64_t room = all / 8 * (1 + objects->head.count % 5); room < all; room += all / 8 + 1) {
        akin_status status = akin_ranges_begin(akin_scope_of(context), device, objects, room, ranges, &error);
        if (status == AKIN_OK)
            return 1;
        akin_ranges_clear(ranges);
        assert_int_equal(status, AKIN_E_NOMEM);
        assert_non_null(strstr(error.message, "objects of an index"));
    }
    return 0;
}

/* On the GPU in every way: with all objects there, in little memory, and in parts. */
static void search_in_every_way(akin_context *context, const world *w, const akin_objects *objects, const batch *b,
                                uint32_t k)
{
    akin_search_results results[6 + 3 + 6];
    akin_ranges ranges;
    akin_error error;
#ifdef PROPERTY_HOST_GPU
    host_device_give(0, 4 * akin_residents_bytes(objects) + ((uint64_t)64 << 20));
#endif
    assert_int_equal(akin_ranges_begin(akin_scope_of(context), device, objects, 0, &ranges, &error), AKIN_OK);
    assert_int_equal(ranges.residents.parts.count, 1);
    int ways = search_by_ranges(context, &ranges, b, k, results);
    ways += search_by_paper(context, &ranges, b, k, w->source.objects, &results[ways]);
    akin_ranges_clear(&ranges);
    if (begin_parts(context, objects, &ranges)) {
        parts += ranges.residents.parts.count;
        ranges.residents.sender.most = objects->head.count % 2 ? 64 : ranges.residents.sender.most; /* eight segments */
        ways += search_by_ranges(context, &ranges, b, k, &results[ways]);
        akin_ranges_clear(&ranges);
    }
    for (uint32_t q = 0; q < b->queries.count; q++) {
        uint64_t count, *expected = expect(w, &b->queries, q, &count);
        is_bounded(objects, &b->queries, q, expected, count);
        for (int i = 0; i < ways; i++)
            compare(&results[i], q, expected, count, k);
        free(expected);
    }
    for (int i = 0; i < ways; i++)
        akin_search_clear(&results[i]);
}
#else
static void search_in_every_way(akin_context *context, const world *w, const akin_objects *objects, const batch *b,
                                uint32_t k)
{
    const akin_cpu best = context->cpu_best;
    akin_search_results results[3 * 2 * 16];
    const akin_choice *row;
    int ways = 0;
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= best; cpu++)
        for (uint32_t threads = 1; threads <= 3; threads += 2)
            for (uint32_t i = 0; (row = choice_of_both("search-techniques", i)); i++) {
                if (!(row->capabilities & AKIN_ON_CPU))
                    continue;
                const akin_search_technique technique = (akin_search_technique)row->value;
                assert_true(ways < (int)(sizeof results / sizeof *results));
                akin_error error;
                akin_search_results *r = &results[ways++];
                context->scope.cpu = cpu;
                context->scope.threads = threads;
                *r = (akin_search_results){.k = k};
                akin_status status =
                    technique == AKIN_SEARCH_CPU_IDX
                        ? akin_cpu_idx_search(akin_scope_of(context), objects, &b->queries, r, &error)
                        : akin_search_batch(akin_scope_of(context), objects, &b->queries, technique, r, &error);
                if (technique == AKIN_SEARCH_SCAN && !can_scan(objects)) {
                    assert_int_equal(status, AKIN_E_OPTION);
                    akin_search_clear(r);
                    ways--;
                } else {
                    assert_int_equal(status, AKIN_OK);
                }
            }
    for (uint32_t q = 0; q < b->queries.count; q++) {
        uint64_t count, *expected = expect(w, &b->queries, q, &count);
        is_bounded(objects, &b->queries, q, expected, count);
        for (int i = 0; i < ways; i++)
            compare(&results[i], q, expected, count, k);
        free(expected);
    }
    for (int i = 0; i < ways; i++)
        akin_search_clear(&results[i]);
}

#endif

static uint32_t draw_size(akin_random *random)
{
    static const uint32_t most[] = {3, 200, 2100, 33000, 140000};
    uint32_t kind = (uint32_t)akin_random_below(random, 6);
    return kind == 5 ? AKIN_RANGE * (1 + (uint32_t)akin_random_below(random, 2))
                     : (uint32_t)akin_random_below(random, most[kind]);
}

static void every_case(void **state)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    (void)state;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    for (uint64_t i = 0; i < cases; i++) {
        static const uint32_t ks[] = {1, 2, 10, 100, 3000, 200000, UINT32_MAX};
        akin_random random;
        akin_objects objects;
        world w = {0};
        batch b;
        akin_random_seed(&random, seed * 1000003 + i);
        memset(&b, 0, sizeof b);
        if (i % 8 == 7)
            draw_signatures(&random, &w);
        else if (akin_random_below(&random, 2))
            draw_sets(&random, &w, draw_size(&random));
        else
            draw_dimensions(&random, &w, draw_size(&random));
        context->scope.threads = 1 + (uint32_t)i % 3;
        assert_int_equal(akin_objects_build(akin_scope_of(context), &w.source, &objects, NULL), AKIN_OK);
        assert_int_equal(objects.head.keywords, w.source.keywords);
        draw_queries(&random, &w, &objects, &b);
        uint32_t k = ks[akin_random_below(&random, sizeof ks / sizeof *ks)];
        printf("seed %llu case %llu: %u objects, %u keywords, %u dimensions, %u queries, k %u\n",
               (unsigned long long)seed, (unsigned long long)i, objects.head.count, objects.head.keywords,
               objects.head.dimensions, b.queries.count, k);
        search_in_every_way(context, &w, &objects, &b, k);
        akin_objects_clear(&objects);
        clear_world(&w);
    }
    akin_context_free(context);
}

#if !defined(PROPERTY_HOST_GPU) && !defined(PROPERTY_DEVICE)

/* ------------------------------------------------------------------------------------------------------------ files */

/* Copies of the sections, as a file would have them. */
static void copy_parts(const akin_objects *objects, akin_section parts[AKIN_OBJECTS_PARTS])
{
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++) {
        void *copy = must(akin_alloc(NULL, objects->parts[i].length, 1));
        if (objects->parts[i].length > 0)
            memcpy(copy, objects->parts[i].data, objects->parts[i].length);
        parts[i] = (akin_section){.data = copy, .length = objects->parts[i].length};
    }
}

static void free_parts(akin_section parts[AKIN_OBJECTS_PARTS])
{
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++)
        akin_free((void *)parts[i].data);
}

/* Searches with all queries by each technique that can; leaves what the first one found. */
static akin_status search_taken(akin_context *context, const akin_objects *objects, const akin_queries *queries,
                                akin_search_results *out)
{
    akin_search_results scanned = {.k = out->k};
    if (can_scan(objects)) {
        (void)akin_search_batch(akin_scope_of(context), objects, queries, AKIN_SEARCH_SCAN, &scanned, NULL);
        akin_search_clear(&scanned);
    }
    return akin_search_batch(akin_scope_of(context), objects, queries, AKIN_SEARCH_LISTS, out, NULL);
}

/* Changes some bytes of one section, or its length; returns whether there is anything that changed. */
static int damage(akin_random *random, akin_section parts[AKIN_OBJECTS_PARTS])
{
    akin_section *part = &parts[akin_random_below(random, AKIN_OBJECTS_PARTS)];
    if (part->length == 0)
        return 0;
    if (akin_random_below(random, 8) == 0) {
        part->length -= 1 + akin_random_below(random, part->length);
        return 1;
    }
    uint8_t *at = (uint8_t *)part->data + akin_random_below(random, part->length), old = *at;
    *at = (uint8_t)(akin_random_below(random, 2) ? old ^ 1u << akin_random_below(random, 8)
                                                 : akin_random_below(random, 256));
    return *at != old;
}

/* Sections are taken back as they were; of damaged ones nothing is believed that is read without a check. */
static void what_is_taken(void **state)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60), refused = 0,
             taken = 0;
    (void)state;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        akin_objects objects, back;
        akin_search_results first = {.k = 20}, second = {.k = 20};
        akin_section parts[AKIN_OBJECTS_PARTS];
        world w = {0};
        batch b;
        akin_random_seed(&random, seed * 1000003 + i);
        memset(&b, 0, sizeof b);
        if (i % 2)
            draw_sets(&random, &w, (uint32_t)akin_random_below(&random, 40000));
        else
            draw_dimensions(&random, &w, (uint32_t)akin_random_below(&random, 40000));
        assert_int_equal(akin_objects_build(akin_scope_of(context), &w.source, &objects, NULL), AKIN_OK);
        draw_queries(&random, &w, &objects, &b);
        copy_parts(&objects, parts);
        assert_int_equal(akin_objects_take(akin_scope_of(context), "it", parts, &back, NULL), AKIN_OK);
        assert_int_equal(search_taken(context, &objects, &b.queries, &first), AKIN_OK);
        assert_int_equal(search_taken(context, &back, &b.queries, &second), AKIN_OK);
        assert_int_equal(first.k, second.k);
        for (uint32_t q = 0; q < b.queries.count; q++)
            compare(&second, q, first.keys + (uint64_t)q * first.k, first.found[q], first.k);
        akin_search_clear(&first);
        akin_search_clear(&second);
        free_parts(parts);
        for (int j = 0; j < 20; j++) {
            akin_error error;
            copy_parts(&objects, parts);
            if (damage(&random, parts)) {
                akin_status status = akin_objects_take(akin_scope_of(context), "it", parts, &back, &error);
                if (status == AKIN_OK) { /* keywords may be fewer now, and objects */
                    second = (akin_search_results){.k = 20};
                    (void)search_taken(context, &back, &b.queries, &second);
                    akin_search_clear(&second);
                    taken++;
                } else {
                    assert_int_equal(status, AKIN_E_INPUT);
                    assert_memory_equal(error.message, "it: no index: ", 14);
                    refused++;
                }
            }
            free_parts(parts);
        }
        akin_objects_clear(&objects);
        clear_world(&w);
    }
    printf("%llu damaged ones were refused, %llu could be searched\n", (unsigned long long)refused,
           (unsigned long long)taken);
    assert_true(refused > 0);
    akin_context_free(context);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

static void expect_same(const akin_objects *a, const akin_objects *b)
{
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++) {
        assert_int_equal(a->parts[i].length, b->parts[i].length);
        if (a->parts[i].length > 0)
            assert_memory_equal(a->parts[i].data, b->parts[i].data, a->parts[i].length);
    }
}

/* The objects of a world from `first` to `end`. */
static void build_slice(akin_context *context, const world *w, uint32_t first, uint32_t end, akin_objects *out)
{
    akin_objects_source slice = w->source;
    const uint32_t *columns[DIMENSIONS];
    slice.objects = end - first;
    slice.offsets = w->offsets ? w->offsets + first : NULL;
    slice.codes = columns;
    for (uint32_t d = 0; d < slice.dimensions; d++)
        columns[d] = w->columns[d] + first;
    assert_int_equal(akin_objects_build(akin_scope_of(context), &slice, out, NULL), AKIN_OK);
}

/* Objects that were built in parts, wherever these begin, are those that were built at once; so are those that a memory
 * bound made do with less. */
static void what_is_merged(void **state)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60), files = 0;
    (void)state;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        akin_objects whole, merged, bounded, slices[4];
        akin_objects_part parts[4];
        world w = {0};
        uint32_t count = 0;
        akin_random_seed(&random, seed * 1000003 + i);
        if (i % 2)
            draw_sets(&random, &w, draw_size(&random));
        else
            draw_dimensions(&random, &w, draw_size(&random));
        context->scope.threads = 1 + (uint32_t)i % 3;
        assert_int_equal(akin_objects_build(akin_scope_of(context), &w.source, &whole, NULL), AKIN_OK);
        for (uint32_t first = 0, end; count < 4; first = end, count++) {
            const uint64_t rest = w.source.objects - first;
            end = first + (uint32_t)(count == 3                           ? rest
                                     : akin_random_below(&random, 3) == 0 ? akin_min_u64(rest, AKIN_RANGE)
                                                                          : akin_random_below(&random, rest + 1));
            build_slice(context, &w, first, end, &slices[count]);
            parts[count] = (akin_objects_part){&slices[count], NULL};
        }
        assert_int_equal(akin_objects_merge(akin_scope_of(context), parts, count, w.source.keywords,
                                            w.source.dimensions, w.counts, &merged, NULL),
                         AKIN_OK);
        expect_same(&whole, &merged);
        context->scope.memory = 8192;
        assert_int_equal(akin_objects_build(akin_scope_of(context), &w.source, &bounded, NULL), AKIN_OK);
        context->scope.memory = 0;
        expect_same(&whole, &bounded);
        files += (uint64_t)bounded.own[AKIN_OBJECTS_CELLS].mapped;
        akin_objects_clear(&whole);
        akin_objects_clear(&merged);
        akin_objects_clear(&bounded);
        for (uint32_t s = 0; s < count; s++)
            akin_objects_clear(&slices[s]);
        clear_world(&w);
    }
    assert_true(files > 0 || cases < 10);
    akin_context_free(context);
}

static const akin_objects_source three = {.objects = 3,
                                          .keywords = 4,
                                          .offsets = (const uint64_t[]){0, 2, 3, 5},
                                          .tokens = (const uint32_t[]){0, 1, 2, 1, 3}};

static void refuse(akin_context *context, const akin_objects *objects, akin_query_item item, uint32_t k,
                   akin_search_technique technique, akin_status expected, const char *why)
{
    const uint64_t offsets[] = {0, 1};
    const akin_queries queries = {1, offsets, &item};
    akin_search_results results = {.k = k};
    akin_error error;
    assert_int_equal(akin_search_batch(akin_scope_of(context), objects, &queries, technique, &results, &error),
                     expected);
    assert_non_null(strstr(error.message, why));
    akin_search_clear(&results);
}

static void what_is_refused(void **state)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_objects_source wrong = three;
    akin_objects objects;
    akin_error error;
    (void)state;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    wrong.keywords = 3;
    assert_int_equal(akin_objects_build(akin_scope_of(context), &wrong, &objects, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, "object 2: keyword 3 is not below 3");
    akin_objects_clear(&objects);
    for (context->scope.threads = 1; context->scope.threads <= 3; context->scope.threads++) {
        const uint32_t codes[2][5] = {{0, 1, 1, 2, 1}, {0, 3, 2, 9, 3}}, counts[] = {2, 3};
        const uint32_t *const columns[] = {codes[0], codes[1]};
        const akin_objects_source rows = {.objects = 5, .dimensions = 2, .counts = counts, .codes = columns};
        assert_int_equal(akin_objects_build(akin_scope_of(context), &rows, &objects, &error), AKIN_E_INPUT);
        assert_string_equal(error.message, "object 1: code 3 of dimension 1 is not below 3");
        akin_objects_clear(&objects);
    }
    assert_int_equal(akin_objects_build(akin_scope_of(context), &three, &objects, &error), AKIN_OK);
    refuse(context, &objects, (akin_query_item){0, 0, 1}, 0, AKIN_SEARCH_AUTO, AKIN_E_OPTION, "k is 0");
    refuse(context, &objects, (akin_query_item){0, 0, 1}, 1, AKIN_SEARCH_SCAN, AKIN_E_OPTION, "a scan takes columns");
    refuse(context, &objects, (akin_query_item){0, 0, 0}, 1, AKIN_SEARCH_AUTO, AKIN_E_INPUT, "weight 0");
    refuse(context, &objects, (akin_query_item){2, 1, 1}, 1, AKIN_SEARCH_AUTO, AKIN_E_INPUT, "keywords 2 to 1");
    refuse(context, &objects, (akin_query_item){0, 4, 1}, 1, AKIN_SEARCH_AUTO, AKIN_E_INPUT, "keywords are below 4");
    refuse(context, &objects, (akin_query_item){0, 0, UINT32_MAX}, 1, AKIN_SEARCH_AUTO, AKIN_E_LIMIT,
           "2^32 - 1 or more");
    akin_objects_clear(&objects);
    akin_context_free(context);
}

#endif

#if defined(PROPERTY_HOST_GPU)
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    device = host_gpu();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%llu launches, %llu units, %llu left out, %llu wide, %llu scanned, %llu both\n",
           (unsigned long long)host_search.launches, (unsigned long long)host_search.units,
           (unsigned long long)host_search.skipped, (unsigned long long)host_search.wide,
           (unsigned long long)host_search.scanned, (unsigned long long)host_search.scanned_wide);
    printf("c-PQ: %llu queries again, %llu with ties from the bitmap counter; SPQ: %llu rounds\n",
           (unsigned long long)counted_again, (unsigned long long)host_search.filled,
           (unsigned long long)host_search.rounds);
    if (parts < 4 || !counted_again || counted_again != host_search.overflows || !host_search.filled ||
        !host_search.rounds)
        return 1;
    return failed || host_device_holds() || !host_search.skipped || !host_search.wide || !host_search.scanned ||
           !host_search.scanned_wide || !host_search.grouped;
}
#elif defined(PROPERTY_DEVICE)
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    akin_error error;
    if (akin_device_find().devices == 0) {
        printf("skipped: %s\n", akin_device_find().state);
        return 77;
    }
    if (akin_device_open(0, 0, &device, &error) != AKIN_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    akin_device_close(device);
    return failed;
}
#else
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case), cmocka_unit_test(what_is_taken),
                                       cmocka_unit_test(what_is_merged), cmocka_unit_test(what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
