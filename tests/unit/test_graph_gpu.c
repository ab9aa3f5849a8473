/*
 * Components on a GPU that the host plays, against a search of the same graph: edges of the host's and of the device's,
 * in few chunks and in many, and while it fails. Each call of the device and each allocation fails once, alone and with
 * all that follow, and each check cancels. Where the job may take the CPU instead, it does. Nothing of the device's
 * memory is left; leaks of the heap show under the address sanitizer.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "device/devices.h"
#include "graph/components.h"
#include "property/host_device.h"
#include "unit/test_base_cancel.h"
#include "unit/test_base_failing.h"
#include "unit/test_graph_shapes.h"

#define LARGE ((1u << 20) + 1003) /* nodes: the largest component is looked for from 2^20 on */

static akin_context context_of(akin_context *self, akin_device_choice choice, uint32_t threads)
{
    static const akin_wishes always = {.gpu_always = 1};
    return (akin_context){.scope = {.context = self, .threads = threads, .device_choice = choice},
                          .backend = &host_backend,
                          .wishes = &always};
}

static akin_edges edges_of(const graph *g, uint64_t from, uint64_t to)
{
    return (akin_edges){.pairs = g->pairs + from,
                        .count = to - from,
                        .lefts = g->lefts,
                        .rights = g->rights ? g->rights : g->lefts,
                        .shift = g->rights ? g->lefts : 0};
}

static uint32_t *make_labels(const graph *g)
{
    uint32_t *found = malloc(((uint64_t)graph_nodes(g) + 1) * sizeof *found);
    assert_non_null(found);
    return found;
}

/* The edges go there in two pieces; the labels of the first are where the second begins. */
static void check_host(akin_context *context, const graph *g, const uint32_t *labels)
{
    uint32_t *found = make_labels(g);
    for (int piece = 0; piece < 2; piece++) {
        akin_gpu_components *components = NULL;
        akin_edges edges = edges_of(g, piece ? g->count / 3 : 0, piece ? g->count : g->count / 3);
        assert_int_equal(akin_gpu_components_create(akin_scope_of(context), host_gpu(), graph_nodes(g),
                                                    piece ? found : NULL, &components, NULL),
                         AKIN_OK);
        assert_int_equal(akin_gpu_components_add(components, &edges, NULL), AKIN_OK);
        assert_int_equal(akin_gpu_components_read(components, found, NULL), AKIN_OK);
        akin_gpu_components_free(components);
        assert_int_equal(host_device_holds(), 0);
    }
    assert_memory_equal(found, labels, graph_nodes(g) * sizeof *found);
    free(found);
}

/* The edges are there already. */
static void check_device(akin_context *context, const graph *g, const uint32_t *labels)
{
    akin_gpu_components *components = NULL;
    uint64_t *edges = malloc((g->count + 1) * sizeof *edges);
    uint32_t *found = make_labels(g);
    assert_non_null(edges);
    for (uint64_t i = 0; i < g->count; i++)
        edges[i] = (uint64_t)g->pairs[i].left << 32 | (g->pairs[i].right + (g->rights ? g->lefts : 0));
    assert_int_equal(
        akin_gpu_components_create(akin_scope_of(context), host_gpu(), graph_nodes(g), NULL, &components, NULL),
        AKIN_OK);
    akin_device_stream *stream = akin_gpu_components_stream(components);
    assert_int_equal(akin_gpu_components_link(components, edges, g->count, NULL), AKIN_OK);
    assert_int_equal(akin_gpu_components_settle(components, NULL), AKIN_OK);
    assert_int_equal(akin_device_download(stream, found, akin_gpu_components_labels(components),
                                          graph_nodes(g) * sizeof *found, NULL),
                     AKIN_OK);
    assert_memory_equal(found, labels, graph_nodes(g) * sizeof *found);
    akin_gpu_components_free(components);
    free(edges);
    free(found);
}

/* Clusters of a job, whose pairs come in two pieces. */
static akin_status connect(akin_context *context, const graph *g, const uint32_t *labels, akin_error *error)
{
    akin_clusters *clusters = NULL;
    akin_status status = akin_clusters_create(NULL, g->lefts, g->rights, &clusters, error);
    if (status == AKIN_OK)
        status = akin_clusters_connect(context, clusters, g->pairs, NULL, g->count / 2, error);
    if (status == AKIN_OK)
        status =
            akin_clusters_connect(context, clusters, g->pairs + g->count / 2, NULL, g->count - g->count / 2, error);
    armed = 0;
    if (status == AKIN_OK)
        akin_clusters_finish(clusters);
    for (uint32_t node = 0; node < graph_nodes(g) && status == AKIN_OK; node++)
        assert_int_equal(akin_clusters_row(clusters, node), labels[node]);
    akin_clusters_free(clusters);
    return status;
}

static void check_shape(shape which, uint32_t nodes, uint32_t threads)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, threads);
    graph g = graph_make(which, nodes, nodes + 1);
    uint32_t *labels = graph_labels(&g);
    check_host(&context, &g, labels);
    check_device(&context, &g, labels);
    assert_int_equal(connect(&context, &g, labels, NULL), AKIN_OK);
    akin_devices_close(&context);
    free(labels);
    free(g.pairs);
}

static void shapes(void **state)
{
    static const uint32_t sizes[] = {2, 31, 33, 257, 4099};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int which = 0; which < SHAPES; which++)
            check_shape((shape)which, sizes[i], which % 2 ? 3 : 1);
    check_shape(RANDOM, LARGE, 2); /* beside a large component there are others */
}

/* Where there is little room, edges go there in many chunks. */
static void many_chunks(void **state)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, 2);
    graph g = graph_make(RANDOM_SPARSE, 20000, 5);
    uint32_t *labels = graph_labels(&g);
    (void)state;
    host_device_set(.room = 1 << 10);
    check_host(&context, &g, labels);
    host_device_set(.room = 0);
    free(labels);
    free(g.pairs);
}

/* A pair of a row that does not exist is refused, by whichever thread reads it. */
static void refused(void **state)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, 2);
    graph g = graph_make(PATH, 1000, 9);
    uint32_t *labels = graph_labels(&g);
    akin_error error;
    (void)state;
    g.lefts = 990;
    assert_int_equal(connect(&context, &g, labels, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "a pair is of the rows 989 and 990, but there are 990, numbered from 0 on");
    akin_devices_close(&context);
    free(labels);
    free(g.pairs);
}

/* ----------------------------------------------------------------------------------------------------------- failures
 */

static graph small;
static uint32_t *small_labels;

static int setup(void **state)
{
    (void)state;
    small = graph_make(RANDOM, 700, 3);
    small_labels = graph_labels(&small);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(small.pairs);
    free(small_labels);
    return 0;
}

static akin_status try_small(akin_device_choice choice, asking *a, akin_error *error)
{
    akin_context context = context_of(&context, choice, 1);
    if (a)
        context.scope.reporter = (akin_reporter){.cancel = asking_answer, .user = a};
    akin_status status = connect(&context, &small, small_labels, error);
    assert_int_equal(host_device_holds(), 0);
    akin_devices_close(&context);
    return status;
}

/* The CPU does instead what a GPU has no memory for, and with `auto` also what it fails at. */
static void every_call(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        const akin_device_choice choice = kind % 2 ? AKIN_DEVICE_CUDA : AKIN_DEVICE_AUTO;
        const akin_status failing = kind / 2 % 2 ? AKIN_E_NOMEM : AKIN_E_DEVICE;
        uint64_t refusals = 0;
        for (uint64_t n = 1;; n++) {
            akin_error error = {0};
            host_device_set(.failing = n, .status = failing, .alone = kind / 4);
            akin_status status = try_small(choice, NULL, &error);
            const uint64_t calls = host_device.calls;
            host_device_set(.failing = 0);
            if (calls < n) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 30);
                break;
            }
            if (status == AKIN_OK)
                continue;
            assert_int_equal(choice, AKIN_DEVICE_CUDA);
            assert_int_equal(status, failing);
            assert_string_equal(error.message, HOST_DEVICE_FAILED);
            refusals++;
        }
        if (choice == AKIN_DEVICE_CUDA) /* a GPU that cannot be opened is refused for whatever reason */
            assert_true(failing == AKIN_E_DEVICE ? refusals > 30 : refusals < 3);
    }
}

static void every_allocation(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++)
        for (unsigned n = 0;; n++) {
            akin_error error;
            begin_failing(n, alone);
            akin_status status = try_small(AKIN_DEVICE_CUDA, NULL, &error);
            if (failed == 0) {
                assert_int_equal(status, AKIN_OK);
                assert_true(n > 10);
                break;
            }
            assert_true(status == AKIN_OK || (status == AKIN_E_NOMEM && strstr(error.message, "memory")));
        }
}

static void every_question(void **state)
{
    asking never = {0};
    (void)state;
    assert_int_equal(try_small(AKIN_DEVICE_CUDA, &never, NULL), AKIN_OK);
    assert_true(never.asked >= 2);
    for (unsigned at = 1; at <= never.asked; at++) {
        asking a = {.stop_at = at};
        akin_error error;
        assert_int_equal(try_small(AKIN_DEVICE_CUDA, &a, &error), AKIN_E_CANCELLED);
        assert_string_equal(error.message, "cancelled");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes),           cmocka_unit_test(many_chunks),
                                       cmocka_unit_test(refused),          cmocka_unit_test(every_call),
                                       cmocka_unit_test(every_allocation), cmocka_unit_test(every_question)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
