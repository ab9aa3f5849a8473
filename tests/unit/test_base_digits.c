/* Numbers as text, against printf and strtod: the fewest digits that read back, in the layout of %g. */
#include "base/digits.h"
#include "base/bits.h"
#include "base/digits_powers.h"
#include "base/random.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int numbers = 20000; /* that are drawn; the first argument in its place */

static void check(const char *text, const char *end, const char *expected)
{
    const size_t length = strlen(expected);
    if ((size_t)(end - text) != length || memcmp(text, expected, length) != 0)
        fail_msg("'%.*s' is not '%s'", (int)(end - text), text, expected);
}

static void check_integer(uint64_t value)
{
    char text[AKIN_DIGITS], expected[AKIN_DIGITS];
    snprintf(expected, sizeof expected, "%" PRIu64, value);
    check(text, akin_digits_integer(text, value), expected);
}

static void test_integers(void **state)
{
    akin_random random;
    uint64_t power = 1;
    (void)state;
    akin_random_seed(&random, 7);
    for (uint64_t i = 0; i < 100000; i++)
        check_integer(i);
    for (int i = 0; i < 20; i++, power *= 10)
        for (uint64_t near = 0; near < 3; near++)
            check_integer(power + near - 1);
    for (int i = 0; i < 64; i++)
        for (uint64_t near = 0; near < 3; near++)
            check_integer((UINT64_C(1) << i) + near - 1);
    check_integer(UINT64_MAX);
    for (int i = 0; i < numbers; i++)
        check_integer(akin_random_next(&random) >> (i % 64));
}

/*
 * The plainest way. Of fewer than 15 digits (of a float 6) %g drops zeros at that precision, too, but numbers below
 * the least normal one have fewer digits that matter: they are written with these alone.
 */
static void write_plainly(char *text, double value, int is_float)
{
    const int least = is_float ? 6 : 15;
    const double normal = is_float ? (double)FLT_MIN : DBL_MIN;
    int digits = 0, same = 0;
    while (!same) {
        snprintf(text, AKIN_DIGITS, "%.*e", digits++, value);
        same = is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
    }
    snprintf(text, AKIN_DIGITS, "%.*g", digits < least && fabs(value) >= normal ? least : digits, value);
}

static void check_double(double value)
{
    char text[AKIN_DIGITS], expected[AKIN_DIGITS];
    write_plainly(expected, value, 0);
    check(text, akin_digits_double(text, value), expected);
}

static void check_float(float value)
{
    char text[AKIN_DIGITS], expected[AKIN_DIGITS];
    write_plainly(expected, (double)value, 1);
    check(text, akin_digits_float(text, value), expected);
}

/* The number of those bits; 0 in place of what is no number. */
static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0;
}

static void test_random(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 27);
    for (int i = 0; i < numbers; i++) {
        const uint64_t bits = akin_random_next(&random);
        check_double(double_of(bits));
        check_double(double_of(bits >> 12 >> (i % 52))); /* subnormal */
        check_float(float_of((uint32_t)bits));
        check_float(float_of((uint32_t)(bits >> 41 >> (i % 23))));
    }
}

/* Every exponent, with the first and the last significands, and those around them. */
static void test_exponents(void **state)
{
    (void)state;
    for (uint64_t field = 0; field < 2047; field++)
        for (uint64_t near = 0; near < 7; near++)
            check_double(double_of((field << 52) + near - (field ? 3 : 0)));
    for (uint32_t field = 0; field < 255; field++)
        for (uint32_t near = 0; near < 7; near++)
            check_float(float_of((field << 23) + near - (field ? 3 : 0)));
}

/* Powers of ten, their neighbours, and decimals of few digits. */
static void test_decimals(void **state)
{
    akin_random random;
    (void)state;
    akin_random_seed(&random, 3);
    for (int power = -330; power <= 308; power++)
        for (int i = 0; i < 25; i++) {
            char text[AKIN_DIGITS];
            snprintf(text, sizeof text, "%" PRIu64 "e%d", i ? akin_random_next(&random) >> (i % 64) : 1, power);
            const double value = strtod(text, NULL);
            if (!isfinite(value))
                continue;
            check_double(value);
            check_double(nextafter(value, 0));
            check_double(-value);
            if (isfinite((float)value))
                check_float((float)value);
        }
}

/* Exactly between two decimals: printf rounds to the even one. */
static void test_ties(void **state)
{
    (void)state;
    for (int bits = 0; bits < 60; bits++)
        for (uint64_t odd = 1; odd < 500; odd += 2) {
            check_double(ldexp((double)((UINT64_C(1) << 50) + odd), bits - 30));
            check_double(ldexp((double)((UINT64_C(1) << 53) - odd), bits - 30));
            check_double(ldexp((double)odd, bits - 30));
        }
}

/* Similarities are ratios of small integers. */
static void test_ratios(void **state)
{
    (void)state;
    for (uint32_t of = 1; of < 200; of++)
        for (uint32_t part = 0; part <= of; part++) {
            check_double((double)part / of);
            check_double(1.0 - (double)part / of);
            check_double(part / sqrt((double)of));
            check_float((float)part / (float)of);
        }
}

static void test_few(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {1, "1"},
                 {0.1, "0.1"},
                 {-2.5, "-2.5"},
                 {1e14, "100000000000000"},
                 {1e15, "1e+15"},
                 {1234567890123456, "1234567890123456"},
                 {1e23, "1e+23"},
                 {1e-4, "0.0001"},
                 {1e-5, "1e-05"},
                 {5e-324, "5e-324"},
                 {DBL_MAX, "1.7976931348623157e+308"},
                 {DBL_MIN, "2.2250738585072014e-308"},
                 {9007199254740993.0, "9007199254740992"},
                 {1125899906842624.25, "1125899906842624.2"},
                 {0x1p-24, "5.9604644775390625e-08"}, /* 16 digits would do, but not the nearest ones */
                 {HUGE_VAL, "inf"},
                 {-HUGE_VAL, "-inf"}};
    char text[AKIN_DIGITS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(text, akin_digits_double(text, cases[i].value), cases[i].text);
    check(text, akin_digits_double(text, fabs((double)NAN)), "nan");
    check(text, akin_digits_float(text, 0.1F), "0.1");
    check(text, akin_digits_float(text, -0.0F), "-0");
    check(text, akin_digits_float(text, -HUGE_VALF), "-inf");
    check(text, akin_digits_float(text, 1e6F), "1e+06");
    check(text, akin_digits_float(text, 16777216), "16777216");
}

/* A row times ten, shifted and rounded up, is the next row: each is within one of the exact power, and the rows from 0
 * to 55 are exact. */
static void test_powers(void **state)
{
    (void)state;
    for (int power = AKIN_POWERS_FIRST; power < AKIN_POWERS_LAST; power++) {
        const uint64_t *row = akin_powers_of_ten[power - AKIN_POWERS_FIRST],
                       *next = akin_powers_of_ten[power - AKIN_POWERS_FIRST + 1];
        const akin_u128 low = (akin_u128)row[1] * 10, high = (akin_u128)row[0] * 10 + (uint64_t)(low >> 64);
        const int shift = high >> 67 ? 4 : 3;
        const akin_u128 made = high << (64 - shift) | (uint64_t)low >> shift,
                        given = (akin_u128)next[0] << 64 | next[1];
        const int is_exact = power >= 0 && power < 55;
        assert_true(row[0] >> 63);
        assert_true(is_exact ? made == given : made - given + 2 <= 4);
    }
}

/* As the C library reads them, those between two doubles among them. */
static void test_read(void **state)
{
    akin_random random;
    double value;
    (void)state;
    akin_random_seed(&random, 3);
    for (int i = 0; i < 10 * numbers; i++) {
        const uint64_t drawn = akin_random_next(&random) >> akin_random_below(&random, 64);
        const uint64_t digits = akin_bits_of(drawn) > 54 && i % 2 ? drawn >> 10 | 1 : drawn;
        const int exponent = i % 4 ? (int)akin_random_below(&random, 660) - 330 : -(int)akin_random_below(&random, 20);
        char text[64];
        snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, exponent);
        if (akin_digits_read(digits, exponent, &value) && value != strtod(text, NULL))
            fail_msg("%s is not %a", text, value);
    }
    assert_false(akin_digits_read(9007199254740993, 0, &value)); /* between two of them */
    assert_false(akin_digits_read(0, 0, &value));
    assert_false(akin_digits_read(1, 309, &value));
    assert_false(akin_digits_read(1, -320, &value));
    assert_true(akin_digits_read(17976931348623157, 291, &value) && value == 1.7976931348623157e307);
    assert_true(akin_digits_read(22250738585072014, -292, &value) && value == 2.2250738585072014e-276);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        numbers = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),  cmocka_unit_test(test_few),    cmocka_unit_test(test_powers),
        cmocka_unit_test(test_exponents), cmocka_unit_test(test_ties),   cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_decimals),  cmocka_unit_test(test_random), cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
