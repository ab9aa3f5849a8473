/* Tests of the small arithmetic, against plain loops. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bits.h"

static void lower_bound(void **state)
{
    (void)state;
    static const uint32_t values[] = {0, 0, 1, 4, 4, 4, 9, UINT32_MAX - 1, UINT32_MAX, UINT32_MAX};
    static const uint64_t bounds[] = {0, 1, 2, 4, 5, 9, 10, UINT32_MAX - 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
    for (uint64_t count = 0; count <= sizeof values / sizeof *values; count++)
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            uint64_t expected = 0;
            while (expected < count && values[expected] < bounds[b])
                expected++;
            assert_int_equal(akin_lower_bound_u32(values, count, bounds[b]), expected);
        }
    assert_int_equal(akin_lower_bound_u32(NULL, 0, 7), 0);
}

static void popcount(void **state)
{
    (void)state;
    for (uint64_t x = 1, i = 0; i < 2000; i++, x *= UINT64_C(0x9e3779b97f4a7c15)) {
        uint64_t word = i % 3 ? x : x << i % 64;
        uint32_t expected = 0;
        for (int bit = 0; bit < 64; bit++)
            expected += (uint32_t)(word >> bit & 1);
        assert_int_equal(akin_popcount64(word), expected);
    }
    assert_int_equal(akin_popcount64(0), 0);
    assert_int_equal(akin_popcount64(UINT64_MAX), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lower_bound), cmocka_unit_test(popcount)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
