/* Numbers as messages for people have them. */
#include "base/counted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void counts_have_their_things(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        const char *text;
    } cases[] = {{0, "0 pairs"},
                 {1, "1 pair"},
                 {2, "2 pairs"},
                 {999, "999 pairs"},
                 {1000, "1,000 pairs"},
                 {100000, "100,000 pairs"},
                 {1234567, "1,234,567 pairs"},
                 {UINT64_MAX, "18,446,744,073,709,551,615 pairs"}};
    akin_counted room;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(akin_count(&room, cases[i].count, "pair"), cases[i].text);
    assert_string_equal(akin_count(&room, UINT64_MAX, "a thing with a name that is much too long"),
                        "18,446,744,073,709,551,615 a thing with a name that is mus");
}

static void bytes_have_three_digits(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 bytes"},          {1, "1 byte"},           {999, "999 bytes"},        {1000, "1.00 KB"},
                 {9994, "9.99 KB"},       {9996, "10.0 KB"},       {99949, "99.9 KB"},        {99960, "100 KB"},
                 {999499, "999 KB"},      {999500, "1.00 MB"},     {16777216, "16.8 MB"},     {20480000, "20.5 MB"},
                 {5000000000, "5.00 GB"}, {UINT64_MAX, "18.4 EB"}, {1234567890123, "1.23 TB"}};
    akin_counted room;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(akin_count_bytes(&room, (double)cases[i].bytes), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_have_their_things),
                                       cmocka_unit_test(bytes_have_three_digits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
