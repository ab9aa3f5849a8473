/*
 * What the fuzzers of tables share. The input is parsed from memory at every SIMD level, in one block and in short
 * ones, and what comes out must be what a plain parser, the fuzzer's own, says; then it is parsed with what is not
 * UTF-8 replaced; and it is read from a file by several threads.
 *
 * A table is compared as text, a row after the other, in which each string has its length before it.
 */
#ifndef AKIN_FUZZ_TABLE_H
#define AKIN_FUZZ_TABLE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif

#include "base/context.h"
#include "base/foreign.h"
#include "table/formats.h"
#include "table/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int condition)
{
    if (!condition)
        abort();
}

/* ------------------------------------------------------------------------------------------------------------- text */

typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

/* Adds bytes, NULL: none; *t has bytes then, if only of no length. */
static inline void text_add(text *t, const char *bytes, size_t length)
{
    if (!t->bytes || t->capacity - t->length < length) {
        t->capacity = 2 * (t->length + length) + 1;
        t->bytes = realloc(t->bytes, t->capacity);
        if (!t->bytes)
            abort();
    }
    if (bytes)
        memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
}

/* A string with its length before it; bytes NULL: a null. */
static inline void text_add_string(text *t, const char *bytes, size_t length)
{
    char number[24];
    text_add(t, number, (size_t)snprintf(number, sizeof number, bytes ? "%zu:" : "null ", length));
    text_add(t, bytes, bytes ? length : 0);
}

/* The beginning of a row, and the line on which it begins. */
static inline void text_add_row(text *t, long line)
{
    char number[24];
    text_add(t, number, (size_t)snprintf(number, sizeof number, "\n%ld ", line));
}

static inline int text_equal(const text *a, const text *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static inline text table_text(const akin_table *table)
{
    text t = {0};
    uint64_t length;
    const char *bytes;
    for (uint32_t i = 0; i < akin_table_columns(table); i++) {
        akin_column column = {.size = sizeof column};
        require(akin_table_column(table, i, &column, NULL) == AKIN_OK);
        text_add_string(&t, column.name, strlen(column.name));
    }
    require(akin_table_header(table, &bytes, &length, NULL) == AKIN_OK);
    text_add_string(&t, bytes, length);
    for (uint32_t row = 0; row < akin_table_rows(table); row++) {
        uint64_t line;
        require(akin_table_line(table, row, &line, NULL) == AKIN_OK);
        text_add_row(&t, (long)line);
        require(akin_table_record(table, row, &bytes, &length, NULL) == AKIN_OK);
        text_add_string(&t, bytes, length);
        for (uint32_t i = 0; i < akin_table_columns(table); i++) {
            akin_column c = {.size = sizeof c};
            require(akin_table_column(table, i, &c, NULL) == AKIN_OK);
            int is_null = c.validity && !(c.validity[row / 8] >> row % 8 & 1);
            require(!is_null || c.offsets[row] == c.offsets[row + 1]);
            text_add_string(&t, is_null ? NULL : c.bytes + c.offsets[row], c.offsets[row + 1] - c.offsets[row]);
        }
    }
    return t;
}

/* Every string of the table is UTF-8. */
static inline void require_utf8(const akin_table *table)
{
    for (uint32_t i = 0; i < akin_table_columns(table); i++) {
        akin_column c = {.size = sizeof c};
        require(akin_table_column(table, i, &c, NULL) == AKIN_OK);
        require(akin_utf8_check(c.name, strlen(c.name)) == strlen(c.name));
        for (uint32_t row = 0; row < akin_table_rows(table); row++) {
            size_t length = (size_t)(c.offsets[row + 1] - c.offsets[row]);
            require(akin_utf8_check(c.bytes + c.offsets[row], length) == length);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------- plain parsing */

/* What a plain parser says: the table, or the line of the first mistake; -1: one of no line (there is no header). */
typedef struct plain {
    text table;
    long line;
} plain;

typedef plain (*plain_parser)(const char *bytes, size_t size);

/* The line of the first byte that is NUL or not UTF-8; 0 if there is none. */
static inline long first_bad_byte(const char *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes, *end = at + size;
    long line = 1;
    while (at < end) {
        unsigned long c = *at, least[] = {0, 0x80, 0x800, 0x10000};
        int more = c < 0x80 ? 0 : c < 0xc0 ? 4 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf8 ? 3 : 4;
        if (c == 0 || more == 4 || end - at <= more)
            return line;
        c &= more == 0 ? 0x7f : 0x3fu >> more;
        for (int i = 1; i <= more; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return line;
            c = c << 6 | (at[i] & 0x3f);
        }
        if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            return line;
        line += *at == '\n';
        at += more + 1;
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- fuzzing */

/* Parses in blocks of at least `block` bytes, which end at line ends, and have what looks like text behind them. */
static inline akin_status parse_blocks(const char *bytes, size_t size, size_t block, akin_cpu cpu, akin_format format,
                                       int lossy, akin_table **out, akin_error *error)
{
    akin_parser parser;
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = cpu}};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.format = format;
    options.lossy = lossy;
    options.keep_records = options.keep_lines = 1;
    akin_status status =
        akin_parser_begin(&parser, akin_scope_of(&context), "input", akin_format_of(format), &options, error);
    for (size_t at = 0; status == AKIN_OK && at < size;) {
        size_t end = size - at < block ? size : at + block;
        while (end < size && bytes[end - 1] != '\n')
            end++;
        char *copy = malloc(end - at + AKIN_PARSER_PADDING); /* so that a sanitizer sees what is read outside */
        require(copy != NULL);
        memcpy(copy, bytes + at, end - at);
        memset(copy + (end - at), at % 2 ? '"' : '\n', AKIN_PARSER_PADDING);
        status = akin_parser_add(&parser, copy, end - at, error);
        free(copy);
        at = end;
    }
    if (status == AKIN_OK)
        status = akin_parser_finish(&parser, out, error);
    akin_parser_clear(&parser);
    return status;
}

static inline int is_at_line(const akin_error *error, long line)
{
    char where[40];
    int length = snprintf(where, sizeof where, line < 0 ? "input: " : "input:%ld: ", line);
    return strncmp(error->message, where, (size_t)length) == 0;
}

static inline void fuzz_strict(const char *bytes, size_t size, size_t block, akin_cpu cpu, akin_format format,
                               const plain *expected, long bad)
{
    akin_error error;
    akin_table *table = NULL;
    akin_status status = parse_blocks(bytes, size, block, cpu, format, 0, &table, &error);
    if (bad || expected->line) {
        require(status == AKIN_E_INPUT && !table);
        require((bad && is_at_line(&error, bad)) || (expected->line && is_at_line(&error, expected->line)) ||
                (bad && akin_wide(bytes, size) && is_at_line(&error, 1))); /* the file as a whole is wrong */
        return;
    }
    require(status == AKIN_OK);
    require_utf8(table);
    text t = table_text(table);
    require(text_equal(&t, &expected->table));
    free(t.bytes);
    akin_table_free(table);
}

/* All ways to parse leniently give the same. */
static inline void fuzz_lossy(const char *bytes, size_t size, size_t block, akin_cpu cpu, akin_format format,
                              text *first, int *is_first)
{
    akin_error error;
    akin_table *table = NULL;
    text t = {0};
    akin_status status = parse_blocks(bytes, size, block, cpu, format, 1, &table, &error);
    require(status == AKIN_OK || status == AKIN_E_INPUT);
    if (status == AKIN_OK) {
        require_utf8(table);
        t = table_text(table);
    }
    if (*is_first)
        *first = t;
    else
        require(text_equal(first, &t));
    if (!*is_first)
        free(t.bytes);
    *is_first = 0;
    akin_table_free(table);
}

/* Reads a file of these bytes by that many threads in blocks of that size (0: the usual one), and says all that came of
 * it. A compressed file is read, too. */
static inline text read_text(const char *path, akin_format format, uint32_t threads, uint64_t block)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_context context = {.scope = {.context = &context, .threads = threads, .cpu = akin_cpu_detect()},
                            .wishes = &wishes};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    akin_error error;
    options.format = format;
    options.keep_records = options.keep_lines = 1;
    if (akin_table_read(&context, path, &options, &table, &error) == AKIN_OK) {
        text t = table_text(table);
        akin_table_free(table);
        return t;
    }
    text t = {0};
    text_add_string(&t, error.message, strlen(error.message));
    text_add_row(&t, (long)error.line);
    text_add_row(&t, (long)error.reason);
    return t;
}

/* Threads read the same table as one thread does, or say the same. The length of the input and its last byte say how
 * many threads there are, and how long the blocks of all are: damage to a compressed file is found with the block that
 * it is in, so the length decides whether an error of a line before it comes first. */
static inline void fuzz_threads(const char *bytes, size_t size, akin_format format)
{
    char path[64];
    const int file = memfd_create("table", 0);
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const uint64_t block = 16 + (size > 0 ? (unsigned char)bytes[size - 1] : 0) * size % 500;
    text one = read_text(path, format, 1, block), all = read_text(path, format, 2 + (uint32_t)(size % 3), block);
    require(text_equal(&one, &all));
    free(one.bytes);
    free(all.bytes);
    close(file);
}

static inline int fuzz_table(akin_format format, plain_parser parse, const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    const int best = (int)akin_cpu_detect();
    long bad = first_bad_byte(bytes, size);
    size_t valid = akin_utf8_check(bytes, size);
    for (int cpu = AKIN_CPU_SCALAR; cpu <= best; cpu++)
        require(akin_utf8_is_valid(bytes, size, (akin_cpu)cpu) == (valid == size));
    plain expected = parse(bytes, size);
    const char *cr = memchr(bytes, '\r', size);
    if (cr && (format == AKIN_FORMAT_TEXT || format == AKIN_FORMAT_PARAGRAPHS ||
               format == AKIN_FORMAT_WHOLE)) /* a text may have one */
        cr = memchr(cr + 1, '\r', size - (size_t)(cr + 1 - bytes));
    if (cr && format != AKIN_FORMAT_JSONL && !memchr(bytes, '\n', size))
        expected.line = 1;
    text first = {0};
    int is_first = 1;
    for (int cpu = AKIN_CPU_SCALAR; cpu <= best; cpu++)
        for (size_t block = 1; block <= 10000; block *= 100) {
            fuzz_strict(bytes, size, block, (akin_cpu)cpu, format, &expected, bad);
            fuzz_lossy(bytes, size, block, (akin_cpu)cpu, format, &first, &is_first);
        }
    free(first.bytes);
    free(expected.table.bytes);
    fuzz_threads(bytes, size, format);
    return 0;
}

#endif
