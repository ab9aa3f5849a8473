/* Names become rows: a dictionary of ids has row 0, 1, ... in this order. */
#include "dedupe/named_rows.h"

#include "base/context.h"
#include "base/parallel.h"
#include "dict/dictionary.h"

#include <stdio.h>

const char *akin_named_rows_value(const akin_column *column, uint32_t row, uint64_t *length)
{
    const int is_there = !column->validity || (column->validity[row / 8] >> row % 8 & 1);
    *length = is_there ? column->offsets[row + (uint64_t)1] - column->offsets[row] : 0;
    return column->bytes + column->offsets[row];
}

/* The dictionary has the ids of rows 0, 1, ... in this order. */
static akin_status number_records(const akin_column *ids, uint32_t rows, const char *side, akin_dictionary *dictionary,
                                  akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        uint64_t length;
        uint32_t id = row;
        const char *text = akin_named_rows_value(ids, row, &length);
        if (length == 0)
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, row, ids->name, " of the %s table has no id",
                                 side);
        status = akin_dictionary_add(dictionary, text, length, &id, error);
        if (status == AKIN_OK && id != row)
            return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_REPEATED, row, ids->name,
                                 " of the %s table has the id of row %u", side, id);
    }
    return status;
}

/* A number of a row, written as akin writes it. */
static int read_row(const char *text, uint64_t length, uint32_t *row)
{
    uint64_t number = 0;
    if (length == 0 || length > 10 || (length > 1 && text[0] == '0'))
        return 0;
    for (uint64_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return 0;
        number = 10 * number + (uint64_t)(text[i] - '0');
    }
    *row = (uint32_t)number;
    return number < UINT32_MAX;
}

akin_status akin_named_rows_find(const akin_named_rows *named, int side, const akin_column *names, uint32_t at,
                                 uint32_t *row, akin_error *error)
{
    const akin_dictionary *ids = named->ids[side];
    uint64_t length;
    const char *text = akin_named_rows_value(names, at, &length);
    if (length == 0)
        return akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MISSING, at, names->name, " has no id");
    const int is_known =
        ids ? akin_dictionary_find(ids, text, length, row) : read_row(text, length, row) && *row < named->rows[side];
    return is_known ? AKIN_OK
                    : akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NONE, at, names->name,
                                    ": no record has the id '%.*s'", length < 100 ? (int)length : 100, text);
}

akin_status akin_named_rows_make(const akin_scope *scope, const akin_column *const ids[2], const uint32_t rows_of[2],
                                 akin_named_rows *out, akin_error *error)
{
    const int is_one = ids[0] == ids[1];
    akin_status status = AKIN_OK;
    *out = (akin_named_rows){.rows = {rows_of[0], rows_of[1]}};
    for (int side = 0; side < 2 && status == AKIN_OK; side++) {
        if (!ids[side] || (side == 1 && is_one))
            continue;
        status = akin_dictionary_create_within(scope, &out->made[side], error);
        if (status == AKIN_OK)
            status = number_records(ids[side], rows_of[side], side ? "right" : "left", out->made[side], error);
    }
    out->ids[0] = out->made[0];
    out->ids[1] = is_one ? out->made[0] : out->made[1];
    return status;
}

void akin_named_rows_clear(akin_named_rows *named)
{
    akin_dictionary_free(named->made[0]);
    akin_dictionary_free(named->made[1]);
    *named = (akin_named_rows){.rows = {0, 0}};
}

akin_status akin_rows_of_ids(akin_context *context, const akin_column *const ids[2], const uint32_t rows_of[2],
                             const akin_column pairs[2], uint32_t count, uint32_t *left, uint32_t *right,
                             akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    uint32_t *const rows[2] = {left, right};
    akin_named_rows named;
    akin_status status = akin_named_rows_make(scope, ids, rows_of, &named, error);
    for (uint32_t at = 0; at < count && status == AKIN_OK; at++) {
        for (int side = 0; side < 2 && status == AKIN_OK; side++)
            status = akin_named_rows_find(&named, side, &pairs[side], at, &rows[side][at], error);
        if (status == AKIN_OK && akin_is_stopped(scope, at))
            status = akin_fail_stopped(error, AKIN_E_CANCELLED, "the rows of pairs");
    }
    akin_named_rows_clear(&named);
    return status;
}
