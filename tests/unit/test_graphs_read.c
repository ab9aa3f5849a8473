/* The reader of graphs: what becomes of a text, and where a text is no graph. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "graphs/collection.h"

/* Writes a graph as "label label | 0-1:label", edges by their nodes. */
static void show(const akin_graph *graph, const akin_dictionary *labels, char *to, size_t room)
{
    const char *label;
    size_t length, at = 0;
    for (uint32_t i = 0; i < graph->nodes; i++) {
        assert_int_equal(akin_dictionary_string(labels, graph->label[i], &label, &length, NULL), AKIN_OK);
        at += (size_t)snprintf(to + at, room - at, "%s%.*s", i ? " " : "", (int)length, label);
    }
    for (uint32_t i = 0; i < graph->nodes; i++)
        for (uint32_t e = graph->begin[i]; e < graph->begin[i + 1]; e++) {
            assert_int_equal(akin_dictionary_string(labels, graph->ends[e].label, &label, &length, NULL), AKIN_OK);
            assert_true(e == graph->begin[i] || graph->ends[e - 1].node < graph->ends[e].node);
            if (graph->ends[e].node > i)
                at += (size_t)snprintf(to + at, room - at, " | %u-%u:%.*s", i, graph->ends[e].node, (int)length, label);
        }
    assert_int_equal(graph->begin[graph->nodes], 2 * graph->edges);
}

static akin_status read_graph(akin_context *context, akin_account *account, const char *text, size_t length,
                              akin_dictionary *labels, akin_graph_collection *out, akin_error *error)
{
    const uint64_t offsets[2] = {0, length};
    const akin_column column = {.size = sizeof column, .name = "body", .offsets = offsets, .bytes = text};
    return akin_graph_collection_make(akin_scope_of(context), account, &column, 1, "left", labels, out, error);
}

static void check_graph(const char *text, const char *expected)
{
    akin_account account = {0};
    akin_context *context = NULL;
    akin_dictionary *labels = NULL;
    akin_graph_collection graphs;
    akin_error error;
    char shown[1000];
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_dictionary_create(context, &labels, NULL), AKIN_OK);
    error.message[0] = '\0';
    read_graph(context, &account, text, strlen(text), labels, &graphs, &error);
    assert_string_equal(error.message, "");
    show(&graphs.graphs[0], labels, shown, sizeof shown);
    assert_string_equal(shown, expected);
    akin_graph_collection_clear(&graphs);
    akin_dictionary_free(labels);
    akin_context_free(context);
    assert_int_equal(account.held, 0);
}

static void notation(void **state)
{
    (void)state;
    check_graph("a", "a");
    check_graph("  a\tb ; ", "a b");
    check_graph("a b;0-1", "a b | 0-1:");
    check_graph("C C O; 2-1:double 0-1:single\r", "C C O | 0-1:single | 1-2:double");
    check_graph("a b c; 2-0:x 1-2:y 0-1:z", "a b c | 0-1:z | 0-2:x | 1-2:y");
    check_graph("\"a b\" \"\\\"\\\\;\" x\"y\\ \"\"; 3-0:\"\" 1-0:\";\"", "a b \"\\; x\"y\\  | 0-1:; | 0-3:");
    check_graph("0-1 :x 1:; 0-1:0-1", "0-1 :x 1: | 0-1:0-1");
    check_graph("\xc3\xa9 \xf0\x9f\x8c\xb3; 0-1:\xc3\xa9", "\xc3\xa9 \xf0\x9f\x8c\xb3 | 0-1:\xc3\xa9");
}

static void check_refusal(const char *text, size_t length, const char *expected)
{
    akin_account account = {0};
    akin_context *context = NULL;
    akin_dictionary *labels = NULL;
    akin_graph_collection graphs;
    akin_error error;
    error.message[0] = '\0';
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_dictionary_create(context, &labels, NULL), AKIN_OK);
    assert_int_equal(read_graph(context, &account, text, length, labels, &graphs, &error), AKIN_E_INPUT);
    assert_non_null(strstr(error.message, expected));
    assert_int_equal(error.row, 0);
    akin_dictionary_free(labels);
    akin_context_free(context);
    assert_int_equal(account.held, 0);
}

static void refusals(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {";", "byte 1: expected the label of a node"},
        {" ; 0-1", "byte 2: expected the label of a node"},
        {"a; 0-1", "byte 6: expected a number below that of the nodes"},
        {"a b; 0-2", "byte 8: expected a number below that of the nodes"},
        {"a b; 99999999999-1", "byte 6: expected a number below that of the nodes"},
        {"a b; x", "byte 6: expected the number of a node"},
        {"a b; 0", "byte 7: expected a hyphen between two nodes"},
        {"a b; 0 -1", "byte 7: expected a hyphen between two nodes"},
        {"a b; 0-", "byte 8: expected the number of a node"},
        {"a b; 1-1", "byte 8: expected a node other than the first"},
        {"a b; 0-1x", "byte 9: expected a colon, or a blank behind an edge"},
        {"a b; 0-1;", "byte 9: expected a colon, or a blank behind an edge"},
        {"a b; 0-1:", "byte 10: expected the label of an edge"},
        {"a b; 0-1: x", "byte 10: expected the label of an edge"},
        {"a b c; 1-2 0-1:x 1-0 0-1", "byte 18: expected an edge that is not yet there"},
        {"\"a", "byte 3: expected the quote at the end of a label"},
        {"\"a\\", "byte 3: expected an escape, \\\" or \\\\"},
        {"\"\\x\"", "byte 2: expected an escape, \\\" or \\\\"},
        {"\"a\"b", "byte 4: expected a blank or a semicolon behind a label in quotes"},
        {"a \xff", "byte 3 is not UTF-8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refusal(cases[i].text, strlen(cases[i].text), cases[i].message);
    check_refusal("a\0b; 0-1", 8, "byte 8: expected a number below that of the nodes"); /* a NUL is part of a label */
}

/* 1,024 nodes are a graph, one more is none. */
static void limits(void **state)
{
    char text[2 * AKIN_GRAPH_NODES + 2];
    akin_account account = {0};
    akin_context *context = NULL;
    akin_dictionary *labels = NULL;
    akin_graph_collection graphs;
    akin_error error;
    (void)state;
    for (size_t i = 0; i <= AKIN_GRAPH_NODES; i++)
        memcpy(text + 2 * i, "a ", 2);
    assert_int_equal(akin_context_create(NULL, &context, NULL), AKIN_OK);
    assert_int_equal(akin_dictionary_create(context, &labels, NULL), AKIN_OK);
    assert_int_equal(read_graph(context, &account, text, (size_t)2 * AKIN_GRAPH_NODES, labels, &graphs, &error),
                     AKIN_OK);
    assert_int_equal(graphs.graphs[0].nodes, AKIN_GRAPH_NODES);
    akin_graph_collection_clear(&graphs);
    assert_int_equal(read_graph(context, &account, text, sizeof text, labels, &graphs, &error), AKIN_E_LIMIT);
    assert_string_equal(error.message, "a graph of more than 1024 nodes");
    assert_int_equal(error.row, 0);
    akin_dictionary_free(labels);
    akin_context_free(context);
    assert_int_equal(account.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notation),
        cmocka_unit_test(refusals),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
