/* Rows of tokens in plain arrays: what collections for tests are put together in, and what the oracle looks at. */
#ifndef AKIN_TEST_ROWS_H
#define AKIN_TEST_ROWS_H

#include "akin.h"

/* Row r holds tokens[offsets[r]] .. tokens[offsets[r + 1] - 1], ascending, distinct. Zero-initialised: no rows.
 * Whatever needs memory here aborts when there is none. */
typedef struct rows {
    uint32_t count;
    uint64_t *offsets; /* count + 1; NULL while there are no rows */
    uint32_t *tokens;
} rows;

/* Appends a row of these tokens, in any order, repetitions counting once. The tokens may be those of one of the rows.
 */
void rows_add(rows *rows, const uint32_t *tokens, uint32_t size);
void rows_clear(rows *rows);

static inline uint32_t rows_size(const rows *rows, uint32_t row)
{
    return (uint32_t)(rows->offsets[row + 1] - rows->offsets[row]);
}

static inline const uint32_t *rows_tokens(const rows *rows, uint32_t row)
{
    return rows->tokens + rows->offsets[row];
}

/* The same rows as a collection of akin's. */
akin_sets *rows_to_sets(const rows *rows);

#endif
