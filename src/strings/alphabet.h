/* The symbols of a number of columns, numbered by how often they occur: what strings of a batch are written in. */
#ifndef AKIN_STRINGS_ALPHABET_H
#define AKIN_STRINGS_ALPHABET_H

#include "akin.h"
#include "base/scope.h"
#include "strings/bag.h"
#include "table/columns.h"

#define AKIN_ALPHABET_BYTE 254 /* most symbols whose numbers are bytes; the two numbers beyond are no symbols */

typedef struct akin_alphabet {
    uint32_t points;  /* code points below that may be in it */
    uint32_t count;   /* symbols */
    uint32_t *number; /* of each code point; UINT32_MAX: it does not occur */
    uint32_t kinds;   /* of symbols in bags: as most text is of few symbols, or not */
} akin_alphabet;

/* Refuses a row: it is too long, or not UTF-8. */
akin_status akin_strings_refuse(const akin_column *column, uint64_t row, akin_error *error);

/* Whether a row is one that is refused; no null is. */
int akin_strings_is_bad(const akin_column *column, uint64_t row);

/* Checks that a column is of this version. `which` names it in the message. Errors: AKIN_E_OPTION. */
akin_status akin_column_check(const akin_column *column, const char *which, akin_error *error);

/* A row that can be compared: neither null nor empty. */
static inline int akin_column_has_text(const akin_column *column, uint64_t row)
{
    return column->offsets[row] < column->offsets[row + 1] && akin_column_has(column, (uint32_t)row);
}

/*
 * Numbers the symbols of `count` columns; column c has rows[c] rows. lengths[c] receives the number of symbols of each
 * row of column c. The same with any number of threads: ties go to the lower code point. Errors: AKIN_E_INPUT (the row
 * that is not UTF-8), AKIN_E_LIMIT (a row of 4 GiB), AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_alphabet_make(const akin_scope *scope, akin_account *account, const akin_column *columns,
                               const uint32_t *rows, uint32_t *const *lengths, uint32_t count, akin_alphabet *out,
                               akin_error *error);

/* The first row of each distinct text of a column, in ascending order, and how many rows have the text. */
typedef struct akin_listed_rows {
    const uint32_t *rows; /* each with `base` added */
    uint32_t count, base;
    const uint32_t *times;
} akin_listed_rows;

/* The same of the rows listed[c] of column c alone: lengths[c] receives their lengths. */
akin_status akin_alphabet_make_listed(const akin_scope *scope, akin_account *account, const akin_column *columns,
                                      const akin_listed_rows *listed, uint32_t *const *lengths, uint32_t count,
                                      akin_alphabet *out, akin_error *error);
void akin_alphabet_clear(akin_alphabet *alphabet);

/* The number of a code point; UINT32_MAX if it is not there. */
static inline uint32_t akin_alphabet_number(const akin_alphabet *alphabet, uint32_t point)
{
    return point < alphabet->points ? alphabet->number[point] : UINT32_MAX;
}

#endif
