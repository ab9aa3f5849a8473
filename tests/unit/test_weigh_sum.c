/* Exact sums of doubles. */
#include "test_sets_support.h"

#include "base/random.h"
#include "weigh/sum.h"

#include <float.h>
#include <math.h>

static double sum_of(const double *values, size_t count)
{
    akin_sum *sum = calloc(1, sizeof *sum);
    assert_non_null(sum);
    for (size_t i = 0; i < count; i++)
        akin_sum_add(sum, values[i]);
    double value = akin_sum_value(sum);
    free(sum);
    return value;
}

#define ASSERT_SUM(want, ...)                                                                                          \
    do {                                                                                                               \
        const double values[] = {__VA_ARGS__};                                                                         \
        double got = sum_of(values, sizeof values / sizeof *values), expected = want;                                  \
        assert_memory_equal(&got, &expected, sizeof got);                                                              \
    } while (0)

static void test_exact(void **state)
{
    (void)state;
    assert_true(sum_of(NULL, 0) == 0);
    ASSERT_SUM(1.0, 1.0);
    ASSERT_SUM(-1.0, -1.0);
    ASSERT_SUM(0.1 + 0.2, 0.1, 0.2); /* of two numbers the rounded sum is the exact one, rounded */
    ASSERT_SUM(1.0, 1e300, 1.0, -1e300);
    ASSERT_SUM(DBL_MIN, DBL_MIN);
    ASSERT_SUM(4.9406564584124654e-324, 4.9406564584124654e-324);
    ASSERT_SUM(3 * 4.9406564584124654e-324, 4.9406564584124654e-324, 4.9406564584124654e-324, 4.9406564584124654e-324);
    ASSERT_SUM(DBL_MAX, DBL_MAX);
    ASSERT_SUM(HUGE_VAL, DBL_MAX, DBL_MAX);
    ASSERT_SUM(0.0, DBL_MAX, -DBL_MAX);
}

static void test_ties(void **state)
{
    const double half = ldexp(1, -53), least = ldexp(1, -1074);
    (void)state;
    ASSERT_SUM(1.0, 1.0, half);
    ASSERT_SUM(1.0 + 2 * half, 1.0, half, least);
    ASSERT_SUM(1.0, 1.0, half, -least);
    ASSERT_SUM(1.0 + 4 * half, 1.0 + 2 * half, half);
    ASSERT_SUM(-1.0, -1.0, -half);
    ASSERT_SUM(-1.0 - 2 * half, -1.0, -half, -least);
}

/* Integers times a power of two: their sum is known. And the order does not matter. */
static void test_random(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (int round = 0; round < 100; round++) {
        enum { COUNT = 1000 };
        double values[COUNT];
        int64_t total = 0;
        int scale = (int)akin_random_below(&random, 1900) - 1000;
        for (int i = 0; i < COUNT; i++) {
            int64_t value = (int64_t)akin_random_below(&random, UINT64_C(1) << 41) - (INT64_C(1) << 40);
            total += value;
            values[i] = ldexp((double)value, scale);
        }
        double want = ldexp((double)total, scale), got = sum_of(values, COUNT);
        assert_memory_equal(&got, &want, sizeof got);
        for (int i = COUNT - 1; i > 0; i--) {
            int j = (int)akin_random_below(&random, (uint64_t)i + 1);
            double swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
        got = sum_of(values, COUNT);
        assert_memory_equal(&got, &want, sizeof got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
