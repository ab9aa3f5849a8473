/* What the tests of tables share: a context, tables from text, and tables as text. */
#ifndef AKIN_TEST_TABLE_SUPPORT_H
#define AKIN_TEST_TABLE_SUPPORT_H

#include "base/context.h"
#include "table/formats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test_base_files.h"

static akin_context context = {.scope = {.context = &context, .threads = 1}};

/* A table as text: the names, then a row a line; strings in brackets, "-" for a null. To be freed. */
static inline char *table_text(const akin_table *table)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (uint32_t i = 0; i < akin_table_columns(table); i++) {
        akin_column c = {.size = sizeof c};
        assert_int_equal(akin_table_column(table, i, &c, NULL), AKIN_OK);
        fprintf(out, "%s%s", i ? " " : "", c.name);
    }
    for (uint32_t row = 0; row < akin_table_rows(table); row++)
        for (uint32_t i = 0; i < akin_table_columns(table); i++) {
            akin_column c = {.size = sizeof c};
            assert_int_equal(akin_table_column(table, i, &c, NULL), AKIN_OK);
            fputc(i ? ' ' : '\n', out);
            if (c.validity && !(c.validity[row / 8] >> row % 8 & 1))
                fputc('-', out);
            else
                fprintf(out, "[%.*s]", (int)(c.offsets[row + 1] - c.offsets[row]), c.bytes + c.offsets[row]);
        }
    fclose(out);
    return text;
}

static inline void assert_table_text(const akin_table *table, const char *expected)
{
    char *text = table_text(table);
    assert_string_equal(text, expected);
    free(text);
}

/* What every column keeps to. */
static inline void assert_table_valid(const akin_table *table)
{
    for (uint32_t i = 0; i < akin_table_columns(table); i++) {
        uint64_t nulls = 0;
        akin_column c = {.size = sizeof c};
        assert_int_equal(akin_table_column(table, i, &c, NULL), AKIN_OK);
        assert_non_null(c.bytes);
        assert_int_equal(c.offsets[0], 0);
        assert_true((c.validity != NULL) == (c.nulls > 0));
        for (uint32_t row = 0; row < akin_table_rows(table); row++) {
            int is_null = c.validity && !(c.validity[row / 8] >> row % 8 & 1);
            nulls += (uint64_t)is_null;
            assert_true(c.offsets[row] <= c.offsets[row + 1]);
            assert_true(!is_null || c.offsets[row] == c.offsets[row + 1]);
        }
        if (c.validity && akin_table_rows(table) % 8 != 0)
            assert_int_equal(c.validity[akin_table_rows(table) / 8] >> akin_table_rows(table) % 8, 0);
        assert_int_equal(c.nulls, nulls);
    }
}

/* Writes the text to the file of that name and reads it. */
static inline akin_status read_bytes(const char *name, const char *text, size_t length,
                                     const akin_table_options *options, akin_table **out, akin_error *error)
{
    return akin_table_read(&context, scratch_write(name, text, length), options, out, error);
}

/* The table read from a file of that name and text, at every SIMD level. */
static inline void expect_table_of(const char *name, const char *text, size_t length, const akin_table_options *options,
                                   const char *expected)
{
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        akin_error error;
        akin_table *table = NULL;
        context.scope.cpu = (akin_cpu)cpu;
        if (read_bytes(name, text, length, options, &table, &error) != AKIN_OK)
            fail_msg("%s", error.message);
        assert_table_valid(table);
        assert_table_text(table, expected);
        akin_table_free(table);
    }
}

static inline void expect_table(const char *name, const char *text, const char *expected)
{
    expect_table_of(name, text, strlen(text), NULL, expected);
}

/* The message that reading it fails with, which begins with the file's name. */
static inline void expect_failure_of(const char *name, const char *text, size_t length,
                                     const akin_table_options *options, akin_status status, const char *message)
{
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
        akin_error error;
        akin_table *table = NULL;
        context.scope.cpu = (akin_cpu)cpu;
        assert_int_equal(read_bytes(name, text, length, options, &table, &error), status);
        assert_null(table);
        assert_int_equal(error.code, status);
        size_t folder = strncmp(error.message, scratch, strlen(scratch)) == 0 ? strlen(scratch) + 1 : 0;
        assert_string_equal(error.message + folder, message);
    }
}

static inline void expect_failure(const char *name, const char *text, const char *message)
{
    expect_failure_of(name, text, strlen(text), NULL, AKIN_E_INPUT, message);
}

#endif
