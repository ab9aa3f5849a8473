/*
 * Indexes of vectors by each family, of sets by MinHash and of signatures, made and opened again, against a count of
 * all pairs: random ones with duplicates and some that are near each other, k from 1 to more than there are, ties;
 * every technique, every SIMD level, several threads, the same bytes. Similarities and estimated distances follow from
 * counts, and those reranked are sorted by distances that are added up plainly.
 *
 *     AKIN_PROPERTY_SEED    the random seed, 1 if not given
 *     AKIN_PROPERTY_CASES   how many cases, 60 if not given
 */
#define _GNU_SOURCE /* mkdtemp */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/random.h"
#include "property/setting.h"
#include "search/vectors.h"
#include "signature/collision.h"

#define QUERIES 12

static char folder[] = "/tmp/akin-test-vectors-XXXXXX";
static char path[64];

static void *must(void *block)
{
    assert_non_null(block);
    return block;
}

/* ---------------------------------------------------------------------------------------------------- what is drawn */

/* Objects and queries, as the tests and as the library have them. */
typedef struct world {
    akin_search_kind kind;
    akin_family_head head; /* of the functions; of signatures only the number and the buckets */
    akin_matrix objects, queries;
    akin_sets *sets, *query_sets;
    uint32_t *counts; /* in how many functions they agree: [query * rows + object] */
    uint32_t rows;
    akin_search_index *index;
    akin_search_options options;
} world;

static int64_t draw_number(akin_random *random, akin_number number)
{
    const int64_t value = (int64_t)akin_random_below(random, number == AKIN_NUMBER_U8 ? 256 : 9);
    return number == AKIN_NUMBER_I32 ? value - 4 : number == AKIN_NUMBER_I64 ? (value - 4) * (INT64_C(1) << 59) : value;
}

static void set_number(akin_matrix *m, void *numbers, size_t at, int64_t value)
{
    if (m->number == AKIN_NUMBER_U8)
        ((uint8_t *)numbers)[at] = (uint8_t)value;
    else if (m->number == AKIN_NUMBER_F32)
        ((float *)numbers)[at] = (float)value / 3;
    else if (m->number == AKIN_NUMBER_I32)
        ((int32_t *)numbers)[at] = (int32_t)value;
    else
        ((int64_t *)numbers)[at] = value;
}

/* Rows that are new, or one of those before with a few other numbers, or none other. */
static akin_matrix draw_matrix(akin_random *random, uint32_t rows, uint32_t columns, akin_number number)
{
    int64_t *values = must(calloc((size_t)rows * columns + 1, sizeof *values));
    akin_matrix m = {sizeof m, rows, columns, number, 0, must(calloc((size_t)rows * columns + 1, 8))};
    for (uint32_t i = 0; i < rows; i++) {
        int64_t *row = values + (size_t)i * columns;
        const int is_copy = i > 0 && akin_random_below(random, 3) > 0;
        const uint64_t changes = akin_random_below(random, 3);
        if (is_copy)
            memcpy(row, values + akin_random_below(random, i) * columns, columns * sizeof *row);
        for (uint32_t j = 0; j < columns && !is_copy; j++)
            row[j] = draw_number(random, number);
        for (uint64_t c = 0; c < changes && is_copy; c++)
            row[akin_random_below(random, columns)] = draw_number(random, number);
    }
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        set_number(&m, (void *)(uintptr_t)m.numbers, i, values[i]);
    free(values);
    return m;
}

/* Some of the objects, with a number that may be another, and others. */
static akin_matrix draw_queries(akin_random *random, const akin_matrix *objects, uint32_t rows, akin_number number)
{
    akin_matrix m = draw_matrix(random, rows, objects->columns, number);
    const size_t row = objects->columns * akin_number_bytes(number);
    for (uint32_t i = 0; i < rows && objects->rows > 0 && number == objects->number; i += 2) {
        const size_t from = akin_random_below(random, objects->rows) * row;
        memcpy((char *)(uintptr_t)m.numbers + i * row, (const char *)objects->numbers + from, row);
        set_number(&m, (void *)(uintptr_t)m.numbers, (size_t)i * m.columns + akin_random_below(random, m.columns),
                   draw_number(random, number));
    }
    return m;
}

static akin_sets *draw_sets(akin_context *context, akin_random *random, uint32_t rows)
{
    uint64_t *offsets = must(calloc(rows + 1, sizeof *offsets));
    uint32_t *tokens = must(calloc((size_t)rows * 12 + 1, sizeof *tokens));
    akin_sets *sets = NULL;
    for (uint32_t i = 0; i < rows; i++) {
        offsets[i + 1] = offsets[i] + akin_random_below(random, 12);
        for (uint64_t at = offsets[i]; at < offsets[i + 1]; at++)
            tokens[at] = (uint32_t)akin_random_below(random, 20) * 7919;
    }
    assert_int_equal(akin_sets_from_arrays(context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

/* ----------------------------------------------------------------------------------------------------------- oracle */

/* Signs both, one by one, by functions drawn anew, and counts. */
static void count_signed(world *w, uint32_t queries)
{
    akin_context plain = {.scope = {.context = &plain, .threads = 1}};
    akin_family family;
    const uint32_t m = w->head.functions;
    const int of_sets = w->kind == AKIN_KIND_SETS;
    uint32_t *mine = must(calloc((size_t)m * (w->rows + 1), sizeof *mine));
    uint32_t *asked = must(calloc((size_t)m * (queries + 1), sizeof *asked));
    const akin_signed objects = {of_sets ? NULL : &w->objects, w->sets};
    const akin_signed those = {of_sets ? NULL : &w->queries, w->query_sets};
    assert_int_equal(akin_family_draw(&w->head, &family, NULL), AKIN_OK);
    for (uint32_t i = 0; i < w->rows; i++)
        assert_int_equal(akin_vectors_sign(akin_scope_of(&plain), &family, objects, i, 1, mine + (size_t)i * m, NULL),
                         AKIN_OK);
    for (uint32_t i = 0; i < queries; i++)
        assert_int_equal(akin_vectors_sign(akin_scope_of(&plain), &family, those, i, 1, asked + (size_t)i * m, NULL),
                         AKIN_OK);
    for (uint32_t q = 0; q < queries; q++)
        for (uint32_t i = 0; i < w->rows; i++)
            for (uint32_t f = 0; f < m; f++)
                w->counts[(size_t)q * w->rows + i] +=
                    mine[(size_t)i * m + f] == asked[(size_t)q * m + f] && mine[(size_t)i * m + f] < w->head.buckets;
    akin_family_clear(&family);
    free(mine);
    free(asked);
}

/* What a value of a column is compared by: itself, or its bucket, as files have it. */
static int64_t as_compared(const world *w, const akin_matrix *m, size_t row, uint32_t column)
{
    const int64_t value = akin_matrix_integer(m, row * m->columns + column);
    const uint64_t salt = akin_family_mix(w->head.seed + column * UINT64_C(0x9e3779b97f4a7c15));
    return w->head.buckets == 0 ? value : akin_family_bucket(akin_family_mix((uint64_t)value ^ salt), w->head.buckets);
}

static void count_equal(world *w)
{
    for (uint32_t q = 0; q < w->queries.rows; q++)
        for (uint32_t i = 0; i < w->rows; i++)
            for (uint32_t f = 0; f < w->objects.columns; f++)
                w->counts[(size_t)q * w->rows + i] +=
                    as_compared(w, &w->objects, i, f) == as_compared(w, &w->queries, q, f);
}

static double number_at(const akin_matrix *m, size_t at)
{
    return m->number == AKIN_NUMBER_U8 ? ((const uint8_t *)m->numbers)[at] : (double)((const float *)m->numbers)[at];
}

static double plain_distance(const world *w, uint32_t query, uint32_t object)
{
    const uint32_t columns = w->objects.columns;
    double line = 0, square = 0, product = 0, of_a = 0, of_b = 0;
    for (uint32_t j = 0; j < columns; j++) {
        const double a = number_at(&w->objects, (size_t)object * columns + j);
        const double b = number_at(&w->queries, (size_t)query * columns + j);
        line += fabs(a - b);
        square += (a - b) * (a - b);
        product += a * b;
        of_a += a * a;
        of_b += b * b;
    }
    if (w->head.kind == AKIN_FAMILY_COSINE)
        return of_a > 0 && of_b > 0 ? acos(fmax(-1, fmin(1, product / sqrt(of_a * of_b)))) : acos(0);
    return w->head.kind == AKIN_FAMILY_L2 ? sqrt(square) : line;
}

static const uint32_t *sorted_counts;

static int by_count(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    if (sorted_counts[left] != sorted_counts[right])
        return sorted_counts[left] > sorted_counts[right] ? -1 : 1;
    return left < right ? -1 : 1;
}

/* The objects of a query by count, one for each candidate. */
static uint32_t *candidates_of(const world *w, uint32_t query, uint32_t *count)
{
    uint32_t *order = must(calloc(w->rows + 1, sizeof *order)), held = 0;
    const uint32_t most = w->options.rerank > w->options.k ? w->options.rerank : w->options.k;
    sorted_counts = w->counts + (size_t)query * w->rows;
    for (uint32_t i = 0; i < w->rows; i++)
        if (sorted_counts[i] >= w->options.least)
            order[held++] = i;
    qsort(order, held, sizeof *order, by_count);
    *count = held < most ? held : most;
    return order;
}

typedef struct answer {
    akin_search_hit *hits;
    size_t count;
} answer;

static int keep(void *user, const akin_search_hit *found, size_t count)
{
    answer *a = user;
    a->hits = must(realloc(a->hits, (a->count + count + 1) * sizeof *a->hits));
    memcpy(a->hits + a->count, found, count * sizeof *found);
    a->count += count;
    return 0;
}

/* Reranked: the order is that of the distances in the results, these are right, and no candidate is left out that is
 * nearer. */
static void check_reranked(const world *w, const akin_search_hit *hits, uint32_t count, const uint32_t *candidates,
                           uint32_t candidate_count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t nearer = 0, is_candidate = 0;
        const double plain = plain_distance(w, hits[i].query, hits[i].object);
        const double slack = w->head.kind == AKIN_FAMILY_COSINE ? 1e-7 : 1e-9 * (1 + plain); /* acos of nearly 1 */
        double told = -1;
        assert_int_equal(akin_search_distance(w->index, &w->queries, hits[i].query, hits[i].object, &told, NULL),
                         AKIN_OK);
        assert_memory_equal(&told, &hits[i].distance, sizeof told);
        assert_true(fabs(hits[i].distance - plain) <= slack);
        assert_int_equal(hits[i].certificate, AKIN_CERTIFICATE_NONE);
        if (i > 0)
            assert_true(hits[i - 1].distance < hits[i].distance ||
                        (hits[i - 1].distance <= hits[i].distance && hits[i - 1].object < hits[i].object));
        for (uint32_t j = 0; j < candidate_count; j++) {
            is_candidate |= candidates[j] == hits[i].object;
            nearer += plain_distance(w, hits[i].query, candidates[j]) < plain - 2 * slack;
        }
        assert_true(is_candidate && nearer <= i);
    }
}

static void compare(const world *w, uint32_t queries, const answer *found)
{
    size_t at = 0;
    for (uint32_t q = 0; q < queries; q++) {
        uint32_t candidates, *order = candidates_of(w, q, &candidates);
        const uint32_t expected = candidates < w->options.k ? candidates : w->options.k;
        assert_true(found->count - at >= expected);
        const akin_search_hit *hits = found->hits + at;
        for (uint32_t i = 0; i < expected; i++) {
            assert_int_equal(hits[i].query, q);
            assert_int_equal(hits[i].count, w->counts[(size_t)q * w->rows + hits[i].object]);
            assert_true(fabs(hits[i].similarity * w->head.functions - hits[i].count) < 1e-9);
            if (w->options.rerank > 0)
                continue;
            const double told = w->kind == AKIN_KIND_SIGNATURES ? 0 : akin_family_estimate(&w->head, hits[i].count);
            assert_int_equal(hits[i].object, order[i]);
            assert_int_equal(hits[i].certificate, AKIN_CERTIFIED_BY_COUNT);
            assert_memory_equal(&hits[i].distance, &told, sizeof told);
        }
        if (w->options.rerank > 0)
            check_reranked(w, hits, expected, order, candidates);
        at += expected;
        free(order);
    }
    assert_int_equal(at, found->count);
}

/* ------------------------------------------------------------------------------------------------------------ cases */

static void ask_in_every_way(akin_context *context, world *w)
{
    const uint32_t queries = w->kind == AKIN_KIND_SETS ? akin_sets_rows(w->query_sets) : w->queries.rows;
    akin_search_index *opened = NULL;
    answer first = {0};
    const akin_choice *row;
    int ways = 0;
    assert_int_equal(akin_search_index_save(context, w->index, path, NULL), AKIN_OK);
    assert_int_equal(akin_search_index_open(context, path, &opened, NULL), AKIN_OK);
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= context->cpu_best; cpu++)
        for (uint32_t i = 0; (row = akin_choices("search-techniques", i)); i++, ways++) {
            const akin_search_technique technique = (akin_search_technique)row->value;
            answer found = {0};
            akin_error error = {.message = ""};
            const akin_search_index *index = ways % 3 ? opened : w->index;
            context->scope.cpu = cpu;
            context->scope.threads = ways % 2 ? 3 : 1;
            w->options.technique = technique;
            akin_status status =
                w->query_sets
                    ? akin_search_sets(context, index, w->query_sets, &w->options, keep, &found, NULL, &error)
                    : akin_search_vectors(context, index, &w->queries, &w->options, keep, &found, NULL, &error);
            if (technique == AKIN_SEARCH_SCAN && w->head.functions > 255 && status == AKIN_E_OPTION)
                continue;
            assert_string_equal(error.message, "");
            assert_int_equal(status, AKIN_OK);
            if (ways == 0) {
                compare(w, queries, &found);
                first = found;
                continue;
            }
            assert_int_equal(found.count, first.count);
            assert_memory_equal(found.hits ? (void *)found.hits : "", first.hits ? (void *)first.hits : "",
                                found.count * sizeof *found.hits);
            free(found.hits);
        }
    context->scope.cpu = context->cpu_best;
    free(first.hits);
    akin_search_index_free(opened);
}

static void draw_options(akin_random *random, world *w)
{
    static const uint32_t ks[] = {1, 2, 10, 100, 1000, UINT32_MAX};
    w->options = (akin_search_options)AKIN_SEARCH_OPTIONS_INIT;
    w->options.k = ks[akin_random_below(random, 6)];
    w->options.least = akin_random_below(random, 3) ? 0 : (uint32_t)akin_random_below(random, 9);
}

/* Draws functions, few or many. Options give the width or the sigma, or leave them to the library. */
static akin_vectors_options draw_functions(akin_random *random, akin_family_kind family)
{
    static const uint32_t functions[] = {1, 7, 16, 63, 255, 300};
    akin_vectors_options o = AKIN_VECTORS_OPTIONS_INIT;
    const akin_family_facts *facts = akin_family_facts_of(family);
    const int tells = akin_random_below(random, 2) > 0;
    o.family = family;
    o.functions = functions[akin_random_below(random, 6)];
    o.buckets = !facts->has_buckets || akin_random_below(random, 2) ? 0 : 2 + (uint32_t)akin_random_below(random, 300);
    o.seed = akin_random_next(random);
    o.width = facts->has_width && tells ? 40 : 0;
    o.sigma = facts->has_sigma && tells ? 300 : 0;
    return o;
}

/* The values of a function where the options leave them to the library. */
static uint32_t usual_buckets(akin_family_kind family)
{
    switch (family) {
    case AKIN_FAMILY_L1:
    case AKIN_FAMILY_L2:
        return 67;
    case AKIN_FAMILY_LAPLACE:
    case AKIN_FAMILY_JACCARD:
        return 8192;
    case AKIN_FAMILY_COSINE:
        return 2;
    }
    return 0;
}

/* What the library says that it has drawn is what the oracle draws. */
static void take_head(world *w, const akin_vectors_options *o)
{
    akin_search_statistics s = {.size = sizeof s};
    assert_int_equal(akin_search_index_describe(w->index, &s, NULL), AKIN_OK);
    assert_int_equal(s.functions, o->functions);
    assert_int_equal(s.family, o->family);
    const akin_family_facts *facts = akin_family_facts_of(o->family);
    assert_int_equal(s.buckets, o->buckets ? o->buckets : usual_buckets(o->family));
    assert_true(o->width <= 0 || (s.width >= o->width && s.width <= o->width));
    assert_true(o->sigma <= 0 || (s.sigma >= o->sigma && s.sigma <= o->sigma));
    assert_true((s.width > 0) == facts->has_width && (s.sigma > 0) == facts->has_sigma);
    w->head = (akin_family_head){.kind = s.family,
                                 .functions = s.functions,
                                 .dimensions = s.columns,
                                 .buckets = s.buckets,
                                 .seed = o->seed,
                                 .width = s.width,
                                 .sigma = s.sigma};
}

static void check_vectors(akin_context *context, akin_random *random, uint32_t rows, uint32_t queries)
{
    const akin_number number = (akin_number)akin_random_below(random, 2);
    const akin_vectors_options o = draw_functions(random, (akin_family_kind)akin_random_below(random, 4));
    world w = {.kind = AKIN_KIND_VECTORS, .rows = rows};
    w.objects = draw_matrix(random, rows, 1 + (uint32_t)akin_random_below(random, 20), number);
    w.queries = draw_queries(random, &w.objects, queries, (akin_number)akin_random_below(random, 2));
    w.counts = must(calloc((size_t)rows * queries + 1, sizeof *w.counts));
    context->scope.threads = 1 + (uint32_t)akin_random_below(random, 3);
    assert_int_equal(akin_search_index_of_vectors(context, &w.objects, &o, NULL, &w.index, NULL), AKIN_OK);
    take_head(&w, &o);
    count_signed(&w, queries);
    draw_options(random, &w);
    ask_in_every_way(context, &w);
    w.options.rerank = 1 + (uint32_t)akin_random_below(random, 60);
    ask_in_every_way(context, &w);
    akin_search_index_free(w.index);
    free((void *)(uintptr_t)w.objects.numbers);
    free((void *)(uintptr_t)w.queries.numbers);
    free(w.counts);
}

static void check_minhash(akin_context *context, akin_random *random, uint32_t rows, uint32_t queries)
{
    const akin_vectors_options o = draw_functions(random, AKIN_FAMILY_JACCARD);
    world w = {.kind = AKIN_KIND_SETS, .rows = rows};
    w.sets = draw_sets(context, random, rows);
    w.query_sets = draw_sets(context, random, queries);
    w.counts = must(calloc((size_t)rows * queries + 1, sizeof *w.counts));
    assert_int_equal(akin_search_index_of_minhash(context, w.sets, &o, NULL, &w.index, NULL), AKIN_OK);
    take_head(&w, &o);
    count_signed(&w, queries);
    draw_options(random, &w);
    ask_in_every_way(context, &w);
    akin_search_index_free(w.index);
    akin_sets_free(w.sets);
    akin_sets_free(w.query_sets);
    free(w.counts);
}

static void check_signatures(akin_context *context, akin_random *random, uint32_t rows, uint32_t queries)
{
    static const akin_number numbers[] = {AKIN_NUMBER_U8, AKIN_NUMBER_I32, AKIN_NUMBER_I64};
    const akin_number number = numbers[akin_random_below(random, 3)];
    akin_signatures_options o = AKIN_SIGNATURES_OPTIONS_INIT;
    world w = {.kind = AKIN_KIND_SIGNATURES, .rows = rows};
    w.objects = draw_matrix(random, rows, 1 + (uint32_t)akin_random_below(random, 20), number);
    w.queries = draw_queries(random, &w.objects, queries, number);
    o.buckets = akin_random_below(random, 2) ? 2 + (uint32_t)akin_random_below(random, 300) : 0;
    o.seed = akin_random_next(random);
    w.head = (akin_family_head){.functions = w.objects.columns, .buckets = o.buckets, .seed = o.seed};
    w.counts = must(calloc((size_t)rows * queries + 1, sizeof *w.counts));
    assert_int_equal(akin_search_index_of_signatures(context, &w.objects, &o, NULL, &w.index, NULL), AKIN_OK);
    count_equal(&w);
    draw_options(random, &w);
    ask_in_every_way(context, &w);
    akin_search_index_free(w.index);
    free((void *)(uintptr_t)w.objects.numbers);
    free((void *)(uintptr_t)w.queries.numbers);
    free(w.counts);
}

static void every_case(void **state)
{
    const uint64_t seed = setting("AKIN_PROPERTY_SEED", 1), cases = setting("AKIN_PROPERTY_CASES", 60);
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    (void)state;
    options.device = "cpu";
    assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
    for (uint64_t i = 0; i < cases; i++) {
        static void (*const checks[])(akin_context *, akin_random *, uint32_t,
                                      uint32_t) = {check_vectors, check_minhash, check_signatures, check_vectors};
        akin_random random;
        akin_random_seed(&random, seed * 1000003 + i);
        const uint32_t rows = (uint32_t)akin_random_below(&random, akin_random_below(&random, 5) ? 60 : 900);
        const uint32_t queries = (uint32_t)akin_random_below(&random, QUERIES + 1);
        printf("seed %llu case %llu: %u objects, %u queries\n", (unsigned long long)seed, (unsigned long long)i, rows,
               queries);
        checks[i % 4](context, &random, rows, queries);
    }
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/index.akin", folder);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failed;
}
