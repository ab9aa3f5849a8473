/*
 * Rows that are equal, byte for byte, in groups. Many equal rows make so many pairs that a join finds the pairs of
 * groups instead.
 *
 *     row      0 1 2 3 4 5
 *     bytes    a b a   b a      row 3 is empty: it is in no group, and in no pair
 *     of       0 1 0 - 1 0
 *     first    0 1              groups are numbered by their first rows
 *     begin    0 3 5
 *     members  0 2 5 1 4
 */
#ifndef AKIN_JOIN_EQUAL_ROWS_H
#define AKIN_JOIN_EQUAL_ROWS_H

#include "base/bulk.h"
#include "base/numbering.h"

/* Rows as bytes. Threads call the function at once. */
typedef struct akin_row_bytes {
    const void *rows;
    uint32_t count;
    uint32_t parts; /* of a row, such as the columns of a record: rows are equal if all parts are */
    /* The bytes of a part of a row. A row of one part and length 0 is empty; a row of more parts never is. */
    const void *(*of)(const void *rows, uint32_t row, uint32_t part, uint64_t *length);
} akin_row_bytes;

typedef struct akin_equal_rows {
    uint32_t rows, groups;
    uint32_t *of;      /* of each row its group, or AKIN_NUMBER_NONE */
    uint32_t *first;   /* of each group its first row */
    uint32_t *begin;   /* of each group, and at the end: where its members begin */
    uint32_t *members; /* rows, rising in each group */
    akin_bulk room[2]; /* of `of` and `members` */
} akin_equal_rows;

/* The rows of a group. */
static inline uint32_t akin_equal_rows_size(const akin_equal_rows *equal, uint32_t group)
{
    return equal->begin[group + (uint64_t)1] - equal->begin[group];
}

/* Sets *abound if groups pay: by a sample, there are more pairs of equal rows than rows. The sample is the same each
 * time; a small collection is looked at whole. Errors: AKIN_E_NOMEM. */
akin_status akin_equal_rows_abound(const akin_scope *scope, const akin_row_bytes *rows, int *abound, akin_error *error);

/* Makes the groups, by all threads. The caller clears them in any case. Errors: AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_equal_rows_make(const akin_scope *scope, akin_account *account, const akin_row_bytes *rows,
                                 akin_equal_rows *out, akin_error *error);
void akin_equal_rows_clear(akin_equal_rows *equal);

#endif
