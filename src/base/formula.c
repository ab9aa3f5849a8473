/* Which values of CSV a spreadsheet may take for formulas. */
#include "akin.h"

#include <string.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Passes over digits; *count grows by their number. */
static size_t pass_digits(const char *value, size_t at, size_t length, size_t *count)
{
    for (; at < length && is_digit(value[at]); at++)
        ++*count;
    return at;
}

/* Whether a value is a decimal number as a whole, with a sign, a point and an exponent or without. */
static int is_number(const char *value, size_t length)
{
    size_t digits = 0, exponent = 0, at = length > 0 && (value[0] == '+' || value[0] == '-');
    at = pass_digits(value, at, length, &digits);
    if (at < length && value[at] == '.')
        at = pass_digits(value, at + 1, length, &digits);
    if (digits == 0 || at == length || (value[at] != 'e' && value[at] != 'E'))
        return digits > 0 && at == length;
    at++;
    at += at < length && (value[at] == '+' || value[at] == '-');
    return pass_digits(value, at, length, &exponent) == length && exponent > 0;
}

int akin_is_formula(const char *value, size_t length)
{
    static const char *const first[] = {"=",      "+",      "-",      "@", /* and their full-width forms: */
                                        "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        const size_t bytes = strlen(first[i]);
        if (length >= bytes && memcmp(value, first[i], bytes) == 0)
            return !is_number(value, length);
    }
    return 0;
}
