/*
 * Connected components, as far as sources permit: edges come by falling similarity, those of one similarity by their
 * nodes, and each unites the clusters of its nodes, unless these have nodes of one source. Without sources the clusters
 * would be the connected components. That is Kruskal's algorithm for a spanning forest, with some edges refused.
 */
#include "graph/apart.h"

#include "graph/sources.h"

#define UNASKED 65536 /* edges between two questions whether to go on */

akin_status akin_split_apart(const akin_split_graph *graph)
{
    char *at = akin_split_reserve(graph->room, akin_split_sources_bytes(graph) + graph->count * sizeof(uint64_t) +
                                                   graph->nodes * sizeof(uint32_t));
    if (!at)
        return AKIN_E_NOMEM;
    const akin_split_sources sources = akin_split_sources_begin(graph, &at);
    uint64_t *keys = akin_split_cut(&at, graph->count, sizeof *keys);
    uint32_t *parents = akin_split_cut(&at, graph->nodes, sizeof *parents);
    if (!akin_split_order(graph, keys))
        return AKIN_E_CANCELLED;
    for (uint32_t node = 0; node < graph->nodes; node++)
        parents[node] = node;
    for (uint64_t i = 0; i < graph->count; i++) {
        const akin_split_edge *edge = &graph->edges[(uint32_t)keys[i]];
        const uint32_t a = akin_split_find(parents, edge->a), b = akin_split_find(parents, edge->b);
        if (i % UNASKED == 0 && !akin_goes_on(graph->cancellation))
            return AKIN_E_CANCELLED;
        if (a == b || akin_split_sources_clash(&sources, a, b))
            continue;
        const uint32_t first = a < b ? a : b, other = a < b ? b : a;
        parents[other] = first;
        akin_split_sources_merge(&sources, first, other);
    }
    for (uint32_t node = 0; node < graph->nodes; node++)
        graph->labels[node] = akin_split_find(parents, node);
    return AKIN_OK;
}
