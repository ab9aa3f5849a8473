/*
 * Strings of bytes prepared for nearest-neighbour search by edit distance: in the order of their lengths, so that those side by side have
 * the same one, or nearly; of one length in the order of their rows.
 *
 *     bytes     | b | ac | aab | ...        one behind the other
 *     begins    | 0 | 1 | 3 | 6 | ...
 *     rows      where each stands in its column
 *
 * And how many bytes of each kind they have, a block of strings after the other, all numbers at most 255:
 *
 *     bags      | kind 0: of string 0 | 1 | .. | 63 | kind 1: .. | .. | kind 31: .. | lengths: .. |
 */
#ifndef AKIN_SEARCH_SEQUENCES_H
#define AKIN_SEARCH_SEQUENCES_H

#include "base/bulk.h"

#define AKIN_SEQUENCES_BLOCK 64 /* strings */
#define AKIN_SEQUENCES_KINDS 32
#define AKIN_SEQUENCES_PAD   1024
#define AKIN_SEQUENCES_BAGS  (AKIN_SEQUENCES_BLOCK * (AKIN_SEQUENCES_KINDS + 1)) /* bytes of a block */

enum {
    AKIN_SEQUENCES_BEGINS,
    AKIN_SEQUENCES_ROWS,
    AKIN_SEQUENCES_BYTES,
    AKIN_SEQUENCES_COUNTS, /* bags */
    AKIN_SEQUENCES_ARRAYS
};

typedef struct akin_sequences {
    akin_bulk arrays[AKIN_SEQUENCES_ARRAYS]; /* of what follows */
    uint32_t count;
    uint32_t longest; /* bytes of one */
    uint64_t *begins;
    uint32_t *rows;
    uint8_t *bytes;     /* AKIN_SEQUENCES_PAD more may be read */
    uint8_t *bags;      /* aligned to 64 bytes; zeros behind the last string */
    uint8_t kinds[256]; /* of each byte: the most frequent ones are by themselves */
} akin_sequences;

static inline uint32_t akin_sequences_blocks(const akin_sequences *sequences)
{
    return (uint32_t)(((uint64_t)sequences->count + AKIN_SEQUENCES_BLOCK - 1) / AKIN_SEQUENCES_BLOCK);
}

static inline uint64_t akin_sequences_length(const akin_sequences *sequences, uint32_t string)
{
    return sequences->begins[string + UINT64_C(1)] - sequences->begins[string];
}

/* Takes the rows of a column but its nulls; akin_sequences_clear may follow in any case. With a memory bound what is beyond its share is in
 * temporary files. Errors: AKIN_E_LIMIT (one of 2^31 bytes or more), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_sequences_make(akin_context *context, const akin_column *column, uint32_t rows, akin_sequences *out,
                                akin_error *error);
void akin_sequences_clear(akin_sequences *sequences);

#endif
