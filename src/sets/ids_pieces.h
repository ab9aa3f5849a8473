/* The blocks of a file of `ids` text parsed by all threads, each into a piece, and joined to a collection in order. */
#ifndef AKIN_SETS_IDS_PIECES_H
#define AKIN_SETS_IDS_PIECES_H

#include "base/reader.h"
#include "sets/ids.h"

/* Parses the rest of the file, as akin_ids_add on each block would: the same rows, or the same error. The first block
 * has been parsed. Errors: those of akin_reader_next and akin_ids_add. */
akin_status akin_ids_read_rest(akin_ids *ids, const akin_scope *scope, akin_reader *reader, akin_error *error);

#endif
