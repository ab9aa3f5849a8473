/* Tests of what a terminal may get, and of what a spreadsheet may take for a formula. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "akin.h"

#include <string.h>

/* Writes a code point as UTF-8, whatever it is; returns the bytes of it. */
static size_t encode(uint32_t point, char *to)
{
    unsigned char *at = (unsigned char *)to;
    if (point < 0x80) {
        at[0] = (unsigned char)point;
        return 1;
    }
    const size_t bytes = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = bytes - 1; i > 0; i--, point >>= 6)
        at[i] = (unsigned char)(0x80 | (point & 0x3f));
    at[0] = (unsigned char)(leads[bytes] | point);
    return bytes;
}

/* Control characters, bidirectional controls, and separators of lines and paragraphs, one by one. */
static int must_be_hidden(uint32_t point)
{
    static const uint32_t others[] = {0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
                                      0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069};
    int is_other = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_other = is_other || point == others[i];
    return is_other || point < 0x20 || (point >= 0x7f && point < 0xa0);
}

static void code_points_are_shown_or_not(void **state)
{
    (void)state;
    char text[8];
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        int is_shown = -1;
        const int is_surrogate = point >= 0xd800 && point < 0xe000;
        const size_t length = encode(point, text), taken = akin_character_shown(text, length, &is_shown);
        if (taken != (is_surrogate ? 1 : length) || is_shown != (!is_surrogate && !must_be_hidden(point)))
            fail_msg("U+%04X: %zu bytes of %zu, shown %d", (unsigned)point, taken, length, is_shown);
        if (length > 1) { /* a part of it is none */
            assert_int_equal(akin_character_shown(text, length - 1, &is_shown), 1);
            assert_int_equal(is_shown, 0);
        }
    }
}

static void bytes_are_not_shown(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\xc0\x9b",         "\xc1\xbf",         "\xe0\x82\x9b", "\xf0\x80\x80\x9b",
                                        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff\xff"};
    int is_shown;
    for (int byte = 0x80; byte < 0x100; byte++) {
        const char text[2] = {(char)byte, 'a'};
        is_shown = -1;
        assert_int_equal(akin_character_shown(text, 2, &is_shown), 1);
        assert_int_equal(is_shown, 0);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        is_shown = -1;
        assert_int_equal(akin_character_shown(wrong[i], strlen(wrong[i]), &is_shown), 1);
        assert_int_equal(is_shown, 0);
    }
}

static void formulas_are_known(void **state)
{
    (void)state;
    static const char *const formulas[] = {"=1+1", "=",    "+",  "-",  "@SUM(1)",   "\tx",    "\rx",     "\n=1",
                                           "+1+1", "-1-1", "-a", "+.", "-1e",       "-1e+",   "+1.2.3",  "-0x1",
                                           "+inf", "-1 ",  "=1", "@1", "\uff1d1+1", "\uff0b", "\uff0d5", "\uff20a"};
    static const char *const others[] = {"",      "a",        "1",           "'=1",     "a=1",      " =1",
                                         "1+1",   "-1.5",     "+3",          "-.5",     "+5.",      "-2e7",
                                         "+2E-7", "-2.5e+10", "+4915112345", "\uff1c1", "\xef\xbc", "a\uff1d"};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (!akin_is_formula(formulas[i], strlen(formulas[i])))
            fail_msg("'%s' is a formula", formulas[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (akin_is_formula(others[i], strlen(others[i])))
            fail_msg("'%s' is no formula", others[i]);
    assert_true(akin_is_formula("-1\0x", 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_points_are_shown_or_not),
        cmocka_unit_test(bytes_are_not_shown),
        cmocka_unit_test(formulas_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
