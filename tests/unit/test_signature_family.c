/* LSH families: functions agree as often as theory says, at every SIMD level alike; how many functions it takes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/random.h"
#include "signature/collision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIMENSIONS 16u
#define MANY       4096u

static akin_family_head head_of(akin_family_kind kind, uint32_t functions, uint32_t dimensions, uint32_t buckets)
{
    return (akin_family_head){.kind = kind,
                              .functions = functions,
                              .dimensions = dimensions,
                              .buckets = kind == AKIN_FAMILY_COSINE ? 2 : buckets,
                              .seed = 7,
                              .width = 4,
                              .sigma = 10};
}

static akin_family draw(const akin_family_head *head)
{
    akin_family family;
    assert_int_equal(akin_family_draw(head, &family, NULL), AKIN_OK);
    return family;
}

static float uniform(akin_random *random, float low, float high)
{
    return low + (high - low) * (float)akin_random_unit(random);
}

/* ----------------------------------------------------------------------------------------------------------- levels */

static int32_t floor_of(float x)
{
    x = x > 0x1p30F ? 0x1p30F : x < -0x1p30F ? -0x1p30F : x;
    return (int32_t)floorf(x);
}

/* Function f's value by the definition, in the order that is promised. */
static uint32_t value_of(const akin_family *family, const float *vector, uint32_t f)
{
    const akin_family_head *h = &family->head;
    float sum = 0;
    uint32_t hash = 0;
    for (uint32_t j = 0; j < h->dimensions; j++) {
        const size_t at = (size_t)j * family->stride + f;
        if (h->kind == AKIN_FAMILY_LAPLACE)
            hash += (uint32_t)floor_of(family->scale[at] * vector[j] - family->shift[at]) * akin_family_factor(j);
        else
            sum += family->scale[at] * vector[j];
    }
    if (h->kind == AKIN_FAMILY_COSINE)
        return sum >= 0;
    if (h->kind == AKIN_FAMILY_LAPLACE)
        return akin_family_bucket(akin_family_mix(hash ^ family->salt[f]), h->buckets);
    const int64_t cell = floor_of(sum * (float)(1 / h->width) + family->shift[f]), buckets = h->buckets;
    return (uint32_t)(((cell % buckets) + buckets) % buckets);
}

static void check_levels(akin_family_kind kind, uint32_t functions, uint32_t dimensions, uint32_t count, float most)
{
    const akin_family_head head = head_of(kind, functions, dimensions, 67);
    akin_family family = draw(&head);
    float *vectors = calloc((size_t)count * dimensions, sizeof *vectors);
    uint32_t *values = malloc((size_t)count * functions * sizeof *values);
    akin_random random;
    akin_random_seed(&random, functions + dimensions);
    assert_true(vectors && values);
    for (uint32_t i = 0; i < count * dimensions; i++)
        vectors[i] = uniform(&random, -most, most);
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++) {
        memset(values, 0xff, (size_t)count * functions * sizeof *values);
        akin_family_choose(cpu, kind)(&family, vectors, count, values);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t f = 0; f < functions; f++)
                assert_int_equal(values[i * functions + f], value_of(&family, vectors + i * dimensions, f));
    }
    free(vectors);
    free(values);
    akin_family_clear(&family);
}

static int is_of_vectors(const akin_choice *family)
{
    return akin_family_facts_of((akin_family_kind)family->value)->objects == AKIN_GIVEN_MATRIX;
}

static void levels(void **state)
{
    static const uint32_t functions[] = {1, 15, 16, 17, 237}, dimensions[] = {1, 7, 64};
    static const float most[] = {1, 255, 1e20F};
    (void)state;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("families", i)); i++)
        for (size_t f = 0; is_of_vectors(row) && f < sizeof functions / sizeof *functions; f++)
            for (size_t d = 0; d < sizeof dimensions / sizeof *dimensions; d++)
                for (uint32_t count = 1; count <= 17; count += 4)
                    check_levels((akin_family_kind)row->value, functions[f], dimensions[d], count,
                                 most[(f + d + count / 4) % 3]);
}

/* ------------------------------------------------------------------------------------------------------- collisions */

static double distance_of(akin_family_kind kind, const float *x, const float *y)
{
    double sum = 0, product = 0, of_x = 0, of_y = 0;
    for (uint32_t j = 0; j < DIMENSIONS; j++) {
        const double d = (double)x[j] - (double)y[j];
        sum += kind == AKIN_FAMILY_L2 ? d * d : fabs(d);
        product += (double)x[j] * (double)y[j];
        of_x += (double)x[j] * (double)x[j];
        of_y += (double)y[j] * (double)y[j];
    }
    return kind == AKIN_FAMILY_COSINE ? acos(product / sqrt(of_x * of_y)) : kind == AKIN_FAMILY_L2 ? sqrt(sum) : sum;
}

/* Whether a part of MANY agreed that is within 4.5 deviations of how many should. */
static void assert_agree(uint32_t agreed, double collision, uint32_t buckets)
{
    const double expected = collision + (1 - collision) / buckets;
    const double spread = sqrt(expected * (1 - expected) / MANY);
    assert_true(fabs((double)agreed / MANY - expected) <= 4.5 * spread + 1.0 / MANY);
}

/* Vectors from equal to far apart. */
static void check_collisions(akin_family_kind kind)
{
    const uint32_t buckets = kind == AKIN_FAMILY_LAPLACE ? 1000 : 1 << 20;
    const akin_family_head head = head_of(kind, MANY, DIMENSIONS, buckets);
    akin_family family = draw(&head);
    akin_random random;
    akin_random_seed(&random, 3);
    uint32_t *values = malloc(2 * MANY * sizeof *values);
    assert_non_null(values);
    for (int step = 0; step <= 20; step++) {
        float pair[2][DIMENSIONS];
        for (uint32_t j = 0; j < DIMENSIONS; j++) {
            pair[0][j] = uniform(&random, -20, 20);
            pair[1][j] = pair[0][j] + uniform(&random, -1, 1) * (float)(step * step) / 40;
        }
        akin_family_choose(AKIN_CPU_SCALAR, kind)(&family, pair[0], 2, values);
        uint32_t agreed = 0;
        for (uint32_t f = 0; f < MANY; f++)
            agreed += values[f] == values[MANY + f];
        const double distance = distance_of(kind, pair[0], pair[1]);
        if (step == 0)
            assert_int_equal(agreed, MANY);
        /* Buckets are a hash for LAPLACE alone; a sign is none, and sums wrap around far away. */
        assert_agree(agreed, akin_family_collision(&head, distance),
                     kind == AKIN_FAMILY_LAPLACE ? buckets : UINT32_MAX);
    }
    free(values);
    akin_family_clear(&family);
}

static void collisions(void **state)
{
    (void)state;
    const akin_choice *row;
    for (uint32_t i = 0; (row = akin_choices("families", i)); i++)
        if (is_of_vectors(row))
            check_collisions((akin_family_kind)row->value);
}

/* Sets of 100 tokens. `common` of these are the same. */
static void sets(void **state)
{
    (void)state;
    const akin_family_head head = head_of(AKIN_FAMILY_JACCARD, MANY, 0, 1000);
    akin_family family = draw(&head);
    uint32_t *values = malloc(2 * MANY * sizeof *values);
    assert_non_null(values);
    for (uint32_t common = 0; common <= 100; common += 25) {
        uint64_t hashes[2][100];
        uint32_t agreed = 0;
        for (uint64_t i = 0; i < 100; i++) {
            hashes[0][i] = i;
            hashes[1][99 - i] = i < common ? i : 1000 + i; /* the other way round */
        }
        akin_family_sign_set(&family, hashes[0], 100, values);
        akin_family_sign_set(&family, hashes[1], 100, values + MANY);
        for (uint32_t f = 0; f < MANY; f++) {
            assert_true(values[f] < 1000);
            agreed += values[f] == values[MANY + f];
        }
        assert_agree(agreed, akin_family_collision(&head, 1 - common / (200.0 - common)), 1000);
    }
    akin_family_sign_set(&family, NULL, 0, values);
    for (uint32_t f = 0; f < MANY; f++)
        assert_int_equal(values[f], 1000);
    free(values);
    akin_family_clear(&family);
}

/* Values are spread over the buckets, and neighbours' sums are in neighbouring ones. */
static void buckets(void **state)
{
    (void)state;
    const akin_family_head head = head_of(AKIN_FAMILY_LAPLACE, MANY, 1, 16);
    akin_family family = draw(&head);
    uint32_t *values = malloc(MANY * sizeof *values), counts[16] = {0};
    const float x = 1000;
    assert_non_null(values);
    akin_family_choose(AKIN_CPU_SCALAR, AKIN_FAMILY_LAPLACE)(&family, &x, 1, values);
    for (uint32_t f = 0; f < MANY; f++)
        counts[values[f]]++;
    for (int i = 0; i < 16; i++)
        assert_true(counts[i] > 180 && counts[i] < 340); /* 256 expected, 5 deviations */
    free(values);
    akin_family_clear(&family);
}

static void inverse(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < akin_families.count; i++) {
        const akin_family_kind kind = (akin_family_kind)akin_choice_at(&akin_families, i)->value;
        const akin_family_head head = head_of(kind, 1, 1, 67);
        double before = 0;
        for (int percent = 99; percent > 2; percent--) {
            const double p = percent / 100.0;
            const double d = akin_family_distance(&head, p);
            assert_true(d > before);
            assert_true(fabs(akin_family_collision(&head, d) - p) < 1e-12);
            before = d;
        }
        assert_true(akin_family_distance(&head, 1) <= 0);
        assert_true(akin_family_collision(&head, 0) >= 1);
        assert_true(akin_family_distance(&head, 0) > before);
    }
}

/* -------------------------------------------------------------------------------------------------------- functions */

/* Equation 8 by adding up every count. */
static double chance_of(uint32_t m, double s, double epsilon)
{
    double sum = 0;
    for (uint32_t c = 0; c <= m; c++)
        if (fabs((double)c / m - s) <= epsilon + 1e-12)
            sum += exp(lgamma(m + 1.0) - lgamma(c + 1.0) - lgamma(m - c + 1.0)) * pow(s, c) * pow(1 - s, m - c);
    return sum;
}

static double least_of(uint32_t m, double epsilon)
{
    double least = 1;
    for (int i = 0; i <= 2000; i++)
        least = fmin(least, chance_of(m, i / 2000.0 + (i < 2000) * 1e-7, epsilon));
    return least;
}

static void functions(void **state)
{
    (void)state;
    uint32_t m;
    assert_int_equal(akin_family_functions(0.1, 0.1, &m, NULL), AKIN_OK);
    assert_true(least_of(m - 1, 0.1) < 0.9);
    for (uint32_t more = m; more < m + 20; more++) {
        const double least = least_of(more, 0.1);
        assert_true(least >= 0.9);
        assert_true(akin_family_certainty(more, 0.1) <= least + 1e-9);
        assert_true(akin_family_certainty(more, 0.1) >= least - 0.01);
    }
    /* The paper has 237 for one half, where c may be one beyond the bound on either side. */
    assert_int_equal(akin_family_functions(0.06, 0.06, &m, NULL), AKIN_OK);
    assert_int_equal(m, 259);
    assert_int_equal(akin_family_functions_at(0.5, 0.06, 0.06, 1000), 234);
    assert_true(chance_of(234, 0.5, 0.06) >= 0.94 && chance_of(233, 0.5, 0.06) < 0.94);
    assert_int_equal(akin_family_functions_at(0, 0.06, 0.06, 1000), 1);
    assert_int_equal(akin_family_functions_at(0.5, 0.06, 0.06, 100), 0);
    assert_true(akin_family_certainty(0, 0.1) <= 0);
}

/* -------------------------------------------------------------------------------------------------------- estimates */

static void estimates(void **state)
{
    (void)state;
    float line[101], same[40] = {0};
    double width;
    for (int i = 0; i <= 100; i++)
        line[i] = (float)i;
    /* a spans of 100 |a|, whose median is 67 for normal a, and 100 for Cauchy's */
    assert_int_equal(akin_family_width(AKIN_FAMILY_L2, 10, 1, line, 101, 1, &width, NULL), AKIN_OK);
    assert_true(width > 4 && width < 11);
    assert_int_equal(akin_family_width(AKIN_FAMILY_L1, 10, 1, line, 101, 1, &width, NULL), AKIN_OK);
    assert_true(width > 5 && width < 20);
    assert_int_equal(akin_family_width(AKIN_FAMILY_L2, 10, 1, same, 10, 4, &width, NULL), AKIN_OK);
    assert_true(width >= 1 && width <= 1);
    assert_true(fabs(akin_family_mean(AKIN_FAMILY_LAPLACE, 1, line, 101, 1) - 34) < 1); /* a third of the line */
    assert_true(akin_family_mean(AKIN_FAMILY_LAPLACE, 1, same, 10, 4) >= 1 &&
                akin_family_mean(AKIN_FAMILY_LAPLACE, 1, line, 1, 1) >= 1);
    const float two[] = {0, 0, 3, 4};
    assert_true(fabs(akin_family_mean(AKIN_FAMILY_LAPLACE, 1, two, 2, 2) - 7) < 1e-9);
    assert_true(fabs(akin_family_mean(AKIN_FAMILY_L2, 1, two, 2, 2) - 5) < 1e-9);
}

static void refuse(akin_family_head head, akin_status expected)
{
    akin_family family;
    akin_error error;
    assert_int_equal(akin_family_draw(&head, &family, &error), expected);
    assert_true(error.message[0]);
    akin_family_clear(&family);
}

static void refused(void **state)
{
    (void)state;
    uint32_t m;
    akin_family_head h = head_of(AKIN_FAMILY_L2, 4, 4, 67);
    h.kind = 99;
    refuse(h, AKIN_E_OPTION);
    refuse(head_of(AKIN_FAMILY_L2, 0, 4, 67), AKIN_E_OPTION);
    refuse(head_of(AKIN_FAMILY_L2, 4, 0, 67), AKIN_E_OPTION);
    refuse(head_of(AKIN_FAMILY_L2, 4, 4, 1), AKIN_E_OPTION);
    refuse(head_of(AKIN_FAMILY_L2, 70000, 70000, 67), AKIN_E_LIMIT);
    h = head_of(AKIN_FAMILY_COSINE, 4, 4, 2);
    h.buckets = 3;
    refuse(h, AKIN_E_OPTION);
    h = head_of(AKIN_FAMILY_L1, 4, 4, 67);
    h.width = 0;
    refuse(h, AKIN_E_OPTION);
    h.width = NAN;
    refuse(h, AKIN_E_OPTION);
    h = head_of(AKIN_FAMILY_LAPLACE, 4, 4, 67);
    h.sigma = -1;
    refuse(h, AKIN_E_OPTION);
    assert_int_equal(akin_family_functions(0.01, 0.1, &m, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_family_functions(0.1, 0, &m, NULL), AKIN_E_OPTION);
    assert_int_equal(akin_family_functions(NAN, 0.1, &m, NULL), AKIN_E_OPTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),  cmocka_unit_test(collisions), cmocka_unit_test(sets),      cmocka_unit_test(buckets),
        cmocka_unit_test(inverse), cmocka_unit_test(functions),  cmocka_unit_test(estimates), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
