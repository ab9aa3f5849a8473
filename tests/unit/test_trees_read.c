/* Readers of trees: what becomes of a text, and where a text is no tree. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "dict/dictionary.h"
#include "trees/collection.h"

/* A column with one row. */
typedef struct one_row {
    uint64_t offsets[2];
    akin_column column;
} one_row;

static void make_row(one_row *row, const char *text, size_t length)
{
    row->offsets[0] = 0;
    row->offsets[1] = length;
    row->column = (akin_column){.size = sizeof row->column, .name = "body", .offsets = row->offsets, .bytes = text};
}

static akin_status read_tree(akin_context *context, akin_account *account, akin_tree_format format, const char *text,
                             size_t length, akin_dictionary *labels, akin_tree_collection *out, akin_error *error)
{
    one_row row;
    make_row(&row, text, length);
    return akin_tree_collection_make(akin_scope_of(context), account, format, &row.column, 1, "left", labels, out,
                                     error);
}

/* Writes a tree as "(label child child)", from postorder, by recursion. Returns the bytes written. */
static size_t show(const akin_tree *tree, uint32_t node, const akin_dictionary *labels, char *to)
{
    uint32_t children[64], count = 0;
    const char *label;
    size_t length, at = 0;
    for (uint32_t end = node, begin = node + 1 - tree->size[node]; end > begin; end -= tree->size[end - 1])
        children[count++] = end - 1;
    assert_int_equal(akin_dictionary_string(labels, tree->label[node], &label, &length, NULL), AKIN_OK);
    to[at++] = '(';
    memcpy(to + at, label, length);
    at += length;
    while (count > 0) {
        to[at++] = ' ';
        at += show(tree, children[--count], labels, to + at);
        assert_int_equal(tree->depth[children[count]], tree->depth[node] + 1);
    }
    to[at++] = ')';
    return at;
}

static void check_tree(akin_tree_format format, const char *text, const char *expected)
{
    akin_account account = {0};
    akin_context *context = NULL;
    akin_dictionary *labels = NULL;
    akin_tree_collection trees;
    akin_error error;
    char shown[1000];
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_dictionary_create(context, &labels, NULL), AKIN_OK);
    error.message[0] = '\0';
    read_tree(context, &account, format, text, strlen(text), labels, &trees, &error);
    assert_string_equal(error.message, "");
    const akin_tree *tree = &trees.trees[0];
    const size_t length = show(tree, tree->nodes - 1, labels, shown);
    shown[length] = '\0';
    assert_string_equal(shown, expected);
    /* the labels in preorder */
    for (uint32_t i = 0; i < tree->nodes; i++)
        assert_int_equal(tree->pre[i + 1 - tree->size[i] + tree->depth[i]], tree->label[i]);
    akin_tree_collection_clear(&trees);
    akin_dictionary_free(labels);
    akin_context_free(context);
    assert_int_equal(account.held, 0);
}

static void brackets(void **state)
{
    (void)state;
    check_tree(AKIN_TREE_BRACKETS, "{a}", "(a)");
    check_tree(AKIN_TREE_BRACKETS, "  {a{b}{c{d}}}\t", "(a (b) (c (d)))");
    check_tree(AKIN_TREE_BRACKETS, "{a b{} {c}}", "(a b () (c))");
    check_tree(AKIN_TREE_BRACKETS, "{\\{\\}\\\\{x\\\\}}", "({}\\ (x\\))");
    check_tree(AKIN_TREE_BRACKETS, "{\xc3\xa9{\xf0\x9f\x8c\xb3}}", "(\xc3\xa9 (\xf0\x9f\x8c\xb3))");
}

static void json(void **state)
{
    (void)state;
    check_tree(AKIN_TREE_JSON, "1", "(1)");
    check_tree(AKIN_TREE_JSON, " [ ] ", "([])");
    check_tree(AKIN_TREE_JSON, "{}", "({})");
    check_tree(AKIN_TREE_JSON, "{\"b\": 1.50, \"a\": [true, null, \"x\\n\\u00e9\"]}",
               "({} (\"a\": ([] (true) (null) (\"x\n\xc3\xa9\"))) (\"b\": (1.50)))");
    check_tree(AKIN_TREE_JSON_WRITTEN, "{\"b\":1,\n\"a\":{}}", "({} (\"b\": (1)) (\"a\": ({})))");
    /* a key that begins another comes first; equal keys stay as they are, also where an escape makes them equal */
    check_tree(AKIN_TREE_JSON, "{\"ab\":1,\"a\":2,\"a!\":3,\"\":4}",
               "({} (\"\": (4)) (\"a\": (2)) (\"a!\": (3)) (\"ab\": (1)))");
    check_tree(AKIN_TREE_JSON, "{\"k\":2,\"j\":0,\"\\u006b\":1}", "({} (\"j\": (0)) (\"k\": (2)) (\"k\": (1)))");
    /* a string and a key of the same text differ, as do a number and its text */
    check_tree(AKIN_TREE_JSON, "[\"a\",{\"a\":\"1\"},1]", "([] (\"a\") ({} (\"a\": (\"1\"))) (1))");
}

static void xml(void **state)
{
    (void)state;
    check_tree(AKIN_TREE_XML, "<a/>", "(<a>)");
    check_tree(AKIN_TREE_XML, "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!DOCTYPE a SYSTEM \"a>b\"><a >\n</a >\n<!-- x -->",
               "(<a>)");
    check_tree(AKIN_TREE_XML, "<a y='2' x = \"1&lt;\r\n\"> t<b>\tu &amp;  v</b><?p?>&#x41;<![CDATA[<&]]></a>",
               "(<a> (x= (\"1< \")) (y= (\"2\")) (\"t\") (<b> (\"u & v\")) (\"A<&\"))");
}

/* Many members are sorted by merging. */
static void many_members(void **state)
{
    enum { MEMBERS = 37 };
    char text[1000], expected[1000];
    size_t length = 0, at = 0;
    (void)state;
    for (int i = 0; i < MEMBERS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%02d\":%d%s", i ? "," : "{",
                                   i * 14 % MEMBERS, i, i < MEMBERS - 1 ? "" : "}");
    at += (size_t)snprintf(expected, sizeof expected, "({}");
    for (int key = 0; key < MEMBERS; key++)
        for (int i = 0; i < MEMBERS; i++)
            if (i * 14 % MEMBERS == key)
                at += (size_t)snprintf(expected + at, sizeof expected - at, " (\"%02d\": (%d))%s", key, i,
                                       key < MEMBERS - 1 ? "" : ")");
    check_tree(AKIN_TREE_JSON, text, expected);
}

static void check_fault(akin_tree_format format, const char *text, const char *message)
{
    akin_account account = {0};
    akin_context *context = NULL;
    akin_dictionary *labels = NULL;
    akin_tree_collection trees;
    akin_error error;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_dictionary_create(context, &labels, NULL), AKIN_OK);
    assert_int_equal(read_tree(context, &account, format, text, strlen(text), labels, &trees, &error), AKIN_E_INPUT);
    assert_string_equal(error.message, message);
    assert_int_equal(error.row, 0);
    assert_string_equal(error.column, "body");
    assert_null(trees.trees);
    akin_dictionary_free(labels);
    akin_context_free(context);
    assert_int_equal(account.held, 0);
}

static void faults(void **state)
{
    (void)state;
    check_fault(AKIN_TREE_BRACKETS, "a", "row 0: byte 1: expected a tree, which begins with {");
    check_fault(AKIN_TREE_BRACKETS, "{a{b}", "row 0: byte 6: expected } for each { that is open");
    check_fault(AKIN_TREE_BRACKETS, "{a", "row 0: byte 3: expected } for each { that is open");
    check_fault(AKIN_TREE_BRACKETS, "{a}}", "row 0: byte 4: expected nothing behind the tree");
    check_fault(AKIN_TREE_BRACKETS, "{a}{b}", "row 0: byte 4: expected nothing behind the tree");
    check_fault(AKIN_TREE_BRACKETS, "{a{b}c}", "row 0: byte 6: expected { or }");
    check_fault(AKIN_TREE_BRACKETS, "{a\\b}", "row 0: byte 3: expected an escape, \\{, \\} or \\\\");
    check_fault(AKIN_TREE_BRACKETS, "{a\\", "row 0: byte 3: expected an escape, \\{, \\} or \\\\");
    check_fault(AKIN_TREE_BRACKETS, "{a\xff}", "row 0: byte 3 is not UTF-8");
    check_fault(AKIN_TREE_JSON, "[1,]",
                "row 0: byte 4: expected a value: a string, number, array, object, true, false or null");
    check_fault(AKIN_TREE_JSON, "[1 2]", "row 0: byte 4: expected a comma or ]");
    check_fault(AKIN_TREE_JSON, "{\"a\"}", "row 0: byte 5: expected a colon");
    check_fault(AKIN_TREE_JSON, "{\"a\":1,}", "row 0: byte 8: expected a key in quotes");
    check_fault(AKIN_TREE_JSON, "{\"a\":1", "row 0: byte 7: expected a comma or }");
    check_fault(AKIN_TREE_JSON, "[\"a\nb\"]",
                "row 0: byte 4: expected no control character in a string, but its escape");
    check_fault(AKIN_TREE_XML, "a", "row 0: byte 1: expected a document, which begins with <");
    check_fault(AKIN_TREE_XML, "<a>", "row 0: byte 4: expected an end tag for each element that is open");
    check_fault(AKIN_TREE_XML, "<a></b>", "row 0: byte 6: expected the end tag of the element that is open");
    check_fault(AKIN_TREE_XML, "<a/><b/>", "row 0: byte 5: expected nothing behind the root");
    check_fault(AKIN_TREE_XML, "<a x=1/>", "row 0: byte 6: expected a value in quotes");
    check_fault(AKIN_TREE_XML, "<a x='1' y='' x='2'/>",
                "row 0: byte 15: expected another name: the element has this attribute already");
    check_fault(AKIN_TREE_XML, "<a>&b;</a>", "row 0: byte 4: expected &lt; &gt; &amp; &quot; or &apos;");
    check_fault(AKIN_TREE_XML, "<a>&#0;</a>", "row 0: byte 4: expected a character reference, such as &#38;");
    check_fault(AKIN_TREE_XML, "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
                "row 0: byte 13: expected a document type without declarations");
    check_fault(AKIN_TREE_XML, "<a><!-- -- --></a>",
                "row 0: byte 12: expected the end of the comment: it must not have --");
    check_fault(AKIN_TREE_JSON, "1 x", "row 0: byte 3: expected nothing behind the value");
}

/* Texts of a million nodes within one another. */
static void deep_trees(void **state)
{
    enum { DEPTH = 1000000 };
    static const struct {
        const char *open, *close;
        akin_tree_format format;
        int is_tree;
    } deep[] = {{"{a", "}", AKIN_TREE_BRACKETS, 1},
                {"<a>", "</a>", AKIN_TREE_XML, 1},
                {"<a>", "", AKIN_TREE_XML, 0},
                {"{a", "", AKIN_TREE_BRACKETS, 0},
                {"[", "]", AKIN_TREE_JSON, 1},
                {"[", "", AKIN_TREE_JSON, 0},
                {"{\"k\":[", "]}", AKIN_TREE_JSON, 1},
                {"{\"k\":[", "]}", AKIN_TREE_JSON_WRITTEN, 1},
                {"{\"k\":", "", AKIN_TREE_JSON_WRITTEN, 0}};
    akin_context *context = NULL;
    (void)state;
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        const size_t open = strlen(deep[i].open), close = strlen(deep[i].close), length = DEPTH * (open + close);
        akin_account account = {0};
        akin_dictionary *labels = NULL;
        akin_tree_collection trees;
        akin_error error;
        char *text = malloc(length + 1);
        for (size_t d = 0; d < DEPTH; d++) {
            memcpy(text + d * open, deep[i].open, open);
            memcpy(text + DEPTH * open + d * close, deep[i].close, close);
        }
        assert_int_equal(akin_dictionary_create(context, &labels, NULL), AKIN_OK);
        assert_int_equal(read_tree(context, &account, deep[i].format, text, length, labels, &trees, &error),
                         deep[i].is_tree ? AKIN_OK : AKIN_E_INPUT);
        if (deep[i].is_tree)
            assert_true(trees.trees[0].nodes >= DEPTH && trees.trees[0].depth[0] >= DEPTH - 1);
        akin_tree_collection_clear(&trees);
        akin_dictionary_free(labels);
        free(text);
        assert_int_equal(account.held, 0);
    }
    akin_context_free(context);
}

/* The first row with an error is named, with any number of threads; nulls and blanks are no trees. */
static void columns(void **state)
{
    enum { ROWS = 30000 };
    static uint64_t offsets[ROWS + 1];
    static uint8_t validity[ROWS / 8 + 1];
    char *bytes = malloc(ROWS * 200);
    (void)state;
    for (uint32_t row = 0; row < ROWS; row++) {
        const int length = sprintf(bytes + offsets[row], row % 5 == 4 ? " \t" : "{%0150u{b}}", row);
        offsets[row + 1] = offsets[row] + (uint64_t)length;
        validity[row / 8] |= (uint8_t)((row % 7 != 6) << row % 8);
    }
    const akin_column column = {
        .size = sizeof column, .offsets = offsets, .bytes = bytes, .validity = validity, .nulls = ROWS / 7};
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        akin_account account = {0};
        akin_context *context = NULL;
        akin_dictionary *labels = NULL;
        akin_tree_collection trees;
        akin_error error;
        options.threads = threads;
        assert_int_equal(akin_context_create(&options, &context, NULL), AKIN_OK);
        for (int is_bad = 0; is_bad < 2; is_bad++) {
            bytes[offsets[20000] + 1] = bytes[offsets[25001] + 1] = is_bad ? '}' : '0';
            assert_int_equal(akin_dictionary_create(context, &labels, NULL), AKIN_OK);
            assert_int_equal(akin_tree_collection_make(akin_scope_of(context), &account, AKIN_TREE_BRACKETS, &column,
                                                       ROWS, "left", labels, &trees, &error),
                             is_bad ? AKIN_E_INPUT : AKIN_OK);
            for (uint32_t row = 0; row < trees.rows && !is_bad; row++)
                assert_int_equal(trees.trees[row].nodes, row % 5 == 4 || row % 7 == 6 ? 0 : 2);
            if (is_bad)
                assert_string_equal(error.message, "row 20000: byte 3: expected nothing behind the tree");
            akin_tree_collection_clear(&trees);
            akin_dictionary_free(labels);
            assert_int_equal(account.held, 0);
        }
        akin_context_free(context);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns),      cmocka_unit_test(brackets), cmocka_unit_test(json),       cmocka_unit_test(xml),
        cmocka_unit_test(many_members), cmocka_unit_test(faults),   cmocka_unit_test(deep_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
