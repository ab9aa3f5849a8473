/* The blocks of files parsed by all threads, each into a piece, and joined to a table in order. */
#ifndef AKIN_TABLE_PIECES_H
#define AKIN_TABLE_PIECES_H

#include "table/feed.h"
#include "table/skipper.h"

/* How many blocks the threads of a scope parse at once; 0: the format's blocks, or the memory bound, leave that to one
 * thread. */
uint32_t akin_pieces_slots(const akin_scope *scope, const akin_format_row *format);

/* Parses the rest of the file at hand, and the files that follow as long as akin_feed_goes_on, as akin_parser_add on
 * each block would: the same rows, or the same error. The parser is settled; there are `slots` slots (above 0). A bad
 * block is given to `skipper`, unless that is NULL. The last file has not been ended. Errors: those of akin_feed_next,
 * akin_parser_add and akin_parser_turn. */
akin_status akin_pieces_read(const akin_scope *scope, akin_feed *feed, uint32_t slots, akin_parser *parser,
                             akin_skipper *skipper, akin_error *error);

#endif
