/* Plain text: each line is a row. The functions of its rows (formats.h). */
#ifndef AKIN_TABLE_LINES_H
#define AKIN_TABLE_LINES_H

#include "table/parser.h"

akin_status akin_lines_add(akin_parser *parser, const char *text, size_t length, akin_error *error);

#endif
