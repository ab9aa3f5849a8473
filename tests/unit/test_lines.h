/* A column that is made line by line. */
#ifndef AKIN_TEST_LINES_H
#define AKIN_TEST_LINES_H

#include "akin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct lines {
    char *bytes;
    size_t length;
    FILE *out;
    uint64_t *offsets;
    uint32_t rows;
} lines;

static inline void lines_begin(lines *l, uint32_t most)
{
    *l = (lines){.offsets = calloc(most + 1, sizeof *l->offsets)};
    l->out = open_memstream(&l->bytes, &l->length);
    assert_non_null(l->offsets);
    assert_non_null(l->out);
}

static inline void lines_end_row(lines *l)
{
    fflush(l->out);
    l->offsets[++l->rows] = l->length;
}

static inline akin_column lines_column(lines *l)
{
    fflush(l->out);
    return (akin_column){.size = sizeof(akin_column), .name = "text", .offsets = l->offsets, .bytes = l->bytes};
}

static inline void lines_clear(lines *l)
{
    fclose(l->out);
    free(l->bytes);
    free(l->offsets);
}

#endif
