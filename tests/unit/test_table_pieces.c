/*
 * Tables read by several threads, in blocks from 16 bytes up: the same table as one thread makes, or the same error.
 * The arguments name files of text, or directories of them, which are read in every format.
 */
#define _GNU_SOURCE

#include "base/random.h"
#include "test_table_support.h"

#include "test_base_packed.h"
#include "test_corpora.h"
#include "test_sanitizers.h"

static char **paths;
static int path_count;

/* ---------------------------------------------------------------------------------------------------- what was read */

/* All that a table says, or all that an error says. To be freed. */
static char *outcome(akin_status status, const akin_table *table, const akin_error *error)
{
    char *text = NULL;
    size_t size;
    uint64_t length, line;
    const char *bytes;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (status != AKIN_OK) {
        fprintf(out, "%d %d %d %u %llu '%s' '%s' '%s' '%s'", (int)status, (int)error->code, (int)error->reason,
                error->row, (unsigned long long)error->line, error->column, error->word, error->meant, error->message);
        fclose(out);
        return text;
    }
    assert_table_valid(table);
    char *rows = table_text(table);
    fprintf(out, "%u %s\n", akin_table_rows(table), rows);
    free(rows);
    if (akin_table_header(table, &bytes, &length, NULL) == AKIN_OK)
        fprintf(out, "header %.*s\n", (int)length, bytes);
    for (uint32_t row = 0; row < akin_table_rows(table); row++) {
        if (akin_table_line(table, row, &line, NULL) == AKIN_OK)
            fprintf(out, "line %llu\n", (unsigned long long)line);
        if (akin_table_record(table, row, &bytes, &length, NULL) == AKIN_OK)
            fprintf(out, "record %.*s\n", (int)length, bytes);
    }
    fclose(out);
    return text;
}

static char *read_outcome(const char *path, const akin_table_options *options, uint32_t threads, uint64_t block)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_table *table = NULL;
    akin_error error;
    context.scope.threads = threads;
    context.wishes = &wishes;
    const akin_status status = akin_table_read(&context, path, options, &table, &error);
    context.wishes = NULL;
    char *text = outcome(status, table, &error);
    akin_table_free(table);
    return text;
}

/* Reads a file in every way, under that memory bound (0: none). */
static void compare_read(const char *path, const akin_table_options *options, uint64_t memory)
{
    static const uint64_t blocks[] = {16, 17, 50, 200, 1000};
    const size_t step = UNDER_SANITIZER ? 3 : 1;
    static const uint32_t threads[] = {1, 2, 3, 8};
    context.scope.cpu = akin_cpu_detect();
    char *expected = read_outcome(path, options, 1, 0);
    context.scope.memory = memory;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i += step)
        for (size_t k = memory ? 2 : 0; k < sizeof threads / sizeof *threads; k++) {
            char *text = read_outcome(path, options, threads[k], blocks[i]);
            if (strcmp(text, expected) != 0)
                print_error("%s: %u threads, blocks of %llu bytes\n", path, threads[k], (unsigned long long)blocks[i]);
            assert_string_equal(text, expected);
            free(text);
        }
    context.scope.memory = 0;
    free(expected);
}

/* The same with each set of options, and pieces in temporary files. */
static void compare_file(const char *path, akin_format format)
{
    static const char *const some[] = {"text", "none"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.format = format;
    compare_read(path, &options, 0);
    options.columns = some;
    options.column_count = 2;
    options.optional = 1;
    compare_read(path, &options, 0);
    options.column_count = options.optional = 0;
    options.lossy = options.keep_lines = options.keep_records = 1;
    compare_read(path, &options, 0);
    compare_read(path, &options, (uint64_t)32 << 20);
}

/* As a regular file, whose blocks threads read, and as a stream. */
static void compare_text(const char *text, size_t length, akin_format format)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    bytes packed = {0};
    compare_file(scratch_write("file", text, length), format);
    append_gzip(&packed, text, length);
    options.format = format;
    compare_read(scratch_write("file.gz", packed.data, packed.length), &options, 0);
    free(packed.data);
}

/* ---------------------------------------------------------------------------------------------------------- corpora */

static const akin_format formats[] = {AKIN_FORMAT_CSV, AKIN_FORMAT_TSV, AKIN_FORMAT_JSONL, AKIN_FORMAT_TEXT};
#define FORMATS (sizeof formats / sizeof *formats)

static void compare_formats(const char *path)
{
    for (size_t i = 0; i < FORMATS; i++)
        compare_file(path, formats[i]);
}

static void test_corpora(void **state)
{
    (void)state;
    for_each_file(paths, path_count, compare_formats);
}

/* -------------------------------------------------------------------------------------------------------- generated */

static void put_field(FILE *out, akin_random *random, int quotes)
{
    static const char *const parts[] = {"a",    "bc", "\xc3\xa9", " ",    "defghijklmnop", "\r", "\xf0\x9f\x98\x80",
                                        "\"\"", ",",  "\n",       "\r\n", "\n\n"};
    const int quoted = quotes && akin_random_below(random, 3) == 0;
    uint64_t count = akin_random_below(random, akin_random_below(random, 20) ? 5 : 80);
    fputs(quoted ? "\"" : "", out);
    for (; count > 0; count--)
        fputs(parts[akin_random_below(random, quoted ? 12 : 5)], out);
    fputs(quoted ? "\"" : "", out);
}

/* Records with quotes across lines, empty lines, and both line ends. */
static void put_records(FILE *out, akin_random *random, char separator, uint64_t rows)
{
    fprintf(out, "text%cb%cc\n", separator, separator);
    for (; rows > 0; rows--) {
        for (int i = 0; i < 3; i++) {
            if (i > 0)
                putc(separator, out);
            put_field(out, random, separator == ',');
        }
        fputs(akin_random_below(random, 2) ? "\n" : "\r\n", out);
        if (akin_random_below(random, 10) == 0)
            fputs(akin_random_below(random, 2) ? "\n" : "\r\n\n", out);
    }
}

/* Objects in which keys come and go, some for the first time late. */
static void put_objects(FILE *out, akin_random *random, uint64_t rows)
{
    static const char *const values[] = {"null", "\"x\"", "\"\\u00e9\\n\"", "12.5", "[1, {\"a\": null}]", "\"\""};
    for (uint64_t row = 0; row < rows; row++) {
        fprintf(out, "{\"text\": \"%llu\"", (unsigned long long)row);
        for (uint64_t key = akin_random_below(random, 3); key < 3 + row / 8; key += 1 + akin_random_below(random, 4))
            fprintf(out, ", \"k%llu\": %s", (unsigned long long)(key * 7 % (3 + row / 8)),
                    values[akin_random_below(random, 6)]);
        fputs(akin_random_below(random, 10) ? "}\n" : "}\r\n \n", out);
    }
}

/* Damages a text in a place or two: quotes, separators, line ends, NUL bytes, and bytes that are not UTF-8. */
static void damage(char *text, size_t length, akin_random *random)
{
    static const char bytes[] = {'"', '"', ',', '\n', '\r', '\0', (char)0xff, (char)0xc3, '{', '\\'};
    for (uint64_t count = akin_random_below(random, 3); count > 0 && length > 0; count--)
        text[akin_random_below(random, length)] = bytes[akin_random_below(random, sizeof bytes)];
}

static void test_generated(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 27);
    for (int i = 0; i < 40; i++) {
        const akin_format format = (akin_format[]){AKIN_FORMAT_CSV, AKIN_FORMAT_TSV, AKIN_FORMAT_JSONL, AKIN_FORMAT_CSV,
                                                   AKIN_FORMAT_TEXT}[i % 5];
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        const uint64_t rows = akin_random_below(&random, 60);
        assert_non_null(out);
        if (format == AKIN_FORMAT_JSONL)
            put_objects(out, &random, rows);
        else
            put_records(out, &random, format == AKIN_FORMAT_TSV ? '\t' : ',', rows);
        fclose(out);
        if (length > 0 && i % 7 == 0) /* the last line lacks its end */
            length--;
        if (i % 2)
            damage(text, length, &random);
        compare_text(text, length, format);
        free(text);
    }
}

/* The error of an early block comes first, whatever later ones hold. */
static void test_first_error(void **state)
{
    static const char text[] = "text,b\n1,2\n3,4\n5\n6,7\n8,\xff\n9\n10,\"x\"y\n";
    (void)state;
    compare_text(text, strlen(text), AKIN_FORMAT_CSV);
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.format = AKIN_FORMAT_CSV;
    char *message = read_outcome(scratch_write("file", text, strlen(text)), &options, 8, 16);
    assert_non_null(strstr(message, "file:4: has 1 field; expected 2"));
    free(message);
}

/* A quote that is never closed, over many blocks; and one field over many blocks among short ones. */
static void test_long_fields(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    for (int closed = 0; closed < 2; closed++) {
        FILE *out = open_memstream(&text, &length);
        assert_non_null(out);
        fputs("text,b\n1,2\n3,\"x\ny\"\n4,\"", out);
        for (int i = 0; i < 2000; i++)
            fprintf(out, "line %d,\"\"\n", i);
        fputs(closed ? "\"\n5,6\n7,\"\n\"\n" : "8\n", out);
        fclose(out);
        compare_text(text, length, AKIN_FORMAT_CSV);
        free(text);
    }
}

#define KEPT 100000

static void shorten(void *user, const akin_progress *progress)
{
    (void)progress;
    assert_int_equal(truncate(user, KEPT), 0);
}

/* A file that somebody shortens while it is read: an error, of whichever thread finds it. */
static void test_shortened(void **state)
{
    (void)state;
    for (uint32_t threads = 2; threads < 9; threads += 3) {
        akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        assert_non_null(out);
        fputs("text,b\n", out);
        for (int i = 0; i < 100000; i++)
            fprintf(out, "%d,\"two\nlines\"\n", i);
        fclose(out);
        options.format = AKIN_FORMAT_CSV;
        char *path = strdup(scratch_write("shortened", text, length));
        context.scope.reporter = (akin_reporter){.progress = shorten, .user = path};
        char *got = read_outcome(path, &options, threads, 1000);
        context.scope.reporter = (akin_reporter){0};
        assert_non_null(strstr(got, "has become shorter while it was read"));
        free(got);
        free(path);
        free(text);
    }
}

/* Files of more than a block of the usual size, which threads share. */
static void test_large(void **state)
{
    (void)state;
    akin_random random;
    akin_random_seed(&random, 28);
    for (size_t i = 0; i < FORMATS; i++) {
        char *text = NULL;
        size_t length;
        akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
        FILE *out = open_memstream(&text, &length);
        assert_non_null(out);
        if (formats[i] == AKIN_FORMAT_JSONL)
            for (int k = 0; k < 1200; k++)
                put_objects(out, &random, 60);
        else
            put_records(out, &random, formats[i] == AKIN_FORMAT_TSV ? '\t' : ',', 130000);
        fclose(out);
        const char *path = scratch_write("large", text, length);
        options.format = formats[i];
        options.keep_lines = options.keep_records = 1;
        char *expected = read_outcome(path, &options, 1, 0);
        for (uint32_t threads = 2; threads < 9; threads += 3) {
            char *got = read_outcome(path, &options, threads, 0);
            assert_true(strcmp(got, expected) == 0);
            free(got);
        }
        free(expected);
        free(text);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated), cmocka_unit_test(test_first_error), cmocka_unit_test(test_shortened),
        cmocka_unit_test(test_large),     cmocka_unit_test(test_corpora),     cmocka_unit_test(test_long_fields),
    };
    paths = argv + 1;
    path_count = argc - 1;
    context.temporary = scratch;
    return RUN_TESTS(tests, 4, scratch_make, scratch_remove);
}
