/* Reads a table from a file, plain or compressed. */
#include "base/memory.h"
#include "base/options.h"
#include "base/reader.h"
#include "table/parser.h"

#include <stddef.h>

AKIN_OPTIONS_END(akin_table_options, reserved);

static const struct {
    const char *ending;
    akin_format format;
} endings[] = {
    {".txt", AKIN_FORMAT_TEXT}, {".csv", AKIN_FORMAT_CSV},     {".tsv", AKIN_FORMAT_TSV},
    {".tab", AKIN_FORMAT_TSV},  {".jsonl", AKIN_FORMAT_JSONL}, {".ndjson", AKIN_FORMAT_JSONL},
};

akin_status akin_format_of_name(const char *path, akin_format *out, akin_error *error)
{
    const size_t length = akin_reader_stem(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (akin_reader_ends(path, length, endings[i].ending)) {
            *out = endings[i].format;
            return AKIN_OK;
        }
    return akin_error_set(
        error, AKIN_E_OPTION, AKIN_REASON_UNKNOWN_FORMAT,
        "%s: its name does not tell its format (.txt, .csv, .tsv, .tab, .jsonl or .ndjson would, also with "
        ".gz or .zst behind): say which it is",
        path);
}

static akin_status read_options(const char *path, const akin_table_options *given, akin_table_options *own,
                                akin_error *error)
{
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_table_options", error);
    if (status != AKIN_OK)
        return status;
    if ((unsigned)own->format > AKIN_FORMAT_WHOLE)
        return akin_fail(error, AKIN_E_OPTION, "format %d is none of those there are", (int)own->format);
    if (own->column_count > 0 && !own->columns)
        return akin_fail(error, AKIN_E_OPTION, "columns is NULL, expected %u names", own->column_count);
    if (own->reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_table_options: reserved is %u; expected 0", own->reserved);
    return own->format == AKIN_FORMAT_AUTO ? akin_format_of_name(path, &own->format, error) : AKIN_OK;
}

akin_status akin_table_read(akin_context *context, const char *path, const akin_table_options *options,
                            akin_table **out, akin_error *error)
{
    akin_table_options own = AKIN_TABLE_OPTIONS_INIT;
    akin_reader *reader;
    akin_parser parser;
    akin_status status = read_options(path, options, &own, error);
    if (status == AKIN_OK)
        status = akin_reader_open(context, path, &reader, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parser_begin(&parser, context, akin_reader_name(reader), &own, error);
    while (status == AKIN_OK) {
        char *text;
        size_t length;
        status = akin_reader_next(reader, &text, &length, error);
        if (status == AKIN_OK && length == 0) {
            status = akin_parser_finish(&parser, out, error);
            break;
        }
        if (status == AKIN_OK)
            status = akin_parser_add(&parser, text, length, error);
    }
    akin_parser_clear(&parser);
    akin_reader_close(reader);
    return status;
}
