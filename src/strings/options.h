/* Which comparator a caller wants, read and checked. */
#ifndef AKIN_STRINGS_OPTIONS_H
#define AKIN_STRINGS_OPTIONS_H

#include "base/error.h"

/* Reads the caller's options (NULL: the defaults) into *own. What the comparator has no use for is not looked at. Errors:
 * AKIN_E_OPTION. */
akin_status akin_compare_options_read(const akin_compare_options *given, akin_compare_options *own, akin_error *error);

/* What the tokens of AKIN_TOKEN_SETS are, checked, with `fold` being 0 or 1. Errors: AKIN_E_OPTION. */
akin_status akin_compare_options_text(const akin_compare_options *options, akin_text_options *out, akin_error *error);

/* Checks a cutoff: a ratio of 1 at most. Errors: AKIN_E_OPTION. */
akin_status akin_compare_cutoff_check(akin_ratio cutoff, akin_error *error);

#endif
