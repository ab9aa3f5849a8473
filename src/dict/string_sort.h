/* Sorts strings by their bytes, a shorter one first where it begins another. */
#ifndef AKIN_DICT_STRING_SORT_H
#define AKIN_DICT_STRING_SORT_H

#include "base/bulk.h"
#include "base/parallel.h"

/*
 * Puts rows of a column in the order of their strings; rows of equal strings ascend. The memory, 16 bytes a row and more, is
 * in arrays of the store; `what` is for messages. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. After an error the rows
 * are as they were.
 */
akin_status akin_strings_sort(const akin_column *column, uint32_t *rows, uint32_t count, akin_store *store,
                              akin_cancellation *cancellation, const char *what, akin_error *error);

#endif
