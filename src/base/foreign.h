/* Recognises text as other systems save it by its first bytes, for a message that says what to do. */
#ifndef AKIN_BASE_FOREIGN_H
#define AKIN_BASE_FOREIGN_H

#include <stddef.h>
#include <string.h>

/* The message about a file that begins with these bytes, if it is UTF-32 or UTF-16; else NULL. UTF-32 is recognised by
 * its byte order mark, UTF-16 by its mark or because every second byte is 0. */
static inline const char *akin_wide(const char *text, size_t length)
{
    size_t zeros[2] = {0, 0}, pairs = length / 2 < 8 ? length / 2 : 8;
    if (length >= 4 && (memcmp(text, "\xff\xfe\0\0", 4) == 0 || memcmp(text, "\0\0\xfe\xff", 4) == 0))
        return "is UTF-32; expected UTF-8 (iconv -f UTF-32 -t UTF-8 converts it)";
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return "is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)";
    for (size_t i = 0; i < 2 * pairs; i++)
        zeros[i % 2] += text[i] == 0;
    if (pairs < 2 || zeros[0] + zeros[1] != pairs)
        return NULL;
    return zeros[1] == pairs   ? "is UTF-16; expected UTF-8 (iconv -f UTF-16LE -t UTF-8 converts it)"
           : zeros[0] == pairs ? "is UTF-16; expected UTF-8 (iconv -f UTF-16BE -t UTF-8 converts it)"
                               : NULL;
}

#define AKIN_RETURNS "its lines end in CR alone, as on old Macs; expected LF or CR LF (tr '\\r' '\\n' converts it)"

/* Whether a whole file has no line feed, but `least` (1 or 2) carriage returns or more. */
static inline int akin_has_returns(const char *text, size_t length, int least)
{
    const char *first = memchr(text, '\r', length);
    if (!first || memchr(text, '\n', length))
        return 0;
    return least < 2 || memchr(first + 1, '\r', length - (size_t)(first - text) - 1) != NULL;
}

#endif
