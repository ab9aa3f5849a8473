/* CSV and TSV. The functions of its rows (formats.h). */
#ifndef AKIN_TABLE_DELIMITED_H
#define AKIN_TABLE_DELIMITED_H

#include "table/parser.h"

void akin_csv_begin(akin_parser *parser);
void akin_tsv_begin(akin_parser *parser);
akin_status akin_delimited_add(akin_parser *parser, const char *text, size_t length, akin_error *error);
akin_status akin_delimited_finish(akin_parser *parser, akin_error *error);

/* The parser of a piece gets the header of another one, whose table has the same columns. Errors: AKIN_E_NOMEM. */
akin_status akin_delimited_fork(const akin_parser *parser, akin_parser *piece, akin_error *error);

/* The bytes of a text up to the end of its first record, and with it; all of them if it has no such end. */
size_t akin_delimited_cut(const akin_parser *parser, const char *text, size_t length);

/* Writes the error of a quoted field, which is not at its end, that is too long. */
akin_status akin_delimited_fail_long(const akin_parser *parser, akin_error *error);

/* Begins anew behind the header. */
void akin_delimited_renew(akin_delimited *delimited);

/* Whether the number of quotes is odd. */
int akin_quotes_are_odd(const char *text, size_t length);

/* The bytes of a text that begins within quotes up to its first line feed outside quotes, and with it; 0: it has none.
 */
size_t akin_quotes_head(const char *text, size_t length);

#endif
