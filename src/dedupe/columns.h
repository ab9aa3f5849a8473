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

/* Checks the folds and synonyms of `count` columns, after the attributes have been checked. Errors: AKIN_E_OPTION. */
akin_status akin_columns_check(const akin_dedupe_options *options, uint32_t count, akin_error *error);

/* Whether a column, of `count` ones, is combined of columns of which an attribute compares one. */
int akin_columns_overlap(const akin_dedupe_options *options, uint32_t count, uint32_t column);
/* How many columns attributes compare, without those that overlap. */
uint32_t akin_columns_compared(const akin_dedupe_options *options, uint32_t count);

#define AKIN_NO_COLUMN UINT32_MAX

/* The column that has the text of all that are compared: the only one, or one that overlaps. AKIN_NO_COLUMN: there is
 * none. */
uint32_t akin_columns_text(const akin_dedupe_options *options, uint32_t count);

/* Makes the folded and combined columns that the options name, with one form for words that count as equal, and gives
 * them to the records. The caller clears them in any case. Errors: AKIN_E_OPTION (synonyms were not read), AKIN_E_INPUT
 * (a row that is not UTF-8), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_columns_make(const akin_scope *scope, akin_account *account, const akin_dedupe_options *options,
                              uint32_t count, akin_records *records, akin_columns *out, akin_error *error);
void akin_columns_clear(akin_columns *columns);

#endif
