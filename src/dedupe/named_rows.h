/* The rows of tables by what they are called: ids, or their numbers. */
#ifndef AKIN_DEDUPE_NAMED_ROWS_H
#define AKIN_DEDUPE_NAMED_ROWS_H

#include "akin.h"
#include "base/scope.h"

typedef struct akin_named_rows {
    akin_dictionary *made[2];
    const akin_dictionary *ids[2]; /* of each table, whose rows are numbered as their ids; NULL: rows have numbers */
    uint32_t rows[2];
} akin_named_rows;

/* Numbers the ids of both tables, which are the same column if there is one table; NULL: rows have numbers. The caller
 * clears them in any case. Errors: AKIN_E_INPUT (a missing or repeated id, with its row), AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_LIMIT. */
akin_status akin_named_rows_make(const akin_scope *scope, const akin_column *const ids[2], const uint32_t rows_of[2],
                                 akin_named_rows *out, akin_error *error);
void akin_named_rows_clear(akin_named_rows *named);

/* The row of a table that is called as a value of a column says. Errors: AKIN_E_INPUT, with the row of the column. */
akin_status akin_named_rows_find(const akin_named_rows *named, int side, const akin_column *names, uint32_t at,
                                 uint32_t *row, akin_error *error);

/* What a column has in a row. *length 0: nothing. */
const char *akin_named_rows_value(const akin_column *column, uint32_t row, uint64_t *length);

#endif
