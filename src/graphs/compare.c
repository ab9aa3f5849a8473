/* The comparison of two graphs: their distance, and a cheapest mapping with the labels of both. */
#include "base/budget.h"
#include "base/ceiling.h"
#include "graphs/join.h"
#include "graphs/notation.h"
#include "graphs/search.h"

struct akin_graph_compared {
    akin_account account;
    akin_dictionary *labels;
    akin_graph_node *nodes[2];
    akin_graph_link *links[2];
    uint32_t node_counts[2], link_counts[2];
    uint32_t distance;
};

static akin_status fail_compared(akin_error *error)
{
    return akin_fail_memory(error, "comparing graphs");
}

/* Reads a graph behind those of the builder. */
static akin_status read_side(const char *side, const char *text, size_t length, akin_graph_builder *builder,
                             akin_graph *out, akin_error *error)
{
    akin_text_fault fault = {0, NULL};
    const akin_status status = akin_graph_read(builder, text, length, &out->nodes, &out->edges, &fault, error);
    if (status == AKIN_E_INPUT)
        return akin_labelled_fail(side, &fault, error);
    return status != AKIN_OK || out->nodes > 0 ? status
                                               : akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
                                                                "the %s: expected a graph, not blanks", side);
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* Lists the edges of a graph, each once, without partners. */
static akin_status list_links(akin_graph_compared *c, const akin_graph *graph, int side, akin_error *error)
{
    akin_graph_link *links = akin_alloc(&c->account, graph->edges, sizeof *links);
    akin_status status = AKIN_OK;
    if (!links)
        return fail_compared(error);
    c->links[side] = links;
    for (uint32_t i = 0; i < graph->nodes; i++)
        for (uint32_t e = graph->begin[i]; e < graph->begin[i + 1] && status == AKIN_OK; e++) {
            const akin_graph_end end = graph->ends[e];
            if (end.node < i)
                continue;
            akin_graph_link *link = &links[c->link_counts[side]++];
            *link = (akin_graph_link){.from = i, .to = end.node, .partner = AKIN_GRAPH_NO_PARTNER};
            status = akin_dictionary_string(c->labels, end.label, &link->label, &link->length, error);
        }
    return status;
}

static akin_status list_side(akin_graph_compared *c, const akin_graph *graph, int side, akin_error *error)
{
    akin_graph_node *nodes = akin_alloc(&c->account, graph->nodes, sizeof *nodes);
    akin_status status = AKIN_OK;
    if (!nodes)
        return fail_compared(error);
    c->nodes[side] = nodes;
    c->node_counts[side] = graph->nodes;
    for (uint32_t i = 0; i < graph->nodes && status == AKIN_OK; i++) {
        nodes[i] = (akin_graph_node){.partner = AKIN_GRAPH_NO_PARTNER};
        status = akin_dictionary_string(c->labels, graph->label[i], &nodes[i].label, &nodes[i].length, error);
    }
    return status == AKIN_OK ? list_links(c, graph, side, error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- mapping */

/* The edge between two nodes, or AKIN_GRAPH_NO_PARTNER. Edges are sorted by their nodes. */
static uint32_t find_link(const akin_graph_compared *c, int side, uint32_t from, uint32_t to)
{
    const akin_graph_link *links = c->links[side];
    const uint32_t first = from < to ? from : to, second = from < to ? to : from;
    uint32_t low = 0, high = c->link_counts[side];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (links[middle].from < first || (links[middle].from == first && links[middle].to < second))
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->link_counts[side] && links[low].from == first && links[low].to == second ? low
                                                                                             : AKIN_GRAPH_NO_PARTNER;
}

/* Edges whose nodes have partners with an edge between are partners. */
static void map_links(akin_graph_compared *c)
{
    for (uint32_t i = 0; i < c->link_counts[0]; i++) {
        akin_graph_link *link = &c->links[0][i];
        const uint32_t from = c->nodes[0][link->from].partner, to = c->nodes[0][link->to].partner;
        if (from != AKIN_GRAPH_NO_PARTNER && to != AKIN_GRAPH_NO_PARTNER)
            link->partner = find_link(c, 1, from, to);
        if (link->partner != AKIN_GRAPH_NO_PARTNER)
            c->links[1][link->partner].partner = i;
    }
}

/* Finds the distance, and the partners. */
static akin_status map_nodes(const akin_scope *scope, akin_graph_compared *c, const akin_graph graphs[2],
                             const akin_graphs_options *options, akin_error *error)
{
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {.scope = scope, .cancelled = &cancelled};
    akin_graph_search search;
    uint32_t *partners = akin_alloc(&c->account, graphs[0].nodes, sizeof *partners);
    akin_graph_search_begin(&search, &c->account, options->budget, &cancellation);
    akin_status status =
        partners ? akin_graph_search_pair(&search, &graphs[0], &graphs[1], options->most, partners, &c->distance)
                 : AKIN_E_NOMEM;
    const int is_near = status == AKIN_OK && c->distance != AKIN_GRAPH_FAR && c->distance != AKIN_GRAPH_UNKNOWN;
    for (uint32_t i = 0; i < graphs[0].nodes && is_near; i++)
        if (partners[i] != AKIN_GRAPH_NO_NODE) {
            c->nodes[0][i].partner = partners[i];
            c->nodes[1][partners[i]].partner = i;
        }
    if (is_near)
        map_links(c);
    akin_free(partners);
    akin_graph_search_clear(&search);
    if (status == AKIN_E_NOMEM)
        return fail_compared(error);
    if (status == AKIN_OK && c->distance == AKIN_GRAPH_UNKNOWN && !options->undecided)
        return akin_fail(error, AKIN_E_LIMIT,
                         "the distance of the graphs takes more than %llu states: raise the budget",
                         (unsigned long long)options->budget);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "comparing graphs");
}

static akin_status compare_within(const akin_scope *scope, akin_graph_compared *c, const akin_graphs_options *options,
                                  const char *const texts[2], const size_t lengths[2], akin_error *error)
{
    static const char *const sides[2] = {"left graph", "right graph"};
    akin_graph_builder builder = {.account = &c->account};
    akin_graph graphs[2] = {{0}, {0}};
    akin_status status = akin_dictionary_create_within(scope, &c->labels, error);
    builder.dictionary = c->labels;
    for (int s = 0; s < 2 && status == AKIN_OK; s++)
        status = read_side(sides[s], texts[s], lengths[s], &builder, &graphs[s], error);
    for (int s = 0; s < 2 && status == AKIN_OK; s++) {
        graphs[s].label = builder.label + (s ? graphs[0].nodes : 0);
        graphs[s].begin = builder.begin + (s ? graphs[0].nodes + 1 : 0);
        graphs[s].ends = builder.ends + (s ? 2 * (uint64_t)graphs[0].edges : 0);
        status = list_side(c, &graphs[s], s, error);
    }
    if (status == AKIN_OK)
        status = map_nodes(scope, c, graphs, options, error);
    akin_graph_builder_clear(&builder);
    return status;
}

akin_status akin_graph_compare(akin_context *context, const akin_graphs_options *options, const char *left,
                               size_t left_length, const char *right, size_t right_length, akin_graph_compared **out,
                               akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    const char *const texts[2] = {left, right};
    const size_t lengths[2] = {left_length, right_length};
    akin_graphs_options own;
    akin_status status = akin_graphs_options_read(options, &own, error);
    if (status != AKIN_OK)
        return status;
    akin_graph_compared *c = akin_alloc_zero(NULL, 1, sizeof *c);
    if (!c)
        return fail_compared(error);
    akin_account_begin(&c->account, scope);
    status = compare_within(scope, c, &own, texts, lengths, error);
    status = akin_ceiling_conclude(scope, &c->account, "the comparison of two graphs", status, error);
    if (status == AKIN_OK)
        *out = c;
    else
        akin_graph_compared_free(c);
    return status;
}

uint32_t akin_graph_compared_distance(const akin_graph_compared *compared)
{
    return compared->distance;
}

const akin_graph_node *akin_graph_compared_nodes(const akin_graph_compared *compared, int right, uint32_t *count)
{
    *count = compared->node_counts[right != 0];
    return compared->nodes[right != 0];
}

const akin_graph_link *akin_graph_compared_links(const akin_graph_compared *compared, int right, uint32_t *count)
{
    *count = compared->link_counts[right != 0];
    return compared->links[right != 0];
}

void akin_graph_compared_free(akin_graph_compared *compared)
{
    if (!compared)
        return;
    for (int side = 0; side < 2; side++) {
        akin_free(compared->nodes[side]);
        akin_free(compared->links[side]);
    }
    akin_dictionary_free(compared->labels);
    akin_free(compared);
}
