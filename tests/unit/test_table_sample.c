/* Samples of tables: all of files that are small; parts of large ones, plain and compressed, of one file and several,
 * up to the ends of records; and what is refused. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "akin.h"

#define ROWS  40000
#define FILES 5

static akin_context *context;
static char folder[64];

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Writes a file of `rows` rows from `first` on; each has a text of several lines in CSV. */
static void write_file(const char *name, uint32_t first, uint32_t rows)
{
    akin_output *output = NULL;
    akin_error error;
    const int is_csv = strstr(name, ".csv") != NULL;
    char line[200];
    assert_int_equal(akin_output_open(context, path_of(name), &output, &error), AKIN_OK);
    if (is_csv)
        assert_int_equal(akin_output_write(output, "id,text\n", 8, &error), AKIN_OK);
    for (uint32_t row = first; row < first + rows; row++) {
        const unsigned noise = row * 2654435761u;
        const int length = snprintf(line, sizeof line,
                                    is_csv ? "%u,\"some text,\nof %u and\n\"\"%u\"\" in three lines\"\n"
                                           : "{\"id\":%u,\"text\":\"some text of %u and %u in one line\"}\n",
                                    row, noise, noise ^ 77u);
        assert_int_equal(akin_output_write(output, line, (size_t)length, &error), AKIN_OK);
    }
    assert_int_equal(akin_output_commit(output, &error), AKIN_OK);
}

/* Takes a sample, whose rows must be those of whole records. */
static uint32_t sample(const char *path, uint64_t bytes, double *times)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    akin_column ids = AKIN_COLUMN_INIT, texts = AKIN_COLUMN_INIT;
    akin_error error;
    *times = 0;
    assert_int_equal(akin_table_sample(context, path, &options, bytes, &table, times, &error), AKIN_OK);
    const uint32_t rows = akin_table_rows(table);
    assert_int_equal(akin_table_column(table, 0, &ids, &error), AKIN_OK);
    assert_int_equal(akin_table_column(table, 1, &texts, &error), AKIN_OK);
    for (uint32_t row = 0; row < rows; row++) {
        char id[16] = "", text[200] = "", needle[20];
        memcpy(id, ids.bytes + ids.offsets[row], (size_t)(ids.offsets[row + 1] - ids.offsets[row]));
        memcpy(text, texts.bytes + texts.offsets[row], (size_t)(texts.offsets[row + 1] - texts.offsets[row]));
        snprintf(needle, sizeof needle, "of %u ", (unsigned)strtoul(id, NULL, 10) * 2654435761u);
        assert_non_null(strstr(text, needle));
        assert_non_null(strstr(text, "line"));
    }
    akin_table_free(table);
    return rows;
}

static void assert_about(double found, double expected, double factor)
{
    if (found > expected * factor || found < expected / factor)
        printf("%g is not within a factor %g of %g\n", found, factor, expected);
    assert_true(found <= expected * factor && found >= expected / factor);
}

static void of_one_file(void **state)
{
    static const char *const names[] = {"a.jsonl", "a.csv", "a.jsonl.gz", "a.csv.gz", "a.jsonl.zst"};
    double times;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_file(names[i], 0, ROWS);
        assert_int_equal(sample(path_of(names[i]), UINT64_C(1) << 30, &times), ROWS);
        assert_true(times == 1);
        const uint32_t rows = sample(path_of(names[i]), 300000, &times);
        assert_true(rows > 0 && rows < ROWS / 2);
        assert_about(rows * times, ROWS, 1.1);
    }
}

/* Of files with more and more rows: the larger ones have larger parts. */
static void of_files(void **state)
{
    static const char *const endings[] = {"csv", "jsonl.gz"};
    char name[40];
    double times;
    (void)state;
    for (size_t kind = 0; kind < 2; kind++) {
        uint32_t rows = 0;
        snprintf(name, sizeof name, "files%zu", kind);
        assert_int_equal(mkdir(path_of(name), 0700), 0);
        for (uint32_t i = 0; i < FILES; i++) {
            snprintf(name, sizeof name, "files%zu/%u.%s", kind, (unsigned)i, endings[kind]);
            write_file(name, rows, i * ROWS / 2);
            rows += i * ROWS / 2;
        }
        snprintf(name, sizeof name, "files%zu", kind);
        assert_int_equal(sample(path_of(name), UINT64_C(1) << 30, &times), rows);
        assert_true(times == 1);
        const uint32_t some = sample(path_of(name), 700000, &times);
        assert_true(some > 0 && some < rows / 2);
        assert_about(some * times, rows, 1.1);
    }
}

static void of_nothing(void **state)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    akin_table *table = NULL;
    akin_error error;
    double times = 0;
    (void)state;
    write_file("empty.csv", 0, 0);
    assert_int_equal(sample(path_of("empty.csv"), 1, &times), 0);
    assert_true(times == 1);
    write_file("some.csv", 0, 10);
    assert_int_equal(akin_table_sample(context, path_of("some.csv"), &options, 0, &table, &times, &error),
                     AKIN_E_OPTION);
    assert_string_equal(error.message, "bytes is 0; expected 1 or more");
    assert_int_equal(mkfifo(path_of("pipe.csv"), 0600), 0);
    assert_int_equal(akin_table_sample(context, path_of("pipe.csv"), &options, 9, &table, &times, &error),
                     AKIN_E_INPUT);
    assert_non_null(strstr(error.message, "expected a regular file"));
    assert_int_equal(akin_table_sample(context, path_of("none.csv"), &options, 9, &table, &times, &error),
                     AKIN_E_INPUT);
    options.column_count = 1;
    options.columns = (const char *const[]){"other"};
    assert_int_equal(akin_table_sample(context, path_of("some.csv"), &options, 9, &table, &times, &error),
                     AKIN_E_OPTION);
}

static int begin(void **state)
{
    akin_error error;
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/akin-sample-XXXXXX");
    return mkdtemp(folder) && akin_context_create(NULL, &context, &error) == AKIN_OK ? 0 : -1;
}

static int end(void **state)
{
    char command[100];
    (void)state;
    akin_context_free(context);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_one_file), cmocka_unit_test(of_files),
                                       cmocka_unit_test(of_nothing)};
    return cmocka_run_group_tests(tests, begin, end);
}
