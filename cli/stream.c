/* A stream whose bytes stay in memory. Where the system has it, the stream calls a function here: open_memstream of
 * glibc drops what it has no memory for, and says so only to the caller who wrote that, not at the end. */
#define _GNU_SOURCE /* fopencookie */

#include "stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define FIRST_BYTES ((size_t)4096)

#if defined(__linux__)

/* Keeps bytes. Returns their number, or 0 if memory is short: that is remembered by the stream. */
static ssize_t keep(void *cookie, const char *bytes, size_t length)
{
    akin_cli_stream *stream = cookie;
    size_t capacity = stream->capacity;
    while (capacity - stream->length <= length) {
        if (capacity > SIZE_MAX / 2)
            return 0;
        capacity *= 2;
    }
    char *text = capacity > stream->capacity ? realloc(stream->text, capacity) : stream->text;
    if (!text)
        return 0;
    stream->text = text;
    stream->capacity = capacity;
    memcpy(text + stream->length, bytes, length);
    stream->length += length;
    text[stream->length] = '\0';
    return (ssize_t)length;
}

int akin_cli_stream_open(akin_cli_stream *out)
{
    const cookie_io_functions_t functions = {.write = keep};
    *out = (akin_cli_stream){.text = calloc(FIRST_BYTES, 1), .capacity = FIRST_BYTES};
    out->to = out->text ? fopencookie(out, "w", functions) : NULL;
    if (out->to)
        return 1;
    free(out->text);
    out->text = NULL;
    return 0;
}

#else

int akin_cli_stream_open(akin_cli_stream *out)
{
    *out = (akin_cli_stream){.capacity = 0};
    out->to = open_memstream(&out->text, &out->length);
    return out->to != NULL;
}

#endif

int akin_cli_stream_close(akin_cli_stream *stream)
{
    const int failed = ferror(stream->to);
    const int is_whole = fclose(stream->to) == 0 && !failed && stream->text;
    stream->to = NULL;
    if (!is_whole) {
        free(stream->text);
        stream->text = NULL;
        stream->length = 0;
    }
    return is_whole;
}
