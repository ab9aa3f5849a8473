/* Joins and comparisons of graphs while memory runs out: every allocation fails once, alone and with all that follow.
 * Leaks show under the address sanitizer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "test_base_failing.h"

static const char texts[] =
    "a b c \"d\"; 0-1:x 1-2 2-3:\"y\""
    "a b c; 0-1:x 1-2"
    "a b c e; 0-1:x 2-3 1-2";
static const uint64_t ends[] = {0, 28, 44, sizeof texts - 1};

static int count_pairs(void *user, const akin_pair *pairs, size_t count)
{
    (void)pairs;
    *(uint64_t *)user += count;
    return 0;
}

static akin_status join(akin_context *context, akin_error *error)
{
    const akin_column column = {.size = sizeof column, .offsets = ends, .bytes = texts};
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    uint64_t taken = 0, count = 0;
    options.most = 20;
    const akin_status status =
        akin_graphs_join(context, &column, 3, &column, 3, &options, count_pairs, &taken, &count, NULL, error);
    if (status == AKIN_OK)
        assert_true(taken == 9 && count == 9);
    return status;
}

static akin_status compare(akin_context *context, akin_error *error)
{
    static const char left[] = "a b \"c c\"; 0-1:x 1-2", right[] = "c a b d; 1-2:x 0-1";
    akin_graph_compared *compared = NULL;
    const akin_status status =
        akin_graph_compare(context, NULL, left, sizeof left - 1, right, sizeof right - 1, &compared, error);
    if (status == AKIN_OK)
        assert_int_equal(akin_graph_compared_distance(compared), 4);
    else
        assert_null(compared);
    akin_graph_compared_free(compared);
    return status;
}

static void fail_each(akin_status (*work)(akin_context *context, akin_error *error), uint64_t memory, int once)
{
    akin_context context = {.scope = {.context = &context, .threads = 2, .cpu = akin_cpu_detect(), .memory = memory}};
    unsigned refused = 0;
    for (unsigned n = 0;; n++) {
        akin_error error;
        begin_failing(n, once);
        const akin_status status = work(&context, &error);
        armed = 0;
        if (status != AKIN_OK) {
            refused++;
            assert_int_equal(status, AKIN_E_NOMEM);
            assert_non_null(strstr(error.message, "memory"));
        }
        if (failed == 0)
            break;
    }
    assert_true(refused > 10);
}

static void every_allocation(void **state)
{
    (void)state;
    for (int once = 0; once < 2; once++) {
        fail_each(join, 0, once);
        fail_each(join, UINT64_C(16) << 20, once);
        fail_each(compare, 0, once);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
