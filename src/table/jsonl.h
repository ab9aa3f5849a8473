/* Lines of JSON objects. The functions of its rows (formats.h). */
#ifndef AKIN_TABLE_JSONL_H
#define AKIN_TABLE_JSONL_H

#include "table/parser.h"

void akin_jsonl_begin(akin_parser *parser);
akin_status akin_jsonl_add(akin_parser *parser, const char *text, size_t length, akin_error *error);
akin_status akin_jsonl_finish(akin_parser *parser, akin_error *error);

#endif
