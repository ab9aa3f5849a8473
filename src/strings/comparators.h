/* Comparators: the table of what each is, and which of them a caller wants, read and checked. */
#ifndef AKIN_STRINGS_COMPARATORS_H
#define AKIN_STRINGS_COMPARATORS_H

#include "strings/comparator.h"

extern const akin_choice_table akin_comparators;

/* The first row of a comparator; NULL: there is none. */
const akin_comparator_row *akin_comparator_of(akin_comparator comparator);

/* What checked options are called, without what stands behind the slash. */
const char *akin_comparator_name(const akin_compare_options *options);

/* Reads the caller's options (NULL: the defaults) into *own. What the comparator has no use for is not looked at.
 * Errors: AKIN_E_OPTION. */
akin_status akin_compare_options_read(const akin_compare_options *given, akin_compare_options *own, akin_error *error);

/* Checks a cutoff: a ratio of 1 at most. Errors: AKIN_E_OPTION. */
akin_status akin_compare_cutoff_check(akin_ratio cutoff, akin_error *error);

#endif
