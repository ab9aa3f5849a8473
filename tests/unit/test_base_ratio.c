/* Tests of decimal numbers and fractions read as ratios. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "akin.h"

#include <string.h>

static void good_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t num, den;
    } cases[] = {
        {"0.8", 8, 10},
        {".75", 75, 100},
        {"1", 1, 1},
        {"12", 12, 1},
        {"0", 0, 1},
        {"0.", 0, 1},
        {"1.", 1, 1},
        {"0.0", 0, 1},
        {"1.0", 1, 1},
        {"0.80", 8, 10},
        {"00.5", 5, 10},
        {"000000001", 1, 1},
        {"999999999", 999999999, 1},
        {".999999999", 999999999, 1000000000},
        {"0.12345678", 12345678, 100000000},
        {".000000001", 1, 1000000000},
        {"0.000000001", 1, 1000000000},
        {"0.123456789", 123456789, 1000000000},
        {"0.1234567890", 123456789, 1000000000},
        {"1.000000000000000000", 1, 1},
        {"0000000000", 0, 1},
        {"000000000000.5", 5, 10},
        {"1000", 1000, 1},
        {"100.", 100, 1},
        {"123456.789", 123456789, 1000},
        {"99999999.9", 999999999, 10},
        {"2/3", 2, 3},
        {"4/6", 4, 6},
        {"007/008", 7, 8},
        {"0/1", 0, 1},
        {"999999999/999999998", 999999999, 999999998},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_ratio ratio = {1, 2};
        assert_int_equal(akin_ratio_parse(cases[i].text, &ratio, NULL), AKIN_OK);
        assert_int_equal(ratio.num, cases[i].num);
        assert_int_equal(ratio.den, cases[i].den);
    }
}

static void bad_numbers(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",      ".",    "..",         "0..8",         "0.8.1",        "-0.8",        "+0.8",
        "0,8",   "8e-1", "0x1",        " 0.8",         "0.8 ",         "0.8%",        "1//2",
        "nan",   "inf",  "0.8a",       "a0.8",         "٠.٨",          "\n",          "0 .8",
        "0.8\n", "--",   "1234567891", "0.1234567891", "1.000000001",  ".1234567891", "1000000000",
        "1/0",   "/3",   "2/",         "1/2/3",        "1./3",         ".5/3",        "1/.5",
        "1/3.",  "1/-3", "2 / 3",      "1/1234567891", "1234567891/2", "/",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_ratio ratio = {1, 2};
        akin_error error;
        assert_int_equal(akin_ratio_parse(cases[i], &ratio, &error), AKIN_E_OPTION);
        assert_int_equal(error.code, AKIN_E_OPTION);
        if (!strchr(cases[i], '\n')) /* which a message shows otherwise */
            assert_non_null(strstr(error.message, cases[i]));
        assert_int_equal(akin_ratio_parse(cases[i], &ratio, NULL), AKIN_E_OPTION);
        assert_true(ratio.num == 1 && ratio.den == 2);
    }
}

static void message_says_what_was_expected(void **state)
{
    (void)state;
    akin_ratio ratio;
    akin_error error;
    akin_ratio_parse("80%", &ratio, &error);
    assert_string_equal(
        error.message,
        "'80%' is not a number; expected digits with at most one point, such as 0.8, or a fraction, such as 2/3");
    akin_ratio_parse("0.1234567891", &ratio, &error);
    assert_string_equal(error.message, "'0.1234567891' has more than 9 digits");
    char text[10000];
    memset(text, '7', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(akin_ratio_parse(text, &ratio, &error), AKIN_E_OPTION);
    assert_true(strlen(error.message) < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_numbers),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(message_says_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
