/*
 * Strings of bytes prepared for nearest-neighbour search by edit distance. They are in the order of their lengths, so
 * that neighbours have the same length, or nearly. Strings of one length are in the order of their rows.
 *
 *     bytes     | b | ac | aab | ...        without gaps
 *     begins    | 0 | 1 | 3 | 6 | ...
 *     rows      where each stands in its column
 *
 * And how many bytes of each kind they have, block by block of strings, all numbers at most 255:
 *
 *     bags      | kind 0: of string 0 | 1 | .. | 63 | kind 1: .. | .. | kind 31: .. | lengths: .. |
 */
#ifndef AKIN_SEARCH_ORDERED_H
#define AKIN_SEARCH_ORDERED_H

#include "base/bulk.h"

#define AKIN_ORDERED_BLOCK 64 /* strings */
#define AKIN_ORDERED_KINDS 32
#define AKIN_ORDERED_PAD   1024
#define AKIN_ORDERED_BAGS  (AKIN_ORDERED_BLOCK * (AKIN_ORDERED_KINDS + 1)) /* bytes of a block */

enum {
    AKIN_ORDERED_BEGINS,
    AKIN_ORDERED_ROWS,
    AKIN_ORDERED_BYTES,
    AKIN_ORDERED_COUNTS, /* bags */
    AKIN_ORDERED_ARRAYS
};

typedef struct akin_ordered {
    akin_bulk arrays[AKIN_ORDERED_ARRAYS]; /* of what follows */
    uint32_t count;
    uint32_t longest; /* bytes of one */
    uint64_t *begins;
    uint32_t *rows;
    uint8_t *bytes;     /* AKIN_ORDERED_PAD more may be read */
    uint8_t *bags;      /* aligned to 64 bytes; zeros behind the last string */
    uint8_t kinds[256]; /* of each byte: the most frequent ones are by themselves */
    /* The numbers of the strings' symbols (letters.h), borrowed, where bytes do not identify symbols, and where each
     * row begins in them; or NULL. */
    const uint32_t *numbers;
    const uint64_t *offsets;
} akin_ordered;

static inline uint32_t akin_ordered_blocks(const akin_ordered *ordered)
{
    return (uint32_t)(((uint64_t)ordered->count + AKIN_ORDERED_BLOCK - 1) / AKIN_ORDERED_BLOCK);
}

static inline uint64_t akin_ordered_length(const akin_ordered *ordered, uint32_t string)
{
    return ordered->begins[string + UINT64_C(1)] - ordered->begins[string];
}

/* Takes the rows of a column but its nulls; akin_ordered_clear may follow in any case. With a memory bound, temporary
 * files hold what exceeds its share. Errors: AKIN_E_LIMIT (one of 2^31 bytes or more), AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_ordered_make(const akin_scope *scope, const akin_column *column, uint32_t rows, akin_ordered *out,
                              akin_error *error);
void akin_ordered_clear(akin_ordered *ordered);

#endif
