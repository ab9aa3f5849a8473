/* Checks and repairs UTF-8: 64 bytes at a time as long as they are ASCII, else character by character. */
#include "table/utf8.h"

#include <stdint.h>
#include <string.h>

#define HIGH  UINT64_C(0x8080808080808080)
#define GROUP 64

static int is_ascii(const char *bytes)
{
    uint64_t words[GROUP / 8], any = 0;
    memcpy(words, bytes, sizeof words);
    for (int i = 0; i < GROUP / 8; i++)
        any |= words[i];
    return (any & HIGH) == 0;
}

/* The length of the character at `at` (not ASCII); or, negative, of the longest beginning of one there is, at least 1.
 */
static int character(const unsigned char *at, size_t left)
{
    unsigned char lead = at[0], low = 0x80, high = 0xbf;
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4)
        return -1;
    if (lead == 0xe0) /* overlong */
        low = 0xa0;
    else if (lead == 0xed) /* surrogates */
        high = 0x9f;
    else if (lead == 0xf0) /* overlong */
        low = 0x90;
    else if (lead == 0xf4) /* above U+10FFFF */
        high = 0x8f;
    for (int i = 1; i < length; i++) {
        if ((size_t)i == left || at[i] < low || at[i] > high)
            return -i;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

size_t akin_utf8_check(const char *bytes, size_t length)
{
    const unsigned char *text = (const unsigned char *)bytes;
    size_t at = 0;
    while (at < length) {
        if (text[at] < 0x80) {
            at++;
            while (length - at >= GROUP && is_ascii(bytes + at))
                at += GROUP;
        } else {
            int taken = character(text + at, length - at);
            if (taken < 0)
                return at;
            at += (size_t)taken;
        }
    }
    return length;
}

size_t akin_utf8_repair(const char *bytes, size_t length, char *to)
{
    size_t at = 0, written = 0;
    for (;;) {
        size_t valid = akin_utf8_check(bytes + at, length - at);
        memcpy(to + written, bytes + at, valid);
        at += valid;
        written += valid;
        if (at == length)
            return written;
        at += (size_t)-character((const unsigned char *)bytes + at, length - at);
        memcpy(to + written, "\xef\xbf\xbd", 3);
        written += 3;
    }
}
