/* Which characters a terminal may get as they are. */
#include "akin.h"

/* The code point of `bytes` bytes, of which the first one is a lead byte and the others continue it. */
static uint32_t decode(const unsigned char *at, size_t bytes)
{
    uint32_t point = bytes == 1 ? at[0] : at[0] & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++)
        point = point << 6 | (at[i] & 0x3fu);
    return point;
}

/* How many bytes the character has that `lead` begins; 0: it begins none. */
static size_t bytes_of(unsigned char lead)
{
    return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

/* Whether a code point has fewer bytes in UTF-8, is half of a pair of UTF-16, or is beyond the last one. */
static int is_malformed(uint32_t point, size_t bytes)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return point < least[bytes] || (point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff;
}

static int is_hidden(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0x0000, 0x001f}, {0x007f, 0x009f}, {0x061c, 0x061c},
                  {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (point >= hidden[i].first && point <= hidden[i].last)
            return 1;
    return 0;
}

size_t akin_character_shown(const char *text, size_t length, int *is_shown)
{
    const unsigned char *at = (const unsigned char *)text;
    const size_t bytes = bytes_of(*at);
    size_t there = 1;
    while (there < bytes && there < length && (at[there] & 0xc0) == 0x80)
        there++;
    const uint32_t point = there == bytes ? decode(at, bytes) : 0;
    *is_shown = there == bytes && !is_malformed(point, bytes) && !is_hidden(point);
    return there == bytes && !is_malformed(point, bytes) ? bytes : 1;
}
