/* Finds the first record of each code. */
#include "dedupe/leaders.h"

#include "base/bits.h"
#include "base/numbering.h"

#include <string.h>

static const char what[] = "the values";

static int has_codes(const akin_records *records, uint32_t side, uint32_t column)
{
    return side < records->tables && records->rows[side] > 0 && records->columns[side][column].codes;
}

int akin_records_have_codes(const akin_records *records, uint32_t column)
{
    return has_codes(records, 0, column) || has_codes(records, 1, column);
}

/* The leaders that a table may have. */
static uint64_t most_leaders(const akin_records *records, uint32_t side, uint32_t column)
{
    if (side >= records->tables)
        return 0;
    return has_codes(records, side, column)
               ? akin_min_u64(records->rows[side], records->columns[side][column].code_count)
               : records->rows[side];
}

static int is_null(const akin_column *column, uint32_t row)
{
    return column->validity && !(column->validity[row / 8] >> row % 8 & 1);
}

static akin_status fail_code(const akin_column *column, uint32_t row, akin_error *error)
{
    const char *name = column->name ? column->name : "";
    if (is_null(column, row) || column->codes[row] == AKIN_CODE_NONE)
        return akin_fail_row(error, AKIN_E_OPTION, AKIN_REASON_NONE, row, name,
                             ", column '%s': nulls, and no other rows, have the code AKIN_CODE_NONE", name);
    return akin_fail_row(error, AKIN_E_OPTION, AKIN_REASON_NONE, row, name,
                         ", column '%s': its code is %u, expected less than %u", name, column->codes[row],
                         column->code_count);
}

static akin_status lead_by_codes(const akin_scope *scope, const akin_column *column, uint32_t first, uint32_t rows,
                                 uint32_t *leader_of, uint32_t *of, akin_leaders *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        const uint32_t code = column->codes[row];
        of[row] = AKIN_NUMBER_NONE;
        if ((code == AKIN_CODE_NONE) != is_null(column, row) || (code >= column->code_count && code != AKIN_CODE_NONE))
            return fail_code(column, row, error);
        if (code != AKIN_CODE_NONE && leader_of[code] == AKIN_NUMBER_NONE) {
            leader_of[code] = out->count;
            out->records[out->count++] = first + row;
        }
        if (code != AKIN_CODE_NONE)
            of[row] = leader_of[code];
        status = akin_records_check_cancelled(scope, row, error);
    }
    return status;
}

static akin_status lead_by_rows(const akin_scope *scope, uint32_t first, uint32_t rows, uint32_t *of, akin_leaders *out,
                                akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        of[row] = out->count;
        out->records[out->count++] = first + row;
        status = akin_records_check_cancelled(scope, row, error);
    }
    return status;
}

static akin_status lead_table(const akin_scope *scope, akin_account *account, const akin_records *records,
                              uint32_t side, uint32_t column, uint32_t *of, akin_leaders *out, akin_error *error)
{
    const akin_column *own = &records->columns[side][column];
    const uint32_t first = side ? records->rows[0] : 0, rows = records->rows[side];
    if (!has_codes(records, side, column))
        return lead_by_rows(scope, first, rows, of + first, out, error);
    uint32_t *leader_of = akin_alloc(account, own->code_count, sizeof *leader_of);
    if (!leader_of)
        return akin_fail_memory(error, what);
    memset(leader_of, 255, own->code_count * sizeof *leader_of); /* AKIN_NUMBER_NONE */
    const akin_status status = lead_by_codes(scope, own, first, rows, leader_of, of + first, out, error);
    akin_free(leader_of);
    return status;
}

akin_status akin_leaders_find(const akin_scope *scope, akin_account *account, const akin_records *records,
                              uint32_t column, uint32_t *of, akin_leaders *out, akin_error *error)
{
    const uint64_t most = most_leaders(records, 0, column) + most_leaders(records, 1, column);
    akin_status status = AKIN_OK;
    *out = (akin_leaders){.records = akin_alloc(account, most, sizeof *out->records)};
    if (!out->records)
        return akin_fail_memory(error, what);
    for (uint32_t side = 0; side < records->tables && status == AKIN_OK; side++)
        status = lead_table(scope, account, records, side, column, of, out, error);
    return status;
}
