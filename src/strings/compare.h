/* What comparisons of two strings, of rows and of all cells have in common: the checks of what they are given. */
#ifndef AKIN_STRINGS_COMPARE_H
#define AKIN_STRINGS_COMPARE_H

#include "base/error.h"

/* Reads the options of a comparison that sees two strings and no others. */
akin_status akin_compare_read(const akin_compare_options *given, akin_compare_options *own, akin_error *error);

/* Whether rows list[i], or i if the list is NULL, for i below count, are there, and have offsets that can be. `side`
 * names the column. */
akin_status akin_compare_check_rows(const akin_column *column, uint32_t rows, const uint32_t *list, uint64_t count,
                                    const char *side, akin_error *error);

/* Sets the error of a row that cannot be compared. */
akin_status akin_compare_fail_row(akin_error *error, akin_status status, const akin_column *column, const char *side,
                                  uint32_t row);

#endif
