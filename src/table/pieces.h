/* The blocks of a file parsed by all threads, each into a piece, and joined to a table in order. */
#ifndef AKIN_TABLE_PIECES_H
#define AKIN_TABLE_PIECES_H

#include "base/reader.h"
#include "table/parser.h"

/* How many blocks the threads of a scope parse at once; 0: the format's blocks, or the memory bound, leave that to one
 * thread. */
uint32_t akin_pieces_slots(const akin_scope *scope, const akin_format_row *format);

/* Parses the rest of the file, as akin_parser_add on each block would: the same rows, or the same error. The parser is
 * settled; there are `slots` slots (above 0). Errors: those of akin_reader_next and akin_parser_add. */
akin_status akin_pieces_read(const akin_scope *scope, akin_reader *reader, uint32_t slots, akin_parser *parser,
                             akin_error *error);

#endif
