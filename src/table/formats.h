/* Formats of tables: how a file of each is read. */
#ifndef AKIN_TABLE_FORMATS_H
#define AKIN_TABLE_FORMATS_H

#include "base/choice.h"
#include "table/parser.h"

#define AKIN_FORMAT_ENDINGS 2 /* of the names of a format's files, at most */

/*
 * A format; its value is an akin_format. A binary one needs `read` alone, which opens the file itself.
 *
 * Formats of text share akin_table_read_text. It takes a file apart into whole lines and hands them to `add`; `begin` and `finish`, which
 * may be NULL, are called before the first one and after the last.
 */
typedef struct akin_format_row {
    akin_choice choice;
    const char *endings[AKIN_FORMAT_ENDINGS];
    akin_status (*read)(akin_context *context, const char *path, const akin_table_options *options, akin_table **out,
                        akin_error *error);
    void (*begin)(akin_parser *parser);
    akin_status (*add)(akin_parser *parser, const char *text, size_t length, akin_error *error);
    akin_status (*finish)(akin_parser *parser, akin_error *error);
    int is_plain; /* text without columns: there is one, "text" */
    int returns;  /* carriage returns before the first line feed that are too many; 0: they are blanks like others */
} akin_format_row;

extern const akin_choice_table akin_table_formats;

/* Formats that are neither read nor written, by the endings of names. */
extern const akin_choice_table akin_foreign_formats;

/* What a document of plain text is: formats, too. */
extern const akin_choice_table akin_document_formats;

/* The row of a format in either table; NULL: there is none. */
const akin_format_row *akin_format_of(akin_format format);

akin_status akin_table_read_text(akin_context *context, const char *path, const akin_table_options *options,
                                 akin_table **out, akin_error *error);

#endif
