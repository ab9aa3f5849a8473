/* Sets of the tokens of text, as other jobs make them. */
#ifndef AKIN_SETS_FROM_COLUMNS_H
#define AKIN_SETS_FROM_COLUMNS_H

#include "base/scope.h"

/* The same as akin_sets_from_columns, within a scope. */
akin_status akin_sets_from_columns_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                          uint32_t rows, const akin_text_options *options, akin_dictionary *dictionary,
                                          akin_sets **out, akin_error *error);

/* The tokens of each row in the order of the text, each as often as it is there, instead of a set. Equal tokens have
 * equal ids. Errors: the same. */
akin_status akin_sequences_from_column(const akin_scope *scope, const akin_column *column, uint32_t rows,
                                       const akin_text_options *options, akin_sets **out, akin_error *error);

/* Says why the tokens of a row could not be taken: of a column, AKIN_E_INPUT or AKIN_E_LIMIT; or column = count, when
 * the row has too many. */
akin_status akin_sets_fail_text(const akin_column *columns, uint32_t count, uint32_t column, uint32_t row,
                                akin_status status, akin_error *error);

#endif
