/* JSON lines: columns from keys, strings decoded, other values as they stand, and what is refused. */
#define _GNU_SOURCE

#include "test_table_support.h"

static void test_rows(void **state)
{
    (void)state;
    expect_table("a.jsonl", "{\"id\":1,\"title\":\"one\"}\n{\"title\":\"two\",\"id\":2}",
                 "id title\n[1] [one]\n[2] [two]");
    expect_table("a.jsonl", "", "");
    expect_table("a.jsonl", "{}\n{}\n", "");
    expect_table("a.jsonl", "{}\n{\"a\":1}\n\n \t\r\n{\"b\":null,\"a\":\"\"}\n{\"c\":true}\n",
                 "a b c\n- - -\n[1] - -\n[] - -\n- - [true]");
    expect_table("a.ndjson", "\xef\xbb\xbf \t{ \"a\" : 1 , \"\" : \"x\" } \r\n", "a \n[1] [x]");
    expect_table("a.jsonl", "{\"a\":[1, {\"b\":[]},\"\\u0000\\ud800\"],\"c\":{ },\"d\":[ ]}\n",
                 "a c d\n[[1, {\"b\":[]},\"\\u0000\\ud800\"]] [{ }] [[ ]]");
}

static void test_values(void **state)
{
    (void)state;
    expect_table(
        "a.jsonl",
        "{\"a\":0,\"b\":-0,\"c\":1.50,\"d\":-12E+3,\"e\":10e-2,\"f\":false,\"g\":123456789012345678901234567890}\n",
        "a b c d e f g\n[0] [-0] [1.50] [-12E+3] [10e-2] [false] [123456789012345678901234567890]");
    expect_table("a.jsonl", "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"b\":\"\\u0041\\u00e9\\u65E5\\ud83d\\uDE00!\"}\n",
                 "a b\n[\"\\/\b\f\n\r\t] [A\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80!]");
    expect_table("a.jsonl", "{\"\\u0061b\":1}\n{\"ab\":\"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d e\xcc\x81\"}\n",
                 "ab\n[1]\n[\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d e\xcc\x81]");
}

/* What follows {"a": on line 2, and the message. */
static void expect_value_failure(const char *value, unsigned byte, const char *expected)
{
    char text[2000], message[300];
    snprintf(text, sizeof text, "{}\n{\"a\":%s", value);
    snprintf(message, sizeof message, "a.jsonl:2: byte %u: expected %s", byte, expected);
    expect_failure("a.jsonl", text, message);
}

static void test_values_refused(void **state)
{
    (void)state;
    static const char a_value[] = "a value: a string, number, array, object, true, false or null";
    static const char an_escape[] = "an escape: \\ and one of \"\\/bfnrt, or u and 4 hexadecimal digits";
    expect_value_failure("}", 6, a_value);
    expect_value_failure("nul}", 6, a_value);
    expect_value_failure("True}", 6, a_value);
    expect_value_failure("+1}", 6, a_value);
    expect_value_failure(".5}", 6, a_value);
    expect_value_failure("'x'}", 6, a_value);
    expect_value_failure("NaN}", 6, a_value);
    expect_value_failure(
        "\xc2\xa0"
        "1}",
        6, a_value);
    expect_value_failure("01}", 7, "',' or '}'");
    expect_value_failure("nulls}", 10, "',' or '}'");
    expect_value_failure("1.}", 8, "a digit");
    expect_value_failure("-}", 7, "a digit");
    expect_value_failure("1e+}", 9, "a digit");
    expect_value_failure("\"x", 8, "the end of the string, a quote");
    expect_value_failure("\"x\ny\"}", 8, "the end of the string, a quote");
    expect_value_failure("\"x\ty\"}", 8, "no control character in a string, but its escape");
    expect_value_failure("\"0123456789abcdef\\x\"}", 23, an_escape);
    expect_value_failure("\"\\u12g4\"}", 7, an_escape);
    expect_value_failure("[\"\\u123\"]}", 8, an_escape);
    expect_value_failure("[1,]}", 9, a_value);
    expect_value_failure("[1 2]}", 9, "',' or ']'");
    expect_value_failure("[1}", 8, "',' or ']'");
    expect_value_failure("{\"b\":1]}", 12, "',' or '}'");
    expect_value_failure("{\"b\"}}", 10, "':' and a value");
    expect_value_failure("{b:1}}", 7, "a key in double quotes");
    expect_value_failure("{\"b\":1,}}", 13, "a key in double quotes");
    expect_value_failure("{\"b\":1}", 13, "',' or '}'");
}

static void test_strings_refused(void **state)
{
    (void)state;
    static const char pair[] = "both halves of a surrogate pair, \\ud800 to \\udbff and \\udc00 to \\udfff";
    expect_value_failure("\"\\u0000\"}", 7, "no \\u0000, as text has no NUL");
    expect_value_failure("\"\\ud83d\"}", 7, pair);
    expect_value_failure("\"x\\ud83d\\n\\ude00\"}", 8, pair);
    expect_value_failure("\"\\ud83d\\u0041\"}", 7, pair);
    expect_value_failure("\"\\ude00\\ud83d\"}", 7, pair);
}

static void test_lines_refused(void **state)
{
    (void)state;
    expect_failure("a.jsonl", "{}\n\n [1]\n",
                   "a.jsonl:3: byte 2: expected an object, '{...}', on each line (jq -c '.[]' writes an array so)");
    expect_failure("a.jsonl", "{\n}\n", "a.jsonl:1: byte 2: expected a key in double quotes");
    expect_failure("a.jsonl", "{\"a\":1}{}\n", "a.jsonl:1: byte 8: expected the end of the line after the object");
    expect_failure("a.jsonl", "{\"a\":1,}\n", "a.jsonl:1: byte 8: expected a key in double quotes");
    expect_failure("a.jsonl", "{\"a\" 1}\n", "a.jsonl:1: byte 6: expected ':' and a value");
    expect_failure("a.jsonl", "{\"a\":1", "a.jsonl:1: byte 7: expected ',' or '}'");
    expect_failure("a.jsonl", "{\"a\":1}\n{\"b\":1,\"a\":null,\"\\u0061\":2}\n",
                   "a.jsonl:2: byte 17: expected each key once, and this one has been before");
    expect_failure("a.jsonl", "{\"\\u0000\":1}\n", "a.jsonl:1: byte 3: expected no \\u0000, as text has no NUL");
}

static void test_depth(void **state)
{
    (void)state;
    char text[4096], expected[4096];
    for (int depth = AKIN_JSON_DEPTH; depth <= AKIN_JSON_DEPTH + 1; depth++) {
        size_t at = 0, length = (size_t)depth;
        memset(text, 0, sizeof text);
        memcpy(text, "{\"a\":", at = 5);
        memset(text + at, '[', length);
        memset(text + at + length, ']', length);
        memcpy(text + at + 2 * length, "}\n", 3);
        snprintf(expected, sizeof expected, "a\n[%.*s]", (int)(2 * length), text + at);
        if (depth == AKIN_JSON_DEPTH)
            expect_table("a.jsonl", text, expected);
    }
    expect_failure("a.jsonl", text, "a.jsonl:1: byte 518: expected values within one another at most 512 deep");
}

static void test_columns(void **state)
{
    (void)state;
    static const char text[] =
        "{\"x\":{\"id\":7},\"id\":1,\"y\":\"\\ud800\",\"y\":2,\"title\":\"t\"}\n{\"title\":\"u\"}\n{}\n";
    const char *some[] = {"title", "id"}, *missing[] = {"id", "titel"};
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.column_count = 2;
    options.columns = some;
    expect_table_of("a.jsonl", text, strlen(text), &options, "title id\n[t] [1]\n[u] -\n- -");
    expect_table_of("a.jsonl", "\n", 1, &options, "title id");
    options.columns = missing;
    expect_failure_of("a.jsonl", text, strlen(text), &options, AKIN_E_OPTION,
                      "a.jsonl: no line has the key 'titel' (did you mean 'title'?); other keys of the first line: "
                      "'x', 'y', 'title'");
    expect_failure_of("a.jsonl", "{\"id\":1}", 8, &options, AKIN_E_OPTION,
                      "a.jsonl: no line has the key 'titel'; other keys of the first line: none");
}

static void test_lossy(void **state)
{
    (void)state;
    static const char text[] = "{\"a\xff\":\"caf\xe9\",\"b\":\"\\ud83d\\u0041\\ude00\",\"c\":[\"\xe6\x97\"]}\n";
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.lossy = 1;
    expect_failure("a.jsonl", text,
                   "a.jsonl:1: is not UTF-8 (byte 0xff); if it is Latin-1, iconv -f LATIN1 -t UTF-8 converts it");
    expect_table_of("a.jsonl", text, strlen(text), &options,
                    "a\xef\xbf\xbd b c\n[caf\xef\xbf\xbd] [\xef\xbf\xbd"
                    "A\xef\xbf\xbd] [[\"\xef\xbf\xbd\"]]");
    expect_failure_of("a.jsonl", "{\"a\":\"\\u0000\"}", 14, &options, AKIN_E_INPUT,
                      "a.jsonl:1: byte 7: expected no \\u0000, as text has no NUL");
    expect_failure_of("a.jsonl", "{\"a\xff\":1,\"a\xfe\":2}", 15, &options, AKIN_E_INPUT,
                      "a.jsonl:1: byte 9: expected each key once, and this one has been before");
}

static void test_records(void **state)
{
    (void)state;
    static const char text[] = " {\"a\":1} \r\n\n{\"b\": 2}";
    const char *bytes;
    uint64_t length;
    akin_error error;
    akin_table *table;
    akin_table_options options = AKIN_TABLE_OPTIONS_INIT;
    options.keep_records = 1;
    assert_int_equal(read_bytes("a.jsonl", text, strlen(text), &options, &table, &error), AKIN_OK);
    assert_int_equal(akin_table_record(table, 0, &bytes, &length, &error), AKIN_OK);
    assert_int_equal(length, 9);
    assert_memory_equal(bytes, " {\"a\":1} ", length);
    assert_int_equal(akin_table_record(table, 1, &bytes, &length, &error), AKIN_OK);
    assert_int_equal(length, 8);
    assert_memory_equal(bytes, "{\"b\": 2}", length);
    assert_int_equal(akin_table_header(table, &bytes, &length, &error), AKIN_OK);
    assert_int_equal(length, 0);
    akin_table_free(table);
}

/* Many keys, first seen late; nulls before and after, over more rows than a block has. */
static void test_many(void **state)
{
    (void)state;
    enum { ROWS = 3000, KEYS = 1000 };
    char *text = NULL, value[64];
    size_t length;
    akin_error error;
    akin_table *table;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int row = 0; row < ROWS; row++)
        fprintf(out, "{\"key %d\":\"%d\",\"row\":%d}\n", row % KEYS, row * 3, row);
    fclose(out);
    assert_int_equal(read_bytes("a.jsonl", text, length, NULL, &table, &error), AKIN_OK);
    free(text);
    assert_table_valid(table);
    assert_int_equal(akin_table_columns(table), KEYS + 1);
    for (uint32_t key = 0; key < KEYS; key += 13) {
        uint32_t index;
        akin_column c = {.size = sizeof c};
        snprintf(value, sizeof value, "key %u", key);
        assert_int_equal(akin_table_find(table, value, &index, &error), AKIN_OK);
        assert_int_equal(akin_table_column(table, index, &c, &error), AKIN_OK);
        assert_int_equal(c.nulls, ROWS - 3);
        for (uint32_t row = 0; row < ROWS; row++) {
            int there = c.validity[row / 8] >> row % 8 & 1;
            assert_int_equal(there, row % KEYS == key);
            int size = there ? snprintf(value, sizeof value, "%u", row * 3) : 0;
            assert_int_equal(c.offsets[row + 1] - c.offsets[row], size);
            assert_memory_equal(c.bytes + c.offsets[row], value, (size_t)size);
        }
    }
    akin_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),          cmocka_unit_test(test_values), cmocka_unit_test(test_values_refused),
        cmocka_unit_test(test_lines_refused), cmocka_unit_test(test_depth),  cmocka_unit_test(test_strings_refused),
        cmocka_unit_test(test_columns),       cmocka_unit_test(test_lossy),  cmocka_unit_test(test_records),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
