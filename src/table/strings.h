/*
 * Strings in Arrow's layout, growing: what a column is made of.
 *
 *     offsets   | 0 | 3 | 3 | 8 |              rows + 1 of them
 *     bytes     | a b c | h e l l o |          row 1 is empty, or null
 *     validity  | 1 0 1 ...                    a bit a row, from the first null on
 *
 * One that is all zeros has no rows, and is on the heap. Errors of what follows, without a message: AKIN_E_NOMEM,
 * AKIN_E_IO (a temporary file).
 */
#ifndef AKIN_TABLE_STRINGS_H
#define AKIN_TABLE_STRINGS_H

#include "base/bulk.h"

#include <string.h>

typedef struct akin_strings {
    uint64_t rows;
    uint64_t rows_capacity; /* offsets has room for one more than that, unless it is NULL */
    uint64_t *offsets;
    uint64_t length;
    uint64_t capacity;
    char *bytes;
    uint8_t *validity; /* has room for rows_capacity bits; NULL: no nulls so far */
    uint64_t nulls;
    int is_ascii;       /* strings that were borrowed are known to be; 0: not known */
    akin_bulk bulks[3]; /* what offsets, bytes and validity are in */
} akin_strings;

/* Strings of no rows whose arrays are the store's. */
akin_strings akin_strings_in(akin_store *store);

/* Short strings are copied in one piece of this size, so it can be read, and be written, beyond each. */
#define AKIN_STRINGS_PIECE 64

/* Makes room for `length` more bytes and a piece, and for one more row. */
akin_status akin_strings_grow(akin_strings *strings, uint64_t length);

/* Lets go of the memory of arrays in mapped files (akin_bulk_release). */
void akin_strings_release(const akin_strings *strings);

/* Appends bytes to the row that has not ended yet. */
akin_status akin_strings_append(akin_strings *strings, const char *bytes, size_t length);

/* The same with what is not UTF-8 repaired. */
akin_status akin_strings_append_repaired(akin_strings *strings, const char *bytes, size_t length);

/* Ends the row. */
akin_status akin_strings_end(akin_strings *strings);

/* Adds nulls until there are `rows` rows. */
akin_status akin_strings_add_nulls(akin_strings *strings, uint64_t rows);

/* Where a piece's strings go in longer ones: what akin_strings_copy needs. */
typedef struct akin_strings_place {
    const akin_strings *piece;
    char *bytes;
    uint64_t *offsets; /* that of the first row's end */
    uint64_t base;     /* the bytes before */
} akin_strings_place;

/* Whether `rows` rows in all, and `length` more bytes, have room as the arrays are. */
static inline int akin_strings_have_room(const akin_strings *strings, uint64_t rows, uint64_t length)
{
    return rows <= strings->rows_capacity && strings->capacity - strings->length >= length + AKIN_STRINGS_PIECE;
}

/*
 * Appends the rows of a piece, behind nulls until there are `rows` rows; their bytes and offsets are yet to be copied,
 * which any thread may do, as long as the arrays of `strings` do not move. They move only where
 * akin_strings_have_room(strings, rows + piece->rows, piece->length) is 0.
 */
akin_status akin_strings_place_piece(akin_strings *strings, uint64_t rows, const akin_strings *piece,
                                     akin_strings_place *place);

void akin_strings_copy_piece(const akin_strings_place *place);

/* Makes room for that many times the rows that there are, and some more; or does not, if memory is short. */
void akin_strings_expect(akin_strings *strings, double times);

/* Makes it strings of no rows, which keep the room that they have. */
void akin_strings_empty(akin_strings *strings);

/* Gives back what there is too much room for, and leaves no array but validity NULL. */
akin_status akin_strings_fit(akin_strings *strings);

/*
 * Makes strings without rows those that lie elsewhere and outlive them, of `nulls` nulls. offsets NULL: there is room
 * for them, to be written by the caller; so there is, all zeros, for the validity if there are nulls. They grow no
 * more.
 */
akin_status akin_strings_borrow(akin_strings *strings, uint64_t rows, const char *bytes, const uint64_t *offsets,
                                uint64_t nulls);

void akin_strings_clear(akin_strings *strings);

/* A row that is there. */
static inline const char *akin_strings_row(const akin_strings *strings, uint64_t row, uint64_t *length)
{
    *length = strings->offsets[row + 1] - strings->offsets[row];
    return strings->bytes + strings->offsets[row];
}

/* Appends bytes and ends the row. AKIN_STRINGS_PIECE bytes can be read from `bytes` on. */
static inline akin_status akin_strings_add(akin_strings *strings, const char *bytes, size_t length)
{
    if (strings->rows == strings->rows_capacity || strings->capacity - strings->length < length + AKIN_STRINGS_PIECE ||
        strings->validity) {
        akin_status status = akin_strings_append(strings, bytes, length);
        return status == AKIN_OK ? akin_strings_end(strings) : status;
    }
    if (length <= AKIN_STRINGS_PIECE)
        memcpy(strings->bytes + strings->length, bytes, AKIN_STRINGS_PIECE);
    else
        memcpy(strings->bytes + strings->length, bytes, length);
    strings->length += length;
    strings->offsets[++strings->rows] = strings->length;
    return AKIN_OK;
}

#endif
