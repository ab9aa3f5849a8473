/* Tables that the opener of a context opens, such as Parquet files. */
#ifndef AKIN_TABLE_OPENED_H
#define AKIN_TABLE_OPENED_H

#include "table/parser.h"

/* Reads a table of the format `row`, one of "opened-formats". `options` are complete. Errors: those of the opener and
 * of akin_table_import, whose messages begin with the path; AKIN_E_OPTION (there is no opener). */
akin_status akin_opened_read(const akin_scope *scope, const char *path, const akin_format_row *row,
                             const akin_table_options *options, akin_table **out, akin_error *error);

/* Appends such a table to that of a parser, whose files before have ended. Errors: the same, and those of
 * akin_parser_match; AKIN_E_LIMIT. */
akin_status akin_opened_append(const akin_scope *scope, const char *path, const akin_format_row *row,
                               const akin_table_options *options, akin_parser *parser, akin_error *error);

#endif
