/*
 * Fuzzes texts of graphs. A plain reader, the fuzzer's own, must agree on what a graph is, and on its nodes and edges.
 * The distance of a graph to another is symmetric, and the mapping costs as much.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "akin.h"
#include "fuzz/require.h"
#include "table/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NODES   1024
#define BUDGET  2000
#define LONGEST 300 /* bytes of a text that is compared with another */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The place behind a label, or NULL. */
static const char *skip_label(const char *at, const char *end)
{
    const char *from = at;
    if (at < end && *at == '"') {
        for (at++; at < end && *at != '"'; at++)
            if (*at == '\\' && (++at == end || (*at != '"' && *at != '\\')))
                return NULL;
        return at < end && (at + 1 == end || is_blank(at[1]) || at[1] == ';') ? at + 1 : NULL;
    }
    while (at < end && !is_blank(*at) && *at != ';')
        at++;
    return at > from ? at : NULL;
}

/* The number before a place that is moved behind it; NODES: none below that. */
static uint32_t take_number(const char **at, const char *end)
{
    uint32_t number = 0, digits = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at, digits++)
        number = number < NODES ? 10 * number + (uint32_t)(**at - '0') : NODES;
    return digits > 0 && number < NODES ? number : NODES;
}

/* Reads the edges of a graph of `nodes` nodes. Returns their number, or -1. */
static int64_t read_edges(const char *at, const char *end, uint32_t nodes)
{
    uint8_t *seen = calloc(NODES, NODES);
    int64_t count = 0;
    require(seen != NULL);
    for (; count >= 0; count++) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end)
            break;
        const uint32_t from = take_number(&at, end);
        const int is_joined = at < end && *at == '-';
        at += is_joined;
        const uint32_t to = is_joined ? take_number(&at, end) : NODES;
        int is_edge = from < nodes && to < nodes && from != to && !seen[from * NODES + to];
        if (is_edge && at < end && *at == ':') {
            at = skip_label(at + 1, end);
            is_edge = at != NULL;
        }
        if (!is_edge || (at < end && !is_blank(*at))) {
            count = -2;
            continue;
        }
        seen[from * NODES + to] = seen[to * NODES + from] = 1;
    }
    free(seen);
    return count;
}

/* The nodes of a text, and its edges; 0: it is no graph. */
static uint32_t read_plainly(const char *text, size_t length, uint32_t *edges)
{
    const char *at = text, *end = text + length;
    uint32_t nodes = 0;
    for (;; nodes++) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end || (*at == ';' && nodes > 0))
            break;
        at = nodes < NODES ? skip_label(at, end) : NULL;
        if (!at)
            return 0;
    }
    const int64_t count = at < end ? read_edges(at + 1, end, nodes) : 0;
    *edges = count > 0 ? (uint32_t)count : 0;
    return count < 0 ? 0 : nodes;
}

/* The costs of the mapping are the distance, and partners are one another's. */
static void check_mapping(const akin_graph_compared *compared)
{
    uint32_t counts[2], links[2], cost = 0;
    const akin_graph_node *nodes[2];
    const akin_graph_link *edges[2];
    for (int s = 0; s < 2; s++) {
        nodes[s] = akin_graph_compared_nodes(compared, s, &counts[s]);
        edges[s] = akin_graph_compared_links(compared, s, &links[s]);
    }
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < counts[s]; i++) {
            const akin_graph_node *node = &nodes[s][i];
            cost += node->partner == AKIN_GRAPH_NO_PARTNER;
            if (node->partner == AKIN_GRAPH_NO_PARTNER)
                continue;
            const akin_graph_node *other = &nodes[!s][node->partner];
            require(other->partner == i);
            cost += !s && (node->length != other->length || memcmp(node->label, other->label, node->length) != 0);
        }
        for (uint32_t i = 0; i < links[s]; i++) {
            const akin_graph_link *link = &edges[s][i];
            cost += link->partner == AKIN_GRAPH_NO_PARTNER;
            if (link->partner == AKIN_GRAPH_NO_PARTNER)
                continue;
            const akin_graph_link *other = &edges[!s][link->partner];
            require(other->partner == i);
            cost += !s && (link->length != other->length || memcmp(link->label, other->label, link->length) != 0);
        }
    }
    require(cost == akin_graph_compared_distance(compared));
}

/* Compares the text with itself, and with another graph in both directions. */
static void check_distances(akin_context *context, const akin_graphs_options *options, const char *text, size_t length)
{
    static const char other[] = "a b a C \"\"; 0-1:x 1-2 2-3:y 3-0";
    akin_graph_compared *one = NULL, *back = NULL;
    require(akin_graph_compare(context, options, text, length, text, length, &one, NULL) == AKIN_OK);
    require(akin_graph_compared_distance(one) == 0 || akin_graph_compared_distance(one) == AKIN_GRAPHS_UNDECIDED);
    akin_graph_compared_free(one);
    require(akin_graph_compare(context, options, text, length, other, sizeof other - 1, &one, NULL) == AKIN_OK);
    require(akin_graph_compare(context, options, other, sizeof other - 1, text, length, &back, NULL) == AKIN_OK);
    const uint32_t distance = akin_graph_compared_distance(one), again = akin_graph_compared_distance(back);
    if (distance != AKIN_GRAPHS_UNDECIDED && again != AKIN_GRAPHS_UNDECIDED) {
        require(distance == again);
        check_mapping(one);
        check_mapping(back);
    }
    akin_graph_compared_free(one);
    akin_graph_compared_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const akin_context_options single = {.size = sizeof single, .threads = 1, .device = "cpu"};
    akin_graphs_options options = AKIN_GRAPHS_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_graph_compared *compared = NULL;
    akin_error error;
    const char *text = (const char *)data;
    uint32_t nodes = 0, links = 0, edges = 0;
    options.budget = BUDGET;
    options.undecided = 1;
    options.most = 0; /* reading is what takes the text apart */
    require(akin_context_create(&single, &context, NULL) == AKIN_OK);
    const akin_status status = akin_graph_compare(context, &options, text, size, "a", 1, &compared, &error);
    require(status == AKIN_OK || status == AKIN_E_LIMIT ||
            (status == AKIN_E_INPUT && strstr(error.message, "left graph: ")));
    if (status == AKIN_OK) {
        akin_graph_compared_nodes(compared, 0, &nodes);
        akin_graph_compared_links(compared, 0, &links);
    }
    const uint32_t expected = akin_utf8_check(text, size) == size ? read_plainly(text, size, &edges) : 0;
    require(nodes == expected);
    require(expected == 0 || links == edges);
    akin_graph_compared_free(compared);
    options.most = UINT32_MAX;
    if (status == AKIN_OK && size <= LONGEST)
        check_distances(context, &options, text, size);
    akin_context_free(context);
    return 0;
}
