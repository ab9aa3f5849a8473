/*
 * Clusters around centers, of one component. Edges come by falling similarity, equal ones by their nodes. The first
 * edge of a node decides: if the other node is a center, the node joins its cluster; if the other node is a member of a
 * cluster, the node becomes a center; if both are new, the smaller node becomes a center, and the other one joins it.
 * Merged centers: an edge of a center and a node of another cluster makes one cluster of both.
 * Sources: Haveliwala et al., Scalable techniques for clustering the web, 2000 (centers); Hassanzadeh and Miller,
 * Creating probabilistic databases from duplicated data, 2009 (merged centers).
 */
#include "graph/center.h"

#include "base/bits.h"
#include "base/sort.h"

/* What a node is. */
enum { UNSEEN, CENTER, MEMBER };

typedef struct centering {
    uint32_t *parents; /* a forest, the first node of each cluster at its root */
    uint8_t *roles;
    int merges;
} centering;

static void unite(const centering *c, uint32_t a, uint32_t b)
{
    a = akin_split_find(c->parents, a);
    b = akin_split_find(c->parents, b);
    c->parents[a < b ? b : a] = a < b ? a : b;
}

/* The first edge of a node, whose other node has been seen. */
static void place(const centering *c, uint32_t node, uint32_t seen)
{
    const int joins = c->roles[seen] == CENTER;
    c->roles[node] = joins ? MEMBER : CENTER;
    if (joins)
        unite(c, seen, node);
}

static void take(const centering *c, uint32_t a, uint32_t b)
{
    if (c->roles[a] == UNSEEN && c->roles[b] == UNSEEN)
        c->roles[a] = CENTER; /* the first node */
    if (c->roles[a] == UNSEEN)
        place(c, a, b);
    else if (c->roles[b] == UNSEEN)
        place(c, b, a);
    else if (c->merges && (c->roles[a] == CENTER || c->roles[b] == CENTER))
        unite(c, a, b);
}

/* Sorts the numbers of edges by falling similarity. Returns 0 if the caller cancels. */
static int order_edges(const akin_split_graph *graph, uint64_t *keys)
{
    for (uint64_t i = 0; i < graph->count; i++)
        keys[i] = (uint64_t) ~((uint32_t)graph->edges[i].similarity ^ UINT32_C(0x80000000)) << 32 | (uint32_t)i;
    return akin_sort_long_u64(keys, graph->count, graph->cancellation);
}

static akin_status split(const akin_split_graph *graph, int merges)
{
    const uint64_t bytes = graph->count * sizeof(uint64_t) + graph->nodes * (sizeof(uint32_t) + 1);
    uint64_t *keys = akin_split_reserve(graph->room, bytes);
    if (!keys)
        return AKIN_E_NOMEM;
    char *at = (char *)(keys + graph->count);
    uint32_t *parents = akin_split_cut(&at, graph->nodes, sizeof *parents);
    const centering c = {parents, akin_split_cut(&at, graph->nodes, 1), merges};
    if (!order_edges(graph, keys))
        return AKIN_E_CANCELLED;
    for (uint32_t node = 0; node < graph->nodes; node++)
        parents[node] = node;
    for (uint64_t i = 0; i < graph->count; i++) {
        const akin_split_edge *edge = &graph->edges[(uint32_t)keys[i]];
        if (edge->similarity < graph->least)
            break;
        take(&c, edge->a, edge->b);
    }
    for (uint32_t node = 0; node < graph->nodes; node++)
        graph->labels[node] = akin_split_find(parents, node);
    return AKIN_OK;
}

akin_status akin_split_by_centers(const akin_split_graph *graph)
{
    return split(graph, 0);
}

akin_status akin_split_by_merged_centers(const akin_split_graph *graph)
{
    return split(graph, 1);
}
