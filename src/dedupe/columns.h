/*
 * The columns as records are compared by them: those of the tables as they stand, in the place of those that are folded
 * ones that are made here, and behind them those that are combined. Whatever comes after need not know.
 *
 *     table      name            city         born
 *                O'Neill, Ann    LODZ         1970-01-02
 *     of[0]      made            made         the table's     made
 *                oneill ann      lodz         1970-01-02      oneill ann lodz
 */
#ifndef AKIN_DEDUPE_COLUMNS_H
#define AKIN_DEDUPE_COLUMNS_H

#include "dedupe/values.h"
#include "text/folded.h"

typedef struct akin_columns {
    uint32_t count;       /* combined ones included */
    akin_column *of[2];   /* of each table; NULL: there is nothing to make, and the tables' are as good */
    akin_folded *made[2]; /* what a column that is made is in, folded or combined */
} akin_columns;

/* The number of columns together with those that the options combine of `own` ones. Errors: AKIN_E_OPTION. */
akin_status akin_columns_count(const akin_dedupe_options *options, uint32_t own, uint32_t *out, akin_error *error);

/* Checks the folds of `count` columns, after the attributes have been checked. Errors: AKIN_E_OPTION. */
akin_status akin_columns_check(const akin_dedupe_options *options, uint32_t count, akin_error *error);

/* Whether an attribute or a selection looks at a column. */
int akin_columns_is_named(const akin_dedupe_options *options, uint32_t column);

/* Whether a column, of `count` with the combined ones, is combined of columns of which one is compared. */
int akin_columns_overlap(const akin_dedupe_options *options, uint32_t count, uint32_t column);

/* Makes the folded and combined columns that the options name, and gives them to the records. The caller clears them in
 * any case. Errors: AKIN_E_INPUT (a row that is not UTF-8), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_columns_make(const akin_scope *scope, akin_account *account, const akin_dedupe_options *options,
                              uint32_t count, akin_records *records, akin_columns *out, akin_error *error);
void akin_columns_clear(akin_columns *columns);

#endif
