/* The text format: every line is a row of the one column. */
#include "table/lines.h"

akin_status akin_lines_add(akin_parser *parser, const char *text, size_t length, akin_error *error)
{
    akin_table *table = parser->table;
    for (const char *at = text, *end = text + length; at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t line = (size_t)(feed - at);
        if (line > 0 && at[line - 1] == '\r')
            line--;
        akin_status status = akin_parser_put(parser, &table->columns[parser->text], at, line);
        if (status == AKIN_OK)
            status = akin_table_end_row(table, parser->lines + 1, at, line);
        if (status != AKIN_OK)
            return akin_parser_fail(parser, status, error);
        parser->lines++;
        at = feed + 1;
    }
    return AKIN_OK;
}
