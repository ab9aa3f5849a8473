/* Components that several threads find together, against a search, breadth first, of the same graph; cancelling, and
 * rows that there are not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_graph_shapes.h"
#include "unit/test_sanitizers.h"

#define LARGE ((1u << 20) + 1003) /* nodes: the largest component is looked for from 2^20 on */

static akin_context *create(uint32_t threads)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = threads;
    options.device = "cpu";
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    return context;
}

/* Adds pairs [from, to) of a graph, on a context or without one. */
static void add(akin_context *context, akin_clusters *clusters, const graph *g, uint64_t from, uint64_t to)
{
    akin_error error;
    akin_status status = context ? akin_clusters_connect(context, clusters, g->pairs + from, NULL, to - from, &error)
                                 : akin_clusters_add(clusters, g->pairs + from, NULL, to - from, &error);
    if (status != AKIN_OK)
        print_error("%s\n", error.message);
    assert_int_equal(status, AKIN_OK);
}

static void expect(akin_clusters *clusters, const graph *g, const uint32_t *labels)
{
    uint32_t nodes = graph_nodes(g), count = 0;
    uint32_t *sizes = calloc((uint64_t)nodes + 1, sizeof *sizes);
    assert_non_null(sizes);
    akin_clusters_finish(clusters);
    for (uint32_t node = 0; node < nodes; node++) {
        count += labels[node] == node;
        sizes[labels[node]]++;
    }
    assert_int_equal(akin_clusters_count(clusters), count);
    for (uint32_t node = 0; node < nodes; node++)
        if (akin_clusters_row(clusters, node) != labels[node] ||
            akin_clusters_size(clusters, node) != sizes[labels[node]])
            fail_msg("%s: node %u of %u has label %u, expected %u", g->name, node, nodes,
                     akin_clusters_row(clusters, node), labels[node]);
    free(sizes);
}

/* All edges in three pieces, or at once. */
static void check(akin_context *context, const graph *g, const uint32_t *labels, int pieces)
{
    akin_clusters *clusters = NULL;
    assert_int_equal(akin_clusters_create(NULL, g->lefts, g->rights, &clusters, NULL), AKIN_OK);
    uint64_t first = pieces ? g->count / 7 : 0, second = pieces ? g->count / 2 : 0;
    add(context, clusters, g, 0, first);
    add(context, clusters, g, first, second);
    if (pieces)
        akin_clusters_finish(clusters); /* in between it does no harm */
    add(context, clusters, g, second, g->count);
    expect(clusters, g, labels);
    akin_clusters_free(clusters);
}

static void test_small(void **state)
{
    akin_context *const contexts[] = {NULL, create(1), create(2), create(5)};
    (void)state;
    for (uint32_t nodes = 2; nodes < 20000; nodes = nodes * 6 + 1)
        for (int which = 0; which < SHAPES; which++) {
            graph g = graph_make((shape)which, nodes, nodes);
            uint32_t *labels = graph_labels(&g);
            for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
                check(contexts[i], &g, labels, (which + (int)i) % 2);
            free(labels);
            free(g.pairs);
        }
    for (size_t i = 1; i < sizeof contexts / sizeof *contexts; i++)
        akin_context_free(contexts[i]);
}

/* Edges within the largest component are left out, and the others are not. */
static void test_large(void **state)
{
    static const shape large[] = {RANDOM, HALVES, SIDES};
    akin_context *context = create(3);
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        graph g = graph_make(large[i], LARGE, i);
        uint32_t *labels = graph_labels(&g);
        check(NULL, &g, labels, i % 2 == 0);
        check(context, &g, labels, i % 2);
        free(labels);
        free(g.pairs);
    }
    akin_context_free(context);
}

/* Components that are marked as the largest, and not by the number of their nodes alone: half of the nodes are in one,
 * and the rest comes to it later, or does not. */
static void test_largest(void **state)
{
    akin_context *context = create(3);
    graph g = {.name = "grown", .lefts = LARGE, .pairs = malloc(3 * (uint64_t)LARGE * sizeof *g.pairs)};
    akin_random random;
    (void)state;
    assert_non_null(g.pairs);
    akin_random_seed(&random, 5);
    for (uint32_t i = LARGE / 2; i + 1 < LARGE; i++)
        graph_join(&g, i, LARGE - 1);
    for (uint32_t i = 0; i < LARGE / 2; i++) /* couples and lone nodes, and edges that are there already */
        graph_join(&g, i % 4 ? i / 4 * 4 : LARGE - 2, i % 4 ? i / 4 * 4 + i % 2 : LARGE / 2 + i);
    for (uint32_t i = 0; i < LARGE; i++)
        graph_join(&g, akin_random_below(&random, LARGE / 8), i % 3 ? i : LARGE - 1);
    uint32_t *labels = graph_labels(&g);
    check(NULL, &g, labels, 0);
    check(context, &g, labels, 0);
    free(labels);
    free(g.pairs);
    akin_context_free(context);
}

static void test_refused(void **state)
{
    akin_context *context = create(2);
    graph g = graph_make(PATH, 100000, 1);
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    assert_int_equal(akin_clusters_create(context, 99990, 0, &clusters, &error), AKIN_OK);
    assert_int_equal(akin_clusters_connect(context, clusters, g.pairs, NULL, g.count, &error), AKIN_E_OPTION);
    assert_string_equal(error.message,
                        "a pair is of the rows 99989 and 99990, but there are 99990, numbered from 0 on");
    assert_int_equal(akin_clusters_connect(context, clusters, NULL, NULL, 0, &error), AKIN_OK);
    akin_clusters_free(clusters);
    free(g.pairs);
    akin_context_free(context);
}

/* A caller may cancel after some calls, and pairs that are added then are right in the end. */
static int calls_left;

static int stop(void *user)
{
    (void)user;
    return calls_left-- <= 0;
}

static void test_cancelled(void **state)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    graph g = graph_make(RANDOM, LARGE, 3);
    uint32_t *labels = graph_labels(&g);
    akin_context *context = NULL;
    akin_error error;
    int cancelled = 0;
    (void)state;
    options.threads = 2;
    options.device = "cpu";
    options.cancel = stop;
    assert_int_equal(akin_context_create(&options, &context, &error), AKIN_OK);
    for (int calls = 0; calls < 3; calls++) {
        akin_clusters *clusters = NULL;
        assert_int_equal(akin_clusters_create(context, g.lefts, g.rights, &clusters, &error), AKIN_OK);
        calls_left = calls;
        akin_status status = akin_clusters_connect(context, clusters, g.pairs, NULL, g.count, &error);
        assert_true(status == AKIN_E_CANCELLED || (calls > 0 && status == AKIN_OK));
        cancelled += status == AKIN_E_CANCELLED;
        calls_left = INT32_MAX;
        assert_int_equal(akin_clusters_connect(context, clusters, g.pairs, NULL, g.count, &error), AKIN_OK);
        expect(clusters, &g, labels);
        akin_clusters_free(clusters);
    }
    assert_true(cancelled > 0);
    akin_context_free(context);
    free(labels);
    free(g.pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),   cmocka_unit_test(test_largest),   cmocka_unit_test(test_large),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_cancelled),
    };
    return RUN_TESTS(tests, 2, NULL, NULL);
}
