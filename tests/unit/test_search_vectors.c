/* Vectors as objects: signatures by any number of threads, inverted and searched; distances and their order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/random.h"
#include "search/search.h"
#include "search/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1000, DIMENSIONS = 20, FUNCTIONS = 40, BUCKETS = 30 };

static uint8_t bytes[ROWS * DIMENSIONS];
static float reals[ROWS * DIMENSIONS];
static const akin_matrix of_bytes = {sizeof of_bytes, ROWS, DIMENSIONS, AKIN_NUMBER_U8, 0, bytes},
                         of_reals = {sizeof of_reals, ROWS, DIMENSIONS, AKIN_NUMBER_F32, 0, reals};
static const akin_signed as_bytes = {&of_bytes, NULL}, as_reals = {&of_reals, NULL};

static int setup(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (int i = 0; i < ROWS * DIMENSIONS; i++) {
        bytes[i] = (uint8_t)akin_random_below(&random, 256);
        reals[i] = (float)bytes[i];
    }
    return 0;
}

static akin_family draw(akin_family_kind kind)
{
    const akin_family_head head = {.kind = kind,
                                   .functions = FUNCTIONS,
                                   .dimensions = DIMENSIONS,
                                   .buckets = kind == AKIN_FAMILY_COSINE ? 2 : BUCKETS,
                                   .seed = 1,
                                   .width = 200,
                                   .sigma = 1000};
    akin_family family;
    assert_int_equal(akin_family_draw(&head, &family, NULL), AKIN_OK);
    return family;
}

/* What agrees with vector 7, counted from the signatures, is what a search for it finds. */
static void check_search(akin_context *context, const akin_family *family, const uint32_t *values)
{
    akin_objects objects;
    akin_query_batch batch = {0};
    akin_search_results results = {.k = ROWS};
    assert_int_equal(akin_vectors_invert(akin_scope_of(context), family, as_bytes, &objects, NULL), AKIN_OK);
    assert_int_equal(objects.head.keywords, FUNCTIONS * family->head.buckets);
    const int is_made =
        akin_query_batch_begin(&batch, 1) && akin_vectors_add_query(family, values + 7 * FUNCTIONS, &batch);
    assert_true(is_made);
    if (!is_made)
        return;
    akin_query_batch_end(&batch);
    const akin_queries queries = {1, batch.offsets, batch.items};
    assert_int_equal(akin_search_batch(akin_scope_of(context), &objects, &queries, AKIN_SEARCH_AUTO, &results, NULL),
                     AKIN_OK);
    assert_true(results.found[0] > 0 && results.keys[0] == akin_top_key(FUNCTIONS, 7));
    for (uint32_t i = 0; i < results.found[0]; i++) {
        const uint32_t *of = values + (size_t)(uint32_t)results.keys[i] * FUNCTIONS;
        uint32_t agreed = 0;
        for (int f = 0; f < FUNCTIONS; f++)
            agreed += of[f] == values[7 * FUNCTIONS + f];
        assert_int_equal(akin_top_count(results.keys[i]), agreed);
    }
    akin_search_clear(&results);
    akin_query_batch_clear(&batch);
    akin_objects_clear(&objects);
}

static int is_of_vectors(const akin_choice *family)
{
    return akin_family_facts_of((akin_family_kind)family->value)->objects == AKIN_GIVEN_MATRIX;
}

static void signatures(void **state)
{
    static uint32_t values[3][ROWS * FUNCTIONS];
    const akin_choice *row;
    (void)state;
    for (uint32_t i = 0; (row = akin_choices("families", i)); i++) {
        if (!is_of_vectors(row))
            continue;
        akin_family family = draw((akin_family_kind)row->value);
        akin_context one = {.scope = {.context = &one, .threads = 1}},
                     three = {.scope = {.context = &three, .threads = 3, .cpu = akin_cpu_detect()}};
        assert_int_equal(akin_vectors_sign(akin_scope_of(&one), &family, as_bytes, 0, ROWS, values[0], NULL), AKIN_OK);
        assert_int_equal(akin_vectors_sign(akin_scope_of(&three), &family, as_reals, 0, ROWS, values[1], NULL),
                         AKIN_OK);
        assert_memory_equal(values[0], values[1], sizeof *values);
        assert_int_equal(akin_vectors_sign(akin_scope_of(&three), &family, as_reals, 300, 200, values[2], NULL),
                         AKIN_OK);
        assert_memory_equal(values[2], values[0] + (size_t)300 * FUNCTIONS, (size_t)200 * FUNCTIONS * sizeof(uint32_t));
        check_search(&three, &family, values[0]);
        akin_family_clear(&family);
    }
}

static void none(void **state)
{
    (void)state;
    const akin_matrix empty = {sizeof empty, 0, DIMENSIONS, AKIN_NUMBER_U8, 0, NULL};
    const akin_signed as_empty = {&empty, NULL};
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    akin_family family = draw(AKIN_FAMILY_L2);
    akin_objects objects;
    uint32_t nothing;
    assert_int_equal(akin_vectors_sign(akin_scope_of(&context), &family, as_empty, 0, 0, &nothing, NULL), AKIN_OK);
    assert_int_equal(akin_vectors_invert(akin_scope_of(&context), &family, as_empty, &objects, NULL), AKIN_OK);
    assert_int_equal(objects.head.count, 0);
    akin_objects_clear(&objects);
    family.head.buckets = 1 << 30;
    assert_int_equal(akin_vectors_invert(akin_scope_of(&context), &family, as_bytes, &objects, NULL), AKIN_E_LIMIT);
    akin_objects_clear(&objects);
    akin_family_clear(&family);
}

/* Of bytes and of floats alike; against sums that are added up plainly. */
static void distances(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        double line = 0, square = 0, product = 0, of_a = 0, of_b = 0;
        for (uint32_t d = 0; d < DIMENSIONS; d++) {
            const double a = bytes[i * DIMENSIONS + d], b = bytes[(i + 1) * DIMENSIONS + d];
            line += fabs(a - b);
            square += (a - b) * (a - b);
            product += a * b;
            of_a += a * a;
            of_b += b * b;
        }
        const double expected[] = {[AKIN_FAMILY_L1] = line,
                                   [AKIN_FAMILY_L2] = sqrt(square),
                                   [AKIN_FAMILY_LAPLACE] = line,
                                   [AKIN_FAMILY_COSINE] = acos(product / sqrt(of_a * of_b))};
        const akin_choice *row;
        for (uint32_t r = 0; (row = akin_choices("families", r)); r++) {
            if (!is_of_vectors(row))
                continue;
            const akin_family_kind kind = (akin_family_kind)row->value;
            assert_true((size_t)kind < sizeof expected / sizeof *expected);
            const akin_matrix *as[] = {&of_bytes, &of_reals};
            for (int way = 0; way < 4; way++) {
                const double got = akin_vectors_distance(kind, as[way / 2], i, as[way % 2], i + 1);
                assert_true(fabs(got - expected[kind]) <= 1e-9 * expected[kind]);
            }
        }
    }
    assert_true(akin_vectors_distance(AKIN_FAMILY_L2, &of_reals, 3, &of_bytes, 3) <= 0);
    static float nothing[DIMENSIONS];
    const akin_matrix zero = {sizeof zero, 1, DIMENSIONS, AKIN_NUMBER_F32, 0, nothing};
    assert_true(fabs(akin_vectors_distance(AKIN_FAMILY_COSINE, &zero, 0, &of_reals, 1) - acos(0)) < 1e-12);
}

/* Of queries from objects of an index that keeps its vectors, and of no others. */
static void of_an_index(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 2, .cpu = akin_cpu_detect()}};
    akin_vectors_options o = AKIN_VECTORS_OPTIONS_INIT;
    akin_search_index *index = NULL, *small = NULL;
    akin_error error;
    double distance = -1;
    o.functions = 3;
    assert_int_equal(akin_search_index_of_vectors(&context, &of_bytes, &o, NULL, &index, &error), AKIN_OK);
    o.signatures_only = 1;
    assert_int_equal(akin_search_index_of_vectors(&context, &of_bytes, &o, NULL, &small, &error), AKIN_OK);
    for (uint32_t i = 0; i < ROWS; i += 99) {
        const double expected = akin_vectors_distance(AKIN_FAMILY_L2, &of_bytes, ROWS - 1 - i, &of_reals, i);
        assert_int_equal(akin_search_distance(index, &of_reals, i, ROWS - 1 - i, &distance, &error), AKIN_OK);
        assert_memory_equal(&distance, &expected, sizeof expected);
    }
    const akin_matrix narrow = {sizeof narrow, ROWS, DIMENSIONS / 2, AKIN_NUMBER_U8, 0, bytes};
    assert_int_equal(akin_search_distance(small, &of_reals, 0, 0, &distance, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "keeps none"));
    assert_int_equal(akin_search_distance(index, &narrow, 0, 0, &distance, &error), AKIN_E_OPTION);
    assert_int_equal(akin_search_distance(index, NULL, 0, 0, &distance, &error), AKIN_E_OPTION);
    assert_int_equal(akin_search_distance(index, &of_reals, ROWS, 0, &distance, &error), AKIN_E_OPTION);
    assert_int_equal(akin_search_distance(index, &of_reals, 0, ROWS, &distance, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "no such row"));
    akin_search_index_free(index);
    akin_search_index_free(small);
}

/* Sums of bytes go beyond 32 bits. */
static void long_ones(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    static uint8_t high[LONG], low[LONG];
    for (int i = 0; i < LONG; i++)
        high[i] = 255;
    const akin_matrix a = {sizeof a, 1, LONG, AKIN_NUMBER_U8, 0, high}, b = {sizeof b, 1, LONG, AKIN_NUMBER_U8, 0, low};
    assert_true(fabs(akin_vectors_distance(AKIN_FAMILY_L2, &a, 0, &b, 0) - 255 * sqrt(LONG)) < 1e-6);
    assert_true(fabs(akin_vectors_distance(AKIN_FAMILY_L1, &a, 0, &b, 0) - 255.0 * LONG) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(signatures), cmocka_unit_test(none),
                                       cmocka_unit_test(distances), cmocka_unit_test(of_an_index),
                                       cmocka_unit_test(long_ones)};
    return cmocka_run_group_tests(tests, setup, NULL);
}
