/* What the tests of sets from text share: columns. */
#ifndef AKIN_TEST_TEXT_COLUMNS_H
#define AKIN_TEST_TEXT_COLUMNS_H

#include "test_text_support.h"

/* A column in the making. */
typedef struct builder {
    text bytes;
    uint32_t rows, capacity;
    uint64_t *offsets;
    uint8_t *validity;
    uint64_t nulls;
} builder;

static inline void builder_add(builder *b, const char *bytes, size_t length)
{
    if (b->rows + 1 >= b->capacity) {
        b->capacity = 2 * b->capacity + 16;
        b->offsets = realloc(b->offsets, (b->capacity + 1) * sizeof *b->offsets);
        b->validity = realloc(b->validity, b->capacity / 8 + 1);
        assert_true(b->offsets && b->validity);
    }
    if (b->rows == 0)
        b->offsets[0] = 0;
    if (b->rows % 8 == 0)
        b->validity[b->rows / 8] = 0;
    b->validity[b->rows / 8] = (uint8_t)(b->validity[b->rows / 8] | 1u << b->rows % 8);
    text_add(&b->bytes, bytes, length);
    b->offsets[++b->rows] = b->bytes.length;
}

static inline void builder_null(builder *b)
{
    builder_add(b, "hidden", 6); /* what is behind a null does not matter */
    b->rows--;
    b->validity[b->rows / 8] = (uint8_t)(b->validity[b->rows / 8] & ~(1u << b->rows % 8));
    b->rows++;
    b->nulls++;
}

static inline akin_column builder_column(const builder *b, const char *name)
{
    return (akin_column){
        sizeof(akin_column), name, b->offsets, b->bytes.bytes, b->nulls ? b->validity : NULL, b->nulls, NULL, 0, 0};
}

static inline void builder_clear(builder *b)
{
    free(b->offsets);
    free(b->validity);
    free(b->bytes.bytes);
    *b = (builder){0};
}

/* A column of strings. */
static inline builder builder_of(const char *const *strings, uint32_t count)
{
    builder b = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (strings[i])
            builder_add(&b, strings[i], strlen(strings[i]));
        else
            builder_null(&b);
    }
    return b;
}

#endif
