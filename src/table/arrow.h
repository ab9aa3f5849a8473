/*
 * A stranger's Arrow arrays (the C Data Interface): the type of a column, the checks that the interface permits, and
 * its values as text.
 *
 *     stream --> schema, and chunk by chunk a struct array whose children are the columns:
 *
 *     struct   offset 1, length 3      . [0 1 2]       its rows 0 .. 2
 *     child    offset 2, length >= 4   . . . [0 1 2]   are the child's entries from 2 + 1 on
 *
 * The interface has no lengths of buffers, except those of views. So the checks can only show that numbers do not
 * contradict one another.
 */
#ifndef AKIN_TABLE_ARROW_H
#define AKIN_TABLE_ARROW_H

#include "base/scope.h"
#include "table/codes.h"
#include "table/strings.h"

#include <string.h>

typedef enum akin_arrow_kind {
    AKIN_ARROW_NULL,
    AKIN_ARROW_BOOL,
    AKIN_ARROW_I8,
    AKIN_ARROW_U8,
    AKIN_ARROW_I16,
    AKIN_ARROW_U16,
    AKIN_ARROW_I32,
    AKIN_ARROW_U32,
    AKIN_ARROW_I64,
    AKIN_ARROW_U64,
    AKIN_ARROW_F32,
    AKIN_ARROW_F64,
    AKIN_ARROW_DAYS,         /* since 1970-01-01 */
    AKIN_ARROW_MILLISECONDS, /* the same as a date */
    AKIN_ARROW_TIME_S,       /* since then, as a time stamp */
    AKIN_ARROW_TIME_MS,
    AKIN_ARROW_TIME_US,
    AKIN_ARROW_TIME_NS,
    AKIN_ARROW_CLOCK_S, /* since midnight */
    AKIN_ARROW_CLOCK_MS,
    AKIN_ARROW_CLOCK_US,
    AKIN_ARROW_CLOCK_NS,
    AKIN_ARROW_DECIMAL32, /* an integer of 32 bits, over a power of ten */
    AKIN_ARROW_DECIMAL64,
    AKIN_ARROW_DECIMAL128,
    AKIN_ARROW_DECIMAL256,
    AKIN_ARROW_TEXT32, /* offsets of 32 bits */
    AKIN_ARROW_TEXT64,
    AKIN_ARROW_VIEW,
} akin_arrow_kind;

typedef struct akin_arrow_type {
    akin_arrow_kind kind;  /* of the values */
    akin_arrow_kind index; /* of the numbers that refer to values in a dictionary; AKIN_ARROW_NULL: there is none */
    akin_type type;        /* the narrowest one of a frame that holds the values; AKIN_TYPE_TEXT: they are text there */
    int is_zoned;          /* a time stamp is in UTC */
    int is_decimal;
    int scale;          /* of a decimal: digits behind the point; below 0: the value is multiplied by 10^-scale */
    const char *format; /* of the values, the schema's; NULL: text */
} akin_arrow_type;

/* The type of a column, which messages call `name`. Errors: AKIN_E_INPUT (the type is not supported; the message lists
 * the types that are). */
akin_status akin_arrow_type_of(const struct ArrowSchema *schema, const char *name, akin_arrow_type *out,
                               akin_error *error);

/* Entries of one array; nothing of it is the column's own. */
typedef struct akin_arrow_values {
    akin_arrow_kind kind;
    int is_zoned, is_decimal, scale;
    int is_clean;              /* each entry is UTF-8 without NUL: need not be looked at one by one */
    int is_ascii;              /* all of it is, which is clean */
    int is_tight;              /* text, and no null has bytes */
    uint64_t first, rows;      /* entries first .. first + rows - 1 */
    const uint8_t *validity;   /* NULL: no nulls */
    const char *data;          /* numbers, offsets or views */
    const char *bytes;         /* of text with offsets */
    const void *const *blocks; /* of views that are longer than 12 bytes, */
    const int64_t *sizes;      /* their lengths, */
    uint64_t block_count;      /* and how many there are */
} akin_arrow_values;

/* A column's part of a chunk. */
typedef struct akin_arrow_column {
    akin_arrow_values rows;   /* the values, or numbers of these */
    akin_arrow_values values; /* of a dictionary */
    int has_dictionary;
} akin_arrow_column;

/*
 * Rows `first` to `first + rows - 1` of an array, checked. `row` is the number of the first of them for messages.
 * Errors: AKIN_E_INPUT names the column, and the row where there is one: an array that was released, impossible
 * lengths, offsets and numbers of buffers, a missing buffer, an index beyond the dictionary.
 */
akin_status akin_arrow_open(const struct ArrowArray *array, const akin_arrow_type *type, const char *name, akin_cpu cpu,
                            uint64_t first, uint64_t rows, uint64_t row, akin_arrow_column *out, akin_error *error);

#define AKIN_ARROW_TEXT 176 /* bytes that a number or a time may take as text */

/* Row `row` of the part as text, in place or in `scratch`; 0: it is null, as is a number that is NaN. */
int akin_arrow_read(const akin_arrow_column *column, uint64_t row, char scratch[AKIN_ARROW_TEXT], const char **bytes,
                    uint64_t *length);

/* The number in a dictionary that an entry has; a negative one is beyond every dictionary. */
uint64_t akin_arrow_index(const akin_arrow_values *values, uint64_t entry);

/*
 * A column of a table made of chunks of Arrow arrays: their text one after the other, and the codes of dictionaries.
 *
 *     chunk            0: a dictionary of [x y]    1: [x y z]    2: [z x]
 *     entries           x  y                        x  y  z       z  x
 *     codes             0  1                        0  1  2       3  4
 *
 * If one of two successive dictionaries begins with all entries of the other, their codes are the same. Otherwise the
 * codes of the new one follow. So nothing is looked up, and two codes may have the same text.
 */
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

/* Makes a table of a stream, which is released. `options` are complete; their `optional` counts, but no format, and
 * neither records nor lines are kept. Errors: as akin_table_import. */
akin_status akin_arrow_import(const akin_scope *scope, struct ArrowArrayStream *stream,
                              const akin_table_options *options, akin_table **out, akin_error *error);

/* Whether the entry is not null. */
static inline int akin_arrow_has(const akin_arrow_values *values, uint64_t entry)
{
    entry += values->first;
    return values->kind != AKIN_ARROW_NULL && (!values->validity || (values->validity[entry / 8] >> entry % 8 & 1));
}

/* Number `entry` of the offsets of text, the entry behind the last included. */
static inline uint64_t akin_arrow_offset(const akin_arrow_values *values, uint64_t entry)
{
    uint64_t wide;
    uint32_t narrow;
    entry += values->first;
    if (values->kind == AKIN_ARROW_TEXT64) {
        memcpy(&wide, values->data + entry * sizeof wide, sizeof wide);
        return wide;
    }
    memcpy(&narrow, values->data + entry * sizeof narrow, sizeof narrow);
    return narrow;
}

/* An integer, or what dates and times count; one of 64 bits without sign as the same bits. */
int64_t akin_arrow_integer(akin_arrow_kind kind, const char *value);

/* A number as text, the shortest that reads back, or a time as ISO 8601 has it; returns its length, 0 for what is not a
 * number. */
uint64_t akin_arrow_format(akin_arrow_kind kind, int is_zoned, const char *value, char text[AKIN_ARROW_TEXT]);

/* The kind of decimals of `bytes` bytes, which may have `digits` digits; AKIN_ARROW_NULL: there is none. */
akin_arrow_kind akin_arrow_decimal_of(uint32_t bytes, uint32_t digits);

/* A decimal as text: an integer of that many bytes, at most 32, over 10^scale, without zeros at the end of a fraction.
 * |scale| <= AKIN_ARROW_SCALE. Returns the length. */
#define AKIN_ARROW_SCALE 76
uint64_t akin_arrow_format_decimal(const char *value, uint32_t bytes, int scale, char text[AKIN_ARROW_TEXT]);

#endif
