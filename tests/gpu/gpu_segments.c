/* Load-balancing search and segmented sums on a GPU, for segments of all shapes, against loops on the host. */
#include "gpu/gpu.h"

typedef struct shape {
    const char *name;
    uint64_t (*size)(gpu *g, uint64_t segment, uint64_t segments);
} shape;

static uint64_t small(gpu *g, uint64_t segment, uint64_t segments)
{
    (void)segment, (void)segments;
    return gpu_random(g, 4);
}

static uint64_t one_each(gpu *g, uint64_t segment, uint64_t segments)
{
    (void)g, (void)segment, (void)segments;
    return 1;
}

static uint64_t all_empty(gpu *g, uint64_t segment, uint64_t segments)
{
    (void)g, (void)segment, (void)segments;
    return 0;
}

/* Empty ones, but a large one in the middle. */
static uint64_t large_between_empty(gpu *g, uint64_t segment, uint64_t segments)
{
    (void)g;
    return segment == segments / 2 ? 100000 : 0;
}

static uint64_t large_first(gpu *g, uint64_t segment, uint64_t segments)
{
    (void)segments;
    return segment == 0 ? 50000 : gpu_random(g, 2);
}

static uint64_t large_last(gpu *g, uint64_t segment, uint64_t segments)
{
    return segment + 1 == segments ? 50000 : gpu_random(g, 2);
}

/* Mostly empty, some large. */
static uint64_t skewed(gpu *g, uint64_t segment, uint64_t segments)
{
    (void)segment, (void)segments;
    return gpu_random(g, 6) ? 0 : gpu_random(g, 12);
}

static const shape shapes[] = {
    {"small", small},
    {"one each", one_each},
    {"all empty", all_empty},
    {"large", large_between_empty},
    {"large first", large_first},
    {"large last", large_last},
    {"skewed", skewed},
};

/* The offsets of segments of such a shape; freed by the caller. */
static uint64_t *make(gpu *g, const shape *shape, uint64_t segments, uint64_t begin)
{
    uint64_t *offsets = malloc((segments + 1) * sizeof *offsets);
    assert_non_null(offsets);
    offsets[0] = begin;
    for (uint64_t s = 0; s < segments; s++)
        offsets[s + 1] = offsets[s] + shape->size(g, s, segments);
    return offsets;
}

static void check_search(gpu *g, const shape *shape, uint64_t segments, uint64_t begin)
{
    uint64_t *offsets = make(g, shape, segments, begin), n = offsets[segments] - begin;
    uint32_t *expected = malloc((n + 1) * sizeof *expected);
    assert_non_null(expected);
    for (uint64_t s = 0; s < segments; s++)
        for (uint64_t i = offsets[s]; i < offsets[s + 1]; i++)
            expected[i - begin] = (uint32_t)s;
    const uint64_t *in = gpu_put(g, 0, offsets, segments + 1, 8);
    uint32_t *out = gpu_array(g, 1, n, 4);
    OK(akin_device_segments_of(g->stream, in, segments, begin, n, out, &gpu_error));
    gpu_expect(g, out, expected, n, 4);
    /* the same in parts, which begin and end anywhere */
    for (uint64_t first = 0, part; first < n; first += part) {
        part = 1 + gpu_random(g, 16);
        part = part < n - first ? part : n - first;
        out = gpu_array(g, 1, part, 4);
        OK(akin_device_segments_of(g->stream, in, segments, begin + first, part, out, &gpu_error));
        gpu_expect(g, out, expected + first, part, 4);
    }
    free(offsets);
    free(expected);
}

static void searches(void **state)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t i = 1; i < GPU_SIZES - 1; i++) {
            check_search(*state, &shapes[s], gpu_sizes[i], 0);
            check_search(*state, &shapes[s], gpu_sizes[i], (uint64_t)5 << 32);
        }
}

static void check_sums(gpu *g, const shape *shape, uint64_t segments)
{
    uint64_t *offsets = make(g, shape, segments, 0), n = offsets[segments];
    uint32_t *values = malloc((n + 1) * sizeof *values);
    uint64_t *expected = calloc(segments + 1, sizeof *expected);
    assert_true(values && expected);
    for (uint64_t i = 0; i < n; i++)
        values[i] = (uint32_t)gpu_random(g, 32);
    for (uint64_t s = 0; s < segments; s++)
        for (uint64_t i = offsets[s]; i < offsets[s + 1]; i++)
            expected[s] += values[i];
    const uint32_t *in = gpu_put(g, 0, values, n, 4);
    const uint64_t *in_offsets = gpu_put(g, 1, offsets, segments + 1, 8);
    uint64_t *out = gpu_array(g, 2, segments, 8);
    OK(akin_device_segment_sums(g->stream, in, in_offsets, segments, n, out, &gpu_error));
    gpu_expect(g, out, expected, segments, 8);
    free(offsets);
    free(values);
    free(expected);
}

static void sums(void **state)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t i = 0; i < GPU_SIZES; i++)
            check_sums(*state, &shapes[s], gpu_sizes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches),
        cmocka_unit_test(sums),
    };
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, gpu_setup, gpu_teardown);
}
