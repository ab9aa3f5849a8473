/* Tokens put in order, few and many, at each SIMD level. */
#include "test_sets_support.h"

#include "sets/order.h"

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void check(akin_cpu cpu, uint32_t count, int bits, akin_random *random)
{
    static uint32_t from[3000 + AKIN_ORDER_PADDING], to[3000], expected[3000];
    uint64_t below = UINT64_C(1) << bits, step = below / count, token = 0;
    for (uint32_t i = 0; i < count; i++) { /* distinct, in any order */
        from[i] = (uint32_t)(token + akin_random_below(random, step));
        token += step;
    }
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)akin_random_below(random, i), swap = from[i - 1];
        from[i - 1] = from[j];
        from[j] = swap;
    }
    memcpy(expected, from, count * sizeof *from);
    qsort(expected, count, sizeof *expected, compare);
    akin_order_tokens(cpu, from, to, count, bits);
    assert_memory_equal(to, expected, count * sizeof *to);
}

static void test_all(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 1);
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++)
        for (uint32_t count = 1; count < 3000; count += 1 + count / 40)
            for (int bits = 12; bits <= 32; bits++)
                check(cpu, count, bits, &random);
}

static void test_none(void **state)
{
    uint32_t from[AKIN_ORDER_PADDING], to = 77;
    (void)state;
    akin_order_tokens(akin_cpu_detect(), from, &to, 0, 1);
    assert_int_equal(to, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
