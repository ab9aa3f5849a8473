/*
 * The code points that the strings of an index are made of, numbered, so that strings are kept as one byte for each
 * code point, and what compares bytes compares code points.
 *
 *     number    0 | 1 | 2 | ..       in the order in which they first appear, also in strings that are added later
 *     byte      the number of the first 254 code points; number % 254 of the others
 *     254       the byte of a code point in a query that no string has
 *
 * With at most 254 code points no two have one byte, and distances of bytes are those of code points. With more, a byte
 * stands for several. Then two strings are as near by their bytes as by their code points, or nearer, because what
 * makes the code points equal makes the bytes equal. So all lower bounds of distances hold, those by n-grams, too, and
 * the numbers that are kept beside the bytes give the distance.
 */
#ifndef AKIN_SEARCH_LETTERS_H
#define AKIN_SEARCH_LETTERS_H

#include "base/bulk.h"

#define AKIN_LETTERS_BYTES 254 /* code points with a byte of their own */

typedef struct akin_letters {
    const uint32_t *points; /* by their numbers; borrowed */
    uint32_t count;
    uint32_t limit;    /* code points are below */
    uint32_t *numbers; /* of each code point; UINT32_MAX: it is not there */
} akin_letters;

/* Numbers code points, which are borrowed. Returns 0 if one of them is there twice or is none. Errors, without a
 * message: AKIN_E_NOMEM. */
akin_status akin_letters_take(const uint32_t *points, uint64_t count, akin_letters *out, int *is_valid);
void akin_letters_clear(akin_letters *letters);

/* Reports that a row of a column is reached, every 4,096 rows and every MiB. *due is 0 at first. Errors:
 * AKIN_E_CANCELLED. */
akin_status akin_letters_report(const akin_scope *scope, const char *phase, const akin_column *column, uint32_t row,
                                uint32_t rows, uint64_t *due, akin_error *error);

/* The code points of `base` (NULL: there are none), and behind them those of a column that it lacks, as they first
 * appear: in *points, an array that becomes the caller's in any case. lengths[row] becomes the number of code points of
 * a row, 0 of a null. Errors: AKIN_E_INPUT (a row is not UTF-8), AKIN_E_LIMIT (a row of 4 GiB), AKIN_E_NOMEM,
 * AKIN_E_CANCELLED. */
akin_status akin_letters_learn(const akin_scope *scope, const akin_column *column, uint32_t rows,
                               const akin_letters *base, uint32_t *lengths, uint32_t **points, uint64_t *count,
                               akin_error *error);

static inline int akin_letters_are_wide(const akin_letters *letters)
{
    return letters->count > AKIN_LETTERS_BYTES;
}

/* Writes a string of UTF-8 as bytes, and as numbers unless that is NULL; a code point that is not there has the number
 * `count`. Returns how many it has; UINT64_MAX: the string is not UTF-8. */
uint64_t akin_letters_write(const akin_letters *letters, const char *text, uint64_t length, uint8_t *bytes,
                            uint32_t *numbers);

/* Queries as bytes and, where a byte stands for several, as numbers. */
typedef struct akin_lettered {
    akin_column column;
    uint32_t *numbers; /* at the places of the bytes; NULL: bytes are enough */
    int is_own;        /* the offsets and bytes of the column are its own */
} akin_lettered;

/* Writes rows first .. first + count - 1 of a column, where `first` is a multiple of 8. The caller clears *out in any
 * case. With letters that are NULL bytes stay as they are, borrowed. Errors: AKIN_E_INPUT (a row is not UTF-8),
 * AKIN_E_LIMIT, AKIN_E_NOMEM. */
akin_status akin_lettered_make(const akin_letters *letters, const akin_column *column, uint32_t first, uint32_t count,
                               akin_lettered *out, akin_error *error);
void akin_lettered_clear(akin_lettered *lettered);

#endif
