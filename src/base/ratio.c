/* Reads decimal numbers as ratios of integers. */
#include "base/error.h"

#define DIGITS 9

akin_status akin_ratio_parse(const char *text, akin_ratio *out, akin_error *error)
{
    akin_ratio ratio = {.num = 0, .den = 1};
    int digits = 0, points = 0;
    const char *c = text;
    for (; *c; c++) {
        if (*c == '.' && points == 0) {
            points = 1;
        } else if (*c >= '0' && *c <= '9' && digits < DIGITS) {
            ratio.num = 10 * ratio.num + (uint32_t)(*c - '0');
            ratio.den *= points ? 10 : 1;
            digits++;
        } else {
            break;
        }
    }
    if (*c >= '0' && *c <= '9')
        return akin_fail(error, AKIN_E_OPTION, "'%.60s' has more than %d digits", text, DIGITS);
    if (*c || digits == 0)
        return akin_fail(error, AKIN_E_OPTION,
                         "'%.60s' is not a decimal number; expected digits with at most one point, such as 0.8", text);
    *out = ratio;
    return AKIN_OK;
}
