/*
 * A column of a table made of chunks of Arrow arrays: their text one after the other, and the codes of dictionaries.
 *
 *     chunk            0: a dictionary of [x y]    1: [x y z]    2: [z x]
 *     entries           x  y                        x  y  z       z  x
 *     codes             0  1                        0  1  2       3  4
 *
 * A dictionary that begins with the entries of the one before, or is the beginning of that, has its codes; the codes of
 * another one follow. So nothing is looked up, and two codes may have the same text.
 */
#ifndef AKIN_TABLE_ARROW_GATHER_H
#define AKIN_TABLE_ARROW_GATHER_H

#include "table/arrow.h"
#include "table/strings.h"

/* The codes of a column's rows. */
typedef struct akin_row_codes {
    akin_bulk rows; /* uint32_t each, or AKIN_CODE_NONE */
    uint32_t count; /* codes are below it; 0: there are none */
} akin_row_codes;

/* What gathers a column. */
typedef struct akin_arrow_gatherer {
    const akin_scope *scope;
    akin_store *store; /* of the column */
    const char *name;  /* as messages show it */
    int lossy;
    akin_strings *to;
    akin_row_codes codes;
    akin_strings entries; /* of the dictionary before */
    uint64_t effort;      /* entries that were looked at */
    int is_plain;         /* there are no codes, or no more */
} akin_arrow_gatherer;

/* `name` and `to` outlive the gatherer. */
akin_arrow_gatherer akin_arrow_gatherer_of(const akin_scope *scope, akin_store *store, const char *name, int lossy,
                                           akin_strings *to);

/* Appends the rows of a chunk. Numbers, dates and times are written by all threads. Errors: AKIN_E_INPUT (the row whose
 * text is not UTF-8, unless `lossy`, or has a NUL), AKIN_E_NOMEM, AKIN_E_IO (a temporary file), AKIN_E_CANCELLED. */
akin_status akin_arrow_gather(akin_arrow_gatherer *gatherer, const akin_arrow_column *from, akin_error *error);

/* Hands out the codes, cut to size; of count 0 if the column has none, or more than rows. */
akin_row_codes akin_arrow_gatherer_take(akin_arrow_gatherer *gatherer);

void akin_arrow_gatherer_clear(akin_arrow_gatherer *gatherer);

#endif
