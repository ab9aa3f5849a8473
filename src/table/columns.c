/* Columns that a caller gives. */
#include "table/columns.h"

#include "base/options.h"

#include <inttypes.h>
#include <stdio.h>

/* What a column is called in an akin_error: its number, if it has no name. */
static const char *label_of(const akin_column *columns, uint32_t column, char number[16])
{
    const char *name = akin_columns_at(columns, column)->name;
    if (name)
        return name;
    snprintf(number, 16, "%" PRIu32, column);
    return number;
}

static akin_status fail_offsets(const akin_column *columns, uint32_t column, uint32_t row, akin_error *error)
{
    char number[16];
    const uint64_t *offsets = akin_columns_at(columns, column)->offsets;
    akin_fail(error, AKIN_E_OPTION, "column %u, row %u: its offset %llu is above the next one, %llu", column, row,
              (unsigned long long)offsets[row], (unsigned long long)offsets[row + 1]);
    return akin_note_place(AKIN_E_OPTION, row, label_of(columns, column, number), error);
}

akin_status akin_table_columns_check(const akin_column *columns, uint32_t count, uint32_t rows, const char *purpose,
                                     akin_error *error)
{
    if (count == 0)
        return akin_fail(error, AKIN_E_OPTION, "no columns to %s; expected at least 1", purpose);
    for (uint32_t i = 0; i < count; i++) {
        const akin_column *column = akin_columns_at(columns, i);
        char number[16];
        akin_status status = akin_options_check(column, sizeof *column, "akin_column", error);
        if (status != AKIN_OK)
            return status;
        if (column->size < sizeof *column || column->size != columns->size)
            return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NONE, label_of(columns, i, number),
                                    "column %u: its size is %zu, expected %zu, as in all of them", i, column->size,
                                    sizeof *column);
        if (rows > 0 && !column->offsets)
            return akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NONE, label_of(columns, i, number),
                                    "column %u: its offsets are NULL, expected %u of them", i, rows + 1);
        for (uint32_t row = 0; row < rows; row++)
            if (column->offsets[row + 1] < column->offsets[row])
                return fail_offsets(columns, i, row, error);
    }
    return AKIN_OK;
}

uint64_t akin_columns_bytes(const akin_column *columns, uint32_t count, uint32_t row, uint32_t end)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count && row < end; i++) {
        const uint64_t *offsets = akin_columns_at(columns, i)->offsets;
        bytes += offsets[end] - offsets[row];
    }
    return bytes;
}

uint32_t akin_columns_cut(const akin_column *columns, uint32_t count, uint32_t row, uint32_t rows, uint32_t most_rows,
                          uint64_t most_bytes, uint64_t *bytes)
{
    const uint32_t first = row;
    for (*bytes = 0; row < rows && row - first < most_rows; row++) {
        uint64_t more = akin_columns_bytes(columns, count, row, row + 1);
        if (row > first && *bytes + more > most_bytes)
            break;
        *bytes += more;
    }
    return row;
}

uint32_t akin_columns_longest(const akin_column *columns, uint32_t count, uint32_t row, uint32_t end)
{
    uint32_t longest = row;
    uint64_t most = 0;
    for (; row < end; row++) {
        uint64_t bytes = akin_columns_bytes(columns, count, row, row + 1);
        if (bytes > most) {
            longest = row;
            most = bytes;
        }
    }
    return longest;
}

akin_status akin_columns_fail(const akin_column *columns, uint32_t column, uint32_t row, akin_status status,
                              const char *why, akin_error *error)
{
    char number[16];
    const char *name = akin_columns_at(columns, column)->name, *label = label_of(columns, column, number);
    akin_reason reason = status == AKIN_E_INPUT ? AKIN_REASON_NOT_UTF8 : AKIN_REASON_NONE;
    return akin_fail_row(error, status, reason, row, label,
                         name ? ", column '%.200s': the text %s" : ", column %s: the text %s", label, why);
}
