/* Leaves bad records out of a table: up to a number of them, each noted with its line. */
#ifndef AKIN_TABLE_SKIPPER_H
#define AKIN_TABLE_SKIPPER_H

#include "table/parser.h"

typedef struct akin_skipper {
    const akin_scope *scope;
    akin_parser *parser;      /* of the table; it has no part of a record */
    uint64_t left, most;      /* records that may yet be left out, and those that could at first */
    akin_parser piece;        /* parses the text of the file at hand, which may be bad; no table: it has to be made */
    akin_strings kept;        /* the beginning of a record that goes on in the next text: no rows, only bytes */
    akin_table_places places; /* of the piece */
} akin_skipper;

/* A skipper of the parser's, for at most `most` records. The caller clears it. */
akin_skipper akin_skipper_of(const akin_scope *scope, akin_parser *parser, uint64_t most);

/* Parses the next text of the file, with AKIN_PARSER_PADDING bytes behind it: as akin_parser_add, but without the bad
 * records. Errors: as akin_parser_add, for the first bad record that is too many. */
akin_status akin_skipper_add(akin_skipper *skipper, const char *text, size_t length, akin_error *error);

/* Parses what is left of the file, before akin_parser_end_file. */
akin_status akin_skipper_end_file(akin_skipper *skipper, akin_error *error);

/* Whether a piece that has been parsed without an error can be joined as it is: it begins and ends with a record. */
int akin_skipper_takes_none(const akin_skipper *skipper, const akin_parser *piece);

void akin_skipper_clear(akin_skipper *skipper);

#endif
