/* Decodes gzip members and zstd frames. */
#include "base/decoder.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>
#include <zstd_errors.h>

akin_packing akin_packing_of(const char *bytes, size_t length)
{
    const unsigned char *b = (const unsigned char *)bytes;
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd},
                               skippable[] = {0x2a, 0x4d, 0x18};
    /* A file that ends within the magic is a truncated one. But one byte of zstd's is a plain parenthesis, or one of
     * 'P' to '_' for a skippable frame. */
    if (length >= 1 && memcmp(b, gzip, length < sizeof gzip ? length : sizeof gzip) == 0)
        return AKIN_PACKING_GZIP;
    if (length >= 2 && memcmp(b, zstd, length < sizeof zstd ? length : sizeof zstd) == 0)
        return AKIN_PACKING_ZSTD;
    if (length >= 4 && b[0] >= 0x50 && b[0] <= 0x5f && memcmp(b + 1, skippable, sizeof skippable) == 0)
        return AKIN_PACKING_ZSTD;
    return AKIN_PACKING_NONE;
}

const char *akin_packing_name(akin_packing packing)
{
    static const char *const names[] = {
        [AKIN_PACKING_NONE] = "plain", [AKIN_PACKING_GZIP] = "gzip", [AKIN_PACKING_ZSTD] = "zstd"};
    return names[packing];
}

static void *zlib_alloc(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return akin_alloc(NULL, count, size);
}

static void zlib_free(void *opaque, void *block)
{
    (void)opaque;
    akin_free(block);
}

/* The logarithm of the largest window. */
static int window_log(uint64_t window)
{
    const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    int log = bounds.upperBound;
    while (window && log > bounds.lowerBound && (uint64_t)1 << log > window)
        log--;
    return log;
}

uint64_t akin_decoder_window(uint64_t window)
{
    return (uint64_t)1 << window_log(window);
}

int akin_decoder_open(akin_decoder *decoder, akin_packing packing, uint64_t window)
{
    akin_decoder *d = decoder;
    d->packing = packing;
    if (packing == AKIN_PACKING_GZIP) {
        d->gzip.zalloc = zlib_alloc;
        d->gzip.zfree = zlib_free;
        d->gzip_open = inflateInit2(&d->gzip, 16 + MAX_WBITS) == Z_OK; /* 16: the gzip wrapper and no other */
        return d->gzip_open;
    }
    d->zstd = ZSTD_createDStream();
    if (d->zstd)
        ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, window_log(window));
    return d->zstd != NULL;
}

void akin_decoder_close(akin_decoder *decoder)
{
    if (decoder->gzip_open)
        inflateEnd(&decoder->gzip);
    ZSTD_freeDStream(decoder->zstd);
    *decoder = (akin_decoder){0};
}

void akin_decoder_reset(akin_decoder *decoder)
{
    if (decoder->gzip_open)
        inflateReset(&decoder->gzip);
    if (decoder->zstd)
        ZSTD_DCtx_reset(decoder->zstd, ZSTD_reset_session_only);
    decoder->inside = 0;
}

static akin_decoded decode_gzip(akin_decoder *d, akin_coded *c, const char **reason)
{
    const size_t have = c->in_length - c->in_at, room = c->out_length - c->out_at;
    z_stream *z = &d->gzip;
    z->next_in = (const unsigned char *)c->in + c->in_at;
    z->avail_in = have < UINT_MAX ? (unsigned)have : UINT_MAX;
    z->next_out = (unsigned char *)c->out + c->out_at;
    z->avail_out = room < UINT_MAX ? (unsigned)room : UINT_MAX;
    int result = inflate(z, Z_NO_FLUSH);
    c->in_at = (size_t)(z->next_in - (const unsigned char *)c->in);
    c->out_at = (size_t)(z->next_out - (unsigned char *)c->out);
    d->inside = result != Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        return AKIN_DECODED_NO_MEMORY;
    if (result == Z_STREAM_END)
        result = inflateReset(z);
    if (result == Z_OK || result == Z_BUF_ERROR)
        return AKIN_DECODED_WELL;
    *reason = z->msg ? z->msg : "not what gzip writes";
    return AKIN_DECODED_DAMAGED;
}

/* What is wrong with a frame. How zstd finds out depends on the room that it has, so damage within a block is one
 * fault. */
static ZSTD_ErrorCode fault_of(ZSTD_ErrorCode code)
{
    switch (code) {
    case ZSTD_error_prefix_unknown:
    case ZSTD_error_checksum_wrong:
    case ZSTD_error_frameParameter_unsupported:
        return code;
    default:
        return ZSTD_error_corruption_detected;
    }
}

static akin_decoded decode_zstd(akin_decoder *d, akin_coded *c, const char **reason)
{
    ZSTD_inBuffer in = {c->in, c->in_length, c->in_at};
    /* A frame that is there as a whole, with room for its content, would be decoded in one pass, which takes damaged
     * frames that a stream refuses. So a frame begins without room: whatever buffers are like, it is a stream. */
    ZSTD_outBuffer out = {c->out, d->inside ? c->out_length : c->out_at, c->out_at};
    const size_t result = ZSTD_decompressStream(d->zstd, &out, &in);
    c->in_at = in.pos;
    c->out_at = out.pos;
    d->inside = result != 0;
    if (!ZSTD_isError(result))
        return AKIN_DECODED_WELL;
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        return AKIN_DECODED_NO_MEMORY;
    if (ZSTD_getErrorCode(result) == ZSTD_error_dictionary_wrong)
        return AKIN_DECODED_DICTIONARY;
    if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
        return AKIN_DECODED_WINDOW;
    *reason = ZSTD_getErrorString(fault_of(ZSTD_getErrorCode(result)));
    return AKIN_DECODED_DAMAGED;
}

/* Zeros may fill up a block behind the last gzip member, as they do on tapes. */
static void skip_zeros(akin_coded *c)
{
    while (c->in_at < c->in_length && c->in[c->in_at] == 0)
        c->in_at++;
}

akin_decoded akin_decoder_run(akin_decoder *decoder, akin_coded *coded, const char **reason)
{
    if (decoder->packing == AKIN_PACKING_GZIP && !decoder->inside)
        skip_zeros(coded);
    if (coded->in_at == coded->in_length && !decoder->inside)
        return AKIN_DECODED_WELL;
    return decoder->packing == AKIN_PACKING_GZIP ? decode_gzip(decoder, coded, reason)
                                                 : decode_zstd(decoder, coded, reason);
}
