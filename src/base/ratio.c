/* Reads decimal numbers as ratios of integers. */
#include "base/error.h"

#define DIGITS 9 /* zeros at either end, which change nothing, left aside */

akin_status akin_ratio_parse(const char *text, akin_ratio *out, akin_error *error)
{
    akin_ratio ratio = {.num = 0, .den = 1};
    const char *c = text, *point = NULL, *end;
    int digits = 0, any = 0;
    for (end = text; (*end >= '0' && *end <= '9') || (*end == '.' && !point); end++) {
        point = *end == '.' ? end : point;
        any |= *end != '.';
    }
    if (*end || !any)
        return akin_fail(error, AKIN_E_OPTION,
                         "'%.60s' is not a decimal number; expected digits with at most one point, such as 0.8", text);
    while (*c == '0')
        c++;
    while (point && end > point + 1 && end[-1] == '0')
        end--;
    for (; c < end; c++) {
        if (c == point)
            continue;
        if (digits++ == DIGITS)
            return akin_fail(error, AKIN_E_OPTION, "'%.60s' has more than %d digits", text, DIGITS);
        ratio.num = 10 * ratio.num + (uint32_t)(*c - '0');
        ratio.den *= point && c > point ? 10 : 1;
    }
    *out = ratio;
    return AKIN_OK;
}
