/* A string as comparators see it: Unicode code points, or bytes where all of them are ASCII. */
#ifndef AKIN_STRINGS_SYMBOLS_H
#define AKIN_STRINGS_SYMBOLS_H

#include "akin.h"
#include "base/memory.h"

/* One of the two arrays is there: points is NULL in a string that is all ASCII, or whose symbols have been numbered by
 * an alphabet of fewer than 256. Both are borrowed. */
typedef struct akin_symbols {
    const uint8_t *bytes;
    const uint32_t *points;
    uint32_t length;
} akin_symbols;

static inline uint32_t akin_symbol(const akin_symbols *text, uint32_t at)
{
    return text->points ? text->points[at] : text->bytes[at]; /* NOLINT(clang-analyzer-core.NullDereference) */
}

/* Room for the code points of a string, which may be used again for another one. Zero-initialised. */
typedef struct akin_points {
    akin_account *account;
    uint32_t *data;
    uint64_t room;
} akin_points;

typedef enum akin_symbols_status { AKIN_SYMBOLS_OK, AKIN_SYMBOLS_NOMEM, AKIN_SYMBOLS_NOT_UTF8 } akin_symbols_status;

/*
 * Splits `length` bytes of UTF-8 into symbols. The result borrows the bytes, or the content of `points`, until `points`
 * is used again or cleared. If the text is not UTF-8, *fault is the place of the error. A string has less than 2^32
 * bytes.
 */
akin_symbols_status akin_symbols_of(const char *text, uint32_t length, akin_points *points, akin_symbols *out,
                                    uint32_t *fault);

/* The same with the errors of a comparison, which have no message: AKIN_E_INPUT, AKIN_E_NOMEM. */
akin_status akin_symbols_take(const char *text, uint32_t length, akin_points *points, akin_symbols *out);

void akin_points_clear(akin_points *points);

/* Bytes of a text, such as all strings of a column, that are known to be ASCII. Zero-initialised: none. */
typedef struct akin_ascii_span {
    const char *begin, *end;
} akin_ascii_span;

/* Finds out whether a string is ASCII. The text goes on up to `limit` (NULL: up to the string's end): it is looked at,
 * too, if the string is behind what was known. Then strings are likely to come in their order. */
int akin_ascii_find(akin_ascii_span *span, const char *string, uint64_t length, const char *limit);

/* The same, if it is not known yet. */
static inline int akin_ascii_has(akin_ascii_span *span, const char *string, uint64_t length, const char *limit)
{
    return (string >= span->begin && string + length <= span->end) || akin_ascii_find(span, string, length, limit);
}

#endif
