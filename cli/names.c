/* What rows are called in results: their numbers, or the values of a column, as the format of the output writes them.
 */
#include "names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "header.h"
#include "number.h"
#include "path.h"
#include "table.h"

#define SHOWN 60   /* bytes of a name that a message shows */
#define NAME  4200 /* of FILE:ROW; no path has more than 4096 */

/* A column of names in the making. */
typedef struct source {
    const char *path;
    const akin_table *table;
    akin_column column;
} source;

static const char *name_of_row(const source *from, uint32_t row, uint64_t *length)
{
    *length = from->column.offsets[row + 1] - from->column.offsets[row];
    return from->column.bytes + from->column.offsets[row];
}

akin_cli_where akin_cli_where_is(const akin_table *table, uint32_t row)
{
    akin_cli_where where;
    uint64_t line = 0;
    if (akin_table_files(table) > 1 && akin_table_line(table, row, &line, NULL) == AKIN_OK)
        snprintf(where.text, sizeof where.text, "%.80s, line %" PRIu64, akin_cli_table_name(table, row, ""), line);
    else if (akin_table_line(table, row, &line, NULL) == AKIN_OK)
        snprintf(where.text, sizeof where.text, "line %" PRIu64, line);
    else
        snprintf(where.text, sizeof where.text, "row %" PRIu32, row);
    return where;
}

akin_status akin_cli_fail_where(const char *path, const akin_table *table, uint32_t row, akin_error *error)
{
    uint64_t line = 0;
    const char *name = akin_cli_table_name(table, row, path);
    if (akin_table_line(table, row, &line, NULL) == AKIN_OK)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "%.600s:%" PRIu64 ": ", name, line);
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE, "%.600s: row %" PRIu32 ": ", name, row);
}

/* "PATH:LINE: the id 'NAME' ", or with a name of no bytes only what is before it; what is wrong follows. */
static akin_status fail_id(const source *from, uint32_t row, akin_error *error, const char *format, ...)
{
    uint64_t length;
    const char *name = name_of_row(from, row, &length), *more = length > SHOWN ? "..." : "";
    if (*more) /* not cut within a character */
        for (length = SHOWN; length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80;)
            length--;
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    akin_cli_fail_where(from->path, from->table, row, error);
    if (length > 0)
        akin_cli_append(error, "the id '%.*s%s' ", (int)length, name, more);
    akin_cli_append(error, "%s", what);
    return AKIN_E_INPUT;
}

size_t akin_cli_name_write(char *to, const char *name, size_t length, akin_cli_format format)
{
    return (size_t)(akin_cli_writer_of(format)->write(to, name, length) - to);
}

akin_status akin_cli_line_reserve(akin_cli_line *line, size_t names, size_t others, const char *what, akin_error *error)
{
    const size_t needed = 6 * names + others;
    if (line->text && line->room >= needed)
        return AKIN_OK;
    char *moved = realloc(line->text, 2 * needed + 4096);
    if (!moved) {
        akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for %s", what);
        return AKIN_E_NOMEM;
    }
    line->text = moved;
    line->room = 2 * needed + 4096;
    return AKIN_OK;
}

/* Room for a name. */
static akin_status reserve_name(akin_cli_line *scratch, uint64_t length, akin_error *error)
{
    return akin_cli_line_reserve(scratch, (size_t)length, 2, "the names of the rows", error);
}

int akin_cli_name_fits(const char *name, size_t length, akin_cli_format format)
{
    return akin_cli_writer_of(format)->holds_lines || length == 0 ||
           !(memchr(name, '\t', length) || memchr(name, '\n', length) || memchr(name, '\r', length));
}

/* Writes the name of a row as the format does, at scratch->text; *written is how long it is then. Errors: AKIN_E_INPUT,
 * without a message (there is no name, or the format cannot hold it), AKIN_E_NOMEM. */
static akin_status write_name(akin_cli_line *scratch, const source *from, uint32_t row, akin_cli_format format,
                              uint64_t *written, akin_error *error)
{
    uint64_t length;
    const char *name = name_of_row(from, row, &length);
    if (length == 0 || !akin_cli_name_fits(name, (size_t)length, format))
        return AKIN_E_INPUT;
    const akin_status status = reserve_name(scratch, length, error);
    if (status == AKIN_OK)
        *written = akin_cli_name_write(scratch->text, name, (size_t)length, format);
    return status;
}

/* Names that threads write, each in room of its own. */
typedef struct writing {
    const source *from;
    akin_cli_format format;
    akin_cli_line *lines;
} writing;

static akin_status write_word(void *user, uint64_t row, uint32_t thread, const char **bytes, uint32_t *length)
{
    const writing *w = user;
    uint64_t written = 0;
    const akin_status status = write_name(&w->lines[thread], w->from, (uint32_t)row, w->format, &written, NULL);
    *bytes = w->lines[thread].text;
    *length = (uint32_t)written;
    return status == AKIN_OK && written > UINT32_MAX ? AKIN_E_LIMIT : status;
}

/* Adds the names by all threads. Errors: AKIN_E_INPUT and AKIN_E_LIMIT, if there is a name that cannot be added, or is
 * there before. */
static akin_status add_by_all(akin_context *context, const source *from, akin_cli_format format,
                              akin_dictionary *dictionary, akin_error *error)
{
    akin_status status = AKIN_OK;
    const uint32_t threads = akin_context_threads(context);
    const uint32_t rows = akin_table_rows(from->table), before = akin_dictionary_count(dictionary);
    writing w = {from, format, calloc(threads, sizeof *w.lines)};
    const akin_dictionary_words words = {rows, write_word, &w};
    if (w.lines)
        status = akin_dictionary_add_words(context, dictionary, &words, error);
    else
        status = akin_error_set(error, AKIN_E_NOMEM, AKIN_REASON_MEMORY, "not enough memory for the names of the rows");
    for (uint32_t thread = 0; thread < threads && w.lines; thread++)
        free(w.lines[thread].text);
    free(w.lines);
    return status == AKIN_OK && akin_dictionary_count(dictionary) - before != rows ? AKIN_E_INPUT : status;
}

/* The fault of a name, or AKIN_OK: `id` is the number that it has got, and `before` names are of other tables. */
static akin_status check_name(const source *from, uint32_t row, uint32_t before, uint32_t id, akin_error *error)
{
    if (id == before + row)
        return AKIN_OK;
    if (id < before)
        return fail_id(from, row, error, "is already that of a row before, in another file or in the index");
    return fail_id(from, row, error, "is already that of %s", akin_cli_where_is(from->table, id - before).text);
}

/* Adds the names one after the other, and so finds the first that has a fault. */
static akin_status add_each(const source *from, akin_cli_format format, akin_dictionary *dictionary, akin_error *error)
{
    akin_cli_line scratch = {0};
    akin_status status = AKIN_OK;
    const uint32_t before = akin_dictionary_count(dictionary);
    for (uint32_t row = 0; row < akin_table_rows(from->table) && status == AKIN_OK; row++) {
        uint64_t written = 0;
        uint32_t id = before + row;
        status = write_name(&scratch, from, row, format, &written, error);
        if (status == AKIN_E_INPUT && from->column.offsets[row + 1] == from->column.offsets[row])
            fail_id(from, row, error, "has no id");
        else if (status == AKIN_E_INPUT)
            fail_id(from, row, error, "has a tab or a line end, which TSV cannot hold: write CSV or JSON lines");
        if (status == AKIN_OK)
            status = akin_dictionary_add(dictionary, scratch.text, (size_t)written, &id, error);
        if (status == AKIN_OK)
            status = check_name(from, row, before, id, error);
    }
    free(scratch.text);
    return status;
}

/* The first strings of a dictionary in another one. */
static akin_status copy_names(akin_context *context, const akin_dictionary *from, uint32_t count, akin_dictionary **out,
                              akin_error *error)
{
    akin_status status = akin_dictionary_create(context, out, error);
    for (uint32_t id = 0, copy; id < count && status == AKIN_OK; id++) {
        const char *name;
        size_t length;
        status = akin_dictionary_string(from, id, &name, &length, error);
        if (status == AKIN_OK)
            status = akin_dictionary_add(*out, name, length, &copy, error);
    }
    return status;
}

akin_status akin_cli_names_make(akin_context *context, const char *path, const akin_table *table, uint32_t index,
                                akin_cli_format format, akin_cli_names *out, akin_error *error)
{
    *out = (akin_cli_names){0};
    return akin_cli_names_add(context, path, table, index, format, out, error);
}

/* Notes the type of a column that names are from, beside what is known of those before. */
static void note_type(akin_cli_names *names, const char *type)
{
    const char *both = names->type[0] ? akin_cli_type_of_both(names->type, type) : type;
    if (strlen(both) >= sizeof names->type)
        both = AKIN_CLI_TEXT;
    if (both != names->type)
        memcpy(names->type, both, strlen(both) + 1);
}

const char *akin_cli_names_type(const akin_cli_names *names)
{
    return names->written ? names->type : AKIN_CLI_INTEGER;
}

akin_status akin_cli_names_add(akin_context *context, const char *path, const akin_table *table, uint32_t index,
                               akin_cli_format format, akin_cli_names *out, akin_error *error)
{
    const uint32_t before = out->written ? akin_dictionary_count(out->written) : 0;
    akin_dictionary *anew = NULL;
    source from = {.path = path, .table = table, .column = {.size = sizeof from.column}};
    akin_status status = akin_table_column(table, index, &from.column, error);
    if (status == AKIN_OK && !out->written)
        status = akin_dictionary_create(context, &out->written, error);
    note_type(out, akin_table_column_format(table, index));
    if (status == AKIN_OK)
        status = add_by_all(context, &from, format, out->written, error);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT) {
        status = copy_names(context, out->written, before, &anew, error);
        if (status == AKIN_OK)
            status = add_each(&from, format, anew, error);
        akin_dictionary_free(out->written);
        out->written = anew;
    }
    if (status != AKIN_OK)
        akin_cli_names_clear(out);
    return status;
}

akin_status akin_cli_name_check_file(const akin_table_file *file, akin_cli_format format, akin_error *error)
{
    const akin_status status = akin_cli_path_check_text(file->name, "rename the file, or give --id", error);
    if (status == AKIN_OK && !akin_cli_name_fits(file->name, strlen(file->name), format))
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NONE,
                              "%.600s: has a tab or a line end in its name, which TSV cannot hold: write CSV or "
                              "JSON lines, or give --id",
                              file->name);
    return status;
}

akin_status akin_cli_name_of_file(const akin_table_file *file, uint32_t row, akin_cli_format format,
                                  akin_cli_line *line, size_t *length, akin_error *error)
{
    char name[NAME];
    const size_t plain = (size_t)snprintf(name, sizeof name, "%.*s:%" PRIu32, NAME - 16, file->name, row - file->first);
    const akin_status status = reserve_name(line, plain, error);
    *length = status == AKIN_OK ? akin_cli_name_write(line->text, name, plain, format) : 0;
    return status;
}

akin_status akin_cli_names_by_file(akin_context *context, const akin_table *table, akin_cli_format format,
                                   akin_cli_names *out, akin_error *error)
{
    akin_cli_line line = {0};
    akin_table_file file = {.size = sizeof file, .name = ""};
    *out = (akin_cli_names){0};
    akin_status status = akin_dictionary_create(context, &out->written, error);
    for (uint32_t row = 0, index = 0; row < akin_table_rows(table) && status == AKIN_OK; row++) {
        uint32_t id = row;
        size_t length = 0;
        const uint32_t last = index;
        while (status == AKIN_OK && row >= file.first + file.rows) /* files may have no rows */
            status = akin_table_file_at(table, index++, &file, error);
        if (status == AKIN_OK && index > last)
            status = akin_cli_name_check_file(&file, format, error);
        if (status == AKIN_OK)
            status = akin_cli_name_of_file(&file, row, format, &line, &length, error);
        if (status == AKIN_OK)
            status = akin_dictionary_add(out->written, line.text, length, &id, error);
        if (status == AKIN_OK && id != row)
            status = akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_REPEATED,
                                    "%.600s: is given twice; expected each file once, or --id", file.name);
    }
    free(line.text);
    if (status != AKIN_OK)
        akin_cli_names_clear(out);
    return status;
}

akin_status akin_cli_names_of_index(akin_context *context, const akin_search_index *index, akin_cli_format format,
                                    akin_cli_names *out, akin_error *error)
{
    akin_cli_line scratch = {0};
    const char *name;
    size_t length;
    uint32_t id;
    akin_status status = akin_dictionary_create(context, &out->written, error);
    note_type(out, AKIN_CLI_TEXT);
    for (uint32_t object = 0; status == AKIN_OK && akin_search_index_name(index, object, &name, &length); object++) {
        status = reserve_name(&scratch, length, error);
        if (status == AKIN_OK)
            status = akin_dictionary_add(out->written, scratch.text,
                                         akin_cli_name_write(scratch.text, name, length, format), &id, error);
    }
    free(scratch.text);
    if (status != AKIN_OK)
        akin_cli_names_clear(out);
    return status;
}

void akin_cli_names_clear(akin_cli_names *names)
{
    akin_dictionary_free(names->written);
    *names = (akin_cli_names){0};
}

const char *akin_cli_names_row(const akin_cli_names *names, uint32_t row, char number[16], size_t *length)
{
    const char *name = number;
    if (!names->written)
        *length = (size_t)(akin_digits_integer(number, row) - number);
    else
        akin_dictionary_string(names->written, row, &name, length, NULL); /* every row has one */
    return name;
}
