/* What the tests of collections share: a context, and collections as text. */
#ifndef AKIN_TEST_SETS_SUPPORT_H
#define AKIN_TEST_SETS_SUPPORT_H

#include "base/context.h"
#include "base/random.h"
#include "sets/sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline akin_context context_of(akin_context *self, uint32_t threads)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect()},
                          .cpu_best = akin_cpu_detect()};
}

/* Text that grows. */
typedef struct text {
    char *bytes;
    size_t length;
    size_t capacity;
} text;

static inline void text_add(text *t, const char *bytes, size_t length)
{
    if (!t->bytes || t->length + length + 1 > t->capacity) {
        t->capacity = 2 * (t->length + length + 1);
        t->bytes = realloc(t->bytes, t->capacity);
        if (!t->bytes)
            abort();
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
}

static inline void text_add_string(text *t, const char *string)
{
    text_add(t, string, strlen(string));
}

static inline void text_add_number(text *t, uint64_t number)
{
    char digits[24];
    text_add(t, digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number));
}

static inline void text_clear(text *t)
{
    free(t->bytes);
    *t = (text){0};
}

/* The collection as text, a row a line, tokens separated by one space. */
static inline text sets_text(const akin_sets *sets)
{
    text t = {0};
    text_add(&t, "", 0);
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        for (uint32_t i = 0; i < size; i++) {
            text_add_string(&t, i ? " " : "");
            text_add_number(&t, tokens[i]);
        }
        text_add_string(&t, "\n");
    }
    return t;
}

static inline void assert_sets_text(const akin_sets *sets, const char *expected)
{
    text t = sets_text(sets);
    assert_string_equal(t.bytes, expected);
    text_clear(&t);
}

static inline void assert_sets_equal(const akin_sets *a, const akin_sets *b)
{
    assert_int_equal(akin_sets_rows(a), akin_sets_rows(b));
    for (uint32_t row = 0; row < akin_sets_rows(a); row++) {
        const uint32_t *one, *other;
        uint32_t size = akin_sets_row(a, row, &one);
        assert_int_equal(akin_sets_row(b, row, &other), size);
        assert_memory_equal(one, other, size * sizeof *one);
    }
}

/* What every collection keeps to. */
static inline void assert_sets_valid(const akin_sets *sets)
{
    uint64_t total = 0;
    assert_int_equal(sets->offsets[0], 0);
    for (uint32_t row = 0; row < akin_sets_rows(sets); row++) {
        const uint32_t *tokens;
        uint32_t size = akin_sets_row(sets, row, &tokens);
        assert_int_equal(sets->offsets[row], total);
        total += size;
        for (uint32_t i = 1; i < size; i++)
            assert_true(tokens[i - 1] < tokens[i]);
    }
    assert_int_equal(sets->offsets[akin_sets_rows(sets)], total);
}

/* A collection of random rows with sizes below size_bound and tokens below token_bound. */
static inline akin_sets *random_sets(uint64_t seed, uint32_t rows, uint32_t size_bound, uint64_t token_bound)
{
    akin_random random;
    akin_random_seed(&random, seed);
    uint64_t *offsets = calloc((size_t)rows + 1, sizeof *offsets);
    uint32_t *tokens = malloc(((size_t)rows * size_bound + 1) * sizeof *tokens);
    assert_true(offsets && tokens);
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t size = akin_random_below(&random, size_bound);
        offsets[row + 1] = offsets[row] + size;
        for (uint64_t i = offsets[row]; i < offsets[row + 1]; i++)
            tokens[i] = (uint32_t)akin_random_below(&random, token_bound);
    }
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    assert_int_equal(akin_sets_from_arrays(&context, rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

#endif
