/* The reader of graphs: one pass. */
#include "graphs/notation.h"

#include "table/utf8.h"

/* A text that is read. */
typedef struct text_of {
    akin_graph_builder *builder;
    const char *text, *at, *end;
    akin_text_fault *fault;
} text_of;

static akin_status fault_at(const text_of *t, const char *at, const char *expected)
{
    *t->fault = (akin_text_fault){(uint64_t)(at - t->text), expected};
    return AKIN_E_INPUT;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(text_of *t)
{
    while (t->at < t->end && is_blank(*t->at))
        t->at++;
}

static int is_over(const text_of *t)
{
    return t->at == t->end || is_blank(*t->at) || *t->at == ';';
}

/* Reads a label in quotes into the builder's room. */
static akin_status read_quoted(text_of *t, const char **label, size_t *length, akin_error *error)
{
    const char *from = t->at++;
    char *to =
        akin_enlarge(t->builder->account, t->builder->text, &t->builder->text_room, (uint64_t)(t->end - from), 1);
    if (!to)
        return akin_fail_memory(error, "the text of a graph");
    t->builder->text = to;
    *label = to;
    for (; t->at < t->end && *t->at != '"'; *to++ = *t->at++)
        if (*t->at == '\\' && (++t->at == t->end || (*t->at != '"' && *t->at != '\\')))
            return fault_at(t, t->at - 1, "an escape, \\\" or \\\\");
    if (t->at == t->end)
        return fault_at(t, t->end, "the quote at the end of a label");
    t->at++;
    *length = (size_t)(to - *label);
    return is_over(t) ? AKIN_OK : fault_at(t, t->at, "a blank or a semicolon behind a label in quotes");
}

/* Reads a label; `what` names it. */
static akin_status read_label(text_of *t, const char *what, const char **label, size_t *length, akin_error *error)
{
    if (t->at < t->end && *t->at == '"')
        return read_quoted(t, label, length, error);
    *label = t->at;
    while (!is_over(t))
        t->at++;
    *length = (size_t)(t->at - *label);
    return *length > 0 ? AKIN_OK : fault_at(t, t->at, what);
}

static akin_status read_nodes(text_of *t, akin_error *error)
{
    const char *label = NULL;
    size_t length = 0;
    akin_status status = AKIN_OK;
    do {
        skip_blanks(t);
        if (t->builder->nodes > 0 && (t->at == t->end || *t->at == ';'))
            return AKIN_OK;
        status = read_label(t, "the label of a node", &label, &length, error);
        if (status == AKIN_OK)
            status = akin_graph_builder_node(t->builder, label, length, error);
    } while (status == AKIN_OK);
    return status;
}

/* Reads the number of a node that is there. */
static akin_status read_number(text_of *t, uint32_t *out)
{
    const char *from = t->at;
    *out = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9' && *out < AKIN_GRAPH_NODES; t->at++)
        *out = 10 * *out + (uint32_t)(*t->at - '0');
    if (t->at == from)
        return fault_at(t, from, "the number of a node");
    return *out < t->builder->nodes ? AKIN_OK : fault_at(t, from, "a number below that of the nodes");
}

static akin_status read_edge(text_of *t, akin_error *error)
{
    const char *from = t->at, *label = "";
    uint32_t nodes[2];
    size_t length = 0;
    akin_status status = read_number(t, &nodes[0]);
    if (status != AKIN_OK)
        return status;
    if (t->at == t->end || *t->at != '-')
        return fault_at(t, t->at, "a hyphen between two nodes");
    const char *second = ++t->at;
    status = read_number(t, &nodes[1]);
    if (status != AKIN_OK)
        return status;
    if (nodes[0] == nodes[1])
        return fault_at(t, second, "a node other than the first");
    if (t->at < t->end && *t->at == ':') {
        t->at++;
        status = read_label(t, "the label of an edge", &label, &length, error);
    }
    if (status == AKIN_OK && (!is_over(t) || (t->at < t->end && *t->at == ';')))
        return fault_at(t, t->at, "a colon, or a blank behind an edge");
    return status == AKIN_OK ? akin_graph_builder_edge(t->builder, nodes[0], nodes[1], label, length,
                                                       (uint64_t)(from - t->text), error)
                             : status;
}

static akin_status read_edges(text_of *t, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (t->at == t->end)
        return AKIN_OK;
    t->at++;
    for (skip_blanks(t); t->at < t->end && status == AKIN_OK; skip_blanks(t))
        status = read_edge(t, error);
    return status;
}

akin_status akin_graph_read(akin_graph_builder *builder, const char *text, uint64_t length, uint32_t *nodes,
                            uint32_t *edges, akin_text_fault *fault, akin_error *error)
{
    text_of t = {builder, text, text, text + length, fault};
    *nodes = *edges = 0;
    skip_blanks(&t);
    if (t.at == t.end)
        return AKIN_OK;
    const size_t valid = akin_utf8_check(text, (size_t)length);
    if (valid < length)
        return fault_at(&t, text + valid, NULL);
    akin_graph_builder_begin(builder);
    akin_status status = read_nodes(&t, error);
    if (status == AKIN_OK)
        status = read_edges(&t, error);
    return status == AKIN_OK ? akin_graph_builder_end(builder, nodes, edges, fault, error) : status;
}
