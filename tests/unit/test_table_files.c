/*
 * Tables of several files: the same rows as those of the files read one by one, whatever the formats, the number of
 * threads and the blocks; and tables without bad records, whose skipped lines depend on the file alone.
 */
#define _GNU_SOURCE

#include "base/random.h"
#include "test_table_support.h"

#include <zlib.h>
#include <zstd.h>

static const uint32_t threads[] = {1, 2, 3, 8};
static const uint64_t blocks[] = {0, 16, 50, 200, 1000};

/* ------------------------------------------------------------------------------------------------------------ files */

static void write_gzip(const char *name, const char *text, size_t length)
{
    gzFile file = gzopen(scratch_path(name), "wb");
    assert_non_null(file);
    assert_true(length == 0 || gzwrite(file, text, (unsigned)length) == (int)length);
    gzclose(file);
}

static void write_zstd(const char *name, const char *text, size_t length)
{
    const size_t room = ZSTD_compressBound(length);
    char *packed = malloc(room);
    const size_t size = ZSTD_compress(packed, room, text, length, 1);
    scratch_write(name, packed, size);
    free(packed);
}

static void make_folder(const char *name)
{
    assert_int_equal(mkdir(scratch_path(name), 0700), 0);
}

static void make_folders(void)
{
    static const char *const names[] = {"shards", "shards/sub", "shards/.hidden", "empty"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        make_folder(names[i]);
}

/* Rows of a, b and c in a format; a b with quotes and line ends in CSV. */
static char *shard_text(akin_format format, uint64_t rows, akin_random *random, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    const int swapped = (int)akin_random_below(random, 2);
    const char separator = format == AKIN_FORMAT_TSV ? '\t' : ',';
    assert_non_null(out);
    if (format != AKIN_FORMAT_JSONL)
        fprintf(out, swapped ? "c%ca%cb\n" : "a%cb%cc\n", separator, separator);
    for (uint64_t row = 0; row < rows; row++) {
        const unsigned a = (unsigned)akin_random_below(random, 1000), c = (unsigned)akin_random_below(random, 9);
        const char *b = format == AKIN_FORMAT_CSV && c < 4 ? "\"x\n,\"\"y\"" : "plain text";
        if (format == AKIN_FORMAT_JSONL)
            fprintf(out, "{\"b\":\"%s\",\"c\":%u,\"a\":\"%u\"}\n", b, c, a);
        else if (swapped)
            fprintf(out, "%u%c%u%c%s\n", c, separator, a, separator, b);
        else
            fprintf(out, "%u%c%s%c%u\r\n", a, separator, b, separator, c);
        if (c == 8)
            fputs("\n", out);
    }
    fclose(out);
    return text;
}

#define SHARDS 23

/* Writes shards in all formats, and their names in the order of the folder. */
static void write_shards(char names[SHARDS][PATH_BYTES], akin_random *random)
{
    static const akin_format formats[] = {AKIN_FORMAT_CSV, AKIN_FORMAT_TSV, AKIN_FORMAT_JSONL};
    static const char *const endings[] = {"csv", "tsv", "jsonl"};
    for (int i = 0; i < SHARDS; i++) {
        size_t length;
        const int kind = i % 3;
        char *text = shard_text(formats[kind], i % 5 == 4 ? 0 : akin_random_below(random, 40), random, &length);
        char name[64];
        snprintf(name, sizeof name, "shards/%s%02d.%s%s", i < 17 ? "s" : "sub/", i, endings[kind],
                 i % 4 == 1   ? ".gz"
                 : i % 4 == 2 ? ".zst"
                              : "");
        snprintf(names[i], PATH_BYTES, "%s", scratch_path(name));
        if (i % 4 == 1)
            write_gzip(name, text, length);
        else if (i % 4 == 2)
            write_zstd(name, text, length);
        else
            scratch_write(name, text, length > 0 && i % 8 == 3 ? length - 1 : length);
        free(text);
    }
    scratch_write("shards/.hidden/x.csv", "z\n", 2);
    scratch_write("shards/.csv", "z\n", 2);
    scratch_write("shards/_SUCCESS", "", 0);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static const char *const columns[] = {"a", "b", "c"};

static akin_table_options all_options(void)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.columns = columns;
    options.column_count = 3;
    options.keep_lines = options.keep_records = 1;
    return options;
}

/* The rows of a table with their lines and records, with the file before each. */
static void print_rows(FILE *out, const akin_table *table)
{
    for (uint32_t row = 0; row < akin_table_rows(table); row++) {
        akin_table_file file = {.size = sizeof file};
        uint64_t line, length;
        const char *record;
        assert_int_equal(akin_table_file_at(table, akin_table_file_of(table, row), &file, NULL), AKIN_OK);
        assert_true(row >= file.first && row - file.first < file.rows);
        assert_int_equal(akin_table_line(table, row, &line, NULL), AKIN_OK);
        assert_int_equal(akin_table_record(table, row, &record, &length, NULL), AKIN_OK);
        fprintf(out, "%s:%llu %.*s |", file.name, (unsigned long long)line, (int)length, record);
        for (uint32_t i = 0; i < akin_table_columns(table); i++) {
            akin_column c = {.size = sizeof c};
            akin_table_column(table, i, &c, NULL);
            fprintf(out, " %s=%.*s", c.name, (int)(c.offsets[row + 1] - c.offsets[row]), c.bytes + c.offsets[row]);
        }
        fputs("\n", out);
    }
}

static void print_table(FILE *out, const char *path, const akin_table_options *options, uint32_t count, uint64_t block)
{
    const akin_wishes wishes = {.block_bytes = block};
    akin_table *table = NULL;
    akin_error error;
    context.scope.threads = count;
    context.wishes = &wishes;
    if (akin_table_read(&context, path, options, &table, &error) != AKIN_OK) {
        fprintf(out, "error %s\n", error.message);
    } else {
        assert_table_valid(table);
        print_rows(out, table);
        for (uint64_t i = 0; i < akin_table_skipped(table); i++) {
            akin_skipped skipped = {.size = sizeof skipped};
            assert_int_equal(akin_table_skipped_at(table, i, &skipped, NULL), AKIN_OK);
            fprintf(out, "skipped %s:%llu: %s\n", skipped.name, (unsigned long long)skipped.line, skipped.reason);
        }
    }
    akin_table_free(table);
    context.scope.threads = 1;
    context.wishes = NULL;
}

static char *table_of(const char *path, const akin_table_options *options, uint32_t count, uint64_t block)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print_table(out, path, options, count, block);
    fclose(out);
    return text;
}

/* Reads a path in every way. */
static void expect_rows(const char *path, const akin_table_options *options, const char *expected)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++)
            for (int bounded = 0; bounded < 1 + (k == 2 && i % 2); bounded++) {
                context.scope.memory = bounded ? (uint64_t)32 << 20 : 0;
                char *text = table_of(path, options, threads[k], blocks[i]);
                if (strcmp(text, expected) != 0)
                    print_error("%s: %u threads, blocks of %llu bytes\n", path, threads[k],
                                (unsigned long long)blocks[i]);
                assert_string_equal(text, expected);
                free(text);
            }
    context.scope.memory = 0;
}

static void test_shards(void **state)
{
    static char names[SHARDS][PATH_BYTES];
    akin_table_options options = all_options();
    akin_random random;
    akin_format format;
    char *expected = NULL, *list = NULL;
    size_t size;
    (void)state;
    akin_random_seed(&random, 5);
    write_shards(names, &random);
    FILE *out = open_memstream(&expected, &size);
    for (int i = 0; i < SHARDS; i++)
        print_table(out, names[i], &options, 1, 0);
    fclose(out);
    expect_rows(scratch_path("shards"), &options, expected);
    char *slashed = table_of(scratch_path("shards/"), &options, 1, 0);
    expect_rows(scratch_path("shards/"), &options, slashed);
    free(slashed);
    assert_int_equal(akin_format_of_name(scratch_path("shards"), &format, NULL), AKIN_OK);
    assert_int_equal(format, AKIN_FORMAT_CSV);
    assert_true(akin_path_has_files(scratch_path("shards")));
    assert_true(akin_path_has_files(scratch_path("shards/s*")));
    assert_false(akin_path_has_files(names[0]));
    out = open_memstream(&list, &size);
    for (int i = 0; i < SHARDS; i++)
        fprintf(out, "%s%s", names[i], i % 3 ? "\n" : "\r\n\n");
    fclose(out);
    scratch_write("list", list, size);
    free(list);
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "@%s", scratch_path("list"));
    expect_rows(path, &options, expected);
    snprintf(path, sizeof path, "%s", scratch_path("shards/s[0-9]*"));
    free(expected);
    out = open_memstream(&expected, &size);
    for (int i = 0; i < 17; i++)
        print_table(out, names[i], &options, 1, 0);
    fclose(out);
    expect_rows(path, &options, expected);
    free(expected);
}

/* Without names the columns are those of the first file. */
static void test_all_columns(void **state)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    (void)state;
    make_folder("all");
    options.keep_lines = options.keep_records = 1;
    scratch_write("all/1.csv", "a,b\n1,2\n", 8);
    scratch_write("all/2.tsv", "b\ta\n4\t3\n", 8);
    scratch_write("all/3.jsonl", "{\"b\":6,\"a\":5}\n", 14);
    char *text = table_of(scratch_path("all"), &options, 1, 0);
    assert_non_null(strstr(text, "1,2 | a=1 b=2\n"));
    assert_non_null(strstr(text, "4\t3 | a=3 b=4\n"));
    assert_non_null(strstr(text, " | a=5 b=6\n"));
    free(text);
    scratch_write("all/4.csv", "a\n1\n", 4);
    text = table_of(scratch_path("all"), &options, 1, 0);
    assert_non_null(strstr(text, "all/4.csv: there is no column 'b', which the files before have"));
    expect_rows(scratch_path("all"), &options, text);
    free(text);
    scratch_write("all/4.csv", "a,x,b\n1,2,3\n", 12);
    text = table_of(scratch_path("all"), &options, 1, 0);
    assert_non_null(strstr(text, "all/4.csv: has a column 'x', which the files before do not have"));
    expect_rows(scratch_path("all"), &options, text);
    free(text);
}

/* A column that need not be there may be missing in some files; one that must be names the file. */
static void test_missing_columns(void **state)
{
    akin_table_options options = all_options();
    (void)state;
    make_folder("some");
    options.optional = 1;
    scratch_write("some/1.csv", "a,b\n1,2\n", 8);
    scratch_write("some/2.csv", "c,b,a\n5,4,3\n", 12);
    scratch_write("some/3.csv", "b,a\n6,7\n", 8);
    scratch_write("some/4.jsonl", "{\"a\":8,\"b\":9}\n{\"a\":8,\"b\":9,\"c\":1}\n", 34);
    char *text = table_of(scratch_path("some"), &options, 1, 0);
    assert_non_null(strstr(text, "3.csv:2 6,7 | a=7 b=6 c=\n"));
    assert_non_null(strstr(text, "2.csv:2 5,4,3 | a=3 b=4 c=5\n"));
    expect_rows(scratch_path("some"), &options, text);
    free(text);
    options.optional = 0;
    text = table_of(scratch_path("some"), &options, 1, 0);
    assert_non_null(strstr(text, "some/1.csv: there is no column 'c'"));
    free(text);
    unlink(scratch_path("some/1.csv"));
    unlink(scratch_path("some/3.csv"));
    scratch_write("some/5.jsonl", "{\"a\":1,\"b\":2,\"d\":3}\n", 20);
    text = table_of(scratch_path("some"), &options, 1, 0);
    assert_non_null(strstr(text, "some/5.jsonl: no line has the key 'c'; other keys of the first line: 'd'"));
    expect_rows(scratch_path("some"), &options, text);
    free(text);
}

static void expect_error(const char *path, const char *part)
{
    char *text = table_of(path, NULL, 1, 0);
    if (!strstr(text, part))
        fail_msg("%s", text);
    free(text);
}

static void test_refused(void **state)
{
    char path[PATH_BYTES];
    (void)state;
    expect_error(scratch_path("empty"), "empty: the folder has no files");
    expect_error(scratch_path("none*.csv"), "none*.csv: no file has such a name");
    snprintf(path, sizeof path, "@%s", scratch_write("blank", "\n\n", 2));
    expect_error(path, "blank: the list names no files");
    snprintf(path, sizeof path, "@%s", scratch_path("nowhere"));
    expect_error(path, "nowhere: cannot be opened");
    scratch_write("round", "@blank\n", 7);
    snprintf(path, sizeof path, "@%s", scratch_path("round"));
    expect_error(path, "@blank: a list names no other list");
    scratch_write("[a].csv", "a\n1\n", 4);
    char *text =
        table_of(scratch_path("[a].csv"),
                 &(akin_table_options){.size = sizeof(akin_table_options), .keep_records = 1, .keep_lines = 1}, 1, 0);
    assert_non_null(strstr(text, "a=1"));
    free(text);
}

/* ------------------------------------------------------------------------------------------------------ bad records */

static void expect_skipped(const char *name, const char *text, size_t length, uint64_t most, const char *expected)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.keep_lines = options.keep_records = 1;
    options.skip_bad = most;
    char *got = table_of(scratch_write(name, text, length), &options, 1, 0), *plain = NULL;
    size_t size;
    FILE *out = open_memstream(&plain, &size); /* the same without the folder */
    for (const char *at = got; *at;) {
        const size_t folder = strncmp(at, scratch, strlen(scratch)) == 0 ? strlen(scratch) + 1 : 0;
        at += folder;
        putc(*at, out);
        at += *at != '\0';
    }
    fclose(out);
    assert_string_equal(plain, expected);
    expect_rows(scratch_path(name), &options, got);
    free(plain);
    free(got);
}

#define EXPECT_SKIPPED(name, text, most, expected) expect_skipped(name, text, sizeof(text) - 1, most, expected)

static void test_skipped(void **state)
{
    (void)state;
    EXPECT_SKIPPED("b.csv", "a,b\n1,2\n3\n4,\"5\n6\"\n7,8,9\n\n10,11", 2,
                   "b.csv:2 1,2 | a=1 b=2\nb.csv:4 4,\"5\n6\" | a=4 b=5\n6\nb.csv:8 10,11 | a=10 b=11\n"
                   "skipped b.csv:3: has 1 field; expected 2, as in the header\n"
                   "skipped b.csv:6: has 3 fields; expected 2, as in the header\n");
    EXPECT_SKIPPED("b.csv", "a,b\n1,2\n3\n4,5\n7,8,9\n", 1,
                   "error b.csv:5: has 3 fields; expected 2, as in the header\n");
    EXPECT_SKIPPED("q.csv", "a,b\n1,\"x\n2,\"y\"\n3,z\"\n4,5\n", 9,
                   "q.csv:3 2,\"y\" | a=2 b=y\nq.csv:5 4,5 | a=4 b=5\n"
                   "skipped q.csv:2: field 2 has a stray quote; expected a field with quotes in it to be quoted, and "
                   "those in it to be doubled\n"
                   "skipped q.csv:4: field 2 has a stray quote; expected a field with quotes in it to be quoted, and "
                   "those in it to be doubled\n");
    EXPECT_SKIPPED("e.csv", "a,b\n1,2\n3,\"x\n4,5\n6,7", 1,
                   "e.csv:2 1,2 | a=1 b=2\ne.csv:4 4,5 | a=4 b=5\ne.csv:5 6,7 | a=6 b=7\n"
                   "skipped e.csv:3: field 2 begins with a quote that is not closed\n");
    EXPECT_SKIPPED("u.txt", "one\n\xff\ntwo\0\nthree", 2,
                   "u.txt:1 one | text=one\nu.txt:4 three | text=three\n"
                   "skipped u.txt:2: is not UTF-8 (byte 0xff); if it is Latin-1, iconv -f LATIN1 -t UTF-8 converts it\n"
                   "skipped u.txt:3: has a NUL byte, which text never has\n");
    EXPECT_SKIPPED("j.jsonl", "{\"a\":1}\n{\"a\":}\n[1]\n{\"a\":2}\n", 2,
                   "j.jsonl:1 {\"a\":1} | a=1\nj.jsonl:4 {\"a\":2} | a=2\n"
                   "skipped j.jsonl:2: byte 6: expected a value: a string, number, array, object, true, false or null\n"
                   "skipped j.jsonl:3: byte 1: expected an object, '{...}', on each line (jq -c '.[]' writes an array "
                   "so)\n");
    EXPECT_SKIPPED("t.tsv", "a\tb\n1\t\"2\n3\n4\t5\n", 1,
                   "t.tsv:2 1\t\"2 | a=1 b=\"2\nt.tsv:4 4\t5 | a=4 b=5\n"
                   "skipped t.tsv:3: has 1 field; expected 2, as in the header\n");
}

/* Damaged files of all formats: the same rows and the same skipped lines, however they are read. */
static void test_skipped_at_random(void **state)
{
    static const char bytes[] = {'"', '"', ',', '\n', '\r', '\0', (char)0xff, (char)0xc3, '{', '\t'};
    akin_table_options options = all_options();
    akin_random random;
    (void)state;
    make_folder("bad");
    akin_random_seed(&random, 11);
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < 4; i++) {
            const akin_format format =
                (akin_format[]){AKIN_FORMAT_CSV, AKIN_FORMAT_TSV, AKIN_FORMAT_JSONL, AKIN_FORMAT_CSV}[i];
            static const char *const names[] = {"bad/1.csv", "bad/2.tsv", "bad/3.jsonl", "bad/4.csv"};
            size_t length;
            char *text = shard_text(format, 10 + akin_random_below(&random, 60), &random, &length);
            for (uint64_t count = akin_random_below(&random, 6); count > 0; count--)
                text[10 + akin_random_below(&random, length - 10)] = bytes[akin_random_below(&random, sizeof bytes)];
            scratch_write(names[i], text, length);
            free(text);
        }
        options.skip_bad = round % 4 == 3 ? 3 : 1000;
        options.lossy = round % 2;
        char *expected = table_of(scratch_path("bad"), &options, 1, 0);
        expect_rows(scratch_path("bad"), &options, expected);
        free(expected);
    }
}

static int make_all(void **state)
{
    const int failed = scratch_make(state);
    context.temporary = scratch;
    context.scope.cpu = akin_cpu_detect();
    if (!failed)
        make_folders();
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shards),  cmocka_unit_test(test_all_columns), cmocka_unit_test(test_missing_columns),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_skipped),     cmocka_unit_test(test_skipped_at_random),
    };
    return cmocka_run_group_tests(tests, make_all, scratch_remove);
}
