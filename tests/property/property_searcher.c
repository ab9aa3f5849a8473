/*
 * Searches on a GPU against the CPU, as a user has them: random indexes of each kind, random queries, several k, one
 * searcher for several calls. The results are the same, byte for byte. Built with PROPERTY_HOST_GPU it runs on a GPU
 * that the host plays, with PROPERTY_DEVICE on a real one.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 24 if not given
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "unit/test_lines.h"

#include "base/random.h"
#include "property/setting.h"
#include "search/searcher.h"

#include "gpu/gpu.h"
#ifdef PROPERTY_HOST_GPU
#include "property/host_search.h"
#endif

#define QUERIES 40

static akin_context *create(const char *device)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = 2;
    options.device = "cpu";
#ifdef PROPERTY_DEVICE
    options.device = strcmp(device, "cpu") == 0 ? device : PROPERTY_DEVICE;
#endif
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
#ifdef PROPERTY_HOST_GPU
    context->backend = &host_backend;
    context->scope.device_choice = strcmp(device, "cuda") == 0   ? AKIN_DEVICE_CUDA
                                   : strcmp(device, "auto") == 0 ? AKIN_DEVICE_AUTO
                                                                 : AKIN_DEVICE_CPU;
    host_device_set(0);
#endif
    return context;
}

static void destroy(akin_context *context)
{
#ifdef PROPERTY_HOST_GPU
    assert_int_equal(host_device_holds(), 0);
#endif
    akin_context_free(context);
}

/* ------------------------------------------------------------------------------------------------------------- hits */

typedef struct hits {
    akin_search_hit *list;
    size_t count, room;
} hits;

static int take(void *user, const akin_search_hit *found, size_t count)
{
    hits *h = user;
    if (h->count + count > h->room) {
        h->room = 2 * (h->count + count);
        h->list = realloc(h->list, h->room * sizeof *h->list);
        assert_non_null(h->list);
    }
    memcpy(h->list + h->count, found, count * sizeof *found);
    h->count += count;
    return 0;
}

static void assert_same(const hits *a, const hits *b, int with_certificates)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->list[i].query, b->list[i].query);
        assert_int_equal(a->list[i].object, b->list[i].object);
        assert_int_equal(a->list[i].count, b->list[i].count);
        assert_true(a->list[i].similarity == b->list[i].similarity);
        assert_true(!with_certificates || a->list[i].certificate == b->list[i].certificate);
    }
}

/* ----------------------------------------------------------------------------------------------------------- worlds */

/* An index, and queries of it. */
typedef struct world {
    akin_search_kind kind;
    akin_search_index *index;
    lines fields[3];
    uint32_t columns;
    akin_sets *sets; /* instead of columns */
} world;

static uint32_t draw(akin_random *random, uint32_t below)
{
    const double unit = akin_random_unit(random);
    return (uint32_t)(unit * unit * below);
}

/* Rows of letters, words or numbers. */
static void fill(akin_random *random, lines *l, uint32_t rows, akin_search_kind kind, uint32_t column)
{
    lines_begin(l, rows);
    for (uint32_t i = 0; i < rows; i++) {
        const uint64_t most = kind == AKIN_KIND_STRINGS && i % 7 == 0 ? (i % 5 ? 90 : 300) : 12;
        const uint32_t words =
            kind == AKIN_KIND_ROWS ? akin_random_below(random, 12) > 0 : (uint32_t)akin_random_below(random, most);
        for (uint32_t w = 0; w < words; w++)
            if (kind == AKIN_KIND_DOCUMENTS)
                fprintf(l->out, "%sw%u", w > 0 ? " " : "", draw(random, 200));
            else if (kind == AKIN_KIND_ROWS)
                fprintf(l->out, "%u", draw(random, column == 0 ? 1000 : 20));
            else
                fputc((int)('a' + draw(random, 4)), l->out);
        lines_end_row(l);
    }
}

static akin_sets *draw_sets(akin_context *context, akin_random *random, uint32_t rows)
{
    uint64_t *offsets = calloc((size_t)rows + 1, sizeof *offsets);
    uint32_t *tokens = calloc((size_t)rows * 8 + 1, sizeof *tokens);
    akin_sets *sets = NULL;
    assert_true(offsets && tokens);
    for (uint32_t i = 0; i < rows; i++) {
        offsets[i + 1] = offsets[i];
        for (uint64_t size = akin_random_below(random, 8); size > 0; size--)
            tokens[offsets[i + 1]++] = draw(random, 500) * 7;
    }
    assert_int_equal(akin_sets_from_arrays(context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

static const char *const names[] = {"age", "town", "size"};

static void columns_of(world *w, akin_column columns[3])
{
    for (uint32_t c = 0; c < w->columns && c < 3; c++) {
        columns[c] = lines_column(&w->fields[c]);
        columns[c].name = names[c];
    }
}

/* Draws queries of what the index is of. */
static void draw_queries(akin_context *context, akin_random *random, world *w)
{
    if (w->kind == AKIN_KIND_SETS)
        w->sets = draw_sets(context, random, QUERIES);
    for (uint32_t c = 0; c < w->columns; c++)
        fill(random, &w->fields[c], QUERIES, w->kind, c);
}

static void clear_queries(world *w)
{
    akin_sets_free(w->sets);
    for (uint32_t c = 0; c < w->columns; c++)
        lines_clear(&w->fields[c]);
}

static akin_status make_index(akin_context *context, world *w, uint32_t rows, akin_error *error)
{
    akin_rows_options numeric = AKIN_ROWS_OPTIONS_INIT;
    akin_strings_options ngram = AKIN_STRINGS_OPTIONS_INIT;
    akin_column columns[3];
    columns_of(w, columns);
    numeric.numeric = names;
    numeric.numeric_count = 1;
    numeric.bins = 300;
    ngram.ngram = 2;
    switch (w->kind) {
    case AKIN_KIND_SETS:
        return akin_search_index_of_sets(context, w->sets, NULL, &w->index, error);
    case AKIN_KIND_DOCUMENTS:
        return akin_search_index_of_documents(context, columns, 1, rows, NULL, NULL, &w->index, error);
    case AKIN_KIND_ROWS:
        return akin_search_index_of_rows(context, columns, 3, rows, &numeric, NULL, &w->index, error);
    case AKIN_KIND_STRINGS:
        break;
    default:
        return akin_fail(error, AKIN_E_OPTION, "a kind that this test does not know");
    }
    return akin_search_index_of_strings(context, columns, rows, &ngram, NULL, &w->index, error);
}

static void draw_index(akin_context *context, akin_random *random, world *w, uint32_t rows)
{
    w->columns = w->kind == AKIN_KIND_SETS ? 0 : w->kind == AKIN_KIND_ROWS ? 3 : 1;
    if (w->kind == AKIN_KIND_SETS)
        w->sets = draw_sets(context, random, rows);
    for (uint32_t c = 0; c < w->columns; c++)
        fill(random, &w->fields[c], rows, w->kind, c);
    OK(make_index(context, w, rows, &gpu_error));
    clear_queries(w);
    w->sets = NULL;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static akin_status run(akin_searcher *searcher, world *w, const akin_search_options *options, hits *found,
                       akin_search_report *report, akin_error *error)
{
    akin_column columns[3];
    columns_of(w, columns);
    *found = (hits){0};
    *report = (akin_search_report){.size = sizeof *report};
    return w->sets ? akin_searcher_run_sets(searcher, w->sets, options, take, found, report, error)
                   : akin_searcher_run(searcher, columns, w->columns, QUERIES, options, take, found, report, error);
}

/* Searches by both, several times: the index is brought to the GPU once. */
static void compare(akin_context *gpu, akin_context *cpu, akin_random *random, world *w, akin_measure measure,
                    uint64_t room)
{
    static const uint32_t ks[] = {1, 10, 300};
    akin_searcher *there = NULL, *here = NULL;
    OK(akin_searcher_create(gpu, w->index, &there, &gpu_error));
    OK(akin_searcher_create(cpu, w->index, &here, &gpu_error));
    const akin_wishes wishes = {.gpu_objects = room};
    gpu->wishes = &wishes;
    for (int call = 0; call < 3; call++) {
        akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
        akin_search_report report;
        hits found, expected;
        draw_queries(cpu, random, w);
        options.k = ks[call];
        options.measure = measure;
        options.least = w->kind == AKIN_KIND_STRINGS ? 0 : (uint32_t)akin_random_below(random, 3);
        options.candidates = w->kind == AKIN_KIND_STRINGS && call == 1 ? 12 : 0;
        if (w->kind == AKIN_KIND_ROWS && call > 0)
            options.technique = call == 1 ? AKIN_SEARCH_SCAN : AKIN_SEARCH_LISTS;
        OK(run(here, w, &options, &expected, &report, &gpu_error));
        assert_int_equal(report.device, 0);
        OK(run(there, w, &options, &found, &report, &gpu_error));
        assert_int_equal(report.device, 1);
        assert_true(room > 0 ? report.parts > 1 : report.parts == 1);
        assert_true(w->kind == AKIN_KIND_STRINGS && options.candidates == 0 ? there->strings != NULL
                                                                            : there->ranges != NULL);
        assert_same(&found, &expected, w->kind != AKIN_KIND_STRINGS || options.candidates > 0);
        free(found.list);
        free(expected.list);
        clear_queries(w);
    }
    gpu->wishes = NULL;
    akin_searcher_free(there);
    akin_searcher_free(here);
}

static void every_kind(void **state)
{
    static const akin_search_kind kinds[] = {AKIN_KIND_SETS, AKIN_KIND_DOCUMENTS, AKIN_KIND_ROWS, AKIN_KIND_STRINGS};
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 24);
    akin_context *cpu = create("cpu"), *gpu = create("cuda");
    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        world w = {.kind = kinds[i % 4]};
        akin_random_seed(&random, seed * 1000003 + i);
        const uint32_t most = w.kind == AKIN_KIND_STRINGS && i % 8 == 3 ? 400 : i % 3 ? 3000 : 40000;
        draw_index(cpu, &random, &w, (uint32_t)akin_random_below(&random, most));
        compare(gpu, cpu, &random, &w, AKIN_OVERLAP, 0);
        akin_search_index_free(w.index);
    }
    destroy(gpu);
    destroy(cpu);
}

/* Indexes that a GPU has no room for go there in parts, for each call. */
static void in_parts(void **state)
{
    static const akin_search_kind kinds[] = {AKIN_KIND_SETS, AKIN_KIND_DOCUMENTS, AKIN_KIND_ROWS};
    akin_context *cpu = create("cpu"), *gpu = create("cuda");
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        akin_random random;
        world w = {.kind = kinds[i]};
        akin_random_seed(&random, i);
        draw_index(cpu, &random, &w, 5 * AKIN_RANGE - 77);
        const uint64_t room = akin_residents_bytes(&w.index->objects) / 3 * 2;
        compare(gpu, cpu, &random, &w, AKIN_OVERLAP, room);
        if (w.kind != AKIN_KIND_ROWS)
            compare(gpu, cpu, &random, &w, i ? AKIN_COSINE : AKIN_DICE, room);
        akin_search_index_free(w.index);
    }
    destroy(gpu);
    destroy(cpu);
}

static void most_similar(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 24);
    static const akin_measure measures[] = {AKIN_JACCARD, AKIN_COSINE, AKIN_DICE};
    akin_context *cpu = create("cpu"), *gpu = create("cuda");
    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        akin_random random;
        world w = {.kind = i % 2 ? AKIN_KIND_DOCUMENTS : AKIN_KIND_SETS};
        akin_random_seed(&random, seed * 1000033 + i);
        draw_index(cpu, &random, &w, (uint32_t)akin_random_below(&random, i % 4 ? 3000 : 40000));
        compare(gpu, cpu, &random, &w, measures[i % 3], 0);
        akin_search_index_free(w.index);
    }
#ifdef PROPERTY_HOST_GPU
    assert_true(host_search.similar > 0);
#endif
    destroy(gpu);
    destroy(cpu);
}

/* Sets of thousands of tokens. Some are the same as others but for a few tokens, or for none. */
static akin_sets *draw_large_sets(akin_context *context, akin_random *random, uint32_t rows, uint32_t size, int equal)
{
    uint64_t *offsets = calloc((size_t)rows + 1, sizeof *offsets);
    uint32_t *tokens = calloc((size_t)rows * size + 1, sizeof *tokens);
    akin_sets *sets = NULL;
    assert_true(offsets && tokens);
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t own = size - (equal ? 0 : (uint32_t)akin_random_below(random, 50));
        const uint32_t other = i % 3 ? 0 : (uint32_t)akin_random_below(random, size);
        offsets[i + 1] = offsets[i];
        for (uint32_t t = 0; t < own; t++)
            tokens[offsets[i + 1]++] = t + (t < other ? 7 * size : 0);
    }
    assert_int_equal(akin_sets_from_arrays(context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

/* Scores of large sets do not distinguish those at the end: the CPU does. */
static void large_sets(void **state)
{
    static const akin_measure measures[] = {AKIN_COSINE, AKIN_JACCARD};
    akin_context *cpu = create("cpu"), *gpu = create("cuda");
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (int i = 0; i < 4; i++) {
        const uint32_t size = i % 2 ? 70000 : 3000, rows = i % 2 ? 50 : 100;
        world w = {.kind = AKIN_KIND_SETS, .sets = draw_large_sets(cpu, &random, rows, size, i < 2)};
        akin_searcher *there = NULL, *here = NULL;
        OK(make_index(cpu, &w, rows, &gpu_error));
        clear_queries(&w);
        w.sets = draw_large_sets(cpu, &random, 4, size - 300, 0);
        OK(akin_searcher_create(gpu, w.index, &there, &gpu_error));
        OK(akin_searcher_create(cpu, w.index, &here, &gpu_error));
        for (uint32_t k = 1; k <= rows; k *= 5) {
            akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
            akin_search_report report;
            hits found, expected;
            options.k = k;
            options.measure = measures[i % 2];
            OK(run(here, &w, &options, &expected, &report, &gpu_error));
            OK(run(there, &w, &options, &found, &report, &gpu_error));
            assert_int_equal(report.device, 1);
            assert_same(&found, &expected, 1);
            free(found.list);
            free(expected.list);
        }
        akin_searcher_free(there);
        akin_searcher_free(here);
        clear_queries(&w);
        akin_search_index_free(w.index);
    }
    destroy(gpu);
    destroy(cpu);
}

/* A search that a GPU cannot do is refused if the options name the GPU: a scan of strings that are too long. */
static void refused(void **state)
{
    akin_context *cpu = create("cpu"), *gpu = create("cuda");
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_report report;
    akin_searcher *searcher = NULL;
    akin_random random;
    akin_error error;
    hits found;
    world w = {.kind = AKIN_KIND_STRINGS, .columns = 1};
    (void)state;
    akin_random_seed(&random, 5);
    lines_begin(&w.fields[0], 2);
    fprintf(w.fields[0].out, "%01500u", 1);
    lines_end_row(&w.fields[0]);
    lines_end_row(&w.fields[0]);
    OK(make_index(cpu, &w, 2, &gpu_error));
    clear_queries(&w);
    draw_queries(cpu, &random, &w);
    options.technique = AKIN_SEARCH_SCAN;
    OK(akin_searcher_create(gpu, w.index, &searcher, &gpu_error));
    assert_int_equal(run(searcher, &w, &options, &found, &report, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "let the CPU do it"));
    options = (akin_search_options)AKIN_SEARCH_OPTIONS_INIT;
    OK(run(searcher, &w, &options, &found, &report, &gpu_error)); /* it goes on */
    free(found.list);
    akin_searcher_free(searcher);
    clear_queries(&w);
    akin_search_index_free(w.index);
    destroy(gpu);
    destroy(cpu);
}

#ifdef PROPERTY_HOST_GPU
/* A GPU that was not asked for, and is worth it: whenever it fails, the CPU takes over, and says so; one that was asked
 * for is an error, after which the searcher is as good as before. */
static void fail_with(akin_search_kind kind, akin_measure measure)
{
    static const char *const devices[] = {"auto", "cuda"};
    akin_context *cpu = create("cpu");
    akin_random random;
    akin_search_options options = AKIN_SEARCH_OPTIONS_INIT;
    akin_search_report report;
    world w = {.kind = kind};
    hits expected;
    options.measure = measure;
    akin_random_seed(&random, 9);
    draw_index(cpu, &random, &w, 3000);
    draw_queries(cpu, &random, &w);
    akin_searcher *here = NULL;
    OK(akin_searcher_create(cpu, w.index, &here, &gpu_error));
    OK(run(here, &w, &options, &expected, &report, &gpu_error));
    for (int device = 0; device < 2; device++)
        for (uint64_t n = 1, is_done = 0; !is_done; n++) {
            akin_context *gpu = create(devices[device]);
            akin_searcher *searcher = NULL;
            akin_error error = {.code = AKIN_OK};
            hits found;
            OK(akin_searcher_create(gpu, w.index, &searcher, &gpu_error));
            gpu->wishes = &(akin_wishes){.gpu_always = 1};
            host_device_set(.failing = n, .status = n % 2 ? AKIN_E_DEVICE : AKIN_E_NOMEM);
            akin_status status = run(searcher, &w, &options, &found, &report, &error);
            is_done = host_device.calls < n;
            assert_int_equal(status, is_done || device == 0 ? AKIN_OK : host_device.status);
            host_device_set(0);
            if (status == AKIN_OK) {
                assert_same(&found, &expected, 1);
                assert_int_equal(report.device, is_done ? 1 : 0);
                assert_int_equal(searcher->gpu_failed, !is_done);
            }
            free(found.list);
            if (device == 1) {
                OK(run(searcher, &w, &options, &found, &report, &gpu_error));
                assert_same(&found, &expected, 1);
                free(found.list);
            }
            akin_searcher_free(searcher);
            destroy(gpu);
        }
    free(expected.list);
    akin_searcher_free(here);
    clear_queries(&w);
    akin_search_index_free(w.index);
    destroy(cpu);
}

static void failing(void **state)
{
    (void)state;
    fail_with(AKIN_KIND_SETS, AKIN_OVERLAP);
    fail_with(AKIN_KIND_SETS, AKIN_JACCARD);
    fail_with(AKIN_KIND_STRINGS, AKIN_OVERLAP);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind), cmocka_unit_test(in_parts), cmocka_unit_test(most_similar),
        cmocka_unit_test(large_sets), cmocka_unit_test(refused),
#ifdef PROPERTY_HOST_GPU
        cmocka_unit_test(failing),
#endif
    };
#ifndef PROPERTY_HOST_GPU
    if (gpu_absent())
        return GPU_SKIPPED;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
