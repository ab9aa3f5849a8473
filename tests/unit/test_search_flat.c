/* Distances in SIMD, and the nearest vectors, against plain loops and a full sort: bytes and floats, L1 and L2, every
 * SIMD level, several threads, ties, and extremes that fill the sums. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/context.h"
#include "base/random.h"
#include "search/flat.h"

#define ROWS    600
#define QUERIES 13
#define COLUMNS 75
#define LONG    200003

typedef struct ranked {
    double apart;
    uint32_t object;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->apart < y->apart || x->apart > y->apart)
        return x->apart < y->apart ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

static double plain(const akin_matrix *a, uint32_t i, const akin_matrix *b, uint32_t j, int squared)
{
    double sums[8] = {0}, sum = 0;
    for (uint32_t d = 0; d < a->columns; d++) {
        const size_t at_a = (size_t)i * a->columns + d, at_b = (size_t)j * b->columns + d;
        const double x = a->number == AKIN_NUMBER_U8 ? ((const uint8_t *)a->numbers)[at_a]
                                                     : (double)((const float *)a->numbers)[at_a];
        const double y = b->number == AKIN_NUMBER_U8 ? ((const uint8_t *)b->numbers)[at_b]
                                                     : (double)((const float *)b->numbers)[at_b];
        sums[d % 8] += squared ? (x - y) * (x - y) : fabs(x - y);
    }
    for (int s = 0; s < 8; s++)
        sum += sums[s];
    return sum;
}

/* Few different numbers, so that many vectors are as near as others; or all numbers. */
static void draw(akin_random *random, akin_number number, void *to, uint64_t count, uint32_t different)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t drawn = akin_random_below(random, different);
        if (number == AKIN_NUMBER_U8)
            ((uint8_t *)to)[i] = (uint8_t)(different == 2 ? 255 * drawn : drawn);
        else
            ((float *)to)[i] = (float)drawn / 7 - 9;
    }
}

static void check(const akin_context *context, const akin_flat *flat)
{
    static akin_flat_hit hits[QUERIES * ROWS];
    static ranked all[ROWS];
    if (akin_flat_search(&context->scope, flat, hits, NULL) != AKIN_OK)
        fail_msg("the search failed");
    for (uint32_t q = 0; q < flat->count; q++) {
        for (uint32_t o = 0; o < flat->objects->rows; o++)
            all[o] = (ranked){plain(flat->objects, o, flat->queries, flat->first + q, flat->squared), o};
        qsort(all, flat->objects->rows, sizeof *all, by_rank);
        for (uint32_t i = 0; i < flat->k; i++) {
            assert_int_equal(hits[q * flat->k + i].object, all[i].object);
            assert_true(hits[q * flat->k + i].apart == all[i].apart);
        }
    }
}

static void nearest_are_those_of_a_sort(void **state)
{
    static float objects[ROWS * COLUMNS], queries[QUERIES * COLUMNS];
    akin_context context = {.scope = {.context = &context}};
    akin_random random;
    (void)state;
    akin_random_seed(&random, 5);
    for (int round = 0; round < 60; round++) {
        const akin_number number = round % 3 ? AKIN_NUMBER_U8 : AKIN_NUMBER_F32;
        const uint32_t columns = 1 + (uint32_t)akin_random_below(&random, COLUMNS);
        const uint32_t rows = 1 + (uint32_t)akin_random_below(&random, ROWS);
        const uint32_t first = (uint32_t)akin_random_below(&random, QUERIES);
        const uint32_t different = round % 2 ? 2 : 256;
        const akin_matrix of_objects = {sizeof(akin_matrix), rows, columns, number, 0, objects};
        const akin_matrix of_queries = {sizeof(akin_matrix), QUERIES, columns, number, 0, queries};
        draw(&random, number, objects, (uint64_t)rows * columns, different);
        draw(&random, number, queries, (uint64_t)QUERIES * columns, different);
        const akin_flat flat = {&of_objects,
                                &of_queries,
                                first,
                                QUERIES - first,
                                1 + (uint32_t)akin_random_below(&random, round % 4 ? akin_min_u32(rows, 9) : rows),
                                round % 5 != 0};
        for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++) {
            context.scope.cpu = cpu;
            context.scope.threads = 1 + (uint32_t)round % 3;
            check(&context, &flat);
        }
    }
}

/* All differences are the largest: the sums of bytes stay whole. */
static void long_vectors_have_whole_sums(void **state)
{
    uint8_t *zeros = calloc(LONG, 1), *ones = malloc(LONG);
    (void)state;
    assert_true(zeros && ones);
    memset(ones, 255, LONG);
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++) {
        assert_true(akin_apart_choose(cpu, AKIN_APART_BYTES, 1)(zeros, ones, LONG) == 65025. * LONG);
        assert_true(akin_apart_choose(cpu, AKIN_APART_BYTES, 0)(ones, zeros, LONG) == 255. * LONG);
    }
    const akin_matrix of_ones = {sizeof(akin_matrix), 1, 32768, AKIN_NUMBER_U8, 0, ones};
    const akin_matrix of_zeros = {sizeof(akin_matrix), 1, 32768, AKIN_NUMBER_U8, 0, zeros};
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect()}};
    akin_flat_hit hit;
    for (int turned = 0; turned < 3; turned++) {
        const akin_flat flat = {turned == 1 ? &of_zeros : &of_ones, turned == 0 ? &of_zeros : &of_ones, 0, 1, 1, 1};
        assert_int_equal(akin_flat_search(&context.scope, &flat, &hit, NULL), AKIN_OK);
        assert_true(hit.apart == (turned == 2 ? 0 : 65025. * 32768));
    }
    free(zeros);
    free(ones);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_are_those_of_a_sort),
                                       cmocka_unit_test(long_vectors_have_whole_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
