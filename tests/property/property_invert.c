/*
 * Objects that a GPU inverts against those that the CPU does, byte by byte: random sets, numbered in an order or not,
 * random dimensions, of few or many ranges, at once, in parts and dimension by dimension, as the device has room; and
 * what is wrong with them, in the same words.
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

#include "base/context.h"
#include "base/random.h"
#include "device/devices.h"
#include "property/setting.h"
#include "search/inverter.h"
#include "search/objects.h"

#ifdef PROPERTY_HOST_GPU
#include "property/host_search.h"
#endif

#define DIMENSIONS 8
#define MOST       10 /* keywords of an object */

typedef struct world {
    akin_objects_source source;
    uint64_t *offsets;
    uint32_t *tokens, *order;
    uint32_t counts[DIMENSIONS], *codes[DIMENSIONS];
    const uint32_t *columns[DIMENSIONS];
} world;

static uint64_t bitmaps, in_parts, by_dimension; /* segments, and times that objects were built */

static void *must(void *block)
{
    assert_non_null(block);
    return block;
}

/* A small one more often than a large one. */
static uint32_t draw_below(akin_random *random, uint32_t bound)
{
    const double unit = akin_random_unit(random);
    const uint32_t number = (uint32_t)(unit * unit * unit * bound);
    return number < bound ? number : bound - 1;
}

/* Tokens are keywords, or numbers of keywords in an order that also has numbers without a keyword. */
static void draw_sets(akin_random *random, world *w, uint32_t objects)
{
    const uint32_t keywords = 1 + (uint32_t)akin_random_below(random, akin_random_below(random, 2) ? 30 : 4000);
    uint64_t used = 0;
    w->tokens = must(calloc((size_t)objects * MOST + 1, sizeof *w->tokens));
    w->order = must(calloc(keywords, sizeof *w->order));
    w->offsets[0] = used = akin_random_below(random, 2); /* a slice */
    for (uint32_t i = 0; i < keywords; i++)
        w->order[i] = i * 2;
    for (uint32_t i = keywords; i-- > 1;) {
        const uint32_t other = (uint32_t)akin_random_below(random, i + 1), swap = w->order[i];
        w->order[i] = w->order[other];
        w->order[other] = swap;
    }
    w->source =
        (akin_objects_source){.objects = objects, .keywords = keywords, .offsets = w->offsets, .tokens = w->tokens};
    if (akin_random_below(random, 2)) {
        w->source.order = w->order;
        w->source.universe = 2 * keywords + 5;
    }
    for (uint32_t i = 0; i < objects; i++) {
        const uint64_t count = akin_random_below(random, MOST);
        for (uint64_t j = 0; j < count; j++) {
            const uint32_t keyword = draw_below(random, keywords);
            const uint32_t token = w->source.order ? w->order[keyword] + (akin_random_below(random, 50) == 0) : keyword;
            int known = 0;
            for (uint64_t at = w->offsets[i]; at < used; at++)
                known |= w->tokens[at] == token;
            if (!known)
                w->tokens[used++] = token;
        }
        w->offsets[i + 1] = used;
    }
}

static void draw_dimensions(akin_random *random, world *w, uint32_t objects)
{
    static const uint32_t sizes[] = {0, 1, 2, 20, 255, 256, 1024, 65535, 65536};
    const uint32_t dimensions = 1 + (uint32_t)akin_random_below(random, DIMENSIONS);
    w->source = (akin_objects_source){
        .objects = objects, .dimensions = dimensions, .offsets = w->offsets, .counts = w->counts, .codes = w->columns};
    for (uint32_t d = 0; d < dimensions; d++) {
        w->counts[d] = sizes[akin_random_below(random, sizeof sizes / sizeof *sizes)];
        w->columns[d] = w->codes[d] = must(calloc((size_t)objects + 1, sizeof *w->codes[d]));
        for (uint32_t i = 0; i < objects; i++)
            w->codes[d][i] =
                w->counts[d] == 0 || akin_random_below(random, 20) == 0 ? UINT32_MAX : draw_below(random, w->counts[d]);
    }
}

static void draw_world(akin_random *random, world *w)
{
    static const uint32_t most[] = {3, 200, 2100, 33000};
    const uint32_t kind = (uint32_t)akin_random_below(random, 6);
    const uint32_t objects = kind == 5   ? AKIN_RANGE
                             : kind == 4 ? 4 * AKIN_RANGE + (uint32_t)akin_random_below(random, AKIN_RANGE)
                                         : (uint32_t)akin_random_below(random, most[kind]);
    *w = (world){.offsets = must(calloc(objects + 1, sizeof *w->offsets))};
    if (akin_random_below(random, 2))
        draw_sets(random, w, objects);
    else
        draw_dimensions(random, w, objects);
}

static void clear_world(world *w)
{
    free(w->offsets);
    free(w->tokens);
    free(w->order);
    for (int d = 0; d < DIMENSIONS; d++)
        free(w->codes[d]);
}

static akin_context *create(akin_device_choice device)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
#ifdef PROPERTY_HOST_GPU
    context->backend = &host_backend;
#endif
    context->scope.device_choice = device;
    return context;
}

static void expect_same(const akin_objects *a, const akin_objects *b)
{
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++) {
        assert_int_equal(a->parts[i].length, b->parts[i].length);
        if (a->parts[i].length > 0)
            assert_memory_equal(a->parts[i].data, b->parts[i].data, a->parts[i].length);
    }
    for (uint64_t i = 0; i < a->head.segments; i++)
        bitmaps += a->segments[i].end >= AKIN_RANGE_CELLS;
}

/* What must have room at once: a dimension of a range, or all of one. */
static uint64_t least_room(const akin_objects_source *source)
{
    uint64_t least = source->dimensions ? akin_min_u64(source->objects, AKIN_RANGE) : 0;
    for (uint64_t i = 0; i < source->objects && source->dimensions == 0; i += AKIN_RANGE) {
        const uint64_t end = akin_min_u64(i + AKIN_RANGE, source->objects);
        least = akin_max_u64(least, source->offsets[end] - source->offsets[i]);
    }
    return least;
}

/* Bytes that have room for `entries`, some for a few more. */
static uint64_t bytes_for(const akin_objects_source *source, uint64_t entries)
{
    uint64_t low = 0, high = UINT64_C(1) << 40, keywords = source->keywords;
    for (uint32_t d = 0; d < source->dimensions; d++)
        keywords += source->counts[d];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (akin_inverter_room(middle, keywords) < entries)
            low = middle + 1;
        else
            high = middle;
    }
    return low + (source->objects + keywords + source->universe) * 8 + 8;
}

static void every_case(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    akin_context *cpu = create(AKIN_DEVICE_CPU), *cuda = create(AKIN_DEVICE_CUDA);
    akin_device *device = NULL;
    (void)state;
    assert_int_equal(akin_device_of(akin_scope_of(cuda), &device, NULL), AKIN_OK);
    for (uint64_t i = 0; i < cases; i++) {
        akin_objects expected, got;
        akin_random random;
        world w;
        akin_random_seed(&random, seed * 1000003 + i);
        draw_world(&random, &w);
        const uint64_t entries = akin_objects_entries(&w.source);
        printf("seed %llu case %llu: %u objects, %u dimensions, %llu entries\n", (unsigned long long)seed,
               (unsigned long long)i, w.source.objects, w.source.dimensions, (unsigned long long)entries);
        cpu->scope.threads = cuda->scope.threads = 1 + (uint32_t)i % 3;
        assert_int_equal(akin_objects_build(akin_scope_of(cpu), &w.source, &expected, NULL), AKIN_OK);
        for (uint64_t part = 1; part < 16; part += 3) { /* at once, and by less and less */
#ifdef PROPERTY_HOST_GPU
            host_device_give(0, bytes_for(&w.source, entries / part + 1));
#else
            akin_device_bound(device, bytes_for(&w.source, entries / part + 1));
#endif
            const uint64_t room = akin_objects_room_there(device, &w.source);
            if (room < least_room(&w.source))
                break;
            akin_status status = akin_objects_build(akin_scope_of(cuda), &w.source, &got, NULL);
            assert_int_equal(status, AKIN_OK);
            in_parts += room * akin_max_u32(w.source.dimensions, 1) < entries;
            by_dimension += w.source.dimensions > 0 && room < entries;
            expect_same(&expected, &got);
            akin_objects_clear(&got);
        }
        akin_objects_clear(&expected);
        clear_world(&w);
    }
    assert_true(cases < 20 || (bitmaps > 0 && in_parts > 0 && by_dimension > 0));
    akin_context_free(cpu);
    akin_context_free(cuda);
}

/* Builds what is wrong on both; they must say the same. */
static void refuse(akin_context *cpu, akin_context *cuda, const akin_objects_source *source, const char *expected)
{
    for (int i = 0; i < 2; i++) {
        akin_objects objects;
        akin_error error = {.message = ""};
        assert_int_equal(akin_objects_build(akin_scope_of(i ? cuda : cpu), source, &objects, &error), AKIN_E_INPUT);
        assert_string_equal(error.message, expected);
        akin_objects_clear(&objects);
    }
}

static void what_is_refused(void **state)
{
    static const uint64_t offsets[] = {0, 2, 2, 5};
    static const uint32_t tokens[] = {0, 1, 2, 7, 9}, order[] = {2, 1, 0};
    static const uint32_t codes[2][5] = {{0, 1, 1, 2, 1}, {0, 3, 2, 9, 3}}, counts[] = {2, 3};
    static const uint32_t *const columns[] = {codes[0], codes[1]};
    akin_objects_source sets = {.objects = 3, .keywords = 7, .offsets = offsets, .tokens = tokens, .first = 100};
    const akin_objects_source rows = {.objects = 5, .dimensions = 2, .counts = counts, .codes = columns};
    akin_context *cpu = create(AKIN_DEVICE_CPU), *cuda = create(AKIN_DEVICE_CUDA);
    (void)state;
#ifdef PROPERTY_HOST_GPU
    host_device_give(0, 0);
#endif
    refuse(cpu, cuda, &sets, "object 102: keyword 7 is not below 7");
    sets.order = order;
    sets.keywords = 3;
    sets.universe = 8;
    refuse(cpu, cuda, &sets, "object 102: keyword 9 is not below 8");
    refuse(cpu, cuda, &rows, "object 1: code 3 of dimension 1 is not below 3");
    akin_context_free(cpu);
    akin_context_free(cuda);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case), cmocka_unit_test(what_is_refused)};
#ifndef PROPERTY_HOST_GPU
    if (akin_device_find().devices == 0) {
        printf("skipped: %s\n", akin_device_find().state);
        return 77;
    }
#endif
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%llu times in parts, %llu some dimensions at a time, %llu segments with as many cells as a bitmap has\n",
           (unsigned long long)in_parts, (unsigned long long)by_dimension, (unsigned long long)bitmaps);
#ifdef PROPERTY_HOST_GPU
    printf("%llu inversions, %llu bitmaps\n", (unsigned long long)host_search.inverted,
           (unsigned long long)host_search.bitmaps);
    return failed || host_device_holds() || !host_search.inverted || !host_search.bitmaps;
#else
    return failed;
#endif
}
