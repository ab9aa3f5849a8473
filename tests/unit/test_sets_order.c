/* Tokens put in order, few and many, at each SIMD level. */
#include "test_sets_support.h"

#include "sets/order.h"

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Three sets: one of `count` tokens between two of one. */
static void check(akin_cpu cpu, uint32_t count, int bits, akin_random *random)
{
    static uint32_t numbers[3002], tokens[3000], scratch[3000 + AKIN_ORDER_PADDING], to[3002], expected[3000];
    const uint32_t sizes[] = {1, count, 1};
    uint64_t step = (UINT64_C(1) << bits) / count, token = 0;
    for (uint32_t i = 0; i < count; i++) { /* distinct, in any order */
        numbers[1 + i] = i;
        tokens[i] = (uint32_t)(token + akin_random_below(random, step));
        token += step;
    }
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)akin_random_below(random, i), swap = tokens[i - 1];
        tokens[i - 1] = tokens[j];
        tokens[j] = swap;
    }
    numbers[0] = numbers[count + 1] = count / 2;
    memcpy(expected, tokens, count * sizeof *tokens);
    qsort(expected, count, sizeof *expected, compare);
    akin_order_sets(cpu, numbers, sizes, 3, tokens, bits, scratch, to);
    assert_memory_equal(to + 1, expected, count * sizeof *to);
    assert_int_equal(to[0], tokens[count / 2]);
    assert_int_equal(to[count + 1], tokens[count / 2]);
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
    const uint32_t sizes[] = {0, 0}, number = 0, token = 5;
    uint32_t scratch[AKIN_ORDER_PADDING] = {0}, to = 77;
    (void)state;
    akin_order_sets(akin_cpu_detect(), &number, sizes, 2, &token, 3, scratch, &to);
    assert_int_equal(to, 77);
}

/* Sets of one size, of numbers in any order, or the last set in order already; what is behind them stays as it was. */
static void check_alike(akin_cpu cpu, uint32_t sets, uint32_t size, int bits, akin_random *random)
{
    static uint32_t from[6000 + AKIN_ORDER_PADDING], to[6001], expected[6000];
    const uint64_t step = (UINT64_C(1) << bits) / size;
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t *own = from + (size_t)set * size;
        for (uint32_t i = 0; i < size; i++)
            own[i] = (uint32_t)(i * step + akin_random_below(random, step));
        memcpy(expected + (size_t)set * size, own, size * sizeof *own);
        for (uint32_t i = size; i > 1 && set + 1 < sets; i--) {
            uint32_t j = (uint32_t)akin_random_below(random, i), swap = own[i - 1];
            own[i - 1] = own[j];
            own[j] = swap;
        }
    }
    to[sets * size] = 77;
    akin_order_alike(cpu, from, sets, size, bits, to);
    assert_memory_equal(to, expected, (size_t)sets * size * sizeof *to);
    assert_int_equal(to[sets * size], 77);
}

static void test_alike(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 2);
    for (akin_cpu cpu = AKIN_CPU_SCALAR; cpu <= akin_cpu_detect(); cpu++) {
        for (uint32_t size = 1; size < 2000; size += 1 + size / 40)
            for (int bits = 11; bits <= 32; bits++)
                for (uint32_t sets = 0; sets <= 3; sets++)
                    check_alike(cpu, sets, size, bits, &random);
        check_alike(cpu, 3, 1, 0, &random); /* the only token of a universe */
        check_alike(cpu, 3, 2, 1, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
