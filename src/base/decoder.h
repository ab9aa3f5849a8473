/* Decodes gzip members and zstd frames, one after the other, from memory to memory. */
#ifndef AKIN_BASE_DECODER_H
#define AKIN_BASE_DECODER_H

#include <stddef.h>
#include <stdint.h>
#define ZLIB_CONST /* what is decoded is const */
#include <zlib.h>
#include <zstd.h>

#define AKIN_PACKING_MAGIC 4 /* bytes that show how a file is packed */

typedef enum akin_packing { AKIN_PACKING_NONE, AKIN_PACKING_GZIP, AKIN_PACKING_ZSTD } akin_packing;

/* How the file is packed that begins with these bytes, up to AKIN_PACKING_MAGIC of them; and its name in messages. */
akin_packing akin_packing_of(const char *bytes, size_t length);
const char *akin_packing_name(akin_packing packing);

typedef struct akin_decoder {
    akin_packing packing;
    int inside;    /* a member or frame has begun and not ended */
    int gzip_open; /* whether `gzip` is to be ended */
    z_stream gzip;
    ZSTD_DStream *zstd;
} akin_decoder;

/* Bytes to decode, and room for what they become. */
typedef struct akin_coded {
    const char *in;
    size_t in_at, in_length;
    char *out;
    size_t out_at, out_length;
} akin_coded;

typedef enum akin_decoded {
    AKIN_DECODED_WELL,
    AKIN_DECODED_NO_MEMORY,
    AKIN_DECODED_DICTIONARY, /* a zstd dictionary is missing */
    AKIN_DECODED_WINDOW,     /* the window of a zstd frame is too large */
    AKIN_DECODED_DAMAGED,    /* the decoder says why */
} akin_decoded;

/* The largest window that is read where `window` bytes are allowed: a power of 2. */
uint64_t akin_decoder_window(uint64_t window);

/* Makes a decoder that is all zeros, for zstd frames whose windows have at most `window` bytes; 0: any number. Returns
 * 0 if memory is short; the caller closes it in any case. */
int akin_decoder_open(akin_decoder *decoder, akin_packing packing, uint64_t window);
void akin_decoder_close(akin_decoder *decoder);

/* Drops the member or frame at hand: the next bytes begin another one. */
void akin_decoder_reset(akin_decoder *decoder);

/* Decodes some more, and moves in_at and out_at; at most to the end of a member or frame. *reason is set where the
 * bytes are damaged. */
akin_decoded akin_decoder_run(akin_decoder *decoder, akin_coded *coded, const char **reason);

#endif
