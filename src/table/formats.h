/* Formats of tables: how a file of each is read. */
#ifndef AKIN_TABLE_FORMATS_H
#define AKIN_TABLE_FORMATS_H

#include "base/choice.h"
#include "table/parser.h"

extern const akin_choice_table akin_table_formats;

/* Formats that are neither read nor written, by the endings of names. */
extern const akin_choice_table akin_foreign_formats;

/* Formats that an opener reads. */
extern const akin_choice_table akin_opened_formats;

/* What a document of plain text is: formats, too. */
extern const akin_choice_table akin_document_formats;

/* The row of a format in any of these tables; NULL: there is none. */
const akin_format_row *akin_format_of(akin_format format);

/* Whether the ending of a path, or the beginning of an address, is that of a format that an opener reads. */
int akin_format_is_opened(const char *path);

/* As akin_format_of_name, of one file. */
akin_status akin_format_of_ending(const char *path, akin_format *out, akin_error *error);

#endif
