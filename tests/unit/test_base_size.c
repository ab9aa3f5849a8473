/* Tests of sizes in bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "akin.h"

#include <string.h>

static void good_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t size;
    } cases[] = {
        {"0", 0},
        {"7", 7},
        {"7B", 7},
        {"7 b", 7},
        {"3k", 3072},
        {"3K", 3072},
        {"3Ki", 3072},
        {"3kib", 3072},
        {"3 KB", 3000},
        {"2gb", 2000000000},
        {" 2\tGiB ", UINT64_C(2) << 30},
        {"16M", 16 << 20},
        {"1T", UINT64_C(1) << 40},
        {"1P", UINT64_C(1) << 50},
        {"16383P", UINT64_C(16383) << 50},
        {"18446744073709551615", UINT64_MAX},
        {"00000000000000000000000000000001", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t size = 42;
        assert_int_equal(akin_size_parse(cases[i].text, &size, NULL), AKIN_OK);
        assert_true(size == cases[i].size);
    }
}

static void no_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"", "no size"},
                 {"M", "no size"},
                 {"16X", "no size"},
                 {"16IB", "no size"},
                 {"1.5G", "no size"},
                 {"-1", "no size"},
                 {"+1", "no size"},
                 {"16 M B", "no size"},
                 {"16MM", "no size"},
                 {"16MBi", "no size"},
                 {"1 2", "no size"},
                 {"16384P", "'16384P' is too large; expected less than 16384P"},
                 {"18447P", "too large"},
                 {"18446744073709551616", "too large"},
                 {"99999999999999999999K", "too large"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t size = 42;
        akin_error error;
        assert_int_equal(akin_size_parse(cases[i].text, &size, &error), AKIN_E_OPTION);
        if (!strstr(error.message, cases[i].message))
            fail_msg("%s: %s", cases[i].text, error.message);
        assert_int_equal(error.reason, AKIN_REASON_NOT_A_NUMBER);
        assert_string_equal(error.word, cases[i].text);
        assert_true(size == 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_sizes), cmocka_unit_test(no_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
