/* JSON texts: the tree of nodes, strings decoded, numbers as they stand, and where what is refused stands. */
#define _GNU_SOURCE

#include "test_table_support.h"

#include <zlib.h>

/* The nodes as text: kinds by a letter, with the key, the text, the line and the next node. */
static char *text_of(const akin_json *json)
{
    char *text = NULL;
    size_t length;
    const akin_json_node *nodes = akin_json_nodes(json);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (uint32_t i = 0; i < nodes->next; i++) {
        fprintf(out, "%s%c", i ? " " : "", "0ft#s[{"[nodes[i].kind]);
        if (nodes[i].key)
            fprintf(out, "'%s'", nodes[i].key);
        if (nodes[i].text)
            fprintf(out, "<%s>", nodes[i].text);
        fprintf(out, ":%llu>%u", (unsigned long long)nodes[i].line, nodes[i].next);
    }
    fclose(out);
    return text;
}

static void expect_tree(const char *text, const char *expected)
{
    akin_json *json = NULL;
    akin_error error;
    assert_int_equal(akin_json_parse("a.json", text, strlen(text), &json, &error), AKIN_OK);
    char *tree = text_of(json);
    assert_string_equal(tree, expected);
    free(tree);
    akin_json_free(json);
}

static void expect_refused(const char *text, size_t length, const char *message)
{
    akin_json *json = NULL;
    akin_error error;
    assert_int_equal(akin_json_parse("a.json", text, length, &json, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, message);
    assert_null(json);
}

static void test_trees(void **state)
{
    (void)state;
    expect_tree("null", "0:1>1");
    expect_tree(" \r\n\t\"x\" \n", "s<x>:2>1");
    expect_tree("\xef\xbb\xbf-1.50E-3", "#<-1.50E-3>:1>1");
    expect_tree("[]", "[:1>1");
    expect_tree("{ }", "{:1>1");
    expect_tree("[1,[2,[]],{}]", "[:1>6 #<1>:1>2 [:1>5 #<2>:1>4 [:1>5 {:1>6");
    expect_tree("{\"a\": [true, false],\n \"b\":\n{\"c\": \"\", \"c\": 0}}\n",
                "{:1>7 ['a':1>4 t:1>3 f:1>4 {'b':2>7 s'c'<>:3>6 #'c'<0>:3>7");
}

/* A whole number is kept as its digits. */
static void test_whole_numbers(void **state)
{
    (void)state;
    static const char *const whole[][2] = {
        {"0", "0"},
        {"-0", "0"},
        {"0.0", "0"},
        {"0e9", "0"},
        {"0.00E-7", "0"},
        {"1.0", "1"},
        {"-1.50E+3", "-1500"},
        {"1e3", "1000"},
        {"12.3400e2", "1234"},
        {"100e-2", "1"},
        {"0.10e1", "1"},
        {"1e19", "10000000000000000000"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
    };
    static const char *const others[] = {"0.5",
                                         "5e-1",
                                         "1e20",
                                         "1e999999999999",
                                         "1.0e-1",
                                         "12.34e1",
                                         "0.000000000000000000000000000000000000000000000000001"};
    char expected[200];
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        snprintf(expected, sizeof expected, "#<%s>:1>1", whole[i][1]);
        expect_tree(whole[i][0], expected);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(expected, sizeof expected, "#<%s>:1>1", others[i]);
        expect_tree(others[i], expected);
    }
    expect_tree("[1e19,1e19,1e19]",
                "[:1>4 #<10000000000000000000>:1>2 #<10000000000000000000>:1>3 "
                "#<10000000000000000000>:1>4");
}

static void test_strings(void **state)
{
    (void)state;
    expect_tree("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u65E5\\ud83d\\uDE00\xc3\xa9\"",
                "s<\"\\/\b\f\n\r\tA\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80\xc3\xa9>:1>1");
    expect_tree("{\"\\u006b\\n\":1}", "{:1>2 #'k\n'<1>:1>2");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *expected;
    } cases[] = {
        {"", "1: byte 1", "a value: a string, number, array, object, true, false or null"},
        {"\n\n  ", "3: byte 3", "a value: a string, number, array, object, true, false or null"},
        {"nul", "1: byte 1", "a value: a string, number, array, object, true, false or null"},
        {"\n 1 2", "2: byte 4", "the end of the file"},
        {"{} {}", "1: byte 4", "the end of the file"},
        {"[]]", "1: byte 3", "the end of the file"},
        {"[1\n2]", "2: byte 1", "',' or ']'"},
        {"[1,]", "1: byte 4", "a value: a string, number, array, object, true, false or null"},
        {"[1}", "1: byte 3", "',' or ']'"},
        {"[", "1: byte 2", "a value: a string, number, array, object, true, false or null"},
        {"[\"a\"", "1: byte 5", "',' or ']'"},
        {"{", "1: byte 2", "a key in double quotes"},
        {"{\n  a: 1}", "2: byte 3", "a key in double quotes"},
        {"{\"a\": 1,}", "1: byte 9", "a key in double quotes"},
        {"{\"a\" 1}", "1: byte 6", "':' and a value"},
        {"{\"a\"", "1: byte 5", "':' and a value"},
        {"{\"a\":", "1: byte 6", "a value: a string, number, array, object, true, false or null"},
        {"{\"a\":1", "1: byte 7", "',' or '}'"},
        {"{\"a\":1]", "1: byte 7", "',' or '}'"},
        {"01", "1: byte 2", "the end of the file"},
        {"1.", "1: byte 3", "a digit"},
        {"+1", "1: byte 1", "a value: a string, number, array, object, true, false or null"},
        {"NaN", "1: byte 1", "a value: a string, number, array, object, true, false or null"},
        {"\"a", "1: byte 3", "the end of the string, a quote"},
        {"[\"a\n\"]", "1: byte 4", "the end of the string, a quote"},
        {"\"\t\"", "1: byte 2", "no control character in a string, but its escape"},
        {"\"\\x\"", "1: byte 2", "an escape: \\ and one of \"\\/bfnrt, or u and 4 hexadecimal digits"},
        {"\"\\u00\"", "1: byte 2", "an escape: \\ and one of \"\\/bfnrt, or u and 4 hexadecimal digits"},
        {"[\"\\u0000\"]", "1: byte 3", "no \\u0000, as text has no NUL"},
        {"\"\\ud800\"", "1: byte 2", "both halves of a surrogate pair, \\ud800 to \\udbff and \\udc00 to \\udfff"},
        {"[1] // so", "1: byte 5", "the end of the file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[200];
        snprintf(message, sizeof message, "a.json:%s: expected %s", cases[i].where, cases[i].expected);
        expect_refused(cases[i].text, strlen(cases[i].text), message);
    }
}

/* Bytes that are not text are refused first, whatever else is wrong. */
static void test_bytes(void **state)
{
    (void)state;
    expect_refused("{\n\"a\":\"\xff\"}", 9, "a.json:2: is not UTF-8 (byte 0xff), which JSON is in");
    expect_refused("[\n\0]", 4, "a.json:2: has a NUL byte, which text never has");
    expect_refused("\xff\xfe{\0}\0", 6, "a.json:1: is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)");
}

static void test_depth(void **state)
{
    (void)state;
    char text[2 * AKIN_JSON_DEPTH + 4];
    akin_json *json = NULL;
    memset(text, '[', AKIN_JSON_DEPTH);
    memset(text + AKIN_JSON_DEPTH, ']', AKIN_JSON_DEPTH);
    assert_int_equal(akin_json_parse("a.json", text, 2 * AKIN_JSON_DEPTH, &json, NULL), AKIN_OK);
    assert_int_equal(akin_json_nodes(json)->next, AKIN_JSON_DEPTH);
    akin_json_free(json);
    memset(text, '[', AKIN_JSON_DEPTH + 1);
    expect_refused(text, 2 * AKIN_JSON_DEPTH,
                   "a.json:1: byte 513: expected values within one another at most 512 deep");
}

/* Plain and compressed, up to the longest, in blocks that a reader makes. */
static void test_files(void **state)
{
    (void)state;
    const size_t most = AKIN_JSON_LONGEST;
    char *text = malloc(most + 1);
    akin_json *json = NULL;
    akin_error error;
    assert_non_null(text);
    memset(text, '\n', most + 1);
    memcpy(text, "[\"a\"", 4);
    text[most - 1] = ']';
    const char *path = scratch_write("a.json", text, most);
    assert_int_equal(akin_json_read(&context, path, &json, &error), AKIN_OK);
    char *tree = text_of(json);
    assert_string_equal(tree, "[:1>2 s<a>:1>2");
    free(tree);
    akin_json_free(json);
    path = scratch_write("a.json", text, most + 1);
    assert_int_equal(akin_json_read(&context, path, &json, &error), AKIN_E_LIMIT);
    assert_non_null(strstr(error.message, "a.json: is longer than 1048576 bytes: expected a short JSON text"));
    path = scratch_write("a.json.gz", "", 0);
    gzFile file = gzopen(path, "w");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, "{\"a\":1}", 7), 7);
    assert_int_equal(gzclose(file), Z_OK);
    assert_int_equal(akin_json_read(&context, path, &json, &error), AKIN_OK);
    tree = text_of(json);
    assert_string_equal(tree, "{:1>2 #'a'<1>:1>2");
    free(tree);
    akin_json_free(json);
    assert_int_equal(akin_json_read(&context, "/nowhere.json", &json, &error), AKIN_E_INPUT);
    akin_json_free(NULL);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),   cmocka_unit_test(test_whole_numbers), cmocka_unit_test(test_strings),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_bytes),         cmocka_unit_test(test_depth),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
