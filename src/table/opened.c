/* Tables that the opener of a context opens, such as Parquet files. */
#include "table/opened.h"

#include "base/context.h"
#include "base/memory.h"
#include "table/arrow.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 300 /* bytes of a path that a message shows */

typedef struct shown_path {
    char text[SHOWN + 1];
} shown_path;

static shown_path show_path(const char *path)
{
    shown_path shown = {0};
    akin_address_show(path, shown.text, sizeof shown.text);
    return shown;
}

/* Puts the path before a message of the import, which knows no names of files. */
static akin_status name_file(const char *path, akin_status status, akin_error *error)
{
    if (!error)
        return status;
    const akin_error found = *error;
    snprintf(error->message, sizeof error->message, "%s: %.700s", show_path(path).text, found.message);
    error->rest = 0;
    return status;
}

akin_status akin_opened_read(const akin_scope *scope, const char *path, const akin_format_row *row,
                             const akin_table_options *options, akin_table **out, akin_error *error)
{
    const akin_opener *opener = scope->context->opener;
    struct ArrowArrayStream stream = {0};
    if (!opener || !opener->open)
        return akin_error_set(error, AKIN_E_OPTION, AKIN_REASON_FOREIGN_FORMAT,
                              "%s: libakin does not read %s, which is %s%s%s%s", show_path(path).text, row->choice.name,
                              row->choice.help, row->pipe ? "; or pipe it: " : "", row->pipe ? row->pipe : "",
                              row->pipe ? " | akin ... - --input csv" : "");
    const akin_opening opening = {.size = sizeof opening,
                                  .format = options->format,
                                  .path = path,
                                  .column_count = options->column_count,
                                  .columns = options->columns,
                                  .optional = options->optional,
                                  .keeps_records = options->keep_records};
    akin_table_options own = *options;
    own.keep_records = 0; /* they are the opener's, for akin_output_copy */
    akin_status status = opener->open(opener->user, &opening, &stream, error);
    if (status != AKIN_OK)
        return status;
    status = akin_arrow_import(scope, &stream, &own, out, error);
    if (status != AKIN_OK)
        return status == AKIN_E_CANCELLED ? status : name_file(path, status, error);
    if (akin_table_add_file(*out, show_path(path).text, (akin_format)row->choice.value, 0, NULL, 0) == AKIN_OK)
        return AKIN_OK;
    akin_table_free(*out);
    *out = NULL;
    return akin_fail_memory(error, "a table");
}

static const char nulls[] = "n"; /* the format of a column without values so far */

/* Notes the type of a column, by Arrow's notation too; one that is known already becomes text if this one differs. */
static akin_status note_type(akin_table *table, uint32_t column, akin_type type, const char *format)
{
    const int is_known = column < table->typed;
    const char *known = is_known ? table->formats[column] : nulls;
    if (is_known && (strcmp(format, nulls) == 0 || strcmp(format, known) == 0))
        return AKIN_OK;
    if (strcmp(known, nulls) != 0) {
        format = "u";
        type = AKIN_TYPE_TEXT;
    }
    const size_t length = strlen(format) + 1;
    char *own = akin_alloc(NULL, length, 1);
    if (!own)
        return AKIN_E_NOMEM;
    memcpy(own, format, length);
    if (is_known)
        akin_free(table->formats[column]);
    table->formats[column] = own;
    table->types[column] = type;
    table->typed += !is_known;
    return AKIN_OK;
}

/* A column keeps its type as long as all files agree. A file without the column adds nulls, which fit any type. After a
 * text file no types are known. */
static akin_status match_types(akin_table *table, const akin_table *part, akin_error *error)
{
    const uint32_t count = akin_names_count(&table->names);
    if (akin_table_files(table) > 0 && table->typed == 0)
        return AKIN_OK;
    akin_type *types = akin_resize(NULL, table->types, count, sizeof *types);
    if (types)
        table->types = types;
    char **formats = types ? akin_resize(NULL, table->formats, count, sizeof *formats) : NULL;
    if (formats)
        table->formats = formats;
    akin_status status = formats || count == 0 ? AKIN_OK : AKIN_E_NOMEM;
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const char *name = akin_names_at(&table->names, i);
        const uint32_t at = akin_names_find(&part->names, name, strlen(name));
        if (at != AKIN_NAMES_NONE)
            status = note_type(table, i, akin_table_column_type(part, at), akin_table_column_format(part, at));
        else if (i >= table->typed)
            status = note_type(table, i, AKIN_TYPE_TEXT, nulls);
    }
    return status == AKIN_OK ? AKIN_OK : akin_fail_memory(error, "a table");
}

static akin_status append_part(akin_parser *parser, const akin_table *part, const char *path,
                               const akin_format_row *row, akin_error *error)
{
    akin_table *table = parser->table;
    akin_table_places places = {0};
    akin_status status = akin_parser_match(parser, &part->names, show_path(path).text, error);
    if (status != AKIN_OK)
        return status;
    status = part->rows <= UINT32_MAX - table->rows ? akin_table_even(table) : AKIN_E_LIMIT;
    for (uint32_t i = 0; i < akin_names_count(&part->names) && status == AKIN_OK; i++) {
        const char *name = akin_names_at(&part->names, i);
        if (akin_names_find(&table->names, name, strlen(name)) == AKIN_NAMES_NONE)
            status = akin_table_add_column(table, name, strlen(name));
    }
    if (status == AKIN_OK && match_types(table, part, error) != AKIN_OK)
        return AKIN_E_NOMEM;
    if (status == AKIN_OK)
        status = akin_table_add_file(table, show_path(path).text, (akin_format)row->choice.value, table->rows, NULL, 0);
    if (status == AKIN_OK)
        status = akin_table_place(table, part, 0, &places);
    for (uint64_t i = 0; i < places.count && status == AKIN_OK; i++)
        akin_strings_copy_piece(&places.list[i]);
    akin_free(places.list);
    parser->name = path;
    parser->format = NULL;
    return status == AKIN_OK ? AKIN_OK : akin_parser_fail(parser, status, error);
}

akin_status akin_opened_append(const akin_scope *scope, const char *path, const akin_format_row *row,
                               const akin_table_options *options, akin_parser *parser, akin_error *error)
{
    akin_table *part = NULL;
    akin_table_options own = *options;
    own.format = (akin_format)row->choice.value;
    akin_status status = akin_opened_read(scope, path, row, &own, &part, error);
    if (status == AKIN_OK && part) /* it is always there */
        status = append_part(parser, part, path, row, error);
    akin_table_free(part);
    return status;
}
