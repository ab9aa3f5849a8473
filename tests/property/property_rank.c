/*
 * Ranking on a GPU against ranking on the CPU, which test_rank compares with an oracle: random collections and queries,
 * every formula, several k. The results are the same, byte for byte. Built with PROPERTY_HOST_GPU it runs on a GPU that
 * the host plays, with PROPERTY_DEVICE on a real one.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 24 if not given
 */
#define _GNU_SOURCE

#include "base/context.h"
#include "unit/test_rank_support.h"

#include "property/setting.h"
#include "rank/kernels.h"

#ifdef PROPERTY_HOST_GPU
#include "property/host_rank.h"
#else
#include "gpu/gpu.h"
#endif

static akin_wishes wishes; /* of the tests below */

static akin_context *create(uint32_t threads, int gpu, uint64_t device_memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.threads = threads;
    options.device = "cpu";
#ifdef PROPERTY_DEVICE
    options.device = gpu ? PROPERTY_DEVICE : "cpu";
    options.device_memory = gpu ? device_memory : 0;
#endif
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
#ifdef PROPERTY_HOST_GPU
    context->backend = &host_backend;
    context->scope.device_choice = gpu ? AKIN_DEVICE_CUDA : AKIN_DEVICE_CPU;
    host_device_set(.limit = gpu ? device_memory : 0);
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

/* ---------------------------------------------------------------------------------------------------------- compare */

static hits run(akin_ranking *ranking, const akin_column *queries, uint32_t rows)
{
    hits h = {0};
    akin_error error;
    if (akin_ranking_run(ranking, queries, 1, rows, take, &h, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return h;
}

static akin_ranking *make_ranking(akin_context *context, const akin_rank_index *index, uint32_t k)
{
    akin_rank_options options = AKIN_RANK_OPTIONS_INIT;
    akin_ranking *ranking = NULL;
    akin_error error;
    options.k = k;
    if (akin_ranking_create(context, index, &options, &ranking, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return ranking;
}

static void assert_same(const hits *a, const hits *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->list[i].query, b->list[i].query);
        assert_int_equal(a->list[i].document, b->list[i].document);
        assert_memory_equal(&a->list[i].score, &b->list[i].score, sizeof(double)); /* to the last bit */
    }
}

/* In batches of one query, a few and all; by the shortest steps, and at once; twice, with one copy of the index. */
static void compare(const akin_rank_index *index, const akin_column *queries, uint32_t rows, uint32_t k)
{
    static const uint64_t rooms[] = {0, 1, 7};
    akin_context *cpu = create(1, 0, 0);
    akin_ranking *here = make_ranking(cpu, index, k);
    hits expected = run(here, queries, rows);
    akin_ranking_free(here);
    akin_context_free(cpu);
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        akin_context *gpu = create(i == 1 ? 1 : 3, 1, 0);
        gpu->wishes = &wishes;
        wishes.candidates = rooms[i];
        akin_ranking *there = make_ranking(gpu, index, k);
        for (int again = 0; again < 2; again++) {
            hits found = run(there, queries, rows);
            assert_same(&found, &expected);
            free(found.list);
        }
        akin_ranking_free(there);
        destroy(gpu);
    }
    free(expected.list);
}

static akin_rank_index *make_index(const akin_column *column, uint32_t rows, const akin_weigh_options *options)
{
    akin_context *context = create(2, 0, 0);
    akin_weights *weights = NULL;
    akin_rank_index *index = NULL;
    assert_int_equal(akin_weigh(context, column, 1, rows, options, &weights, NULL), AKIN_OK);
    assert_int_equal(akin_rank_index_create(context, weights, NULL, &index, NULL), AKIN_OK);
    akin_weights_free(weights);
    akin_context_free(context);
    return index;
}

/* ------------------------------------------------------------------------------------------------------------ cases */

typedef struct shape {
    uint32_t documents, longest, vocabulary;
} shape;

static void check(uint64_t seed, const shape *s, akin_formula formula, uint32_t k)
{
    enum { QUERIES = 30 };
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    lines texts, asked;
    options.formula = formula;
    options.order = AKIN_WEIGHTS_BY_TERM;
    make_rows(&texts, seed, s->documents, s->longest, s->vocabulary);
    make_rows(&asked, seed + 1, QUERIES, 9, s->vocabulary + s->vocabulary / 4);
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    akin_rank_index *index = make_index(&column, s->documents, &options);
    compare(index, &queries, QUERIES, k);
    akin_rank_index_free(index);
    lines_clear(&texts);
    lines_clear(&asked);
}

static void random_collections(void **state)
{
    static const shape shapes[] = {{0, 3, 3},    {1, 3, 3},        {129, 5, 4},     {700, 40, 2000}, {3000, 30, 60},
                                   {3000, 4, 8}, {20000, 6, 3000}, {60000, 6, 300}, {4000, 2, 2},    {30000, 3, 8}};
    static const uint32_t ks[] = {10, 1, 3, 100, 1000, 1024};
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 24);
    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        const shape *s = &shapes[i % (sizeof shapes / sizeof *shapes)];
        const akin_formula formula = (akin_formula)(1 + i % AKIN_FORMULA_BM25_L);
        check(seed * 1000 + i, s, formula, ks[i / 3 % (sizeof ks / sizeof *ks)]);
    }
}

/* All that there are, where these are no more than a GPU finds. */
static void all_documents(void **state)
{
    static const shape few = {AKIN_GPU_RANK_MOST, 12, 30};
    (void)state;
    check(3, &few, AKIN_FORMULA_LUCENE, UINT32_MAX);
}

/* Documents that are all alike: ties, by number. */
static void ties(void **state)
{
    (void)state;
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    lines texts, asked;
    lines_begin(&texts, 30000);
    lines_begin(&asked, 3);
    for (uint32_t i = 0; i < 30000; i++) {
        fprintf(texts.out, i % 3 == 1 ? "red green" : i % 5 == 0 ? "blue blue" : "red blue");
        lines_end_row(&texts);
    }
    for (int i = 0; i < 3; i++) {
        fprintf(asked.out, i == 0 ? "blue red" : i == 1 ? "red" : "green blue green");
        lines_end_row(&asked);
    }
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    options.order = AKIN_WEIGHTS_BY_TERM;
    akin_rank_index *index = make_index(&column, 30000, &options);
    for (uint32_t k = 1; k < 600; k = 3 * k + 2)
        compare(index, &queries, 3, k);
    akin_rank_index_free(index);
    lines_clear(&texts);
    lines_clear(&asked);
}

/* Queries at the borders of what is ranked there: by terms, and by tokens; empty ones and nulls; words of no document;
 * and a vocabulary in which all unknown words are one. */
static void unusual_queries(void **state)
{
    enum { ROWS = 9 };
    static const int terms[ROWS] = {31, 32, 33, 40, 1, 1, 2, 3, 0}, tokens[ROWS] = {31, 32, 33, 3000, 64, 65, 64, 5, 0};
    static const uint64_t offsets[] = {0, 2, 4, 6};
    static const uint8_t validity[] = {0xdf, 0xff};
    akin_column words = {.size = sizeof words, .offsets = offsets, .bytes = "w1w2w3"};
    akin_context context = {.scope = {.context = &context, .threads = 1, .device_choice = AKIN_DEVICE_CPU}};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_trie *trie = NULL;
    lines texts, asked;
    (void)state;
    make_rows(&texts, 5, 3000, 20, 40);
    lines_begin(&asked, ROWS);
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < tokens[row]; i++)
            fprintf(asked.out, "w%d ", i % terms[row]);
        if (row == 7)
            fprintf(asked.out, "of no document");
        lines_end_row(&asked);
    }
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    queries.validity = validity;
    assert_int_equal(akin_trie_build(&context, &words, 3, NULL, &trie, NULL), AKIN_OK);
    options.order = AKIN_WEIGHTS_BY_TERM;
    for (int fixed = 0; fixed < 2; fixed++) {
        options.dictionary = fixed ? trie : NULL;
        akin_rank_index *index = make_index(&column, 3000, &options);
        compare(index, &queries, ROWS, 20);
        compare(index, &queries, ROWS, 1000);
        akin_rank_index_free(index);
    }
    akin_trie_free(trie);
    lines_clear(&texts);
    lines_clear(&asked);
}

/* ----------------------------------------------------------------------------------------------------------- limits */

/* What a GPU does not do, and memory that it has not: an error, as it was asked for. */
static void limits(void **state)
{
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    akin_rank_options rank = AKIN_RANK_OPTIONS_INIT;
    akin_ranking *ranking = NULL;
    akin_error error;
    lines texts;
    (void)state;
    make_rows(&texts, 9, 20000, 20, 200);
    akin_column column = lines_column(&texts);
    options.order = AKIN_WEIGHTS_BY_TERM;
    akin_rank_index *index = make_index(&column, 20000, &options);
    akin_context *gpu = create(1, 1, 0);
    rank.k = AKIN_GPU_RANK_MOST + 1;
    assert_int_equal(akin_ranking_create(gpu, index, &rank, &ranking, &error), AKIN_E_OPTION);
    assert_string_equal(error.message,
                        "a GPU finds up to 1024 documents for a query, not 1025: let the CPU do it (device cpu)");
    destroy(gpu);
    gpu = create(1, 1, 100000);
    rank.k = 10;
    assert_int_equal(akin_ranking_create(gpu, index, &rank, &ranking, &error), AKIN_E_NOMEM);
    assert_non_null(strstr(error.message, "memory"));
    assert_null(ranking);
    destroy(gpu);
    akin_rank_index_free(index);
    lines_clear(&texts);
}

/* With less memory fewer terms have bits. */
static void few_bits(void **state)
{
    static const uint64_t bounds[] = {(uint64_t)10 << 20, (uint64_t)40 << 20, (uint64_t)100 << 20};
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    lines texts, asked;
    uint64_t marks[3] = {0};
    (void)state;
    make_rows(&texts, 21, 100000, 5, 700);
    make_rows(&asked, 22, 40, 5, 700);
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    options.order = AKIN_WEIGHTS_BY_TERM;
    akin_rank_index *index = make_index(&column, 100000, &options);
    akin_context *cpu = create(1, 0, 0);
    akin_ranking *ranking = make_ranking(cpu, index, 10);
    hits expected = run(ranking, &queries, 40);
    akin_ranking_free(ranking);
    akin_context_free(cpu);
    for (int i = 0; i < 3; i++) {
        akin_context *gpu = create(1, 1, bounds[i]);
        gpu->wishes = &wishes;
        wishes.candidates = 100;
#ifdef PROPERTY_HOST_GPU
        host_rank = (host_rank_state){0};
#endif
        ranking = make_ranking(gpu, index, 10);
        hits found = run(ranking, &queries, 40);
        assert_same(&found, &expected);
        free(found.list);
        akin_ranking_free(ranking);
#ifdef PROPERTY_HOST_GPU
        marks[i] = host_rank.marks;
        assert_true(i == 0 || marks[i] > marks[i - 1]);
#endif
        destroy(gpu);
    }
    (void)marks;
    free(expected.list);
    akin_rank_index_free(index);
    lines_clear(&texts);
    lines_clear(&asked);
}

#ifdef PROPERTY_HOST_GPU
#define STEPS 250000 /* of a launch that ranks one query after the other: 50 ms */

/* A small GPU takes more launches, and none of them is longer. */
static void small_gpu(void **state)
{
    akin_weigh_options options = AKIN_WEIGH_OPTIONS_INIT;
    lines texts, asked;
    uint64_t launches[2], most[2];
    (void)state;
    make_rows(&texts, 31, 60000, 6, 60);
    make_rows(&asked, 32, 200, 9, 60);
    akin_column column = lines_column(&texts), queries = lines_column(&asked);
    options.order = AKIN_WEIGHTS_BY_TERM;
    akin_rank_index *index = make_index(&column, 60000, &options);
    akin_context *cpu = create(1, 0, 0);
    akin_ranking *ranking = make_ranking(cpu, index, 300);
    hits expected = run(ranking, &queries, 200);
    akin_ranking_free(ranking);
    akin_context_free(cpu);
    for (uint32_t i = 0; i < 2; i++) {
        akin_context *gpu = create(1, 1, 0);
        host_rank = (host_rank_state){.at_once = i};
        ranking = make_ranking(gpu, index, 300);
        hits found = run(ranking, &queries, 200);
        assert_same(&found, &expected);
        free(found.list);
        akin_ranking_free(ranking);
        launches[i] = host_rank.launches;
        most[i] = host_rank.most_steps;
        host_rank = (host_rank_state){0};
        destroy(gpu);
    }
    assert_true(launches[1] > launches[0]);
    assert_true(most[0] > STEPS && most[1] < STEPS);
    free(expected.list);
    akin_rank_index_free(index);
    lines_clear(&texts);
    lines_clear(&asked);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_collections), cmocka_unit_test(all_documents), cmocka_unit_test(ties),
        cmocka_unit_test(unusual_queries),    cmocka_unit_test(limits),        cmocka_unit_test(few_bits),
#ifdef PROPERTY_HOST_GPU
        cmocka_unit_test(small_gpu),
#endif
    };
#ifndef PROPERTY_HOST_GPU
    if (gpu_absent())
        return GPU_SKIPPED;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
