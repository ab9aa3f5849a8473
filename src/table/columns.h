/* Columns that a caller gives: read, and checked. */
#ifndef AKIN_TABLE_COLUMNS_H
#define AKIN_TABLE_COLUMNS_H

#include "base/error.h"

/* Column `column` of a caller, whose struct may be longer than ours. */
static inline const akin_column *akin_columns_at(const akin_column *columns, uint32_t column)
{
    return (const akin_column *)(const void *)((const char *)columns + column * columns->size);
}

/* Whether a row is not null. */
static inline int akin_column_has(const akin_column *column, uint32_t row)
{
    return !column->validity || (column->validity[row / 8] >> row % 8 & 1);
}

/* There must be columns, all of one size of struct, with offsets that never decrease; `purpose` is what there are none
 * for ("make sets from"). Errors: AKIN_E_OPTION. */
akin_status akin_table_columns_check(const akin_column *columns, uint32_t count, uint32_t rows, const char *purpose,
                                     akin_error *error);

/* Bytes that rows from `row` on, before `end`, have in all columns. */
uint64_t akin_columns_bytes(const akin_column *columns, uint32_t count, uint32_t row, uint32_t end);

/* The end of a chunk of rows that begins with `row`, which is below `rows`. The chunk has at most `most_rows` rows and
 * `most_bytes` bytes, or one row that alone has more. *bytes receives its bytes. */
uint32_t akin_columns_cut(const akin_column *columns, uint32_t count, uint32_t row, uint32_t rows, uint32_t most_rows,
                          uint64_t most_bytes, uint64_t *bytes);

/* The first of the rows from `row` on, before `end`, that have the most bytes. */
uint32_t akin_columns_longest(const akin_column *columns, uint32_t count, uint32_t row, uint32_t end);

/* Says why the text in a row of a column could not be taken: "is not valid UTF-8", say. */
akin_status akin_columns_fail(const akin_column *columns, uint32_t column, uint32_t row, akin_status status,
                              const char *why, akin_error *error);

#endif
