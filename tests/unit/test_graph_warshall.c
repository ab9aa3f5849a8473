/* Closures by Warshall's algorithm against a search, breadth first, of the same graph: threads, a memory bound, what is
 * too large. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/context.h"
#include "papers/graph/warshall.h"
#include "property/host_device.h"
#include "unit/test_graph_shapes.h"
#include "unit/test_sanitizers.h"

#define MIB ((uint64_t)1 << 20)

static akin_context *create(uint32_t threads, uint64_t memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = threads;
    options.device = "cpu";
    options.memory = memory;
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    assert_int_equal(akin_context_use(context, akin_papers(), NULL), AKIN_OK);
    return context;
}

static akin_clusters *make(akin_context *context, uint32_t lefts, uint32_t rights)
{
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_error error;
    options.clustering = AKIN_CLUSTERING_WARSHALL;
    assert_int_equal(akin_clusters_create_by(context, lefts, rights, &options, &clusters, &error), AKIN_OK);
    return clusters;
}

static void close_clusters(akin_context *context, akin_clusters *clusters)
{
    akin_error error;
    akin_status status = akin_clusters_close(context, clusters, &error);
    if (status != AKIN_OK)
        print_error("%s\n", error.message);
    assert_int_equal(status, AKIN_OK);
}

static void check(akin_context *context, const graph *g)
{
    uint32_t *labels = graph_labels(g), count = 0;
    akin_clusters *clusters = make(context, g->lefts, g->rights);
    uint64_t half = g->count / 2;
    assert_int_equal(akin_clusters_add(clusters, g->pairs, NULL, (size_t)half, NULL), AKIN_OK);
    if (g->count % 3 == 0) /* in between it does no harm */
        close_clusters(context, clusters);
    assert_int_equal(akin_clusters_connect(context, clusters, g->pairs + half, NULL, g->count - half, NULL), AKIN_OK);
    close_clusters(context, clusters);
    for (uint32_t node = 0; node < graph_nodes(g); node++) {
        count += labels[node] == node;
        if (akin_clusters_row(clusters, node) != labels[node])
            fail_msg("%s: node %u of %u has label %u, expected %u", g->name, node, graph_nodes(g),
                     akin_clusters_row(clusters, node), labels[node]);
    }
    assert_int_equal(akin_clusters_count(clusters), count);
    akin_clusters_free(clusters);
    free(labels);
}

static void test_shapes(void **state)
{
    static const uint32_t sizes[] = {2, 3, 31, 33, 255, 256, 257, 511, 513, 1500};
    akin_context *const contexts[] = {create(1, 0), create(2, 0), create(5, 16 * MIB)};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes - UNDER_TSAN; i++)
        for (int which = 0; which < SHAPES; which++) {
            graph g = graph_make((shape)which, sizes[i], (uint64_t)which);
            check(contexts[(i + (size_t)which) % 3], &g);
            free(g.pairs);
        }
    for (size_t i = 0; i < 3; i++)
        akin_context_free(contexts[i]);
}

/* Every bit of a closure, of pairs in both directions: a chain leads there, if only there and back. */
static void test_bits(void **state)
{
    akin_context *context = create(2, 0);
    graph g = graph_make(RANDOM_SPARSE, 700, 3);
    uint32_t *labels = graph_labels(&g), side = 700 / AKIN_TILE + 1;
    akin_bit_matrix matrix = {.tiles = calloc((size_t)side * side, sizeof(akin_tile)), .side = side};
    uint8_t *occurs = calloc(700, 1);
    akin_error error;
    (void)state;
    assert_true(matrix.tiles && occurs);
    for (uint64_t i = 0; i < g.count; i++) {
        uint32_t a = g.pairs[i].left, b = g.pairs[i].right;
        akin_bit_matrix_tile(&matrix, a / AKIN_TILE, b / AKIN_TILE)->rows[a % AKIN_TILE][b % AKIN_TILE / 32] |=
            1u << b % 32;
        akin_bit_matrix_tile(&matrix, b / AKIN_TILE, a / AKIN_TILE)->rows[b % AKIN_TILE][a % AKIN_TILE / 32] |=
            1u << a % 32;
        occurs[a] = occurs[b] = 1;
    }
    assert_int_equal(akin_warshall_close(akin_scope_of(context), &matrix, &error), AKIN_OK);
    for (uint32_t a = 0; a < side * AKIN_TILE; a++)
        for (uint32_t b = 0; b < side * AKIN_TILE; b++) {
            const akin_tile *tile = akin_bit_matrix_tile(&matrix, a / AKIN_TILE, b / AKIN_TILE);
            int set = tile->rows[a % AKIN_TILE][b % AKIN_TILE / 32] >> b % 32 & 1;
            assert_int_equal(set, a < 700 && b < 700 && occurs[a] && occurs[b] && labels[a] == labels[b]);
        }
    free(matrix.tiles);
    free(occurs);
    free(labels);
    free(g.pairs);
    akin_context_free(context);
}

/* A matrix of 50 MB, beside pairs of 160 kB, within 16 MiB: in files. */
static void test_bound(void **state)
{
    akin_context *context = create(2, 16 * MIB);
    graph g = graph_make(COUPLES, 20000, 3);
    (void)state;
    for (uint32_t i = 0; i < 15; i++)
        graph_join(&g, 1000 * i, 19999 - i);
    check(context, &g);
    free(g.pairs);
    akin_context_free(context);
}

/* Rows that occur in no pair take no room in the matrix; more than it has room for are refused. */
static void test_limit(void **state)
{
    akin_context *context = create(1, 0);
    const akin_pair far = {5, 400000, 1};
    akin_clusters *clusters = make(context, 400001, 0);
    akin_error error;
    graph g = graph_make(PATH, AKIN_WARSHALL_RECORDS + 1, 1);
    (void)state;
    assert_int_equal(akin_clusters_add(clusters, &far, NULL, 1, NULL), AKIN_OK);
    close_clusters(context, clusters);
    assert_int_equal(akin_clusters_row(clusters, 400000), 5);
    assert_int_equal(akin_clusters_count(clusters), 400000);
    akin_clusters_free(clusters);
    clusters = make(context, g.lefts, 0);
    assert_int_equal(akin_clusters_connect(context, clusters, g.pairs, NULL, g.count, NULL), AKIN_OK);
    assert_int_equal(akin_clusters_close(context, clusters, &error), AKIN_E_LIMIT);
    assert_string_equal(error.message,
                        "1048577 records occur in pairs, too many for a matrix, which has room for 1048576 at most: "
                        "clusters that are connected components have no such limit");
    akin_clusters_free(clusters);
    free(g.pairs);
    akin_context_free(context);
}

/* Of a graph that is a path, closed where a GPU is open that fails: how often the GPU was called. */
static uint64_t calls_of_gpu(uint32_t nodes)
{
    akin_context *context = create(1, 0);
    graph g = graph_make(PATH, nodes, 1);
    context->scope.device_choice = AKIN_DEVICE_AUTO;
    context->device = host_gpu();
    host_device_set(.failing = 1, .status = AKIN_E_DEVICE);
    check(context, &g);
    const uint64_t calls = host_device.calls;
    host_device_set(.failing = 0);
    context->device = NULL;
    free(g.pairs);
    akin_context_free(context);
    return calls;
}

/* A GPU that is open closes a large matrix, and a small one is not worth it. */
static void test_open_gpu(void **state)
{
    (void)state;
    assert_int_equal(calls_of_gpu(3), 0);
    assert_int_equal(calls_of_gpu(1000), 0);
    if (!UNDER_TSAN) /* one thread closes it where the GPU fails */
        assert_true(calls_of_gpu(6000) > 0);
}

static int calls_left;

static int stop(void *user)
{
    (void)user;
    return calls_left-- <= 0;
}

static void test_cancelled(void **state)
{
    akin_context *context = create(2, 0);
    graph g = graph_make(RANDOM, 1000, 1);
    uint32_t *labels = graph_labels(&g);
    akin_error error;
    (void)state;
    context->scope.reporter.cancel = stop;
    for (int calls = 0; calls < 9; calls++) {
        akin_clusters *clusters = make(context, g.lefts, 0);
        calls_left = INT32_MAX;
        assert_int_equal(akin_clusters_connect(context, clusters, g.pairs, NULL, g.count, NULL), AKIN_OK);
        calls_left = calls;
        assert_int_equal(akin_clusters_close(context, clusters, &error), AKIN_E_CANCELLED);
        calls_left = INT32_MAX;
        close_clusters(context, clusters); /* it may be tried again */
        for (uint32_t node = 0; node < g.lefts; node++)
            assert_int_equal(akin_clusters_row(clusters, node), labels[node]);
        akin_clusters_free(clusters);
    }
    free(labels);
    free(g.pairs);
    akin_context_free(context);
}

static void test_options(void **state)
{
    akin_clusters_options options = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    options.clustering = 99;
    assert_int_equal(akin_clusters_create_by(NULL, 1, 0, &options, &clusters, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "akin_clusters_options: there is no clustering 99");
    assert_null(clusters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_bits),      cmocka_unit_test(test_bound),
        cmocka_unit_test(test_limit),    cmocka_unit_test(test_cancelled), cmocka_unit_test(test_options),
        cmocka_unit_test(test_open_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
