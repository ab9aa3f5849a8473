/* Documents of plain text: the lines up to the next blank one, or all of a file, are a row of the one column. */
#include "table/documents.h"

/* Whether there are spaces and tabs alone, and a carriage return at the end. */
static int is_blank(const char *line, size_t length)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t')
            return 0;
    return 1;
}

static akin_status end_document(akin_parser *parser)
{
    akin_strings *column = &parser->table->columns[parser->text];
    uint64_t begin = column->rows > 0 ? column->offsets[column->rows] : 0;
    if (column->length > begin &&
        column->bytes[column->length - 1] == '\n') /* the end of its last line is none of it */
        column->length--;
    if (column->length > begin && column->bytes[column->length - 1] == '\r')
        column->length--;
    akin_status status = akin_strings_end(column);
    uint64_t length, line = parser->document;
    parser->document = 0;
    if (status != AKIN_OK)
        return status;
    const char *record = akin_strings_row(column, column->rows - 1, &length);
    return akin_table_end_row(parser->table, line, record, (size_t)length);
}

/* Adds lines to the document at hand, from `from` on, unless there are none. */
static akin_status append_lines(akin_parser *parser, const char *from, const char *end)
{
    return from == end ? AKIN_OK
                       : akin_parser_append(parser, &parser->table->columns[parser->text], from, (size_t)(end - from));
}

static akin_status add_document(akin_parser *parser, const char *text, size_t length, int by_blanks)
{
    const char *end = text + length, *from = text; /* what is not appended yet */
    akin_status status = AKIN_OK;
    for (const char *at = text; at < end && status == AKIN_OK; parser->lines++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        int blank = by_blanks && is_blank(at, (size_t)(feed - at));
        if (blank && parser->document) {
            status = append_lines(parser, from, at);
            if (status == AKIN_OK)
                status = end_document(parser);
        }
        at = feed + 1;
        if (blank)
            from = at;
        else if (!parser->document)
            parser->document = parser->lines + 1;
    }
    return status == AKIN_OK ? append_lines(parser, from, end) : status;
}

akin_status akin_paragraphs_add(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    akin_status status = add_document(parser, text, length, 1);
    return status == AKIN_OK ? status : akin_parser_fail(parser, status, error);
}

akin_status akin_whole_add(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    akin_status status = add_document(parser, text, length, 0);
    return status == AKIN_OK ? status : akin_parser_fail(parser, status, error);
}

akin_status akin_documents_finish(akin_parser *parser, akin_error *error)
{
    akin_status status = parser->document ? end_document(parser) : AKIN_OK;
    return status == AKIN_OK ? status : akin_parser_fail(parser, status, error);
}

akin_status akin_whole_finish(akin_parser *parser, akin_error *error)
{
    if (!parser->document)
        parser->document = 1;
    return akin_documents_finish(parser, error);
}
