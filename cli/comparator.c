/* What is said of a comparator beside its name: how near, and what makes similarities by Jaro those of other
 * programs. */
#include "comparator.h"

#include "command.h"

int akin_cli_ratio_check(const char *name, const char *text, akin_ratio most, const char *most_text, akin_ratio *out)
{
    akin_ratio ratio;
    if (!text)
        return AKIN_CLI_DONE;
    if (akin_ratio_parse(text, &ratio, NULL) != AKIN_OK ||
        (uint64_t)ratio.num * most.den > (uint64_t)ratio.den * most.num)
        return akin_cli_refuse("--%s %s: expected a number from 0 to %s (at most 9 digits)", name, akin_cli_word(text),
                               most_text);
    *out = ratio;
    return AKIN_CLI_DONE;
}

/* Refuses what the comparator does not take, with the names of those that do. */
static int refuse_option(const char *name, const char *by, const akin_cli_option *option, unsigned capability)
{
    char names[AKIN_CLI_HELP_BYTES];
    return akin_cli_refuse("--%s: %s has no such thing: expected --%s %s", name, by, option->name,
                           akin_cli_option_names(option, capability, names));
}

int akin_cli_jaro_check(const akin_cli_jaro *said, const char *by, const akin_cli_option *option,
                        akin_compare_options *compare)
{
    const akin_choice *row = akin_choice_of_value("comparators", (int)compare->comparator);
    const unsigned takes = row ? row->capabilities : 0;
    if (said->floored && !(takes & AKIN_TAKES_FLOORED))
        return refuse_option("floored", by, option, AKIN_TAKES_FLOORED);
    if ((said->prefix_scale || said->boost_threshold) && !(takes & AKIN_TAKES_PREFIX))
        return refuse_option(said->prefix_scale ? "prefix-scale" : "boost-threshold", by, option, AKIN_TAKES_PREFIX);
    compare->floored = said->floored != NULL;
    int status =
        akin_cli_ratio_check("prefix-scale", said->prefix_scale, (akin_ratio){25, 100}, "0.25", &compare->prefix_scale);
    if (status == AKIN_CLI_DONE)
        status = akin_cli_ratio_check("boost-threshold", said->boost_threshold, (akin_ratio){1, 1}, "1",
                                      &compare->boost_threshold);
    return status;
}
