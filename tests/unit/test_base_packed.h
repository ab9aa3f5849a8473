/* Bytes that grow, and what gzip and zstd make of them. */
#ifndef AKIN_TEST_BASE_PACKED_H
#define AKIN_TEST_BASE_PACKED_H

#include <stdlib.h>
#include <string.h>
#ifndef ZLIB_CONST
#define ZLIB_CONST /* input is const */
#endif
#include <zlib.h>
#include <zstd.h>

/* Bytes that grow. */
typedef struct bytes {
    char *data;
    size_t length, capacity;
} bytes;

static inline void append(bytes *to, const void *data, size_t length)
{
    if (!to->data || to->length + length + 1 > to->capacity) {
        to->capacity = 2 * (to->length + length) + 64;
        to->data = realloc(to->data, to->capacity);
    }
    assert_non_null(to->data);
    if (length > 0)
        memcpy(to->data + to->length, data, length);
    to->length += length;
}

static inline void append_deflated(bytes *to, const void *data, size_t length, int level)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&z, length);
    char *out = malloc(room);
    assert_non_null(out);
    z.next_in = data;
    z.avail_in = (unsigned)length;
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    append(to, out, z.total_out);
    deflateEnd(&z);
    free(out);
}

static inline void append_gzip(bytes *to, const void *data, size_t length)
{
    append_deflated(to, data, length, 1);
}

static inline void append_zstd(bytes *to, const void *data, size_t length, int checksum)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    size_t room = ZSTD_compressBound(length);
    char *out = malloc(room);
    assert_true(z && out);
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, checksum);
    size_t got = ZSTD_compress2(z, out, room, data, length);
    assert_false(ZSTD_isError(got));
    append(to, out, got);
    ZSTD_freeCCtx(z);
    free(out);
}

#endif
