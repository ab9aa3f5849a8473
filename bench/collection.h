/* Shared by the benchmarks of term weights: a text in memory, and its documents, separated by blank lines. */
#ifndef AKIN_BENCH_COLLECTION_H
#define AKIN_BENCH_COLLECTION_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct collection {
    char *bytes;
    size_t length;
    uint64_t *offsets; /* of documents */
    uint32_t documents, capacity;
} collection;

static inline void *must(void *block)
{
    if (!block) {
        fprintf(stderr, "not enough memory\n");
        exit(1);
    }
    return block;
}

static inline int read_text(const char *path, collection *c)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 0, got;
    if (!file)
        return 0;
    do {
        if (capacity - c->length < (size_t)1 << 20) {
            capacity = 2 * capacity + ((size_t)4 << 20);
            c->bytes = must(realloc(c->bytes, capacity));
        }
        got = fread(c->bytes + c->length, 1, capacity - c->length, file);
        c->length += got;
    } while (got > 0);
    fclose(file);
    return 1;
}

static inline void end_document(collection *c, size_t end)
{
    if (c->documents + 1 >= c->capacity) {
        c->capacity = 2 * c->capacity + 1024;
        c->offsets = must(realloc(c->offsets, c->capacity * sizeof *c->offsets));
    }
    c->offsets[0] = 0;
    c->offsets[++c->documents] = end;
}

/* A document ends where a line feed follows a line feed. */
static inline void find_documents(collection *c)
{
    const char *end = c->bytes + c->length;
    size_t begin = 0;
    c->documents = 0;
    for (const char *at = c->bytes; at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
        if (at < end && *at != '\n')
            continue;
        while (at < end && *at == '\n')
            at++;
        end_document(c, (size_t)(at - c->bytes));
        begin = (size_t)(at - c->bytes);
    }
    if (begin < c->length)
        end_document(c, c->length);
}

#endif
