/* Decodes UTF-8, and finds out what is not. */
#ifndef AKIN_TEXT_UTF8_H
#define AKIN_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define AKIN_NO_POINT UINT32_MAX

static inline uint32_t akin_utf8_trails(uint32_t byte)
{
    return (byte & 0xc0) == 0x80;
}

/* The code point at the start of `left` (at least 1) bytes, and its length in *size; AKIN_NO_POINT if there is none:
 * truncated, overlong, a surrogate, or beyond U+10FFFF. */
static inline uint32_t akin_utf8_decode(const char *text, size_t left, size_t *size)
{
    const unsigned char *at = (const unsigned char *)text;
    uint32_t first = at[0], point;
    if (first < 0x80) {
        *size = 1;
        return first;
    }
    if (first < 0xe0) {
        *size = 2;
        return first >= 0xc2 && left >= 2 && akin_utf8_trails(at[1]) ? (first & 0x1f) << 6 | (at[1] & 0x3fu)
                                                                     : AKIN_NO_POINT;
    }
    if (first < 0xf0) {
        *size = 3;
        if (left < 3 || !(akin_utf8_trails(at[1]) & akin_utf8_trails(at[2])))
            return AKIN_NO_POINT;
        point = (first & 0x0f) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
        return point >= 0x800 && (point < 0xd800 || point > 0xdfff) ? point : AKIN_NO_POINT;
    }
    *size = 4;
    if (left < 4 || !(akin_utf8_trails(at[1]) & akin_utf8_trails(at[2]) & akin_utf8_trails(at[3])))
        return AKIN_NO_POINT;
    point = (first & 0x0f) << 18 | (at[1] & 0x3fu) << 12 | (at[2] & 0x3fu) << 6 | (at[3] & 0x3fu);
    return first <= 0xf4 && point >= 0x10000 && point <= 0x10ffff ? point : AKIN_NO_POINT;
}

#endif
