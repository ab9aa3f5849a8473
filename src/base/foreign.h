/* Text as other systems save it, told from its first bytes for the sake of a message that says what to do. */
#ifndef AKIN_BASE_FOREIGN_H
#define AKIN_BASE_FOREIGN_H

#include <stddef.h>
#include <string.h>

/* Whether a file that begins with these bytes is UTF-16: by its byte order mark, or as every second byte is 0. */
static inline int akin_is_utf16(const char *text, size_t length)
{
    size_t zeros[2] = {0, 0}, pairs = length / 2 < 8 ? length / 2 : 8;
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return 1;
    for (size_t i = 0; i < 2 * pairs; i++)
        zeros[i % 2] += text[i] == 0;
    return pairs >= 2 && zeros[0] + zeros[1] == pairs && (zeros[0] == 0 || zeros[1] == 0);
}

/* Whether a whole file has no line feed, but several carriage returns. */
static inline int akin_has_returns(const char *text, size_t length)
{
    const char *first = memchr(text, '\r', length);
    if (!first || memchr(text, '\n', length))
        return 0;
    size_t behind = length - (size_t)(first - text) - 1;
    return memchr(first + 1, '\r', behind) != NULL;
}

/* What is to be said of such a file, of which something has turned out wrong; NULL: nothing. */
static inline const char *akin_foreign(const char *text, size_t length)
{
    if (akin_is_utf16(text, length))
        return "is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)";
    if (akin_has_returns(text, length))
        return "its lines end in CR alone, as on old Macs; expected LF or CR LF (tr '\\r' '\\n' converts it)";
    return NULL;
}

#endif
