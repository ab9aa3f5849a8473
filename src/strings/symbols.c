/* Takes UTF-8 apart into code points, or leaves it as it is where all of it is ASCII. */
#include "strings/symbols.h"

#include "base/bits.h"
#include "text/utf8.h"

/* The bits of 32 bytes. */
static inline uint64_t bits_of_32(const char *text)
{
    return akin_load_word(text) | akin_load_word(text + 8) | akin_load_word(text + 16) | akin_load_word(text + 24);
}

/* Whether all bytes are ASCII. The last load overlaps the one before: lengths are hard to predict, so a loop for the
 * last bytes would cost more than all others. */
static int is_ascii(const char *text, uint32_t length)
{
    uint64_t bits = 0;
    uint32_t at = 0;
    if (length >= 32) {
        for (; length - at >= 32; at += 32)
            bits |= bits_of_32(text + at);
        bits |= bits_of_32(text + length - 32);
    } else if (length >= 8) {
        for (; length - at >= 8; at += 8)
            bits |= akin_load_word(text + at);
        bits |= akin_load_word(text + length - 8);
    } else {
        for (; at < length; at++)
            bits |= (unsigned char)text[at];
    }
    return !(bits & AKIN_BYTES(0x80));
}

/* The place of the first byte beyond ASCII; length if there is none. */
static uint64_t ascii_end(const char *text, uint64_t length)
{
    uint64_t at = 0;
    while (length - at >= 32 && !(bits_of_32(text + at) & AKIN_BYTES(0x80)))
        at += 32;
    while (length - at >= 8 && !(akin_load_word(text + at) & AKIN_BYTES(0x80)))
        at += 8;
    while (at < length && !((unsigned char)text[at] & 0x80))
        at++;
    return at;
}

akin_symbols_status akin_symbols_of(const char *text, uint32_t length, akin_points *points, akin_symbols *out,
                                    uint32_t *fault)
{
    *out = (akin_symbols){.bytes = (const uint8_t *)text, .length = length};
    if (is_ascii(text, length))
        return AKIN_SYMBOLS_OK;
    uint32_t at = (uint32_t)ascii_end(text, length), count = at;
    uint32_t *data = akin_enlarge(points->account, points->data, &points->room, length, sizeof *data);
    if (!data)
        return AKIN_SYMBOLS_NOMEM;
    points->data = data;
    for (uint32_t i = 0; i < at; i++)
        data[i] = (unsigned char)text[i];
    while (at < length) {
        size_t size;
        uint32_t point = akin_utf8_decode(text + at, length - at, &size);
        if (point == AKIN_NO_POINT) {
            *fault = at;
            return AKIN_SYMBOLS_NOT_UTF8;
        }
        data[count++] = point;
        at += (uint32_t)size;
    }
    *out = (akin_symbols){.points = data, .length = count};
    return AKIN_SYMBOLS_OK;
}

akin_status akin_symbols_take(const char *text, uint32_t length, akin_points *points, akin_symbols *out)
{
    uint32_t fault;
    akin_symbols_status status = akin_symbols_of(text, length, points, out, &fault);
    return status == AKIN_SYMBOLS_OK ? AKIN_OK : status == AKIN_SYMBOLS_NOMEM ? AKIN_E_NOMEM : AKIN_E_INPUT;
}

#define NEAR  256  /* bytes behind what is known where the next string may begin */
#define AHEAD 4096 /* bytes that are looked at then */

int akin_ascii_find(akin_ascii_span *span, const char *string, uint64_t length, const char *limit)
{
    const uintptr_t behind = (uintptr_t)string - (uintptr_t)span->end; /* huge before it */
    const uint64_t left = limit ? (uint64_t)(limit - string) : length,
                   wanted = string >= span->begin && behind <= NEAR ? AHEAD : 0;
    const uint64_t seen = akin_min_u64(akin_max_u64(wanted, length), left);
    *span = (akin_ascii_span){string, string + ascii_end(string, seen)};
    return string + length <= span->end;
}

void akin_points_clear(akin_points *points)
{
    akin_free(points->data);
    *points = (akin_points){.account = points->account};
}
