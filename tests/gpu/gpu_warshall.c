/* Closures by Warshall's algorithm on the GPU: every bit as on the CPU, whole and in blocks, within limits; cancelling.
 * With the argument `small`, as for a checker of memory, of small graphs only. */
#include "base/context.h"
#include "device/devices.h"
#include "gpu/gpu.h"
#include "papers/graph/warshall.h"
#include "unit/test_graph_shapes.h"

#define MIB ((uint64_t)1 << 20)

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

static void set(akin_bit_matrix *matrix, uint32_t i, uint32_t j)
{
    akin_bit_matrix_tile(matrix, i / AKIN_TILE, j / AKIN_TILE)->rows[i % AKIN_TILE][j % AKIN_TILE / 32] |= 1u << j % 32;
}

/* The matrix of a graph, to be freed. */
static akin_bit_matrix matrix_of(const graph *g)
{
    akin_bit_matrix matrix = {.side = (graph_nodes(g) + AKIN_TILE - 1) / AKIN_TILE};
    matrix.tiles = calloc((size_t)matrix.side * matrix.side, sizeof *matrix.tiles);
    assert_non_null(matrix.tiles);
    for (uint64_t i = 0; i < g->count; i++) {
        uint32_t a = g->pairs[i].left, b = g->pairs[i].right + (g->rights ? g->lefts : 0);
        set(&matrix, a, b);
        set(&matrix, b, a);
    }
    return matrix;
}

static void check(akin_context *context, const graph *g)
{
    akin_bit_matrix matrix = matrix_of(g), expected = matrix_of(g);
    akin_device *device;
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    OK(akin_warshall_close(akin_scope_of(context), &expected, &gpu_error));
    OK(akin_warshall_close_on(device, akin_scope_of(context), &matrix, &gpu_error));
    assert_int_equal(akin_device_held(device), 0);
    if (memcmp(matrix.tiles, expected.tiles, (size_t)matrix.side * matrix.side * sizeof *matrix.tiles) != 0)
        fail_msg("%s: the closure of %u nodes differs", g->name, graph_nodes(g));
    free(matrix.tiles);
    free(expected.tiles);
}

static void check_shapes(akin_context *context, uint32_t nodes, int step)
{
    for (int which = 0; which < SHAPES; which += step) {
        graph g = graph_make((shape)which, nodes, (uint64_t)which);
        check(context, &g);
        free(g.pairs);
    }
}

static void shapes(void **state)
{
    static const uint32_t sizes[] = {2, 255, 256, 257, 700, 1025, 3000};
    akin_context *context = create(0);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !(small && i > 3); i++)
        check_shapes(context, sizes[i], small ? 5 : 1);
    akin_context_free(context);
}

/* Room for blocks of one tile, of two and of three; and 16 MiB, which a matrix of 46 x 46 tiles exceeds. */
static void limits(void **state)
{
    static const struct {
        uint64_t bytes;
        uint32_t nodes;
        int step;
    } cases[] = {{3 * sizeof(akin_tile), 600, 5},   {12 * sizeof(akin_tile), 600, 5},
                 {3 * sizeof(akin_tile), 1000, 1},  {12 * sizeof(akin_tile), 1300, 1},
                 {35 * sizeof(akin_tile), 1600, 1}, {16 * MIB, 45 * AKIN_TILE + 100, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && !(small && i > 1); i++) {
        akin_context *context = create(cases[i].bytes);
        akin_device *device;
        OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
        check_shapes(context, cases[i].nodes, cases[i].step);
        assert_true(akin_device_peak(device) <= cases[i].bytes);
        akin_context_free(context);
    }
}

/* As clusters are closed: within 16 MiB on the device and of the heap. */
static void clusters(void **state)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_clusters_options wanted = AKIN_CLUSTERS_OPTIONS_INIT;
    graph g = graph_make(RANDOM_SPARSE, small ? 500 : 20000, 4);
    uint32_t *labels = graph_labels(&g);
    akin_clusters *found;
    akin_context *context;
    (void)state;
    options.device = "cuda";
    options.device_memory = options.memory = 16 * MIB;
    OK(akin_context_create(&options, &context, &gpu_error));
    OK(akin_context_use(context, akin_papers(), &gpu_error));
    wanted.clustering = AKIN_CLUSTERING_WARSHALL;
    OK(akin_clusters_create_by(context, g.lefts, g.rights, &wanted, &found, &gpu_error));
    OK(akin_clusters_connect(context, found, g.pairs, NULL, g.count, &gpu_error));
    OK(akin_clusters_close(context, found, &gpu_error));
    for (uint32_t node = 0; node < graph_nodes(&g); node++)
        assert_int_equal(akin_clusters_row(found, node), labels[node]);
    akin_clusters_free(found);
    akin_context_free(context);
    free(labels);
    free(g.pairs);
}

static void no_room(void **state)
{
    akin_context *context = create(2 * sizeof(akin_tile));
    graph g = graph_make(PATH, 1000, 1);
    akin_bit_matrix matrix = matrix_of(&g);
    akin_device *device;
    akin_error error;
    (void)state;
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    assert_int_equal(akin_warshall_close_on(device, akin_scope_of(context), &matrix, &error), AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "not enough GPU memory for the matrix of a closure"));
    assert_int_equal(akin_device_held(device), 0);
    free(matrix.tiles);
    free(g.pairs);
    akin_context_free(context);
}

static int countdown;

static int stop(void *user)
{
    (void)user;
    return countdown-- <= 0;
}

static void cancelled(void **state)
{
    akin_context *context = create(35 * sizeof(akin_tile));
    graph g = graph_make(RANDOM, small ? 1000 : 3000, 1);
    akin_bit_matrix matrix = matrix_of(&g);
    akin_device *device;
    akin_error error;
    (void)state;
    context->scope.reporter.cancel = stop;
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    for (int calls = 0; calls < (small ? 1 : 4); calls++) {
        countdown = calls;
        assert_int_equal(akin_warshall_close_on(device, akin_scope_of(context), &matrix, &error), AKIN_E_CANCELLED);
        assert_int_equal(akin_device_held(device), 0);
    }
    countdown = INT32_MAX;
    check(context, &g);
    free(matrix.tiles);
    free(g.pairs);
    akin_context_free(context);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),  cmocka_unit_test(limits),    cmocka_unit_test(clusters),
        cmocka_unit_test(no_room), cmocka_unit_test(cancelled),
    };
    small = count > 1 && strcmp(arguments[1], "small") == 0;
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
