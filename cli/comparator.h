/* What is said of a comparator beside its name: how near, and what makes similarities by Jaro those of other
 * programs. */
#ifndef AKIN_CLI_COMPARATOR_H
#define AKIN_CLI_COMPARATOR_H

#include "command.h"

/* Reads what option `name` was set to, a ratio of `most` (a decimal number) at most; NULL: it was not given. Returns
 * AKIN_CLI_DONE or AKIN_CLI_USAGE. */
int akin_cli_ratio_check(const char *name, const char *text, akin_ratio most, const char *most_text, akin_ratio *out);

/* The help of --floored, --prefix-scale and --boost-threshold, of comparators that have the capability `of`. */
#define AKIN_CLI_JARO_FLOORED(of)                                                                                      \
    "{comparators:" of "+floored}: round down half of the symbols that are out of order, as other programs do"
#define AKIN_CLI_JARO_PREFIX_SCALE(of)                                                                                 \
    "{comparators:" of "+prefix}: the weight of each of the first 4 symbols if equal, at most 0.25 (default: 0.1)"
#define AKIN_CLI_JARO_BOOST_THRESHOLD(of)                                                                              \
    "{comparators:" of "+prefix}: the first symbols count only if jaro is above T (default: 0)"

/* What these were set to; NULL: they were not given. */
typedef struct akin_cli_jaro {
    const char *floored, *prefix_scale, *boost_threshold;
} akin_cli_jaro;

/* Sets what they say. `by` is what is compared by, for messages; `option` takes the comparator. Returns AKIN_CLI_DONE
 * or AKIN_CLI_USAGE. */
int akin_cli_jaro_check(const akin_cli_jaro *said, const char *by, const akin_cli_option *option,
                        akin_compare_options *compare);

#endif
