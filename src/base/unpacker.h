/*
 * Gzip members and zstd frames of a regular file, decoded by several threads, and handed over in order.
 *
 *     calling thread   | read 0 | read 1 | read 2 | hand over 0 | read 3 | hand over 1 | ...
 *     thread 1         |        | decode 0        | decode 2             | ...
 *     thread 2         |                 | decode 1        | decode 3    | ...
 *
 * The calling thread cuts the file into batches of whole members or frames, of 256 KiB or more, and keeps some batches
 * ahead. A zstd frame says where its blocks end, and a member of BGZF how long it is. The end of any other member is
 * not known before it is decoded: what looks like the header of a member is taken for one, and a batch that does not
 * end where a member ends is given up. What is given up is left to the caller, who decodes it on one thread: large
 * members and frames, damaged ones, what finds no memory. So contents and errors are those of one thread.
 */
#ifndef AKIN_BASE_UNPACKER_H
#define AKIN_BASE_UNPACKER_H

#include "base/decoder.h"
#include "base/scope.h"

#define AKIN_UNPACKER_BATCH_MOST                                                                                       \
    ((uint64_t)8 << 20) /* stored bytes of a batch, at most: so far the next end is looked for */

typedef struct akin_unpacker akin_unpacker;

/* Begins at a byte of the file where a member or frame begins; the descriptor and its offset stay the caller's. NULL:
 * one thread is to decode, because the scope has one thread, or the file one batch, or memory is short. */
akin_unpacker *akin_unpacker_open(const akin_scope *scope, int fd, akin_packing packing, uint64_t begin, uint64_t size);

/* Copies up to `room` bytes of the content; *position is the byte of the file at which the batch at hand ends. *got 0
 * is the end of the file, or *left is set: from *position on the rest is left to the caller. Errors, without a message:
 * AKIN_E_CANCELLED. */
akin_status akin_unpacker_next(akin_unpacker *unpacker, char *to, size_t room, size_t *got, uint64_t *position,
                               int *left);

/* Accepts NULL. */
void akin_unpacker_close(akin_unpacker *unpacker);

#endif
