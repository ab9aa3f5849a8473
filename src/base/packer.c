/* Compresses what is written to a file, with gzip or zstd. */
#include "base/packer.h"

#include "base/memory.h"
#include "base/reader.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define PACKED_BYTES ((size_t)1 << 16)

struct akin_packer {
    z_stream gzip;
    int is_gzip;
    ZSTD_CStream *zstd; /* NULL: it is gzip */
    char packed[PACKED_BYTES];
};

static akin_status fail_packing(akin_error *error)
{
    return akin_fail_memory(error, "compressing a file");
}

akin_status akin_packer_open(const char *name, akin_packer **out, akin_error *error)
{
    const size_t length = strlen(name);
    const int is_gzip = akin_reader_ends(name, length, ".gz");
    *out = NULL;
    if (!is_gzip && !akin_reader_ends(name, length, ".zst"))
        return AKIN_OK;
    akin_packer *packer = akin_alloc_zero(NULL, 1, sizeof *packer);
    if (!packer)
        return fail_packing(error);
    if (is_gzip) /* 16: the gzip wrapper */
        packer->is_gzip = deflateInit2(&packer->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                                       Z_DEFAULT_STRATEGY) == Z_OK;
    else
        packer->zstd = ZSTD_createCStream();
    if (packer->zstd)
        ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1);
    if (!packer->is_gzip && !packer->zstd) {
        akin_free(packer);
        return fail_packing(error);
    }
    *out = packer;
    return AKIN_OK;
}

static akin_status add_gzip(akin_packer *p, const void *data, size_t length, int is_last, akin_packed_sink sink,
                            void *user, akin_error *error)
{
    z_stream *z = &p->gzip;
    const char *at = data;
    int result = Z_OK;
    do {
        const unsigned some = length < UINT_MAX ? (unsigned)length : UINT_MAX;
        z->next_in = (unsigned char *)at; /* zlib writes nothing there */
        z->avail_in = some;
        z->next_out = (unsigned char *)p->packed;
        z->avail_out = PACKED_BYTES;
        result = deflate(z, is_last && some == length ? Z_FINISH : Z_NO_FLUSH);
        at += some - z->avail_in;
        length -= some - z->avail_in;
        const akin_status status = sink(user, p->packed, PACKED_BYTES - z->avail_out, error);
        if (status != AKIN_OK)
            return status;
    } while (length > 0 || z->avail_out == 0 || (is_last && result == Z_OK));
    return AKIN_OK;
}

static akin_status add_zstd(akin_packer *p, const void *data, size_t length, int is_last, akin_packed_sink sink,
                            void *user, akin_error *error)
{
    ZSTD_inBuffer in = {data, length, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {p->packed, PACKED_BYTES, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return fail_packing(error);
        const akin_status status = sink(user, p->packed, out.pos, error);
        if (status != AKIN_OK)
            return status;
    } while (in.pos < in.size || (is_last && left > 0));
    return AKIN_OK;
}

akin_status akin_packer_add(akin_packer *packer, const void *data, size_t length, int is_last, akin_packed_sink sink,
                            void *user, akin_error *error)
{
    return packer->zstd ? add_zstd(packer, data, length, is_last, sink, user, error)
                        : add_gzip(packer, data, length, is_last, sink, user, error);
}

void akin_packer_close(akin_packer *packer)
{
    if (!packer)
        return;
    if (packer->is_gzip)
        deflateEnd(&packer->gzip);
    ZSTD_freeCStream(packer->zstd);
    akin_free(packer);
}
