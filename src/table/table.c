/* Tables: how they are made, and what callers can read from them. */
#include "table/table.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/options.h"

#include <stddef.h>

#define COLUMNS_FIRST 8
#define NAMES_SHOWN   640 /* bytes */

/* ---------------------------------------------------------------------------------------------------- in the making */

akin_status akin_table_begin(const akin_scope *scope, const akin_table_options *options, akin_table **out,
                             akin_error *error)
{
    static const char what[] = "a table";
    akin_table *table = akin_alloc_zero(NULL, 1, sizeof *table);
    if (!table)
        return akin_fail_memory(error, what);
    akin_status status = akin_store_begin(&table->store, scope, AKIN_BUDGET_TABLE, what, error);
    if (status != AKIN_OK) {
        akin_free(table);
        return status;
    }
    table->keeps_records = options->keep_records;
    table->keeps_lines = options->keep_lines;
    table->records = akin_strings_in(&table->store);
    table->jumps = akin_bulk_in(&table->store);
    table->header = akin_strings_in(&table->store);
    table->file_names = akin_strings_in(&table->store);
    table->skip_reasons = akin_strings_in(&table->store);
    table->parts = akin_bulk_in(&table->store);
    table->skips = akin_bulk_in(&table->store);
    *out = table;
    return AKIN_OK;
}

akin_status akin_table_add_column(akin_table *table, const char *name, size_t length)
{
    uint32_t count = akin_names_count(&table->names);
    if (count == table->capacity) {
        uint32_t larger = count + count / 2 + COLUMNS_FIRST;
        if (larger < count)
            return AKIN_E_LIMIT;
        akin_strings *columns = akin_resize(NULL, table->columns, larger, sizeof *columns);
        if (!columns)
            return AKIN_E_NOMEM;
        table->columns = columns;
        table->capacity = larger;
    }
    table->columns[count] = akin_strings_in(&table->store);
    return akin_names_add(&table->names, name, length);
}

/* Remembers where a row begins, if that is not on the next line. */
static akin_status keep_line(akin_table *table, uint32_t row, uint64_t line)
{
    const akin_jump *last = table->jumps.data;
    last = table->jump_count > 0 ? last + table->jump_count - 1 : NULL;
    if (last && line - last->line == row - last->row)
        return AKIN_OK;
    akin_status status = akin_bulk_grow(&table->jumps, (table->jump_count + 1) * sizeof(akin_jump), NULL, NULL);
    if (status == AKIN_OK)
        ((akin_jump *)table->jumps.data)[table->jump_count++] = (akin_jump){row, line};
    return status;
}

akin_status akin_table_end_row(akin_table *table, uint64_t line, const char *record, size_t length)
{
    akin_status status = AKIN_OK;
    if (table->rows == UINT32_MAX)
        return AKIN_E_LIMIT;
    if (table->keeps_records)
        status = akin_strings_append(&table->records, record, length);
    if (status == AKIN_OK && table->keeps_records)
        status = akin_strings_end(&table->records);
    if (status == AKIN_OK && table->keeps_lines)
        status = keep_line(table, table->rows, line);
    if (status == AKIN_OK)
        table->rows++;
    return status;
}

/* Appends an entry to an array of `count` of them. */
static akin_status append_entry(akin_bulk *bulk, uint64_t count, const void *entry, size_t size)
{
    const akin_status status = akin_bulk_grow(bulk, (count + 1) * size, NULL, NULL);
    if (status == AKIN_OK)
        memcpy((char *)bulk->data + count * size, entry, size);
    return status;
}

/* Appends a text with its NUL. */
static akin_status append_string(akin_strings *strings, const char *text)
{
    const akin_status status = akin_strings_append(strings, text, strlen(text) + 1);
    return status == AKIN_OK ? akin_strings_end(strings) : status;
}

static void forget_types(akin_table *table)
{
    for (uint32_t i = 0; i < table->typed; i++)
        akin_free(table->formats[i]);
    akin_free(table->types);
    akin_free(table->formats);
    table->types = NULL;
    table->formats = NULL;
    table->typed = 0;
}

akin_status akin_table_add_file(akin_table *table, const char *name, akin_format format, uint32_t first,
                                const char *header, uint64_t length)
{
    const akin_table_part part = {first, format, header != NULL};
    if (header)
        forget_types(table); /* its columns are text */
    akin_status status = append_entry(&table->parts, table->file_names.rows, &part, sizeof part);
    if (status == AKIN_OK && table->keeps_records && header)
        status = akin_strings_append(&table->header, header, (size_t)length);
    if (status == AKIN_OK && table->keeps_records && header)
        status = akin_strings_end(&table->header);
    return status == AKIN_OK ? append_string(&table->file_names, name) : status;
}

akin_status akin_table_add_skip(akin_table *table, uint64_t line, const char *reason)
{
    const akin_table_skip skip = {akin_table_files(table) - 1, line};
    const akin_status status = append_entry(&table->skips, table->skip_reasons.rows, &skip, sizeof skip);
    return status == AKIN_OK ? append_string(&table->skip_reasons, reason) : status;
}

akin_status akin_table_even(akin_table *table)
{
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < akin_names_count(&table->names) && status == AKIN_OK; i++)
        status = akin_strings_add_nulls(&table->columns[i], table->rows);
    return status;
}

int akin_table_is_even(const akin_table *table)
{
    for (uint32_t i = 0; i < akin_names_count(&table->names); i++)
        if (table->columns[i].rows < table->rows)
            return 0;
    return 1;
}

void akin_table_expect(akin_table *table, double times)
{
    for (uint32_t i = 0; i < akin_names_count(&table->names); i++)
        akin_strings_expect(&table->columns[i], times);
    if (table->keeps_records)
        akin_strings_expect(&table->records, times);
}

void akin_table_empty(akin_table *table)
{
    for (uint32_t i = 0; i < akin_names_count(&table->names); i++)
        akin_strings_empty(&table->columns[i]);
    akin_strings_empty(&table->records);
    table->jump_count = 0;
    table->rows = 0;
}

/* The column of the table that has the name of column `i` of a piece, or AKIN_NAMES_NONE. */
static uint32_t column_of_piece(const akin_table *table, const akin_table *piece, uint32_t i)
{
    const char *name = akin_names_at(&piece->names, i);
    const size_t length = strlen(name);
    return i < akin_names_count(&table->names) && akin_names_is(&table->names, i, name, length)
               ? i
               : akin_names_find(&table->names, name, length);
}

int akin_table_has_room(const akin_table *table, const akin_table *piece)
{
    for (uint32_t i = 0; i < akin_names_count(&piece->names); i++) {
        const akin_strings *from = &piece->columns[i];
        const uint32_t to = from->rows > 0 ? column_of_piece(table, piece, i) : 0;
        if (from->rows > 0 && (to == AKIN_NAMES_NONE ||
                               !akin_strings_have_room(&table->columns[to], table->rows + from->rows, from->length)))
            return 0;
    }
    return !table->keeps_records ||
           akin_strings_have_room(&table->records, table->rows + piece->rows, piece->records.length);
}

static akin_status place_columns(akin_table *table, const akin_table *piece, akin_table_places *places)
{
    for (uint32_t i = 0; i < akin_names_count(&piece->names); i++) {
        const akin_strings *from = &piece->columns[i];
        if (from->rows == 0)
            continue;
        const char *name = akin_names_at(&piece->names, i);
        uint32_t to = column_of_piece(table, piece, i);
        akin_status status = AKIN_OK;
        if (to == AKIN_NAMES_NONE) {
            to = akin_names_count(&table->names);
            status = akin_table_add_column(table, name, strlen(name));
        }
        if (status == AKIN_OK)
            status = akin_strings_place_piece(&table->columns[to], table->rows, from, &places->list[places->count++]);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

akin_status akin_table_place(akin_table *table, const akin_table *piece, uint64_t lines, akin_table_places *places)
{
    const uint64_t most = (uint64_t)akin_names_count(&piece->names) + 1;
    akin_strings_place *list = akin_enlarge(NULL, places->list, &places->capacity, most, sizeof *list);
    if (!list)
        return AKIN_E_NOMEM;
    places->list = list;
    places->count = 0;
    akin_status status = place_columns(table, piece, places);
    if (status == AKIN_OK && table->keeps_records && piece->rows > 0)
        status =
            akin_strings_place_piece(&table->records, table->rows, &piece->records, &places->list[places->count++]);
    const akin_jump *jumps = piece->jumps.data;
    for (uint64_t i = 0; i < piece->jump_count && status == AKIN_OK; i++)
        status = keep_line(table, table->rows + jumps[i].row, lines + jumps[i].line);
    if (status == AKIN_OK)
        table->rows += piece->rows;
    return status;
}

akin_status akin_table_finish(akin_table *table)
{
    for (uint32_t i = 0; i < akin_names_count(&table->names); i++) {
        akin_status status = akin_strings_add_nulls(&table->columns[i], table->rows);
        if (status == AKIN_OK)
            status = akin_strings_fit(&table->columns[i]);
        if (status != AKIN_OK)
            return status;
    }
    akin_bulk_trim(&table->jumps, table->jump_count * sizeof(akin_jump));
    akin_bulk_trim(&table->parts, table->file_names.rows * sizeof(akin_table_part));
    akin_bulk_trim(&table->skips, table->skip_reasons.rows * sizeof(akin_table_skip));
    akin_strings *lists[] = {&table->file_names, &table->skip_reasons, &table->header, &table->records};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == AKIN_OK; i++)
        status = lists[i]->rows > 0 || (i == 3 && table->keeps_records) ? akin_strings_fit(lists[i]) : AKIN_OK;
    return status;
}

void akin_table_release(const akin_table *table)
{
    for (uint32_t i = 0; i < akin_table_columns(table); i++)
        akin_strings_release(&table->columns[i]);
    akin_strings_release(&table->records);
}

void akin_table_free(akin_table *table)
{
    if (!table)
        return;
    for (uint32_t i = 0; i < akin_names_count(&table->names); i++)
        akin_strings_clear(&table->columns[i]);
    for (uint32_t i = 0; table->codes && i < akin_names_count(&table->names); i++)
        akin_bulk_clear(&table->codes[i].rows);
    akin_free(table->codes);
    forget_types(table);
    akin_free(table->columns);
    akin_names_clear(&table->names);
    akin_strings_clear(&table->records);
    akin_strings_clear(&table->header);
    akin_strings_clear(&table->file_names);
    akin_strings_clear(&table->skip_reasons);
    akin_bulk_clear(&table->parts);
    akin_bulk_clear(&table->skips);
    akin_bulk_clear(&table->jumps);
    akin_store_clear(&table->store);
    if (table->arrow.release)
        table->arrow.release(&table->arrow);
    akin_free(table);
}

/* ---------------------------------------------------------------------------------------------------------- answers */

uint32_t akin_table_rows(const akin_table *table)
{
    return table->rows;
}

uint32_t akin_table_columns(const akin_table *table)
{
    return akin_names_count(&table->names);
}

akin_status akin_table_column(const akin_table *table, uint32_t index, akin_column *column, akin_error *error)
{
    if (index >= akin_table_columns(table))
        return akin_fail(error, AKIN_E_OPTION, "there is no column %u, only %u of them, from 0 on", index,
                         akin_table_columns(table));
    const akin_strings *strings = &table->columns[index];
    akin_column own = {.name = akin_names_at(&table->names, index),
                       .offsets = strings->offsets,
                       .bytes = strings->bytes,
                       .validity = strings->validity,
                       .nulls = strings->nulls,
                       .ascii = (uint32_t)strings->is_ascii};
    if (table->codes && table->codes[index].count > 0) {
        own.codes = table->codes[index].rows.data;
        own.code_count = table->codes[index].count;
    }
    return akin_options_write(&own, sizeof own, column, "akin_column", error);
}

akin_type akin_table_column_type(const akin_table *table, uint32_t index)
{
    return index < table->typed ? table->types[index] : AKIN_TYPE_TEXT;
}

const char *akin_table_column_format(const akin_table *table, uint32_t index)
{
    return index < table->typed ? table->formats[index] : "u";
}

akin_status akin_table_find(const akin_table *table, const char *name, uint32_t *index, akin_error *error)
{
    char list[NAMES_SHOWN];
    uint32_t found = akin_names_find(&table->names, name, strlen(name));
    if (found == AKIN_NAMES_NONE) {
        akin_names_list(&table->names, list, sizeof list);
        akin_fail_column(error, AKIN_E_OPTION, AKIN_REASON_NO_COLUMN, name,
                         "there is no column '%s'%s; the columns are: %s", akin_name_show(name, AKIN_NAME_SHOWN).name,
                         akin_names_meant(&table->names, name).text, list);
        return akin_note_meant(AKIN_E_OPTION, akin_names_near(&table->names, name), error);
    }
    *index = found;
    return AKIN_OK;
}

static const akin_table_part *part_at(const akin_table *table, uint32_t index)
{
    return (const akin_table_part *)table->parts.data + index;
}

static akin_status fail_table_row(const akin_table *table, uint32_t row, akin_error *error)
{
    return akin_fail(error, AKIN_E_OPTION, "there is no row %u, only %u of them, from 0 on", row, table->rows);
}

akin_status akin_table_record(const akin_table *table, uint32_t row, const char **bytes, uint64_t *length,
                              akin_error *error)
{
    if (!table->keeps_records)
        return akin_fail(error, AKIN_E_OPTION, "the records were not kept when the table was read");
    if (row >= table->rows)
        return fail_table_row(table, row, error);
    *bytes = akin_strings_row(&table->records, row, length);
    return AKIN_OK;
}

akin_status akin_table_header(const akin_table *table, const char **bytes, uint64_t *length, akin_error *error)
{
    if (!table->keeps_records)
        return akin_fail(error, AKIN_E_OPTION, "the records were not kept when the table was read");
    if (table->header.rows > 0) {
        *bytes = akin_strings_row(&table->header, 0, length);
    } else {
        *bytes = "";
        *length = 0;
    }
    return AKIN_OK;
}

akin_status akin_table_line(const akin_table *table, uint32_t row, uint64_t *line, akin_error *error)
{
    if (!table->keeps_lines)
        return akin_fail(error, AKIN_E_OPTION, "the lines were not kept when the table was read");
    if (row >= table->rows)
        return fail_table_row(table, row, error);
    if (table->file_names.rows > 0 && !part_at(table, akin_table_file_of(table, row))->has_lines)
        return akin_fail(error, AKIN_E_OPTION, "row %u is of a file without lines", row);
    const akin_jump *jumps = table->jumps.data;
    uint64_t low = 0, high = table->jump_count; /* of the jumps, jumps[low] is not beyond the row, jumps[high] is */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (jumps[middle].row <= row)
            low = middle;
        else
            high = middle;
    }
    *line = jumps[low].line + (row - jumps[low].row);
    return AKIN_OK;
}

uint32_t akin_table_files(const akin_table *table)
{
    return (uint32_t)table->file_names.rows;
}

uint32_t akin_table_file_of(const akin_table *table, uint32_t row)
{
    uint32_t low = 0, high = akin_table_files(table); /* part `low` begins at or before the row; part `high` behind */
    while (high - low > 1 && high > 0) {
        const uint32_t middle = low + (high - low) / 2;
        if (part_at(table, middle)->first <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

akin_status akin_table_file_at(const akin_table *table, uint32_t index, akin_table_file *file, akin_error *error)
{
    const uint32_t count = akin_table_files(table);
    uint64_t length;
    if (index >= count)
        return akin_fail(error, AKIN_E_OPTION, "there is no file %u, only %u of them, from 0 on", index, count);
    const uint32_t end = index + 1 < count ? part_at(table, index + 1)->first : table->rows;
    akin_table_file own = {.name = akin_strings_row(&table->file_names, index, &length),
                           .format = part_at(table, index)->format,
                           .first = part_at(table, index)->first,
                           .header = ""};
    own.rows = end - own.first;
    if (index < table->header.rows)
        own.header = akin_strings_row(&table->header, index, &own.header_length);
    return akin_options_write(&own, sizeof own, file, "akin_table_file", error);
}

uint64_t akin_table_skipped(const akin_table *table)
{
    return table->skip_reasons.rows;
}

akin_status akin_table_skipped_at(const akin_table *table, uint64_t index, akin_skipped *skipped, akin_error *error)
{
    uint64_t length;
    if (index >= table->skip_reasons.rows)
        return akin_fail(error, AKIN_E_OPTION, "there is no skipped record %llu, only %llu of them, from 0 on",
                         (unsigned long long)index, (unsigned long long)table->skip_reasons.rows);
    const akin_table_skip *skip = (const akin_table_skip *)table->skips.data + index;
    const akin_skipped own = {.name = akin_strings_row(&table->file_names, skip->file, &length),
                              .line = skip->line,
                              .reason = akin_strings_row(&table->skip_reasons, index, &length)};
    return akin_options_write(&own, sizeof own, skipped, "akin_skipped", error);
}
