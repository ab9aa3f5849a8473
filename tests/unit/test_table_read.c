/* Tables whatever the format: text, names of formats, bytes that are no text, compressed files, and selections of
 * columns. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_table_support.h"

#include "table/utf8.h"

#include <fcntl.h>
#include <zlib.h>
#include <zstd.h>

static void test_format_names(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        akin_format format;
    } cases[] = {
        {"a.txt", AKIN_FORMAT_TEXT},    {"/x.y/a.csv", AKIN_FORMAT_CSV}, {"a.tsv", AKIN_FORMAT_TSV},
        {"A.TAB", AKIN_FORMAT_TSV},     {"a.jsonl", AKIN_FORMAT_JSONL},  {"a.ndjson", AKIN_FORMAT_JSONL},
        {"a.csv.gz", AKIN_FORMAT_CSV},  {"a.Csv.ZST", AKIN_FORMAT_CSV},  {"a.txt.zst", AKIN_FORMAT_TEXT},
        {"a.csv.tsv", AKIN_FORMAT_TSV},
    };
    static const char *const none[] = {"-", "", "a", "csv", "a.gz", "a.csv.gz.zst", "a.json", "a.csv/b"};
    akin_format format;
    akin_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(akin_format_of_name(cases[i].path, &format, &error), AKIN_OK);
        assert_int_equal(format, cases[i].format);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(akin_format_of_name(none[i], &format, &error), AKIN_E_OPTION);
    akin_format_of_name("-", &format, &error);
    assert_string_equal(
        error.message,
        "-: its name does not say its format: expected an ending such as .txt, .csv, .tsv, .tab, .jsonl, .ndjson, "
        "also with .gz or .zst behind, or to be told the format");
}

static void test_lines(void **state)
{
    (void)state;
    expect_table("a.txt", "", "text");
    expect_table("a.txt", "\n", "text\n[]");
    expect_table("a.txt", "one\n\n\"two,\tx\"\r\n\r\nthree", "text\n[one]\n[]\n[\"two,\tx\"]\n[]\n[three]");
    expect_table("a.txt", "\xef\xbb\xbfone\rx\n\xef\xbb\xbf", "text\n[one\rx]\n[\xef\xbb\xbf]");
    const char *names[] = {"text"}, *other[] = {"title"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.column_count = 1;
    options.columns = names;
    expect_table_of("a.txt", "x", 1, &options, "text\n[x]");
    options.columns = other;
    expect_failure_of("a.txt", "x", 1, &options, AKIN_E_OPTION,
                      "a.txt: there is no column 'title'; the one of a text is 'text'");
}

/* Columns that need not be there, in each format; those before them must be. */
static void test_optional(void **state)
{
    (void)state;
    static const char csv[] = "a,b\n1,2\n3,4\n", tsv[] = "b\ta\n2\t1\n4\t3\n",
                      jsonl[] = "{\"a\":1}\n{\"a\":3,\"b\":4}\n";
    const char *names[] = {"a", "c", "b"}, *missing[] = {"c", "a", "b"}, *of_text[] = {"c", "text"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.column_count = 3;
    options.optional = 2;
    options.columns = names;
    expect_table_of("a.csv", csv, strlen(csv), &options, "a c b\n[1] - [2]\n[3] - [4]");
    expect_table_of("a.tsv", tsv, strlen(tsv), &options, "a c b\n[1] - [2]\n[3] - [4]");
    expect_table_of("a.jsonl", jsonl, strlen(jsonl), &options, "a c b\n[1] - -\n[3] - [4]");
    options.columns = missing;
    expect_failure_of("a.csv", csv, strlen(csv), &options, AKIN_E_OPTION,
                      "a.csv: there is no column 'c'; the columns are: 'a', 'b'");
    expect_failure_of("a.jsonl", jsonl, strlen(jsonl), &options, AKIN_E_OPTION,
                      "a.jsonl: no line has the key 'c'; other keys of the first line: none");
    options.columns = of_text;
    options.column_count = options.optional = 2;
    expect_table_of("a.txt", "x\n\ny", 4, &options, "c text\n- [x]\n- []\n- [y]");
    options.column_count = options.optional = 1;
    expect_table_of("a.txt", "x\ny", 3, &options, "c text\n- [x]\n- [y]");
}

static void test_documents(void **state)
{
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    static const char text[] = " \n\none\r\n two\n\t\r\n\nthree\n\n";
    (void)state;
    options.format = AKIN_FORMAT_PARAGRAPHS;
    expect_table_of("a.txt", text, sizeof text - 1, &options, "text\n[one\r\n two]\n[three]");
    expect_table_of("a.txt", "", 0, &options, "text");
    expect_table_of("a.txt", "one\n\ntwo", 8, &options, "text\n[one]\n[two]");
    options.format = AKIN_FORMAT_WHOLE;
    expect_table_of("a.txt", "one\n\ntwo\r\n", 10, &options, "text\n[one\n\ntwo]");
    expect_table_of("a.txt", "", 0, &options, "text\n[]");
}

static void test_bad_bytes(void **state)
{
    (void)state;
    static const char *const files[] = {"a.txt", "a.csv", "a.tsv", "a.jsonl"};
    char message[100];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(message, sizeof message, "%s:3: has a NUL byte, which text never has", files[i]);
        expect_failure_of(files[i], "{}\n{}\n\0{}\n", 10, NULL, AKIN_E_INPUT, message);
        snprintf(message, sizeof message,
                 "%s:2: is not UTF-8 (byte 0xe9); if it is Latin-1, iconv -f LATIN1 -t UTF-8 converts it", files[i]);
        expect_failure(files[i], "{}\ncaf\xe9\n", message);
        akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
        options.lossy = 1;
        snprintf(message, sizeof message, "%s:2: has a NUL byte, which text never has", files[i]);
        expect_failure_of(files[i], "{}\n{\0}\n", 7, &options, AKIN_E_INPUT, message);
    }
}

/* The message about a text in another encoding names the encoding. */
static void test_foreign(void **state)
{
    (void)state;
    static const char *const files[] = {"a.txt", "a.csv", "a.tsv", "a.jsonl"};
    char message[200];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(message, sizeof message, "%s:1: is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)",
                 files[i]);
        expect_failure_of(files[i], "\xff\xfe{\0}\0\n", 8, NULL, AKIN_E_INPUT, message);
        expect_failure_of(files[i], "\xfe\xff\0{\0}\0\n", 8, NULL, AKIN_E_INPUT, message);
        snprintf(message, sizeof message, "%s:1: is UTF-16; expected UTF-8 (iconv -f UTF-16LE -t UTF-8 converts it)",
                 files[i]);
        expect_failure_of(files[i], "{\0}\0\n\0", 6, NULL, AKIN_E_INPUT, message);
        snprintf(message, sizeof message,
                 "%s:1: its lines end in CR alone, as on old Macs; expected LF or CR LF (tr '\\r' '\\n' converts it)",
                 files[i]);
        if (strstr(files[i], "jsonl"))
            expect_failure(files[i], "{}\r{}\r", "a.jsonl:1: byte 4: expected the end of the line after the object");
        else
            expect_failure(files[i], "{}\r{}\r", message);
    }
    expect_table("a.txt", "x\r", "text\n[x]");
    expect_table("a.txt", "x\ry", "text\n[x\ry]");
    expect_table("a.jsonl", "{\"t\":\"a\",\r\"u\":\"b\"}", "t u\n[a] [b]");
}

/* A line that never ends is refused as soon as it is seen to be no text. */
static void test_binary(void **state)
{
    (void)state;
    const size_t size = (size_t)3 << 20;
    char *bytes = calloc(1, size);
    assert_non_null(bytes);
    memcpy(bytes, "a\n\"b", 4);
    expect_failure_of("a.csv", bytes, size, NULL, AKIN_E_INPUT, "a.csv:2: has a NUL byte, which text never has");
    free(bytes);
}

/* Table 3-8 of the Unicode Standard, and the borders of table 3-7. */
static void test_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t valid; /* bytes before the first that is not */
        const char *repaired;
    } cases[] = {
        {"", 0, ""},
        {"a\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 20, NULL},
        {"\xed\x9f\xbf\xee\x80\x80", 6, NULL},
        {"a\x80z", 1, "a?z"},
        {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", 0, "????????A"},
        {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", 0, "????????A"},
        {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", 0, "?????A??B"},
        {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", 0, "????A"},
        {"\xc1\xbf\xf5\x80\xc2", 0, "?????"},
        {"xy\xf0\x9f\x98", 2, "xy?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[100], expected[100] = "";
        size_t length = strlen(cases[i].bytes), at = 0;
        const char *from = cases[i].repaired ? cases[i].repaired : cases[i].bytes;
        assert_int_equal(akin_utf8_check(cases[i].bytes, length), cases[i].valid);
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++)
            assert_int_equal(akin_utf8_is_valid(cases[i].bytes, length, (akin_cpu)cpu), cases[i].valid == length);
        for (; *from; from++)
            at += (size_t)snprintf(expected + at, sizeof expected - at, "%.3s",
                                   cases[i].repaired && *from == '?' ? "\xef\xbf\xbd" : (char[]){*from, 0});
        assert_int_equal(akin_utf8_repair(cases[i].bytes, length, got), at);
        assert_memory_equal(got, expected, at);
    }
}

/* An error is found wherever it is, however much is right before and behind. */
static void test_utf8_places(void **state)
{
    (void)state;
    char bytes[300];
    for (size_t length = 1; length < sizeof bytes; length += 1 + length / 5)
        for (size_t at = 0; at < length; at++) {
            memset(bytes, 'x', length);
            assert_int_equal(akin_utf8_check(bytes, length), length);
            bytes[at] = '\xc3';
            assert_int_equal(akin_utf8_check(bytes, length), at);
            if (at + 1 < length) {
                bytes[at + 1] = '\xa9';
                assert_int_equal(akin_utf8_check(bytes, length), length);
            }
        }
}

/* Every SIMD level judges alike: all pairs of bytes, within characters of every length and at every place. */
static void test_utf8_levels(void **state)
{
    (void)state;
    static const char *const around[][2] = {{"", ""}, {"\xe6", "x"}, {"\xf0\x9f", ""}, {"", "\x80"}, {"", "\x80\x80"}};
    const int best = (int)akin_cpu_detect();
    char bytes[200];
    for (unsigned pair = 0; pair < 65536; pair++)
        for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
            size_t at = (pair * 7 + i * 13) % 130, before = strlen(around[i][0]), after = strlen(around[i][1]);
            size_t length = at + before + 2 + after + pair % 3;
            memset(bytes, 'x', length);
            memcpy(bytes + at, around[i][0], before);
            bytes[at + before] = (char)(pair >> 8);
            bytes[at + before + 1] = (char)pair;
            memcpy(bytes + at + before + 2, around[i][1], after);
            int valid = akin_utf8_check(bytes, length) == length;
            for (int cpu = AKIN_CPU_SCALAR; cpu <= best; cpu++)
                if (akin_utf8_is_valid(bytes, length, (akin_cpu)cpu) != valid)
                    fail_msg("bytes %04x, case %zu: level %d says otherwise", pair, i, cpu);
        }
}

/* Plain text is of bytes 1 to 127: each byte at each place of texts of all lengths around the steps of registers. */
static void test_utf8_plain(void **state)
{
    (void)state;
    static const unsigned char odd[] = {0, 1, 'x', 127, 128, 255};
    char bytes[300];
    for (size_t length = 0; length <= sizeof bytes; length += length < 20 || length % 128 > 120 ? 1 : 7)
        for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++) {
            memset(bytes, 'x', sizeof bytes);
            assert_true(akin_utf8_is_plain(bytes, length, (akin_cpu)cpu));
            for (size_t i = 0; i < length * sizeof odd; i++) {
                const unsigned char byte = odd[i % sizeof odd];
                bytes[i / sizeof odd] = (char)byte;
                assert_int_equal(akin_utf8_is_plain(bytes, length, (akin_cpu)cpu), byte > 0 && byte < 128);
                bytes[i / sizeof odd] = 'x';
            }
        }
}

static void test_lossy(void **state)
{
    (void)state;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.lossy = 1;
    static const char lines[] = "caf\xe9\n\xe2\x82\nok\n\xf0\x9f\x98\x80";
    expect_table_of("a.txt", lines, strlen(lines), &options,
                    "text\n[caf\xef\xbf\xbd]\n[\xef\xbf\xbd]\n[ok]\n[\xf0\x9f\x98\x80]");
    static const char csv[] = "\xff,b\n\"x\xe6\x97\"\"\xa5\",\xe9\n";
    expect_table_of("a.csv", csv, strlen(csv), &options,
                    "\xef\xbf\xbd b\n[x\xef\xbf\xbd\"\xef\xbf\xbd] [\xef\xbf\xbd]");
}

static void test_compressed(void **state)
{
    (void)state;
    static const char text[] = "a\tb\n1\t2\n";
    char compressed[200];
    akin_table *table;
    gzFile file = gzopen(scratch_path("a.tsv.gz"), "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, sizeof text - 1), sizeof text - 1);
    assert_int_equal(gzclose(file), Z_OK);
    assert_int_equal(akin_table_read(&context, scratch_path("a.tsv.gz"), NULL, &table, NULL), AKIN_OK);
    assert_table_text(table, "a b\n[1] [2]");
    akin_table_free(table);
    size_t size = ZSTD_compress(compressed, sizeof compressed, text, sizeof text - 1, 1);
    assert_false(ZSTD_isError(size));
    expect_table_of("a.tsv.zst", compressed, size, NULL, "a b\n[1] [2]");
    akin_error error;
    assert_int_equal(read_bytes("a.tsv.zst", compressed, size - 2, NULL, &table, &error), AKIN_E_INPUT);
}

static void test_standard_input(void **state)
{
    (void)state;
    akin_error error;
    akin_table *table = NULL;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    assert_int_equal(akin_table_read(&context, "-", &options, &table, &error), AKIN_E_OPTION);
    options.format = AKIN_FORMAT_CSV;
    int own = dup(STDIN_FILENO), file = open(scratch_write("x", "a,b\n1\n", 6), O_RDONLY);
    assert_true(own >= 0 && file >= 0);
    assert_true(dup2(file, STDIN_FILENO) >= 0);
    assert_int_equal(akin_table_read(&context, "-", &options, &table, &error), AKIN_E_INPUT);
    assert_null(table);
    assert_string_equal(error.message, "standard input:2: has 1 field; expected 2, as in the header");
    assert_true(dup2(own, STDIN_FILENO) >= 0);
    close(own);
    close(file);
}

static void test_options(void **state)
{
    (void)state;
    akin_error error;
    akin_table *table = NULL;
    const char *path = scratch_write("a.csv", "a\n1\n", 4);
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.format = (akin_format)99;
    assert_int_equal(akin_table_read(&context, path, &options, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "format 99 is none of those there are");
    options.format = AKIN_FORMAT_AUTO;
    options.column_count = 3;
    assert_int_equal(akin_table_read(&context, path, &options, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "columns is NULL, expected 3 names");
    options.column_count = 0;
    options.optional = 1;
    assert_int_equal(akin_table_read(&context, path, &options, &table, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "optional is 1; expected at most the number of columns, 0");
    options.size = 4;
    assert_int_equal(akin_table_read(&context, path, &options, &table, &error), AKIN_E_OPTION);
    options = (akin_table_options)AKIN_TABLE_OPTIONS_INIT;
    options.format = AKIN_FORMAT_TEXT; /* whatever the name */
    assert_int_equal(akin_table_read(&context, path, &options, &table, &error), AKIN_OK);
    assert_table_text(table, "text\n[a]\n[1]");
    uint64_t line;
    assert_int_equal(akin_table_line(table, 0, &line, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the lines were not kept when the table was read");
    akin_table_free(table);
    assert_int_equal(akin_table_read(&context, scratch_path("none.csv"), NULL, &table, &error), AKIN_E_INPUT);
    akin_table_free(NULL);
}

static void test_answers(void **state)
{
    (void)state;
    akin_error error;
    akin_table *table;
    akin_column column = {.size = sizeof column};
    uint32_t index = 7;
    const char *bytes;
    uint64_t length;
    assert_int_equal(read_bytes("a.csv", "a,b\n1,2\n", 8, NULL, &table, &error), AKIN_OK);
    assert_int_equal(akin_table_column(table, 2, &column, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "there is no column 2, only 2 of them, from 0 on");
    column.size = 3;
    assert_int_equal(akin_table_column(table, 1, &column, &error), AKIN_E_OPTION);
    assert_int_equal(akin_table_find(table, "b", &index, &error), AKIN_OK);
    assert_int_equal(index, 1);
    assert_int_equal(akin_table_find(table, "B", &index, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "there is no column 'B' (did you mean 'b'?); the columns are: 'a', 'b'");
    assert_int_equal(akin_table_record(table, 0, &bytes, &length, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "the records were not kept when the table was read");
    assert_int_equal(akin_table_header(table, &bytes, &length, &error), AKIN_E_OPTION);
    akin_table_free(table);
}

/* A list of names is cut, not within a character, to the room that it has. */
static void test_names_list(void **state)
{
    (void)state;
    akin_names names = {0};
    char list[200], name[100];
    assert_int_equal(akin_names_add(&names, "short", 5), AKIN_OK);
    memset(name, 'x', 59);
    memcpy(name + 59, "\xc3\xa9 and more", 12);
    assert_int_equal(akin_names_add(&names, name, 70), AKIN_OK);
    for (int i = 0; i < 50; i++)
        assert_int_equal(akin_names_add(&names, name, (size_t)snprintf(name, sizeof name, "n%d", i)), AKIN_OK);
    akin_names_list(&names, list, sizeof list);
    assert_non_null(strstr(list, "'short', 'xxxx"));
    assert_non_null(strstr(list, "xxx...', 'n0', "));
    assert_null(strstr(list, "\xc3"));
    assert_non_null(strstr(list, " more"));
    akin_names_clear(&names);
}

/* Rows beyond 32 bits are refused by name. */
static void test_limit(void **state)
{
    (void)state;
    static const struct {
        akin_format format;
        const char *text;
    } cases[] = {{AKIN_FORMAT_TEXT, "a\nb"}, {AKIN_FORMAT_CSV, "a\n1\n2\n"}, {AKIN_FORMAT_JSONL, "{}\n{}\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char padded[100] = "";
        akin_error error;
        akin_parser parser;
        akin_context plain = {.scope = {.context = &plain, .threads = 1, .cpu = AKIN_CPU_SCALAR}};
        akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
        options.format = cases[i].format;
        memcpy(padded, cases[i].text, strlen(cases[i].text));
        assert_int_equal(akin_parser_begin(&parser, akin_scope_of(&plain), "input", akin_format_of(options.format),
                                           &options, &error),
                         AKIN_OK);
        parser.table->rows = UINT32_MAX - 1;
        assert_int_equal(akin_parser_add(&parser, padded, strlen(padded), &error), AKIN_E_LIMIT);
        assert_string_equal(error.message, "input: has more than 4294967295 rows");
        parser.table->rows = 0;
        akin_parser_clear(&parser);
    }
}

static int say_stop(void *user)
{
    (void)user;
    return 1;
}

static void test_cancelled(void **state)
{
    (void)state;
    context.scope.reporter.cancel = say_stop;
    expect_failure_of("a.csv", "a\n1\n", 4, NULL, AKIN_E_CANCELLED, "a.csv: cancelled while reading");
    context.scope.reporter.cancel = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_names), cmocka_unit_test(test_lines),          cmocka_unit_test(test_optional),
        cmocka_unit_test(test_documents),    cmocka_unit_test(test_bad_bytes),      cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_binary),       cmocka_unit_test(test_utf8),           cmocka_unit_test(test_utf8_places),
        cmocka_unit_test(test_utf8_levels),  cmocka_unit_test(test_utf8_plain),     cmocka_unit_test(test_lossy),
        cmocka_unit_test(test_compressed),   cmocka_unit_test(test_standard_input), cmocka_unit_test(test_options),
        cmocka_unit_test(test_answers),      cmocka_unit_test(test_names_list),     cmocka_unit_test(test_limit),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
