/* Tests of the random numbers: reference values of an independent implementation, bounds, evenness. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"

static void same_numbers_everywhere(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, first[4], later; /* the 1001st */
    } cases[] = {
        {0, {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c}, 0x2c9f68b076642982},
        {1, {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514, 0x642e1c7bc266a3a7}, 0xcdf93337d61f6382},
        {42, {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1, 0xecb8ad4703b360a1}, 0x0f5028c28f5771b2},
        {UINT64_MAX,
         {0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e, 0xbf658d7e065f3c2f},
         0x19c0f8f6d5a9588f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_random random;
        akin_random_seed(&random, cases[i].seed);
        for (int j = 0; j < 4; j++)
            assert_true(akin_random_next(&random) == cases[i].first[j]);
        for (int j = 4; j < 1000; j++)
            akin_random_next(&random);
        assert_true(akin_random_next(&random) == cases[i].later);
    }
}

static void bounded_numbers(void **state)
{
    (void)state;
    static const struct {
        uint64_t bound, value;
    } cases[] = {
        {1, 0},
        {2, 0},
        {3, 2},
        {10, 9},
        {1000, 990},
        {(uint64_t)1 << 32, 3748535523},
        {((uint64_t)1 << 32) + 1, 260928194},
        {(uint64_t)1 << 63, 963250138149007598},
        {((uint64_t)1 << 63) + 1, 1400256439129669809},
        {UINT64_MAX, 9986469540036305302u},
        {(uint64_t)3 << 61, 6495321785071571886},
        {6148914691236517206, 1578414033265543658},
    };
    static const uint64_t rejecting[] = {6461677535414237997, 7744196453246319819, 9049029322324588832,
                                         9139072988219048332, 1400256439129669809, 6750200521807187948,
                                         2367621049898315487, 1443456880271936157};
    akin_random random;
    akin_random_seed(&random, 7);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(akin_random_below(&random, cases[i].bound) == cases[i].value);
    assert_true(akin_random_next(&random) == 0x775cb1fd0b70119e);

    akin_random_seed(&random, 7); /* half of all numbers are rejected by this bound */
    for (size_t i = 0; i < sizeof rejecting / sizeof *rejecting; i++)
        assert_true(akin_random_below(&random, ((uint64_t)1 << 63) + 1) == rejecting[i]);
}

static void bounds_hold(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 99);
    for (int i = 0; i < 100000; i++) {
        uint64_t bound = (akin_random_next(&random) >> (i % 64)) | 1;
        assert_true(akin_random_below(&random, bound) < bound);
        double unit = akin_random_unit(&random);
        assert_true(unit >= 0 && unit < 1);
    }
}

static void numbers_are_even(void **state)
{
    (void)state;
    static const uint32_t expected[7] = {9802, 10104, 10029, 10021, 10113, 10034, 9897};
    uint32_t seen[7] = {0};
    akin_random random;
    akin_random_seed(&random, 5);
    for (int i = 0; i < 70000; i++)
        seen[akin_random_below(&random, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_int_equal(seen[i], expected[i]);
}

static void unit_numbers(void **state)
{
    (void)state;
    static const double expected[] = {0x1.66b1f5ee9df2ep-1, 0x1.1d70f6593d20ap-2, 0x1.ade3a6932a58fp-1,
                                      0x1.f65270e63d00ep-1};
    akin_random random;
    akin_random_seed(&random, 7);
    for (int i = 0; i < 4; i++)
        assert_true(akin_random_unit(&random) == expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_numbers_everywhere), cmocka_unit_test(bounded_numbers), cmocka_unit_test(bounds_hold),
        cmocka_unit_test(numbers_are_even),        cmocka_unit_test(unit_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
