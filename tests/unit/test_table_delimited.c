/* CSV and TSV: what a field, a row and a header may be, and what is refused. */
#define _GNU_SOURCE

#include "base/context.h"
#include "test_table_support.h"

#include "base/random.h"

static void test_rows(void **state)
{
    (void)state;
    expect_table("a.csv", "id,title\n1,one\n2,two words\n", "id title\n[1] [one]\n[2] [two words]");
    expect_table("a.csv", "id,title\n1,one\n2,two", "id title\n[1] [one]\n[2] [two]");
    expect_table("a.csv", "id,title\r\n1,one\r\n2,two\r", "id title\n[1] [one]\n[2] [two]");
    expect_table("a.csv", "id,title\n", "id title");
    expect_table("a.csv", "\n\nid\n\r\n1\n\n\n2\n\n", "id\n[1]\n[2]");
    expect_table("a.csv", "a,b\n,\n ,\t\n", "a b\n[] []\n[ ] [\t]");
    expect_table("a.csv", "\xef\xbb\xbfid\n\xef\xbb\xbf\n", "id\n[\xef\xbb\xbf]");
    expect_table("a.csv", "a,\n1,2\n", "a \n[1] [2]"); /* a name may be empty */
    expect_table("a.csv", "\"a\rb\",c\n\r1,\r2\r\r\n", "a\rb c\n[\r1] [\r2\r]");
    expect_table("a.tsv", "id\ttitle\n1\t\"a\n\n,\"\"\tb\"c\r\n", "id title\n[1] [\"a]\n[,\"\"] [b\"c]");
}

static void test_quotes(void **state)
{
    (void)state;
    expect_table("a.csv", "a,b\n\"x, y\",\"he said \"\"no\"\"\"\n\"\",\"\"\"\"\n",
                 "a b\n[x, y] [he said \"no\"]\n[] [\"]");
    expect_table("a.csv", "a,b\n\"1\r\n2\n\n3\",x\n\"\n\",\"\r\"\r\n", "a b\n[1\r\n2\n\n3] [x]\n[\n] [\r]");
    expect_table("a.csv", "\"a\nb\",\"c\"\"\"\n1,2\n", "a\nb c\"\n[1] [2]");
    expect_table("a.csv", "a\n\"\"\n\"1\"", "a\n[]\n[1]");
    expect_table("a.csv", "\xef\xbb\xbf\"a\"\n1\n", "a\n[1]");
}

static void test_quotes_refused(void **state)
{
    (void)state;
    static const char stray[] =
        "has a stray quote; expected a field with quotes in it to be quoted, and those in it to be doubled";
    char message[200];
    snprintf(message, sizeof message, "a.csv:3: field 2 %s", stray);
    expect_failure("a.csv", "a,b\n1,2\n3,4\"\n", message);
    expect_failure("a.csv", "a,b\n1,2\n3,\"4\"x\n", message);
    expect_failure("a.csv", "a,b\n1,2\n3, \"4\"\n", message);
    expect_failure("a.csv", "a,b\n1,2\n3,\"4\" \"\"\n", message);
    snprintf(message, sizeof message, "a.csv:4: field 1 %s", stray);
    expect_failure("a.csv", "a,b\n\"1\n\n2\"x,3\n", message);
    snprintf(message, sizeof message, "a.csv:1: field 1 %s", stray);
    expect_failure("a.csv", "a\"\"b\n", message);
    expect_failure("a.csv", "a,b\n1,2\n\n3,\"4\n5,6\n", "a.csv:4: field 2 begins with a quote that is not closed");
    expect_failure("a.csv", "\"a\n", "a.csv:1: field 1 begins with a quote that is not closed");
}

static void test_ragged(void **state)
{
    (void)state;
    expect_failure("a.csv", "a,b\n1,2\n3\n4,5\n", "a.csv:3: has 1 field; expected 2, as in the header");
    expect_failure("a.csv", "a,b\n\"1\n2\",2\n1,2,3", "a.csv:4: has 3 fields; expected 2, as in the header");
    expect_failure("a.csv", "a\n1,\"\n\"\n", "a.csv:2: has 2 fields; expected 1, as in the header");
    expect_failure("a.csv", "a,b\n1,2\n \n", "a.csv:3: has 1 field; expected 2, as in the header");
    expect_failure("a.tsv", "a\tb\n\"1\t2\t\"\n", "a.tsv:2: has 3 fields; expected 2, as in the header");
}

static void test_header(void **state)
{
    (void)state;
    expect_failure("a.csv", "", "a.csv: is empty; expected a line with the columns' names");
    expect_failure("a.tsv", "\n\r\n", "a.tsv: is empty; expected a line with the columns' names");
    expect_failure("a.csv", "\n\"a\",b,a\n1,2,3\n", "a.csv:2: two columns are named 'a'; expected each name once");
    expect_failure("a.tsv", "\t\n", "a.tsv:1: two columns are named ''; expected each name once");
}

static void test_columns(void **state)
{
    (void)state;
    static const char text[] = "id,title,\"the year\"\n1,\"a \"\"b\"\"\",1999\n2,c,2001\n";
    const char *some[] = {"the year", "id"}, *missing[] = {"id", "titel"}, *twice[] = {"id", "id"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.column_count = 2;
    options.columns = some;
    expect_table_of("a.csv", text, strlen(text), &options, "the year id\n[1999] [1]\n[2001] [2]");
    expect_failure_of(
        "a.csv", "id,the year\n1,\"\nx\"y\n", 20, &options, AKIN_E_INPUT,
        "a.csv:3: field 2 has a stray quote; expected a field with quotes in it to be quoted, and those in "
        "it to be doubled");
    options.columns = missing;
    expect_failure_of(
        "a.csv", text, strlen(text), &options, AKIN_E_OPTION,
        "a.csv: there is no column 'titel' (did you mean 'title'?); the columns are: 'id', 'title', 'the year'");
    options.columns = some; /* others may be there twice, as the empty names are that spreadsheets leave at the end */
    expect_table_of("a.csv", "id,,the year,\n1,x,1999,y\n", 25, &options, "the year id\n[1999] [1]");
    expect_failure_of("a.csv", "id,the year,id\n", 15, &options, AKIN_E_INPUT,
                      "a.csv:1: two columns are named 'id'; expected each name once");
    options.columns = twice;
    expect_failure_of("a.csv", text, strlen(text), &options, AKIN_E_OPTION, "the column 'id' is asked for twice");
}

/* A name is cut to 200 bytes in a message, not within a character, and shows that it is. */
static void test_long_name(void **state)
{
    (void)state;
    char text[600], message[400];
    for (int length = 197; length < 202; length++) {
        snprintf(text, sizeof text, "%0*d\xc3\xa9,%0*d\xc3\xa9\n", length, 0, length, 0);
        int cut = length > 198 ? (length > 200 ? 200 : length) : 0;
        snprintf(message, sizeof message, "a.csv:1: two columns are named '%0*d%s'; expected each name once",
                 cut ? cut : length, 0, cut ? "..." : "\xc3\xa9");
        expect_failure("a.csv", text, message);
    }
}

static void test_records(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbfid,\"a\nb\"\r\n\n1,\"x\r\n\"\"y\"\"\"\r\n2,\xff\n3,z";
    static const char *const records[] = {"1,\"x\r\n\"\"y\"\"\"", "2,\xff", "3,z"};
    const char *bytes, *kept[] = {"id"};
    uint64_t length;
    akin_error error;
    akin_table *table;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.keep_records = 1;
    options.lossy = 1;
    options.column_count = 1;
    options.columns = kept;
    assert_int_equal(read_bytes("a.csv", text, strlen(text), &options, &table, &error), AKIN_OK);
    assert_table_text(table, "id\n[1]\n[2]\n[3]");
    assert_int_equal(akin_table_header(table, &bytes, &length, &error), AKIN_OK);
    assert_int_equal(length, 8);
    assert_memory_equal(bytes, "id,\"a\nb\"", length);
    for (uint32_t row = 0; row < 3; row++) {
        assert_int_equal(akin_table_record(table, row, &bytes, &length, &error), AKIN_OK);
        assert_int_equal(length, strlen(records[row]));
        assert_memory_equal(bytes, records[row], length);
    }
    assert_int_equal(akin_table_record(table, 3, &bytes, &length, &error), AKIN_E_OPTION);
    assert_string_equal(error.message, "there is no row 3, only 3 of them, from 0 on");
    akin_table_free(table);
}

/* Records of several lines, empty lines, and fields that are not kept. */
static void test_record_lines(void **state)
{
    (void)state;
    static const char text[] = "\n\"id\nid\",b\r\n1,x\n\n\n2,\"\n\n,\"\"\n\"\n3,y\n4,\"z\"\n\"5\n\",\"\n\"\n6,";
    static const uint64_t lines[] = {4, 7, 11, 12, 13, 16};
    static const char *const kept[] = {"b"};
    for (int cpu = AKIN_CPU_SCALAR; cpu <= (int)akin_cpu_detect(); cpu++)
        for (int all = 0; all < 2; all++) {
            akin_error error;
            akin_table *table;
            uint64_t line;
            akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
            options.keep_lines = 1;
            options.column_count = all ? 0 : 1;
            options.columns = kept;
            context.scope.cpu = (akin_cpu)cpu;
            assert_int_equal(read_bytes("a.csv", text, strlen(text), &options, &table, &error), AKIN_OK);
            assert_int_equal(akin_table_rows(table), 6);
            for (uint32_t row = 0; row < 6; row++) {
                assert_int_equal(akin_table_line(table, row, &line, &error), AKIN_OK);
                assert_int_equal(line, lines[row]);
            }
            assert_int_equal(akin_table_line(table, 6, &line, &error), AKIN_E_OPTION);
            assert_string_equal(error.message, "there is no row 6, only 6 of them, from 0 on");
            akin_table_free(table);
        }
}

static void test_wide(void **state)
{
    (void)state;
    enum { WIDTH = 10000 };
    char *text = NULL, name[16];
    size_t length;
    akin_error error;
    akin_table *table;
    uint32_t index;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < WIDTH - (row == 3); i++)
            fprintf(out, "%s%d", i ? "," : row ? "\n" : "", row * WIDTH + i);
    fclose(out);
    for (length = 0; text[length] != '\n' || strncmp(text + length, "\n30000,", 7) != 0;)
        length++;
    assert_int_equal(read_bytes("a.csv", text, length, NULL, &table, &error), AKIN_OK);
    assert_table_valid(table);
    assert_int_equal(akin_table_columns(table), WIDTH);
    assert_int_equal(akin_table_rows(table), 2);
    for (uint32_t i = 0; i < WIDTH; i += 7) {
        akin_column c = {.size = sizeof c};
        snprintf(name, sizeof name, "%u", i);
        assert_int_equal(akin_table_find(table, name, &index, &error), AKIN_OK);
        assert_int_equal(index, i);
        assert_int_equal(akin_table_column(table, i, &c, &error), AKIN_OK);
        assert_string_equal(c.name, name);
        snprintf(name, sizeof name, "%u", 2 * WIDTH + i);
        assert_int_equal(c.offsets[2] - c.offsets[1], strlen(name));
        assert_memory_equal(c.bytes + c.offsets[1], name, strlen(name));
    }
    assert_int_equal(akin_table_find(table, "no", &index, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "there is no column 'no'; the columns are: '0', '1', '2', "));
    assert_non_null(strstr(error.message, " more"));
    akin_table_free(table);
    expect_failure("a.csv", text, "a.csv:4: has 9999 fields; expected 10000, as in the header");
    free(text);
}

/* A field of 100 MB, of many lines: more than the reader holds at once. */
static void test_long_field(void **state)
{
    (void)state;
    const size_t size = (size_t)100 << 20;
    static const char head[] = "a,b\n1,\"", tail[] = "\"\n2,x\n";
    char *text = malloc(size + 64);
    akin_error error;
    akin_table *table;
    assert_non_null(text);
    memcpy(text, head, sizeof head);
    char *field = text + strlen(head);
    for (size_t i = 0; i < size; i++)
        field[i] = i % 61 == 60 ? '\n' : i % 61 == 7 ? ',' : (char)('a' + i % 26);
    memcpy(field + size, tail, sizeof tail);
    context.scope.cpu = akin_cpu_detect();
    assert_int_equal(read_bytes("a.csv", text, strlen(head) + size + strlen(tail), NULL, &table, &error), AKIN_OK);
    akin_column c = {.size = sizeof c};
    assert_int_equal(akin_table_column(table, 1, &c, &error), AKIN_OK);
    assert_int_equal(akin_table_rows(table), 2);
    assert_int_equal(c.offsets[1], size);
    assert_int_equal(c.offsets[2], size + 1);
    assert_int_equal(memcmp(c.bytes, field, size), 0);
    akin_table_free(table);
    unlink(scratch_path("a.csv"));
    free(text);
}

/* Fields of any content, quoted where need be or not, come back as they were: from a file of many blocks. */
static void test_random(void **state)
{
    (void)state;
    enum { ROWS = 30000, COLUMNS = 3 };
    static const char letters[] = "abc,\"\n\r\t \xc3\xa9";
    char *text = NULL, *expected = NULL;
    size_t length, expected_length;
    akin_random random;
    akin_random_seed(&random, 7);
    FILE *out = open_memstream(&text, &length), *plain = open_memstream(&expected, &expected_length);
    assert_true(out && plain);
    fputs("a,b,c\n", out);
    fputs("a b c", plain);
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS; i++) {
            uint64_t size = akin_random_below(&random, akin_random_below(&random, 9) ? 12 : 200);
            fputs(i ? ",\"" : "\"", out);
            fputs(i ? " [" : "\n[", plain);
            for (uint64_t k = 0; k < size; k++) {
                size_t which = (size_t)akin_random_below(&random, 10);
                int count = which == 9 ? 2 : 1;
                fprintf(out, "%.*s%s", count, letters + which, letters[which] == '"' ? "\"" : "");
                fprintf(plain, "%.*s", count, letters + which);
            }
            fputs(i + 1 < COLUMNS ? "\"" : akin_random_below(&random, 2) ? "\"\r\n" : "\"\n", out);
            fputs("]", plain);
        }
    fclose(out);
    fclose(plain);
    assert_true(length > (size_t)3 << 19);
    expect_table_of("a.csv", text, length, NULL, expected);
    free(text);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_quotes),       cmocka_unit_test(test_quotes_refused),
        cmocka_unit_test(test_ragged),  cmocka_unit_test(test_header),       cmocka_unit_test(test_columns),
        cmocka_unit_test(test_records), cmocka_unit_test(test_record_lines), cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_wide),    cmocka_unit_test(test_long_field),   cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
