/* CSV and TSV. The functions of its rows (formats.h). */
#ifndef AKIN_TABLE_DELIMITED_H
#define AKIN_TABLE_DELIMITED_H

#include "table/parser.h"

void akin_csv_begin(akin_parser *parser);
void akin_tsv_begin(akin_parser *parser);
akin_status akin_delimited_add(akin_parser *parser, const char *text, size_t length, akin_error *error);
akin_status akin_delimited_finish(akin_parser *parser, akin_error *error);

#endif
