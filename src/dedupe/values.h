/*
 * The distinct values of a column, of the records of both tables. What the screen needs of a value is made once, and a
 * number shows that two records have the same value.
 *
 *     record    0 1 2 3 4 5          those of the right table behind those of the left
 *     of        0 1 0 - 2 1          their values; - : missing, which is null or empty
 *     first     0 1 4                of each value a record that has it, where its text is read
 *     shapes    . . .                of each value its length, its bag and its first symbols, for the screen
 */
#ifndef AKIN_DEDUPE_VALUES_H
#define AKIN_DEDUPE_VALUES_H

#include "base/memory.h"
#include "base/scope.h"
#include "base/numbering.h"
#include "dedupe/records.h"
#include "strings/bag.h"

#define AKIN_VALUE_NONE AKIN_NUMBER_NONE

/* What bounds the similarity of a value: see strings/bag.h and strings/batch.h. */
typedef struct akin_shape {
    akin_bag bag;
    uint32_t length, head;
} akin_shape;

typedef struct akin_values {
    const akin_records *records;
    uint32_t column, count;
    uint32_t *of, *first;
    akin_shape *shapes;
} akin_values;

/* Charges the account. Errors: AKIN_E_INPUT (a row that is not UTF-8), AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED; it is to be cleared in any case. */
akin_status akin_values_make(const akin_scope *scope, akin_account *account, const akin_records *records,
                             uint32_t column, akin_values *out, akin_error *error);
void akin_values_clear(akin_values *values);

/* The text of a value. */
static inline const char *akin_values_text(const akin_values *values, uint32_t value, uint64_t *length)
{
    const akin_records *records = values->records;
    uint32_t record = values->first[value], right = record >= records->rows[0];
    const akin_column *column = &records->columns[right][values->column];
    uint32_t row = right ? record - records->rows[0] : record;
    *length = column->offsets[row + (uint64_t)1] - column->offsets[row];
    return column->bytes + column->offsets[row];
}

/* How many bytes at the front of a text are wanted, which is UTF-8; fewer for a text only if that is what it has. */
typedef uint64_t (*akin_values_cut)(const char *text, uint64_t length, uint32_t argument);

/* Numbers all values by the order of the bytes that `cut` leaves of them, NULL: of all bytes, in ranks[value]; those
 * that are the same have one number. Errors: AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_values_rank(const akin_scope *scope, const akin_values *values, akin_account *account,
                             akin_values_cut cut, uint32_t argument, uint32_t *ranks, akin_error *error);

#endif
