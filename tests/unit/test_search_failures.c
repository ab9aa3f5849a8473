/* Match-count search while memory runs out: every allocation fails once, alone and with all that follow. Leaks show
 * under the address sanitizer. */
#include "base/context.h"
#include "unit/test_base_failing.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "akin_papers.h"
#include "papers/search/cpu_idx.h"
#include "search/search.h"

#define OBJECTS (AKIN_RANGE + 100) /* two ranges, and a bitmap */

static akin_context context = {.scope = {.context = &context, .threads = 1}};

static akin_status search(const akin_objects_source *source, uint32_t weight, akin_search_technique technique,
                          akin_error *error)
{
    const uint64_t offsets[] = {0, 2, 2, 3};
    const akin_query_item items[] = {{0, 1, weight}, {1, 1, 1}, {0, 0, 1}};
    const akin_queries queries = {3, offsets, items};
    akin_search_results results = {.k = 5};
    akin_objects objects;
    akin_status status = akin_objects_build(akin_scope_of(&context), source, &objects, error);
    if (status == AKIN_OK) {
        status = technique == AKIN_SEARCH_CPU_IDX
                     ? akin_cpu_idx_search(akin_scope_of(&context), &objects, &queries, &results, error)
                     : akin_search_batch(akin_scope_of(&context), &objects, &queries, technique, &results, error);
        if (status == AKIN_OK)
            assert_int_equal(results.found[1], 0);
        akin_search_clear(&results);
    }
    akin_objects_clear(&objects);
    return status;
}

static void fail_each(const akin_objects_source *source, uint32_t weight, akin_search_technique technique)
{
    akin_error error;
    assert_int_equal(search(source, weight, technique, &error), AKIN_OK);
    for (int alone = 0; alone < 2; alone++) {
        unsigned n = 0;
        do {
            begin_failing(n++, alone);
            akin_status status = search(source, weight, technique, &error);
            armed = 0;
            assert_int_equal(status, failed ? AKIN_E_NOMEM : AKIN_OK);
            assert_true(!failed || strstr(error.message, "not enough memory for "));
        } while (failed);
        assert_true(n > 12);
    }
}

static void every_allocation(void **state)
{
    static uint64_t offsets[OBJECTS + 1];
    static uint32_t tokens[2 * OBJECTS], codes[OBJECTS];
    const uint32_t *const columns[] = {codes};
    const uint32_t count = 300;
    const akin_objects_source sets = {
        .objects = OBJECTS, .keywords = 2 + OBJECTS, .offsets = offsets, .tokens = tokens};
    const akin_objects_source rows = {.objects = OBJECTS, .dimensions = 1, .counts = &count, .codes = columns};
    (void)state;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        tokens[2 * (size_t)i] = i % 2;
        tokens[2 * (size_t)i + 1] = 2 + i;
        offsets[i + 1] = 2 * (uint64_t)i + 2;
        codes[i] = i % 300;
    }
    fail_each(&sets, 1, AKIN_SEARCH_AUTO);
    fail_each(&sets, 1000, AKIN_SEARCH_LISTS);
    fail_each(&rows, 1, AKIN_SEARCH_SCAN);
    fail_each(&sets, 1, AKIN_SEARCH_CPU_IDX);
    context.scope.memory = 8192; /* in parts */
    fail_each(&rows, 1, AKIN_SEARCH_SCAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
