/*
 * Strings of bytes prepared for nearest-neighbour search by edit distance: in the order of their first bytes, so that what one has
 * computed for the beginning of a string serves the next ones that begin likewise.
 *
 *     bytes     | aab | aac | b | ...       one behind the other
 *     begins    | 0 | 3 | 6 | 7 | ...
 *     shared    | 0 | 2 | 0 | ...           with how many bytes each begins that the one before begins with
 *     rows      where each stands in its column
 */
#ifndef AKIN_SEARCH_SEQUENCES_H
#define AKIN_SEARCH_SEQUENCES_H

#include "base/context.h"
#include "base/memory.h"

typedef struct akin_sequences {
    uint32_t count;
    uint32_t longest;     /* bytes of one */
    uint32_t most_shared; /* the largest of `shared` */
    uint64_t *begins;
    uint32_t *shared, *rows;
    uint8_t *bytes;
} akin_sequences;

/* Takes the rows of a column but its nulls; akin_sequences_clear may follow in any case. Errors: AKIN_E_LIMIT (one of 2^31 bytes or
 * more), AKIN_E_NOMEM. */
akin_status akin_sequences_make(const akin_column *column, uint32_t rows, akin_sequences *out, akin_error *error);
void akin_sequences_clear(akin_sequences *sequences);

#endif
