/* Components on the GPU against a search of the same graph: edges of the host's and of the device's, limits,
 * cancelling. With the argument `small`, as for a checker of memory, of small graphs only. */
#include "base/context.h"
#include "device/devices.h"
#include "gpu/gpu.h"
#include "graph/components.h"
#include "unit/test_graph_shapes.h"

#define MIB   ((uint64_t)1 << 20)
#define LARGE ((1u << 20) + 1003) /* nodes: the largest component is looked for from 2^20 on */

static int small;

static akin_context *create(uint64_t device_memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context;
    options.device = "cuda";
    options.device_memory = device_memory;
    options.threads = 3;
    OK(akin_context_create(&options, &context, &gpu_error));
    return context;
}

static akin_edges edges_of(const graph *g, uint64_t from, uint64_t to)
{
    return (akin_edges){.pairs = g->pairs + from,
                        .count = to - from,
                        .lefts = g->lefts,
                        .rights = g->rights ? g->rights : g->lefts,
                        .shift = g->rights ? g->lefts : 0};
}

static void expect(const graph *g, const uint32_t *found, const uint32_t *labels)
{
    for (uint32_t node = 0; node < graph_nodes(g); node++)
        if (found[node] != labels[node])
            fail_msg("%s: node %u of %u has label %u, expected %u", g->name, node, graph_nodes(g), found[node],
                     labels[node]);
}

/* The edges go there in two pieces; the labels of the first are where the second begins. */
static void check_host(akin_context *context, const graph *g, const uint32_t *labels)
{
    akin_gpu_components *components = NULL;
    akin_device *device;
    uint32_t *found = malloc(((uint64_t)graph_nodes(g) + 1) * sizeof *found);
    assert_non_null(found);
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    for (int piece = 0; piece < 2; piece++) {
        akin_edges edges = edges_of(g, piece ? g->count / 3 : 0, piece ? g->count : g->count / 3);
        OK(akin_gpu_components_create(akin_scope_of(context), device, graph_nodes(g), piece ? found : NULL, &components,
                                      &gpu_error));
        OK(akin_gpu_components_add(components, &edges, &gpu_error));
        OK(akin_gpu_components_read(components, found, &gpu_error));
        akin_gpu_components_free(components);
        assert_int_equal(akin_device_held(device), 0);
    }
    expect(g, found, labels);
    free(found);
}

/* The edges are there already. */
static void check_device(akin_context *context, const graph *g, const uint32_t *labels)
{
    akin_gpu_components *components = NULL;
    akin_device_buffer buffer = {0};
    akin_device *device;
    uint64_t *edges = malloc((g->count + 1) * sizeof *edges);
    uint32_t *found = malloc(((uint64_t)graph_nodes(g) + 1) * sizeof *found);
    assert_true(edges && found);
    for (uint64_t i = 0; i < g->count; i++)
        edges[i] = (uint64_t)g->pairs[i].left << 32 | (g->pairs[i].right + (g->rights ? g->lefts : 0));
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    OK(akin_gpu_components_create(akin_scope_of(context), device, graph_nodes(g), NULL, &components, &gpu_error));
    akin_device_stream *stream = akin_gpu_components_stream(components);
    OK(akin_device_reserve(device, &buffer, g->count, sizeof *edges, "the edges", &gpu_error));
    OK(akin_device_upload(stream, buffer.data, edges, g->count * sizeof *edges, &gpu_error));
    OK(akin_gpu_components_link(components, buffer.data, g->count, &gpu_error));
    OK(akin_gpu_components_settle(components, &gpu_error));
    OK(akin_device_download(stream, found, akin_gpu_components_labels(components), graph_nodes(g) * sizeof *found,
                            &gpu_error));
    expect(g, found, labels);
    akin_device_release(device, &buffer);
    akin_gpu_components_free(components);
    free(edges);
    free(found);
}

static void check_connect(akin_context *context, const graph *g, const uint32_t *labels)
{
    akin_clusters *clusters = NULL;
    OK(akin_clusters_create(NULL, g->lefts, g->rights, &clusters, &gpu_error));
    OK(akin_clusters_connect(context, clusters, g->pairs, NULL, g->count / 2, &gpu_error));
    OK(akin_clusters_connect(context, clusters, g->pairs + g->count / 2, NULL, g->count - g->count / 2, &gpu_error));
    akin_clusters_finish(clusters);
    for (uint32_t node = 0; node < graph_nodes(g); node++)
        assert_int_equal(akin_clusters_row(clusters, node), labels[node]);
    akin_clusters_free(clusters);
}

static void check_shape(akin_context *context, shape which, uint32_t nodes)
{
    graph g = graph_make(which, nodes, nodes + 1);
    uint32_t *labels = graph_labels(&g);
    check_host(context, &g, labels);
    check_device(context, &g, labels);
    check_connect(context, &g, labels);
    free(labels);
    free(g.pairs);
}

static void shapes(void **state)
{
    static const uint32_t sizes[] = {2, 31, 32, 33, 255, 256, 257, 1025, 4099, 70000, LARGE};
    akin_context *context = create(0);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int which = 0; which < SHAPES && !(small && sizes[i] > 4099); which++)
            check_shape(context, (shape)which, sizes[i]);
    akin_context_free(context);
}

/* Within 16 MiB edges go there in many chunks, and within a little more than the nodes take, in small ones. */
static void limits(void **state)
{
    uint32_t nodes = small ? 5000 : LARGE;
    graph g = graph_make(RANDOM, nodes, 5);
    uint32_t *labels = graph_labels(&g);
    const uint64_t own = (uint64_t)nodes * 4 + nodes / 8 + 1024;
    const uint64_t bounds[] = {16 * MIB, own + (64 << 10), own + (18 << 10)};
    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        akin_context *context = create(bounds[i]);
        akin_device *device;
        check_host(context, &g, labels);
        check_connect(context, &g, labels);
        OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
        assert_true(akin_device_peak(device) <= bounds[i]);
        akin_context_free(context);
    }
    free(labels);
    free(g.pairs);
}

/* What has no room on the device is refused there, and done by the CPU where a job makes clusters. */
static void no_room(void **state)
{
    graph g = graph_make(RANDOM, 100000, 5);
    uint32_t *labels = graph_labels(&g);
    akin_context *context = create(300000);
    akin_gpu_components *components = NULL;
    akin_device *device;
    akin_error error;
    (void)state;
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    assert_int_equal(akin_gpu_components_create(akin_scope_of(context), device, g.lefts, NULL, &components, &error),
                     AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "not enough GPU memory for the components"));
    assert_null(components);
    check_connect(context, &g, labels);
    akin_context_free(context);
    free(labels);
    free(g.pairs);
}

static int countdown;

static int stop(void *user)
{
    (void)user;
    return countdown-- <= 0;
}

static void cancelled(void **state)
{
    akin_context *context = create(16 * MIB);
    graph g = graph_make(RANDOM, small ? 5000 : LARGE, 9);
    uint32_t *labels = graph_labels(&g);
    akin_gpu_components *components = NULL;
    akin_edges edges = edges_of(&g, 0, g.count);
    akin_device *device;
    akin_error error;
    (void)state;
    context->scope.reporter.cancel = stop;
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    OK(akin_gpu_components_create(akin_scope_of(context), device, g.lefts, NULL, &components, &gpu_error));
    countdown = 1;
    assert_int_equal(akin_gpu_components_add(components, &edges, &error), AKIN_E_CANCELLED);
    countdown = 0;
    assert_int_equal(
        akin_gpu_components_link(components, (const uint64_t *)akin_gpu_components_labels(components), 1, &error),
        AKIN_E_CANCELLED);
    akin_gpu_components_free(components);
    countdown = INT32_MAX;
    check_host(context, &g, labels);
    akin_context_free(context);
    free(labels);
    free(g.pairs);
}

static void refused(void **state)
{
    akin_context *context = create(0);
    graph g = graph_make(PATH, 1000, 9);
    akin_clusters *clusters = NULL;
    akin_error error;
    (void)state;
    OK(akin_clusters_create(NULL, 990, 0, &clusters, &gpu_error));
    assert_int_equal(akin_clusters_connect(context, clusters, g.pairs, NULL, g.count, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "a pair is of the rows 989 and 990, but there are 990, numbered from 0 on");
    akin_clusters_free(clusters);
    akin_context_free(context);
    free(g.pairs);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),    cmocka_unit_test(limits),  cmocka_unit_test(no_room),
        cmocka_unit_test(cancelled), cmocka_unit_test(refused),
    };
    small = count > 1 && strcmp(arguments[1], "small") == 0;
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
