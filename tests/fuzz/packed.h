/* Compressed files: bytes packed by gzip or zstd, in one member or frame or in several. */
#ifndef AKIN_FUZZ_PACKED_H
#define AKIN_FUZZ_PACKED_H

#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "require.h"

typedef enum packing { PLAIN, GZIP, ZSTD, PACKINGS } packing;

/* Whether a reader would take the bytes for compressed ones as they are, also by a program that it only names. */
static inline int looks_packed(const uint8_t *data, size_t size)
{
    static const struct {
        const char *bytes;
        size_t at, length;
    } magics[] = {{"\x1f\x8b", 0, 2},
                  {"\xb5\x2f\xfd", 1, 3},
                  {"\x2a\x4d\x18", 1, 3},
                  {"\xfd"
                   "7zXZ",
                   0, 5},
                  {"1AY&SY", 4, 6},
                  {"PK\3\4", 0, 4},
                  {"7z\xbc\xaf", 0, 4},
                  {"\x22\x4d\x18", 1, 3}};
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const size_t there = size > magics[i].at ? size - magics[i].at : 0; /* a part is one that was cut */
        const size_t length = there < magics[i].length ? there : magics[i].length;
        if (length > 0 && memcmp(data + magics[i].at, magics[i].bytes, length) == 0)
            return 1;
    }
    return 0;
}

/* Appends a gzip member or a zstd frame of these bytes; returns how many there are then. There is enough room. */
static inline size_t pack_part(packing how, const uint8_t *data, size_t size, uint8_t *out, size_t at, size_t room)
{
    if (how == ZSTD) {
        const size_t length = ZSTD_compress(out + at, room - at, data, size, 1);
        require(!ZSTD_isError(length));
        return at + length;
    }
    z_stream z = {0};
    require(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (z_const Bytef *)(uintptr_t)data;
    z.avail_in = (uInt)size;
    z.next_out = out + at;
    z.avail_out = (uInt)(room - at);
    require(deflate(&z, Z_FINISH) == Z_STREAM_END);
    at = room - z.avail_out;
    deflateEnd(&z);
    return at;
}

/* The bytes in members or frames of `part` bytes (0: one), to be freed. */
static inline uint8_t *pack(packing how, const uint8_t *data, size_t size, size_t part, size_t *length)
{
    const size_t parts = part > 0 ? size / part + 1 : 1, room = 2 * size + parts * 100 + 1000;
    uint8_t *out = malloc(room);
    size_t at = 0, to = 0;
    require(out != NULL);
    do {
        const size_t next = part > 0 && part < size - at ? part : size - at;
        to = pack_part(how, data + at, next, out, to, room);
        at += next;
    } while (at < size);
    *length = to;
    return out;
}

#endif
