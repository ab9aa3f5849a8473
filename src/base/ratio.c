/* Reads decimal numbers and fractions as ratios of integers. */
#include "base/error.h"

#define DIGITS 9 /* zeros at either end, which change nothing, left aside */

/* Reads digits with at most one point. Returns where they end, or NULL if they are too many; there may be none. */
static const char *read_decimal(const char *text, akin_ratio *out)
{
    const char *c = text, *point = NULL, *behind, *end;
    int digits = 0;
    *out = (akin_ratio){.num = 0, .den = 1};
    for (end = text; (*end >= '0' && *end <= '9') || (*end == '.' && !point); end++)
        point = *end == '.' ? end : point;
    behind = end;
    while (*c == '0')
        c++;
    while (point && end > point + 1 && end[-1] == '0')
        end--;
    for (; c < end; c++) {
        if (c == point)
            continue;
        if (digits++ == DIGITS)
            return NULL;
        out->num = 10 * out->num + (uint32_t)(*c - '0');
        out->den *= point && c > point ? 10 : 1;
    }
    return behind;
}

/* Whether a text from c to end has a digit. */
static int has_digit(const char *c, const char *end)
{
    return end > c && !(end == c + 1 && *c == '.');
}

akin_status akin_ratio_parse(const char *text, akin_ratio *out, akin_error *error)
{
    akin_ratio ratio, below = {.num = 1, .den = 1};
    const char *start = text, *end = read_decimal(text, &ratio);
    int is_number = !end || has_digit(start, end);
    if (end && is_number && *end == '/' && ratio.den == 1 && end[-1] != '.') {
        start = end + 1;
        end = read_decimal(start, &below);
        is_number = !end || (has_digit(start, end) && below.den == 1 && end[-1] != '.' && below.num > 0);
    }
    if (!is_number || (end && *end))
        return akin_fail(error, AKIN_E_OPTION,
                         "'%.60s' is not a number; expected digits with at most one point, such as 0.8, or a fraction, "
                         "such as 2/3",
                         text);
    if (!end)
        return akin_fail(error, AKIN_E_OPTION, "'%.60s' has more than %d digits", text, DIGITS);
    *out = (akin_ratio){.num = ratio.num, .den = ratio.den * below.num};
    return AKIN_OK;
}
