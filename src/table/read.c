/* Reads a table from a file, plain or compressed. */
#include "base/memory.h"
#include "base/options.h"
#include "base/reader.h"
#include "table/formats.h"
#include "table/pieces.h"

#include <stddef.h>

AKIN_OPTIONS_END(akin_table_options, optional);

static akin_status read_table_options(const char *path, const akin_table_options *given, akin_table_options *own,
                                      akin_error *error)
{
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_table_options", error);
    if (status != AKIN_OK)
        return status;
    if (own->format != AKIN_FORMAT_AUTO && !akin_format_of(own->format))
        return akin_fail(error, AKIN_E_OPTION, "format %d is none of those there are", (int)own->format);
    if (own->column_count > 0 && !own->columns)
        return akin_fail(error, AKIN_E_OPTION, "columns is NULL, expected %u names", own->column_count);
    if (own->optional > own->column_count)
        return akin_fail(error, AKIN_E_OPTION, "optional is %u; expected at most the number of columns, %u",
                         own->optional, own->column_count);
    return own->format == AKIN_FORMAT_AUTO ? akin_format_of_name(path, &own->format, error) : AKIN_OK;
}

/* Cuts a file of text into whole lines, and has them parsed: by this thread, until the first rows have shown what there
 * is to know, and then by all. */
static akin_status read_text(const akin_scope *scope, const char *path, const akin_format_row *format,
                             const akin_table_options *options, akin_table **out, akin_error *error)
{
    akin_reader *reader;
    akin_parser parser;
    akin_status status = akin_reader_open(scope, path, &reader, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parser_begin(&parser, scope, akin_reader_name(reader), format, options, error);
    const uint32_t slots = akin_pieces_slots(scope, format);
    int is_first = 1;
    char *text;
    for (size_t length = 1; status == AKIN_OK && length > 0;) {
        if (slots > 0 && akin_parser_is_settled(&parser) && !akin_reader_is_at_end(reader)) {
            status = akin_pieces_read(scope, reader, slots, &parser, error);
            break;
        }
        status = akin_reader_next(reader, &text, &length, error);
        if (status == AKIN_OK && length > 0)
            status = akin_parser_add(&parser, text, length, error);
        if (status == AKIN_OK && is_first && !scope->memory) /* under a bound, what has room on the heap is not known */
            akin_table_expect(parser.table, akin_reader_times(reader));
        is_first = 0;
    }
    if (status == AKIN_OK)
        status = akin_parser_finish(&parser, out, error);
    akin_parser_clear(&parser);
    akin_reader_close(reader);
    return status;
}

akin_status akin_table_read(akin_context *context, const char *path, const akin_table_options *options,
                            akin_table **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_table_options own = AKIN_TABLE_OPTIONS_INIT;
    akin_status status = read_table_options(path, options, &own, error);
    if (status != AKIN_OK)
        return status;
    const akin_format_row *format = akin_format_of(own.format);
    return format->read ? format->read(scope, path, format, &own, out, error)
                        : read_text(scope, path, format, &own, out, error);
}
