/* The builder of graphs: edges are sorted at the end of each. */
#include "graphs/builder.h"

#include "base/sort.h"

static akin_status fail_builder(akin_error *error)
{
    return akin_fail_memory(error, "graphs");
}

void akin_graph_builder_begin(akin_graph_builder *builder)
{
    builder->nodes = builder->edge_count = 0;
}

akin_status akin_graph_builder_node(akin_graph_builder *builder, const char *label, size_t length, akin_error *error)
{
    if (builder->nodes == AKIN_GRAPH_NODES)
        return akin_fail(error, AKIN_E_LIMIT, "a graph of more than %d nodes", AKIN_GRAPH_NODES);
    uint32_t *labels = akin_enlarge(builder->account, builder->label, &builder->label_room,
                                    builder->label_first + builder->nodes + 1, sizeof *labels);
    if (!labels)
        return fail_builder(error);
    builder->label = labels;
    return akin_dictionary_add(builder->dictionary, label, length, &labels[builder->label_first + builder->nodes++],
                               error);
}

akin_status akin_graph_builder_edge(akin_graph_builder *builder, uint32_t from, uint32_t to, const char *label,
                                    size_t length, uint64_t at, akin_error *error)
{
    /* one edge more would come again, which the end finds out */
    const uint64_t needed = builder->edge_count + UINT64_C(1);
    if (needed > (uint64_t)AKIN_GRAPH_NODES * AKIN_GRAPH_NODES)
        return akin_fail(error, AKIN_E_LIMIT, "a graph of more than %d edges", AKIN_GRAPH_NODES * AKIN_GRAPH_NODES);
    akin_graph_edge *edges =
        akin_enlarge(builder->account, builder->edges, &builder->edges_room, needed, sizeof *edges);
    if (!edges)
        return fail_builder(error);
    builder->edges = edges;
    akin_graph_edge *edge = &edges[builder->edge_count++];
    *edge = (akin_graph_edge){.from = from, .to = to, .at = at};
    return akin_dictionary_add(builder->dictionary, label, length, &edge->label, error);
}

/* Sorts both ends of each edge: by the node that has the end, then by the other node, then by the edge. */
static void sort_ends(akin_graph_builder *builder)
{
    for (uint32_t e = 0; e < builder->edge_count; e++) {
        const akin_graph_edge *edge = &builder->edges[e];
        builder->keys[2 * (uint64_t)e] = (uint64_t)edge->from << 48 | (uint64_t)edge->to << 32 | e;
        builder->keys[2 * (uint64_t)e + 1] = (uint64_t)edge->to << 48 | (uint64_t)edge->from << 32 | e;
    }
    akin_sort_u64(builder->keys, 2 * (uint64_t)builder->edge_count);
}

/* The first edge of the text that comes again, or NULL. */
static const akin_graph_edge *find_again(const akin_graph_builder *builder)
{
    const akin_graph_edge *again = NULL;
    for (uint64_t i = 1; i < 2 * (uint64_t)builder->edge_count; i++)
        if (builder->keys[i] >> 32 == builder->keys[i - 1] >> 32) {
            const akin_graph_edge *edge = &builder->edges[(uint32_t)builder->keys[i]];
            again = again && again->at < edge->at ? again : edge;
        }
    return again;
}

akin_status akin_graph_builder_end(akin_graph_builder *builder, uint32_t *nodes, uint32_t *edges,
                                   akin_text_fault *fault, akin_error *error)
{
    const uint64_t count = 2 * (uint64_t)builder->edge_count;
    akin_account *account = builder->account;
    uint64_t *keys = akin_enlarge(account, builder->keys, &builder->keys_room, count, sizeof *keys);
    builder->keys = keys ? keys : builder->keys;
    uint32_t *begin = akin_enlarge(account, builder->begin, &builder->begin_room,
                                   builder->begin_first + builder->nodes + 1, sizeof *begin);
    builder->begin = begin ? begin : builder->begin;
    akin_graph_end *ends =
        akin_enlarge(account, builder->ends, &builder->ends_room, builder->ends_first + count, sizeof *ends);
    builder->ends = ends ? ends : builder->ends;
    if (!keys || !begin || !ends)
        return fail_builder(error);
    sort_ends(builder);
    const akin_graph_edge *again = find_again(builder);
    if (again) {
        *fault = (akin_text_fault){again->at, "an edge that is not yet there"};
        return AKIN_E_INPUT;
    }
    begin += builder->begin_first;
    ends += builder->ends_first;
    const akin_graph_edge *read = builder->edges;
    uint64_t i = 0;
    for (uint32_t node = 0; node < builder->nodes; node++) {
        begin[node] = (uint32_t)i;
        for (; read && i < count && keys[i] >> 48 == node; i++)
            ends[i] = (akin_graph_end){(uint32_t)(keys[i] >> 32) & UINT16_MAX, read[(uint32_t)keys[i]].label};
    }
    begin[builder->nodes] = (uint32_t)count;
    *nodes = builder->nodes;
    *edges = builder->edge_count;
    builder->label_first += builder->nodes;
    builder->begin_first += builder->nodes + UINT64_C(1);
    builder->ends_first += count;
    return AKIN_OK;
}

void akin_graph_builder_clear(akin_graph_builder *builder)
{
    akin_free(builder->label);
    akin_free(builder->begin);
    akin_free(builder->ends);
    akin_free(builder->edges);
    akin_free(builder->keys);
    akin_free(builder->text);
    *builder = (akin_graph_builder){.account = builder->account, .dictionary = builder->dictionary};
}
