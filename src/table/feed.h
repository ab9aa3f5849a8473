/* The text of a table's files, block by block, and what the header of each says. */
#ifndef AKIN_TABLE_FEED_H
#define AKIN_TABLE_FEED_H

#include "base/reader.h"
#include "table/files.h"
#include "table/parser.h"

typedef struct akin_feed {
    const akin_scope *scope;
    const akin_files *files;
    const akin_table_options *options; /* complete; AKIN_FORMAT_AUTO: the format of each file is that of its name */
    uint64_t next;                     /* the file behind that at hand */
    akin_reader *reader;               /* of the file at hand; NULL: there is none */
    akin_parser head;                  /* has parsed the header of that file, and no row */
    int has_failed;                    /* the reader has, after all that it had read was parsed */
} akin_feed;

/* A block of text. Its own records begin at `begin`. */
typedef struct akin_feed_block {
    akin_block block;
    akin_range range; /* of the file, where the bytes are left to akin_reader_load; else empty */
    size_t begin;
    int is_first; /* of its file, whose header has just been parsed */
} akin_feed_block;

/* The format of file `index`. Errors: AKIN_E_OPTION (its name does not say it). */
akin_status akin_feed_format(const akin_feed *feed, uint64_t index, const akin_format_row **out, akin_error *error);

/* Opens the next file, which is one of text, and parses its header. *out is its first block, behind the header; it is
 * empty if nothing follows. Errors: those of akin_reader_open, akin_reader_take and akin_parser_add. */
akin_status akin_feed_open(akin_feed *feed, akin_feed_block *out, akin_error *error);

/* Whether another file of text follows that any thread may parse. */
int akin_feed_goes_on(const akin_feed *feed);

/* The next block of the file at hand, or the first of the next file; *ended is set where neither is there. */
akin_status akin_feed_next(akin_feed *feed, akin_feed_block *out, int *ended, akin_error *error);

/* How many times as long as what has been read all files together may be; 0: nobody knows. */
double akin_feed_times(const akin_feed *feed);

/* Closes the file at hand; allowed at any time. */
void akin_feed_close(akin_feed *feed);

#endif
