/* Several columns as one. */
#include "table/combine.h"

#include "base/bits.h"
#include "table/columns.h"
#include "table/table.h"

#include <string.h>

#define REPORT_ROWS 65536 /* rows between two questions whether to continue */

static const char what[] = "the combined column"; /* the memory is for */

/* Writes the values of a row at `to`, unless that is NULL; returns their length. */
static uint64_t combine_row(const akin_column *columns, const uint32_t *which, uint32_t count, uint32_t row, char *to)
{
    uint64_t length = 0;
    for (uint32_t part = 0; part < count; part++) {
        const akin_column *column = akin_columns_at(columns, which ? which[part] : part);
        const uint64_t begin = column->offsets[row], own = column->offsets[row + UINT64_C(1)] - begin;
        if (own == 0 || !akin_column_has(column, row))
            continue;
        if (to && length > 0)
            to[length] = ' ';
        length += length > 0;
        if (to)
            memcpy(to + length, column->bytes + begin, (size_t)own);
        length += own;
    }
    return length;
}

akin_status akin_columns_combine(const akin_scope *scope, const akin_column *columns, const uint32_t *which,
                                 uint32_t count, uint32_t rows, akin_bulk *offsets, akin_bulk *bytes, akin_error *error)
{
    akin_status status = akin_bulk_reserve(offsets, ((uint64_t)rows + 1) * sizeof(uint64_t), what, error);
    if (status != AKIN_OK)
        return status;
    uint64_t *ends = offsets->data;
    ends[0] = 0;
    for (uint32_t row = 0; row < rows; row++)
        ends[row + UINT64_C(1)] = ends[row] + combine_row(columns, which, count, row, NULL);
    status = akin_bulk_reserve(bytes, akin_max_u64(ends[rows], 1), what, error);
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++) {
        combine_row(columns, which, count, row, (char *)bytes->data + ends[row]);
        if (row % REPORT_ROWS == 0 && akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            status = akin_fail(error, AKIN_E_CANCELLED, "cancelled");
    }
    return status;
}

/* Makes the one column of a table. */
static akin_status fill_combined(const akin_scope *scope, const akin_column *columns, uint32_t count, uint32_t rows,
                                 akin_table *table, akin_error *error)
{
    static const char name[] = "combined";
    if (akin_table_add_column(table, name, sizeof name - 1) != AKIN_OK)
        return akin_fail_memory(error, what);
    akin_strings *strings = table->columns;
    akin_status status =
        akin_columns_combine(scope, columns, NULL, count, rows, &strings->bulks[0], &strings->bulks[1], error);
    if (status != AKIN_OK)
        return status;
    strings->offsets = strings->bulks[0].data;
    strings->bytes = strings->bulks[1].data;
    strings->rows = strings->rows_capacity = table->rows = rows;
    strings->length = strings->capacity = strings->offsets[rows];
    return akin_table_finish(table) == AKIN_OK ? AKIN_OK : akin_fail_memory(error, what);
}

akin_status akin_table_combine_within(const akin_scope *scope, const akin_column *columns, uint32_t count,
                                      uint32_t rows, akin_table **out, akin_error *error)
{
    static const akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    akin_status status = akin_table_columns_check(columns, count, rows, "combine", error);
    if (status == AKIN_OK)
        status = akin_table_begin(scope, &options, &table, error);
    if (status == AKIN_OK)
        status = fill_combined(scope, columns, count, rows, table, error);
    if (status == AKIN_OK)
        *out = table;
    else
        akin_table_free(table);
    return status;
}

akin_status akin_table_combine(akin_context *context, const akin_column *columns, uint32_t count, uint32_t rows,
                               akin_table **out, akin_error *error)
{
    return akin_table_combine_within(akin_scope_of(context), columns, count, rows, out, error);
}
