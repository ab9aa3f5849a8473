/*
 * Joins of graphs against every pair by brute force: random collections with edited copies, within one and between two,
 * with one thread and more, with and without a memory bound, pairs sorted or in any order, and with budgets that leave
 * pairs undecided.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 150 if not given
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "property/setting.h"
#include "unit/test_graphs_support.h"

#include "akin.h"
#include "base/bits.h"

#define ROWS_MOST 24

/* A column of graphs that are made up; a row may have none. */
typedef struct drawn_column {
    uint32_t rows;
    uint64_t offsets[ROWS_MOST + 1];
    char bytes[ROWS_MOST * GRAPH_TEXT];
    drawn_graph graphs[ROWS_MOST];
    int has_graph[ROWS_MOST];
    akin_column column;
} drawn_column;

typedef struct found_pairs {
    akin_pair pairs[ROWS_MOST * ROWS_MOST];
    size_t count;
} found_pairs;

/* Graphs of up to 6 nodes, which brute force can compare. */
static void draw_column(akin_random *random, uint32_t labels, drawn_column *out)
{
    const uint32_t density = (uint32_t)akin_random_below(random, 11);
    out->rows = (uint32_t)akin_random_below(random, ROWS_MOST + 1);
    out->offsets[0] = 0;
    for (uint32_t row = 0; row < out->rows; row++) {
        drawn_graph *graph = &out->graphs[row];
        if (row > 0 && akin_random_below(random, 2)) {
            *graph = out->graphs[akin_random_below(random, row)];
            edit_graph(random, (uint32_t)akin_random_below(random, 5), labels, graph);
            graph->count = akin_min_u32(graph->count, 6);
        } else {
            draw_graph(random, 1 + (uint32_t)akin_random_below(random, 6), labels, density, graph);
        }
        shuffle_graph(random, graph);
        out->has_graph[row] = akin_random_below(random, 12) > 0;
        const size_t length = out->has_graph[row] ? write_graph(graph, out->bytes + out->offsets[row]) : 0;
        out->offsets[row + 1] = out->offsets[row] + length;
    }
    out->column = (akin_column){.size = sizeof out->column, .offsets = out->offsets, .bytes = out->bytes};
}

static int take_pairs(void *user, const akin_pair *pairs, size_t count)
{
    found_pairs *found = user;
    for (size_t i = 0; i < count; i++)
        found->pairs[found->count++] = pairs[i];
    return 0;
}

static int compare_pairs(const void *a, const void *b)
{
    const akin_pair *x = a, *y = b;
    return x->left != y->left ? (x->left > y->left ? 1 : -1) : (x->right > y->right) - (x->right < y->right);
}

/* All pairs by brute force. */
static void expect_pairs(const drawn_column *left, const drawn_column *right, uint32_t most, found_pairs *out)
{
    out->count = 0;
    for (uint32_t l = 0; l < left->rows; l++)
        for (uint32_t r = right == left ? l + 1 : 0; r < right->rows; r++) {
            if (!left->has_graph[l] || !right->has_graph[r])
                continue;
            const uint32_t distance = plain_edits(&left->graphs[l], &right->graphs[r]);
            if (distance <= most)
                out->pairs[out->count++] = (akin_pair){l, r, distance};
        }
}

static const struct {
    uint32_t threads;
    uint64_t memory;
} ways[] = {{1, 0}, {3, 0}, {2, UINT64_C(16) << 20}};

/* Joins in a way, and sorts what any order gives. */
static void join(size_t way, const drawn_column *left, const drawn_column *right, const akin_graphs_options *options,
                 found_pairs *found, akin_graphs_report *report)
{
    akin_context_options how = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_error error;
    uint64_t count = 0;
    how.threads = threads_at_most(ways[way].threads);
    how.memory = ways[way].memory;
    found->count = 0;
    *report = (akin_graphs_report){.size = sizeof *report};
    assert_int_equal(akin_context_create(&how, &context, NULL), AKIN_OK);
    const akin_status status =
        akin_graphs_join(context, &left->column, left->rows, right == left ? NULL : &right->column,
                         right == left ? 0 : right->rows, options, take_pairs, found, &count, report, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    if (options->any_order)
        qsort(found->pairs, found->count, sizeof *found->pairs, compare_pairs);
    assert_int_equal(found->count, count);
    assert_int_equal(report->pairs_found + report->undecided, count);
    assert_true(report->candidates >= report->compared && report->compared >= report->bounded &&
                report->bounded >= report->searched && report->bounded >= count);
    akin_context_free(context);
}

static void check_join(const drawn_column *left, const drawn_column *right, const akin_graphs_options *options,
                       const found_pairs *expected)
{
    static found_pairs found;
    akin_graphs_report report;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        join(way, left, right, options, &found, &report);
        assert_int_equal(found.count, expected->count);
        assert_memory_equal(found.pairs, expected->pairs, expected->count * sizeof *found.pairs);
    }
}

/* Whatever the threads, the same pairs are undecided; the others have their distances. */
static void check_budget(const drawn_column *left, const drawn_column *right, akin_graphs_options options,
                         const found_pairs *expected)
{
    static found_pairs first, found;
    akin_graphs_report report;
    options.undecided = 1;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        join(way, left, right, &options, way ? &found : &first, &report);
        if (way) {
            assert_int_equal(found.count, first.count);
            assert_memory_equal(found.pairs, first.pairs, first.count * sizeof *found.pairs);
        }
    }
    size_t next = 0;
    for (size_t i = 0; i < first.count; i++) {
        const int is_next = next < expected->count && compare_pairs(&first.pairs[i], &expected->pairs[next]) == 0;
        assert_true(first.pairs[i].overlap == AKIN_GRAPHS_UNDECIDED ||
                    (is_next && first.pairs[i].overlap == expected->pairs[next].overlap));
        next += (size_t)is_next;
    }
    assert_int_equal(next, expected->count);
}

static void joins(void **state)
{
    static drawn_column columns[2];
    static found_pairs expected;
    akin_random random;
    (void)state;
    akin_random_seed(&random, setting("AKIN_PROPERTY_SEED", 1));
    for (uint64_t c = setting("AKIN_PROPERTY_CASES", 150); c > 0; c--) {
        const uint32_t labels = 1 + (uint32_t)akin_random_below(&random, 5);
        akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
        options.most = (uint32_t)akin_random_below(&random, 7);
        options.any_order = (uint32_t)akin_random_below(&random, 2);
        for (int s = 0; s < 2; s++)
            draw_column(&random, labels, &columns[s]);
        for (int s = 0; s < 2; s++) {
            expect_pairs(&columns[0], &columns[s], options.most, &expected);
            options.budget = AKIN_GRAPHS_BUDGET;
            check_join(&columns[0], &columns[s], &options, &expected);
            options.budget = 1 + akin_random_below(&random, 8);
            check_budget(&columns[0], &columns[s], options, &expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
