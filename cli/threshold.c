/* The threshold of a measure. */
#include "threshold.h"

#include "command.h"

int akin_cli_threshold_check(const akin_choice *measure, const char *text, akin_ratio *out)
{
    akin_ratio ratio;
    int valid = akin_ratio_parse(text, &ratio, NULL) == AKIN_OK && ratio.num > 0;
    int counts = (measure->capabilities & AKIN_TAKES_COUNT) != 0;
    if (counts && !(valid && ratio.num % ratio.den == 0))
        return akin_cli_refuse("--%s %s: expected a whole number above 0 of at most 9 digits", measure->name,
                               akin_cli_word(text));
    if (!counts && !(valid && ratio.num <= ratio.den))
        return akin_cli_refuse(
            "--%s %s: expected a number above 0 and at most 1, such as 0.8 or 2/3 (at most 9 digits)", measure->name,
            akin_cli_word(text));
    *out = ratio;
    return AKIN_CLI_DONE;
}
