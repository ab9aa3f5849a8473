/* Reads a file, plain, gzip or zstd (recognised by its first bytes), or standard input, in blocks that end at line
 * ends. */
#ifndef AKIN_BASE_READER_H
#define AKIN_BASE_READER_H

#include "base/scope.h"

typedef struct akin_reader akin_reader;

/* Opens path ("-": standard input). Concatenated gzip members and zstd frames are read in sequence. Errors:
 * AKIN_E_INPUT (missing, a directory, not readable), AKIN_E_IO, AKIN_E_NOMEM. */
akin_status akin_reader_open(const akin_scope *scope, const char *path, akin_reader **out, akin_error *error);

/*
 * The next block of whole lines in *data and *length: it ends with a line feed, or with the end of the file. Length 0
 * is the end. The block belongs to the reader until the next call (of akin_reader_peek too), and may be written to; 64
 * bytes beyond its end are readable and hold anything. A line longer than the buffer makes that grow, unless it has a
 * NUL byte: that is no text, and comes in pieces, each with a NUL byte or ended by a line feed or the end of the file,
 * so that it can be refused (or, in a saved file, read) without being in memory as a whole. Progress is reported under
 * "reading" in bytes of the file as stored. While a pipe gives nothing, the cancel callback is called. After an error
 * the reader can only be closed.
 *
 * Errors: AKIN_E_INPUT (truncated or damaged compressed data, with the byte offset), AKIN_E_IO, AKIN_E_NOMEM,
 * AKIN_E_CANCELLED.
 */
akin_status akin_reader_next(akin_reader *reader, char **data, size_t *length, akin_error *error);

/* Where the last error was that of a line that is too long: as much of it as was read, and the bytes of that. NULL: it
 * was another error, or none. */
const char *akin_reader_long_line(const akin_reader *reader, size_t *length);

/* A block that belongs to the caller. One of all zeros has no memory yet; akin_free(block.data) gives back what it has.
 */
typedef struct akin_block {
    char *data;
    size_t capacity; /* beside the 64 bytes of padding */
    size_t length;
} akin_block;

/* The same as akin_reader_next, but the block is the caller's, until it gives it back in a later call, to be filled
 * again. Its length 0 is the end. */
akin_status akin_reader_take(akin_reader *reader, akin_block *block, akin_error *error);

/* Where bytes of a file are. */
typedef struct akin_range {
    uint64_t begin, end;
} akin_range;

static inline int akin_range_is_empty(akin_range range)
{
    return range.begin >= range.end;
}

/* The same as akin_reader_take, but the bytes of the block may be left to akin_reader_load. Then *range says where they
 * are; else it is empty. Only the calling thread cuts, and any thread loads. */
akin_status akin_reader_cut(akin_reader *reader, akin_block *block, akin_range *range, akin_error *error);

/* Appends the bytes of a range to the block. Errors: AKIN_E_IO (also where the file has become shorter), AKIN_E_NOMEM.
 * Thread-safe. */
akin_status akin_reader_load(const akin_reader *reader, akin_range range, akin_block *block, akin_error *error);

/* Whether ranges of the file can be loaded: a regular file that is not compressed. */
int akin_reader_has_ranges(const akin_reader *reader);

/* The place of the first byte of such a file that has not been handed out. */
uint64_t akin_reader_place(const akin_reader *reader);

/* A reader that is held is closed once it has been closed as often as it was opened and held. Thread-safe. */
void akin_reader_hold(akin_reader *reader);

/* Whether the content has ended: no bytes follow those that have been handed out. */
int akin_reader_is_at_end(const akin_reader *reader);

/* How many times as long as the content so far the whole of it may be, as far as the size of the file says; 0: it says
 * nothing. */
double akin_reader_times(const akin_reader *reader);

#define AKIN_EXPECTED_MORE 1.06 /* later rows may have more bytes than earlier ones */
#define AKIN_EXPECTED_MOST 1e15 /* no file has more */

/* How many items to make room for when a file is `times` as long as the part that gave `count`; 0: too many to be
 * true. */
static inline uint64_t akin_expected(uint64_t count, double times)
{
    const double expected = (double)count * times * AKIN_EXPECTED_MORE;
    return expected < AKIN_EXPECTED_MOST ? (uint64_t)expected : 0;
}

/* Makes the block that long, with its padding, and keeps its bytes. Errors: AKIN_E_NOMEM, without a message. */
akin_status akin_block_resize(akin_block *block, size_t length);

/* The bytes of a block that akin_reader_take fills. */
size_t akin_reader_block_bytes(const akin_scope *scope);

/* The size of the file as stored; 0: nobody knows. */
uint64_t akin_reader_size(const akin_reader *reader);

/* The name for messages: the path without the secrets of an address, or "standard input". A path that
 * akin_reader_name_of takes has none. */
const char *akin_reader_name(const akin_reader *reader);
const char *akin_reader_name_of(const char *path);

/* The next bytes of the (decompressed) content without consuming them, up to `length`; fewer at the end. They are valid
 * until the next call. Errors: those of akin_reader_next. */
akin_status akin_reader_peek(akin_reader *reader, size_t length, const char **data, size_t *got, akin_error *error);

/* Accepts NULL. Thread-safe where the reader is held. */
void akin_reader_close(akin_reader *reader);

/* The length of a path without a .gz or .zst at its end; and whether the first `length` bytes of a path end in
 * `ending`, in upper or lower case. */
size_t akin_reader_stem(const char *path);
int akin_reader_ends(const char *path, size_t length, const char *ending);

#endif
