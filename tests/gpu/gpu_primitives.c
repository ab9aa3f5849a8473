/* The primitives on a GPU, sort, scan, select and count of runs, against short versions on the host. */
#include "gpu/gpu.h"

typedef struct pair {
    uint64_t key;
    uint32_t value; /* the place in the input, so that stability shows */
} pair;

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->value > y->value) - (x->value < y->value);
}

/* Random keys of `bits` bits, in pairs with their places, and sorted. Freed by the caller. */
static pair *random_pairs(gpu *g, uint64_t n, unsigned bits, int sorted)
{
    pair *pairs = malloc((n + 1) * sizeof *pairs);
    assert_non_null(pairs);
    for (uint64_t i = 0; i < n; i++)
        pairs[i] = (pair){gpu_random(g, bits), (uint32_t)i};
    if (sorted)
        qsort(pairs, n, sizeof *pairs, compare_pairs);
    return pairs;
}

/* The keys, as numbers of `size` bytes (4 or 8). Freed by the caller. */
static void *keys_of(const pair *pairs, uint64_t n, size_t size)
{
    void *keys = malloc((n + 1) * size);
    assert_non_null(keys);
    for (uint64_t i = 0; i < n; i++)
        if (size == 8)
            ((uint64_t *)keys)[i] = pairs[i].key;
        else
            ((uint32_t *)keys)[i] = (uint32_t)pairs[i].key;
    return keys;
}

static uint32_t *values_of(const pair *pairs, uint64_t n)
{
    uint32_t *values = malloc((n + 1) * sizeof *values);
    assert_non_null(values);
    for (uint64_t i = 0; i < n; i++)
        values[i] = pairs[i].value;
    return values;
}

static void check_sort(gpu *g, uint64_t n, unsigned bits, size_t size)
{
    pair *pairs = random_pairs(g, n, bits, 0);
    void *keys = keys_of(pairs, n, size);
    uint32_t *values = values_of(pairs, n);
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    void *sorted = keys_of(pairs, n, size);
    uint32_t *places = values_of(pairs, n);
    for (int with_values = 0; with_values < 2; with_values++) {
        void *in = gpu_put(g, 0, keys, n, size), *twin = gpu_array(g, 1, n, size);
        uint32_t *on = gpu_put(g, 2, values, n, 4), *on_twin = gpu_array(g, 3, n, 4);
        uint64_t *in64 = in, *twin64 = twin;
        uint32_t *in32 = in, *twin32 = twin;
        if (size == 8 && with_values)
            OK(akin_device_sort_pairs64(g->stream, &in64, &twin64, &on, &on_twin, n, bits, &gpu_error));
        else if (size == 8)
            OK(akin_device_sort64(g->stream, &in64, &twin64, n, bits, &gpu_error));
        else if (with_values)
            OK(akin_device_sort_pairs32(g->stream, &in32, &twin32, &on, &on_twin, n, bits, &gpu_error));
        else
            OK(akin_device_sort32(g->stream, &in32, &twin32, n, bits, &gpu_error));
        gpu_expect(g, size == 8 ? (void *)in64 : (void *)in32, sorted, n, size);
        assert_true(size == 8 ? in64 != twin64 : in32 != twin32);
        if (with_values)
            gpu_expect(g, on, places, n, 4);
    }
    free(pairs);
    free(keys);
    free(values);
    free(sorted);
    free(places);
}

static void sorts(void **state)
{
    static const unsigned bits[] = {1, 8, 17, 32, 33, 48, 64};
    for (size_t i = 0; i < GPU_SIZES; i++)
        for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
            if (gpu_sizes[i] < 100000 || b == 2 || b == 5) {
                if (bits[b] <= 32)
                    check_sort(*state, gpu_sizes[i], bits[b], 4);
                check_sort(*state, gpu_sizes[i], bits[b], 8);
            }
}

/* Only the bits of the call count. */
static void sorts_by_low_bits(void **state)
{
    gpu *g = *state;
    uint32_t keys[] = {0x105, 0x203, 0x301, 0x003}, expected[] = {0x301, 0x203, 0x003, 0x105};
    uint32_t *in = gpu_put(g, 0, keys, 4, 4), *twin = gpu_array(g, 1, 4, 4);
    OK(akin_device_sort32(g->stream, &in, &twin, 4, 4, &gpu_error));
    gpu_expect(g, in, expected, 4, 4);
}

static void scans(void **state)
{
    gpu *g = *state;
    for (size_t i = 0; i < GPU_SIZES; i++) {
        uint64_t n = gpu_sizes[i];
        uint32_t *counts = malloc((n + 1) * sizeof *counts), *narrow = malloc((n + 1) * sizeof *narrow);
        uint64_t *wide = malloc((n + 1) * sizeof *wide);
        assert_true(counts && narrow && wide);
        wide[0] = narrow[0] = 0;
        for (uint64_t j = 0; j < n; j++) {
            counts[j] = (uint32_t)gpu_random(g, 32); /* the sums of 64 bits do not fit 32, and those wrap */
            wide[j + 1] = wide[j] + counts[j];
            narrow[j + 1] = (uint32_t)wide[j + 1];
        }
        const uint32_t *in = gpu_put(g, 0, counts, n, 4);
        uint32_t *out32 = gpu_array(g, 1, n + 1, 4);
        uint64_t *out64 = gpu_array(g, 2, n + 1, 8);
        OK(akin_device_scan32(g->stream, in, n, out32, &gpu_error));
        OK(akin_device_scan64(g->stream, in, n, out64, &gpu_error));
        gpu_expect(g, out32, narrow, n + 1, 4);
        gpu_expect(g, out64, wide, n + 1, 8);
        free(counts);
        free(narrow);
        free(wide);
    }
}

/* One item in 2^rare is kept; the flags of those are any number but 0. */
static void check_select(gpu *g, uint64_t n, unsigned rare)
{
    uint64_t *items = malloc((n + 1) * sizeof *items), *kept = malloc((n + 1) * sizeof *kept), found = 0;
    uint32_t *halves = malloc((n + 1) * sizeof *halves), *kept_halves = malloc((n + 1) * sizeof *kept_halves);
    uint32_t *places = malloc((n + 1) * sizeof *places);
    uint8_t *flags = malloc(n + 1);
    assert_true(items && kept && halves && kept_halves && places && flags);
    for (uint64_t i = 0; i < n; i++) {
        items[i] = gpu_random(g, 64);
        halves[i] = (uint32_t)items[i];
        flags[i] = rare && gpu_random(g, rare) ? 0 : (uint8_t)(1 + gpu_random(g, 7));
        if (flags[i]) {
            kept[found] = items[i];
            kept_halves[found] = halves[i];
            places[found++] = (uint32_t)i;
        }
    }
    const uint64_t *in64 = gpu_put(g, 0, items, n, 8);
    const uint32_t *in32 = gpu_put(g, 1, halves, n, 4);
    const uint8_t *in_flags = gpu_put(g, 2, flags, n, 1);
    uint64_t *out64 = gpu_array(g, 3, n, 8), *count = gpu_array(g, 6, 3, 8), counts[] = {found, found, found};
    uint32_t *out32 = gpu_array(g, 4, n, 4), *out_places = gpu_array(g, 5, n, 4);
    OK(akin_device_select64(g->stream, in64, in_flags, n, out64, &count[0], &gpu_error));
    OK(akin_device_select32(g->stream, in32, in_flags, n, out32, &count[1], &gpu_error));
    OK(akin_device_select_positions(g->stream, in_flags, n, out_places, &count[2], &gpu_error));
    gpu_expect(g, count, counts, 3, 8);
    gpu_expect(g, out64, kept, found, 8);
    gpu_expect(g, out32, kept_halves, found, 4);
    gpu_expect(g, out_places, places, found, 4);
    free(items);
    free(kept);
    free(halves);
    free(kept_halves);
    free(places);
    free(flags);
}

static void selects(void **state)
{
    for (size_t i = 0; i < GPU_SIZES; i++) {
        check_select(*state, gpu_sizes[i], 0);
        check_select(*state, gpu_sizes[i], 1);
        check_select(*state, gpu_sizes[i], 10);
    }
}

static void check_runs(gpu *g, uint64_t n, unsigned bits, size_t size)
{
    pair *pairs = random_pairs(g, n, bits, 1), *runs = malloc((n + 1) * sizeof *runs);
    assert_non_null(runs);
    uint64_t found = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (i == 0 || pairs[i].key != pairs[i - 1].key)
            runs[found++] = (pair){pairs[i].key, 0};
        runs[found - 1].value++;
    }
    void *keys = keys_of(pairs, n, size), *distinct = keys_of(runs, found, size);
    uint32_t *counts = values_of(runs, found), *out_counts = gpu_array(g, 2, n, 4);
    void *in = gpu_put(g, 0, keys, n, size), *out = gpu_array(g, 1, n, size);
    uint64_t *out_found = gpu_array(g, 3, 1, 8);
    if (size == 8)
        OK(akin_device_count_runs64(g->stream, in, n, out, out_counts, out_found, &gpu_error));
    else
        OK(akin_device_count_runs32(g->stream, in, n, out, out_counts, out_found, &gpu_error));
    gpu_expect(g, out_found, &found, 1, 8);
    gpu_expect(g, out, distinct, found, size);
    gpu_expect(g, out_counts, counts, found, 4);
    free(pairs);
    free(runs);
    free(keys);
    free(distinct);
    free(counts);
}

static void counts_runs(void **state)
{
    for (size_t i = 0; i < GPU_SIZES; i++)
        for (unsigned bits = 1; bits <= 32; bits += 10) {
            check_runs(*state, gpu_sizes[i], bits, 4);
            check_runs(*state, gpu_sizes[i], 2 * bits, 8);
        }
}

/* Larger calls are refused before anything is done. */
static void too_many_items(void **state)
{
    gpu *g = *state;
    uint32_t *a = gpu_array(g, 0, 1, 4), *b = gpu_array(g, 1, 1, 4);
    uint64_t *found = gpu_array(g, 2, 1, 8);
    uint8_t *flags = gpu_array(g, 3, 1, 1);
    uint64_t n = AKIN_DEVICE_ITEMS + 1;
    assert_int_equal(akin_device_sort32(g->stream, &a, &b, n, 32, &gpu_error), AKIN_E_LIMIT);
    assert_non_null(strstr(gpu_error.message, "2147483648"));
    assert_int_equal(akin_device_sort_pairs32(g->stream, &a, &b, &a, &b, n, 32, &gpu_error), AKIN_E_LIMIT);
    assert_int_equal(akin_device_scan32(g->stream, a, n, b, &gpu_error), AKIN_E_LIMIT);
    assert_int_equal(akin_device_select32(g->stream, a, flags, n, b, found, &gpu_error), AKIN_E_LIMIT);
    assert_int_equal(akin_device_count_runs32(g->stream, a, n, b, b, found, &gpu_error), AKIN_E_LIMIT);
    assert_int_equal(akin_device_segments_of(g->stream, found, 1, 0, n, b, &gpu_error), AKIN_E_LIMIT);
    assert_int_equal(akin_device_segment_sums(g->stream, a, found, n, 1, found, &gpu_error), AKIN_E_LIMIT);
    OK(akin_device_stream_finish(g->stream, &gpu_error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts),   cmocka_unit_test(sorts_by_low_bits), cmocka_unit_test(scans),
        cmocka_unit_test(selects), cmocka_unit_test(counts_runs),       cmocka_unit_test(too_many_items),
    };
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, gpu_setup, gpu_teardown);
}
