/*
 * Match counts on a GPU that the host plays, while it fails. The test lets each call of the device and each allocation
 * fail, alone and with all that follow. Nothing of the device's memory is left; leaks of the heap show under the
 * address sanitizer.
 */
#include "base/context.h"
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "property/host_search.h"
#include "akin_papers.h"
#include "papers/search/paper.h"
#include "search/techniques.h"

#define OBJECTS (3 * AKIN_RANGE + 100) /* four ranges */

static const akin_search_technique techniques[] = {AKIN_SEARCH_LISTS, AKIN_SEARCH_SCAN, AKIN_SEARCH_CPQ,
                                                   AKIN_SEARCH_SPQ, AKIN_SEARCH_SPQ_SCAN};
#define TECHNIQUES (sizeof techniques / sizeof *techniques)
#define BUILD      (TECHNIQUES + 2) /* behind lists and scan again, in four parts */
#define WAYS       (BUILD + 1)

static akin_objects objects;
static uint64_t room;  /* that they have, 0: as much as they want */
static uint32_t parts; /* in which they were brought */

static uint32_t codes[2][OBJECTS];
static const uint32_t *const columns[] = {codes[0], codes[1]};
static const uint32_t counts[] = {300, 2};
static const akin_objects_source source = {.objects = OBJECTS, .dimensions = 2, .counts = counts, .codes = columns};

static int setup(void **state)
{
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    (void)state;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        codes[0][i] = i % 300;
        codes[1][i] = i & 1;
    }
    return akin_objects_build(akin_scope_of(&context), &source, &objects, NULL) == AKIN_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    akin_objects_clear(&objects);
    return 0;
}

/* Brings the objects, and searches for three queries. The last query has nothing. */
static akin_status search(akin_search_technique technique, akin_error *error)
{
    const uint64_t offsets[] = {0, 2, 3, 3};
    const akin_query_item items[] = {{5, 6, 1}, {300, 300, 1}, {0, 299, 1}};
    const akin_queries queries = {3, offsets, items};
    const akin_wishes wishes = {.hash_slots = 4096}; /* in which no table is ever full */
    akin_context context = {.scope = {.context = &context, .threads = 1}, .wishes = &wishes};
    akin_search_results results = {.k = 5};
    akin_ranges ranges;
    akin_status status = akin_ranges_begin(akin_scope_of(&context), host_gpu(), &objects, room, &ranges, error);
    const akin_search_technique_row *row = akin_search_technique_of(akin_papers(), technique);
    if (status == AKIN_OK && row->own) {
        const akin_paper_options options = {.is_balanced = 1};
        akin_paper_report report;
        status = akin_paper_search(akin_scope_of(&context), &ranges, &queries, row, &options, &results, &report, error);
    } else if (status == AKIN_OK) {
        status = akin_ranges_search(akin_scope_of(&context), &ranges, &queries, technique, &results, error);
    }
    armed = 0;
    const uint32_t held = ranges.residents.parts.count;
    if (status == AKIN_OK) {
        assert_int_equal(results.found[0], 5);
        assert_true(results.keys[0] == akin_top_key(2, 6) && results.keys[1] == akin_top_key(2, 306));
        assert_true(results.keys[5] == akin_top_key(1, 0));
        assert_int_equal(results.found[2], 0);
    }
    akin_search_clear(&results);
    akin_ranges_clear(&ranges);
    assert_int_equal(host_device_holds(), 0);
    parts = status == AKIN_OK ? held : 0;
    return status;
}

/* Builds the objects there. */
static akin_status build(akin_error *error)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CUDA},
                            .device = host_gpu()};
    akin_objects built;
    akin_status status = akin_objects_build(akin_scope_of(&context), &source, &built, error);
    armed = 0;
    for (int i = 0; i < AKIN_OBJECTS_PARTS && status == AKIN_OK; i++)
        assert_int_equal(built.parts[i].length, objects.parts[i].length);
    if (status == AKIN_OK)
        assert_memory_equal(built.cells, objects.cells, objects.parts[AKIN_OBJECTS_CELLS].length);
    akin_objects_clear(&built);
    assert_int_equal(host_device_holds(), 0);
    parts = 1;
    return status;
}

static akin_status search_in(size_t way, akin_error *error)
{
    if (way == BUILD)
        return build(error);
    room = way < TECHNIQUES ? 0 : akin_residents_bytes(&objects) / 2;
    return search(techniques[way % TECHNIQUES], error);
}

static void every_call(void **state)
{
    (void)state;
    for (size_t way = 0; way < WAYS; way++)
        for (int alone = 0; alone < 2; alone++) {
            uint64_t n = 0;
            for (int goes_on = 1; goes_on;) {
                akin_error error = {.message = ""};
                host_device_set(.failing = ++n, .status = AKIN_E_DEVICE, .alone = alone);
                akin_status status = search_in(way, &error);
                goes_on = host_device.calls >= n;
                assert_int_equal(status, goes_on ? AKIN_E_DEVICE : AKIN_OK);
                assert_true(!goes_on || strcmp(error.message, HOST_DEVICE_FAILED) == 0);
            }
            assert_true(n > 15);
            assert_int_equal(parts, way < TECHNIQUES || way == BUILD ? 1 : 4);
        }
    host_device_set(.failing = 0);
}

static void every_allocation(void **state)
{
    (void)state;
    for (size_t way = 0; way < WAYS; way++)
        for (int alone = 0; alone < 2; alone++) {
            unsigned n = 0;
            do {
                akin_error error = {.message = ""};
                begin_failing(n++, alone);
                akin_status status = search_in(way, &error);
                assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
                assert_true(!failed || strstr(error.message, "memory"));
            } while (failed);
            assert_true(n > 15);
            assert_int_equal(parts, way < TECHNIQUES || way == BUILD ? 1 : 4);
        }
}

/* If the objects do not fit, or a query of the paper's techniques, the error says so. */
static void too_little(void **state)
{
    (void)state;
    akin_error error = {.message = ""};
    room = 0;
    host_device_set(.limit = akin_residents_bytes(&objects) / 3);
    assert_int_equal(search(AKIN_SEARCH_LISTS, &error), AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "32768 objects of an index"));
    room = akin_residents_bytes(&objects);
    host_device_give(0, akin_residents_bytes(&objects) + 1000); /* and where no query does */
    for (size_t t = 2; t < TECHNIQUES; t++)
        assert_int_equal(search(techniques[t], &error), AKIN_E_NOMEM);
    host_device_set(.failing = 0);
}

/* Tests of a scan that are more than what is left beside counters: fewer queries at a time then. */
static void many_tests(void **state)
{
    enum { FEW = 10, TESTS = 800000, QUERIES = 64 };
    static uint64_t offsets[QUERIES + 1];
    static akin_query_item items[TESTS];
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    akin_objects_source small = source;
    akin_objects few;
    const akin_paper_options options = {.is_balanced = 0};
    akin_search_results found[2] = {{.k = 5}, {.k = 5}};
    (void)state;
    small.objects = FEW;
    assert_int_equal(akin_objects_build(akin_scope_of(&context), &small, &few, NULL), AKIN_OK);
    for (uint32_t i = 0; i < TESTS; i++)
        items[i] = (akin_query_item){i % 302, i % 302, 1};
    for (uint32_t q = 1; q <= QUERIES; q++)
        offsets[q] = (uint64_t)q * TESTS / QUERIES;
    const akin_queries queries = {QUERIES, offsets, items};
    const uint64_t tests = TESTS * sizeof(akin_gpu_test);
    for (int i = 0; i < 2; i++) {
        akin_paper_report report;
        akin_ranges ranges;
        host_device_set(.limit = i ? akin_residents_bytes(&few) + tests : 0);
        assert_int_equal(
            akin_ranges_begin(akin_scope_of(&context), host_gpu(), &few, akin_residents_bytes(&few), &ranges, NULL),
            AKIN_OK);
        assert_int_equal(akin_paper_search(akin_scope_of(&context), &ranges, &queries,
                                           akin_search_technique_of(akin_papers(), AKIN_SEARCH_SPQ_SCAN), &options,
                                           &found[i], &report, NULL),
                         AKIN_OK);
        akin_ranges_clear(&ranges);
    }
    for (uint32_t q = 0; q < QUERIES; q++) {
        assert_int_equal(found[0].found[q], 5);
        assert_int_equal(found[1].found[q], 5);
        assert_memory_equal(found[0].keys + (uint64_t)5 * q, found[1].keys + (uint64_t)5 * q,
                            5 * sizeof *found[0].keys);
    }
    akin_search_clear(&found[0]);
    akin_search_clear(&found[1]);
    akin_objects_clear(&few);
    host_device_set(.failing = 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call), cmocka_unit_test(every_allocation),
                                       cmocka_unit_test(too_little), cmocka_unit_test(many_tests)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
