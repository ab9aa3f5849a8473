/* Checks and repairs UTF-8, as the Unicode Standard defines it (table 3-7): nothing overlong, no surrogates. */
#ifndef AKIN_TABLE_UTF8_H
#define AKIN_TABLE_UTF8_H

#include "base/scope.h"

/* The number of bytes before the first that is not UTF-8; length if all of them are. */
size_t akin_utf8_check(const char *bytes, size_t length);

/* Whether all of them are, at that SIMD level: fast for long texts, of whatever script. */
int akin_utf8_is_valid(const char *bytes, size_t length, akin_cpu cpu);

/* Whether all of them are ASCII, and none is 0, at that SIMD level. */
int akin_utf8_is_plain(const char *bytes, size_t length, akin_cpu cpu);

/* Copies the bytes, and writes U+FFFD for those that are not UTF-8: one for each longest beginning of a character, or
 * for a byte that begins none (the standard's "maximal subparts"). `to` has room for 3 * length bytes. Returns the
 * number of written bytes. */
size_t akin_utf8_repair(const char *bytes, size_t length, char *to);

#endif
