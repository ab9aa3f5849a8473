/* Sorts strings by their bytes. A string that begins another one comes before it. */
#ifndef AKIN_DICT_STRING_SORT_H
#define AKIN_DICT_STRING_SORT_H

#include "base/bulk.h"
#include "base/parallel.h"

/*
 * Sorts `count` rows of a column by their strings; rows of equal strings ascend. The function takes 16 bytes a row, and
 * more for equal beginnings, in arrays of the store; `what` is for messages. Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. After an error the rows are unchanged.
 */
akin_status akin_strings_sort(const akin_column *column, uint32_t *rows, uint32_t count, akin_store *store,
                              akin_cancellation *cancellation, const char *what, akin_error *error);

#endif
