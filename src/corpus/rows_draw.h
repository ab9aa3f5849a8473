/*
 * Draws rows of a table at random, and estimates a share of all rows from those that are drawn. The number of rows and
 * the number to draw decide which ones these are.
 */
#ifndef AKIN_CORPUS_ROWS_DRAW_H
#define AKIN_CORPUS_ROWS_DRAW_H

#include "base/memory.h"

/* Sets the bits of `count` of the rows, or of all if there are fewer. `marks` has a bit for each row; these are 0.
 * Memory, 32 bytes for each row to draw, is charged to the account while the call lasts. Errors: AKIN_E_NOMEM. */
akin_status akin_rows_draw(akin_account *account, uint32_t rows, uint32_t count, uint64_t *marks);

/* A share of all rows, and the interval that holds it in 95 of 100 draws. */
typedef struct akin_share {
    double share, low, high;
} akin_share;

/* Estimates the share of `rows` rows of which `found` of `drawn` rows, above 0, were found: Wilson's interval (E. B.
 * Wilson, 1927). If all rows are drawn, low and high are the share itself. */
akin_share akin_share_estimate(uint64_t found, uint32_t drawn, uint32_t rows);

#endif
