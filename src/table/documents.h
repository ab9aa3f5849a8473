/* Documents of plain text: paragraphs, or whole files. The functions of its rows (formats.h). */
#ifndef AKIN_TABLE_DOCUMENTS_H
#define AKIN_TABLE_DOCUMENTS_H

#include "table/parser.h"

akin_status akin_paragraphs_add(akin_parser *parser, const char *text, size_t length, akin_error *error);
akin_status akin_documents_finish(akin_parser *parser, akin_error *error);
akin_status akin_whole_add(akin_parser *parser, const char *text, size_t length, akin_error *error);
akin_status akin_whole_finish(akin_parser *parser, akin_error *error); /* an empty file is an empty document */

#endif
