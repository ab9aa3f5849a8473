/*
 * The grammar of JSON (RFC 8259) over a line of text that ends in LF: what follows a value, and what a string says.
 *
 * Blanks are spaces, tabs and CR; LF, being a control character, ends every scan. 64 bytes beyond the LF can be read.
 */
#ifndef AKIN_TABLE_JSON_H
#define AKIN_TABLE_JSON_H

#include "base/scope.h"

#define AKIN_JSON_DEPTH 512 /* arrays and objects within one another, at most */

/* The first byte from `at` on that a string does not simply hold: a quote, a backslash, a control character. */
typedef const char *(*akin_json_finder)(const char *at);

akin_json_finder akin_json_finder_for(akin_cpu cpu);

/* Where a text is not JSON, and what was expected there. */
typedef struct akin_json_fault {
    const char *at;
    const char *expected;
} akin_json_fault;

static inline const char *akin_json_space(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/* The closing quote of the string whose first byte behind the opening quote is at `at`; *escaped says whether it has
 * escapes. NULL, and the fault, if the string is malformed. */
const char *akin_json_string(const char *at, akin_json_finder find, int *escaped, akin_json_fault *fault);

/* What follows the value at `at`; NULL, and the fault, if there is none. */
const char *akin_json_value(const char *at, akin_json_finder find, akin_json_fault *fault);

/*
 * Decodes the text between the quotes of a string, whose end akin_json_string has found, to at most `length` bytes. If
 * `lossy`, half of a surrogate pair becomes U+FFFD. Returns the number of bytes, or SIZE_MAX and the fault: half of a
 * pair, or a NUL.
 */
size_t akin_json_decode(const char *bytes, size_t length, int lossy, char *to, akin_json_fault *fault);

#endif
