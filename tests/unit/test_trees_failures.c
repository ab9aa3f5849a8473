/* Joins and comparisons of trees while memory runs out: every allocation fails once, alone and with all that follow.
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

static const char json[] =
    "{\"b\":[1,2,{\"c\":null}],\"a\":\"x\"}"
    "{\"a\":\"x\",\"b\":[1,{\"c\":null,\"d\":[]}]}"
    "[[[[1,2,3]]],\"a\"]";
static const uint64_t json_ends[] = {0, 30, 65, sizeof json - 1};

static int count_pairs(void *user, const akin_pair *pairs, size_t count)
{
    (void)pairs;
    *(uint64_t *)user += count;
    return 0;
}

static akin_status join(akin_context *context, akin_error *error)
{
    const akin_column column = {.size = sizeof column, .offsets = json_ends, .bytes = json};
    akin_trees_options options = AKIN_TREES_OPTIONS_INIT;
    uint64_t taken = 0, count = 0;
    options.format = AKIN_TREE_JSON;
    options.most = 20;
    const akin_status status =
        akin_trees_join(context, &column, 3, &column, 3, &options, count_pairs, &taken, &count, NULL, error);
    if (status == AKIN_OK)
        assert_true(taken == 9 && count == 9);
    return status;
}

static akin_status compare(akin_context *context, akin_error *error)
{
    static const char left[] = "{f{d{a}{c{b}}}{e}}", right[] = "{f{c{d{a}{b}}}{e\\{}}";
    akin_tree_compared *compared = NULL;
    const akin_status status =
        akin_tree_compare(context, NULL, left, sizeof left - 1, right, sizeof right - 1, &compared, error);
    if (status == AKIN_OK)
        assert_int_equal(akin_tree_compared_distance(compared), 3);
    else
        assert_null(compared);
    akin_tree_compared_free(compared);
    return status;
}

static int count_hits(void *user, const akin_search_hit *hits, size_t count)
{
    (void)hits;
    *(uint64_t *)user += count;
    return 0;
}

/* Makes an index, and searches it. */
static akin_status search(akin_context *context, akin_error *error)
{
    const akin_column column = {.size = sizeof column, .offsets = json_ends, .bytes = json};
    const akin_search_objects objects = {.size = sizeof objects, .columns = &column, .column_count = 1, .rows = 3};
    akin_trees_options trees = AKIN_TREES_OPTIONS_INIT;
    akin_search_index_options options = AKIN_SEARCH_INDEX_OPTIONS_INIT;
    akin_search_index *index = NULL;
    uint64_t found = 0;
    trees.format = AKIN_TREE_JSON;
    options.trees = &trees;
    akin_status status = akin_search_index_make(context, AKIN_KIND_TREES, &objects, &options, NULL, &index, error);
    if (status == AKIN_OK)
        status = akin_search(context, index, &column, 1, 3, NULL, count_hits, &found, NULL, error);
    if (status == AKIN_OK)
        assert_int_equal(found, 9);
    akin_search_index_free(index);
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
        fail_each(search, 0, once);
        fail_each(search, UINT64_C(16) << 20, once);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
