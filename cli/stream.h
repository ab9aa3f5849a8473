/* A stream whose bytes stay in memory. */
#ifndef AKIN_CLI_STREAM_H
#define AKIN_CLI_STREAM_H

#include <stddef.h>
#include <stdio.h>

typedef struct akin_cli_stream {
    FILE *to;
    char *text; /* what was written, and a zero behind it; to be freed */
    size_t length, capacity;
} akin_cli_stream;

/* 0: memory is short; then there is nothing to close. */
int akin_cli_stream_open(akin_cli_stream *out);

/* Ends the stream; the text stays. 0: memory was short, and some of the text is missing: there is none then. */
int akin_cli_stream_close(akin_cli_stream *stream);

#endif
