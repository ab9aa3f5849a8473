/*
 * Normal forms and case folding by utf8proc, in pieces: of one code point, and of a stretch of them.
 *
 * A text can be cut before a code point whose decomposition begins with a starter (combining class 0) that composes
 * with nothing before it, and the pieces normalised one by one: neither the order of marks nor composition reaches
 * across. Most code points are like that. The result for one between two such cuts is kept in a table, which fills as
 * code points occur. A code point without a cut before it, such as a combining mark or a Hangul vowel, joins the code
 * point before.
 */
#ifndef AKIN_TEXT_UNICODE_H
#define AKIN_TEXT_UNICODE_H

#include "base/error.h"
#include "base/memory.h"

#include <stddef.h>

#define AKIN_GLYPH_BYTES 5

/* How a code point is handled. */
typedef enum akin_glyph_state {
    AKIN_GLYPH_UNKNOWN = 0,
    AKIN_GLYPH_SHORT, /* there is a cut before it, and it becomes `length` bytes */
    AKIN_GLYPH_LONG,  /* there is a cut before it, and it becomes more than fit */
    AKIN_GLYPH_JOINS, /* no cut before it */
} akin_glyph_state;

/* A code point that stands alone. */
typedef struct akin_glyph {
    uint8_t state;
    uint8_t length;
    uint8_t inside; /* bit i: see akin_unicode_inside, for byte i of these */
    char bytes[AKIN_GLYPH_BYTES];
} akin_glyph;

#define AKIN_PAGE_BITS 8
#define AKIN_PAGES     (0x110000 >> AKIN_PAGE_BITS)

typedef struct akin_unicode {
    akin_tokens tokens;
    akin_account *account; /* charged for what follows; NULL: none */
    int options;           /* utf8proc's, for decomposing and composing */
    akin_glyph **pages;    /* of 256 code points each; NULL: none of them has occurred yet */
    int32_t *points;       /* a stretch, decomposed and composed again */
    uint64_t capacity;
    int32_t *unfolded; /* the same before it is folded */
    uint64_t unfolded_capacity;
    int32_t *sorted; /* marks that are put in order */
    uint64_t sorted_capacity;
} akin_unicode;

/* Allocates nothing yet; the account may be NULL. */
void akin_unicode_begin(akin_unicode *unicode, akin_account *account, akin_tokens tokens, int fold);
void akin_unicode_clear(akin_unicode *unicode);

/* Finds out about a code point: its entry in the table, NULL if memory is short. */
const akin_glyph *akin_unicode_learn(akin_unicode *unicode, uint32_t point);

/* The entry of a code point. */
static inline const akin_glyph *akin_unicode_glyph(akin_unicode *unicode, uint32_t point)
{
    const akin_glyph *page = unicode->pages ? unicode->pages[point >> AKIN_PAGE_BITS] : NULL;
    const akin_glyph *glyph = page ? page + (point & ((1u << AKIN_PAGE_BITS) - 1)) : NULL;
    return glyph && glyph->state != AKIN_GLYPH_UNKNOWN ? glyph : akin_unicode_learn(unicode, point);
}

/* Whether a code point is a decimal digit, of any script. */
int akin_unicode_is_digit(uint32_t point);

/* Whether a code point is a part of a word: a letter, a mark, or such a digit. */
int akin_unicode_is_word(uint32_t point);

/* Normalises a stretch of valid UTF-8; *points and *count are the result, valid until the next call. Errors:
 * AKIN_E_NOMEM, without a message. */
akin_status akin_unicode_normalise(akin_unicode *unicode, const char *text, size_t length, const int32_t **points,
                                   size_t *count);

/* The bytes of a normalised code point in `to`, which has room for 4; returns how many. Bit i of *inside is set if byte
 * i is in a token or, for q-grams, if it begins a code point. */
uint32_t akin_unicode_encode(const akin_unicode *unicode, int32_t point, char *to, uint32_t *inside);

#endif
