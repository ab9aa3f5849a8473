/*
 * A text normalised and folded, and for each byte of it whether it is in a token.
 *
 *     from     "Na" U+00CF "ve, yes"            where the text is taken from
 *     text     n a c3 af v e ,     y e s
 *     inside   1 1 1  1  1 1 0  0  1 1 1        bit i for byte i; for q-grams: whether a code point begins there
 *
 * ASCII takes the fast path, 64 bytes at a time. Other code points are looked up one at a time. Only a mark or the
 * like, which joins the code point before it (ASCII or not), goes through utf8proc, together with that code point.
 */
#ifndef AKIN_TEXT_NORMAL_H
#define AKIN_TEXT_NORMAL_H

#include "base/scope.h"
#include "text/ascii.h"
#include "text/unicode.h"

#define AKIN_NORMAL_PADDING 64 /* bytes behind a text that can be read, and are anything */

typedef struct akin_normal {
    char *text;
    uint64_t *inside; /* all zeros from bit `length` on; there is at least one more bit */
    uint64_t length;
    uint64_t capacity;
    uint64_t inside_capacity;
    akin_account *account; /* charged for all that; NULL: none */
    akin_ascii_rules rules;
    akin_cpu cpu;
    akin_unicode unicode;
} akin_normal;

void akin_normal_begin(akin_normal *normal, akin_cpu cpu, akin_account *account, akin_tokens tokens, int fold);
void akin_normal_clear(akin_normal *normal);

/* Takes a text, in place of the one before, whose first `readable` bytes (at least `length`) are memory that may be
 * read. Errors, without a message: AKIN_E_INPUT (it is not UTF-8), AKIN_E_LIMIT (it becomes 2^32 bytes or more),
 * AKIN_E_NOMEM. */
akin_status akin_normal_take(akin_normal *normal, const char *from, uint64_t length, uint64_t readable);

#endif
