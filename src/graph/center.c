/*
 * Clusters around centers, of one component. Edges come by falling similarity, equal ones by their nodes. The first
 * edge of a node decides: if the other node is a center, the node joins its cluster; if the other node is a member of a
 * cluster, the node becomes a center; if both are new, the smaller node becomes a center, and the other one joins it.
 * Merged centers: an edge of a center and a node of another cluster makes one cluster of both.
 * An edge that would bring two nodes of one source together does not count.
 * Sources: Haveliwala et al., Scalable techniques for clustering the web, 2000 (centers); Hassanzadeh and Miller,
 * Creating probabilistic databases from duplicated data, 2009 (merged centers).
 */
#include "graph/center.h"

#include "base/bits.h"
#include "graph/sources.h"

/* What a node is. */
enum { UNSEEN, CENTER, MEMBER };

typedef struct centering {
    uint32_t *parents; /* a forest, the first node of each cluster at its root */
    uint8_t *roles;
    akin_split_sources sources;
    int merges;
} centering;

/* Makes one cluster of those of two nodes; 0: sources keep them apart. */
static int unite(const centering *c, uint32_t a, uint32_t b)
{
    const uint32_t x = akin_split_find(c->parents, a), y = akin_split_find(c->parents, b);
    const uint32_t first = x < y ? x : y, other = x < y ? y : x;
    if (x == y)
        return 1;
    if (akin_split_sources_clash(&c->sources, x, y))
        return 0;
    c->parents[other] = first;
    akin_split_sources_merge(&c->sources, first, other);
    return 1;
}

/* The first edge of a node that counts, whose other node has been seen. */
static void place(const centering *c, uint32_t node, uint32_t seen)
{
    if (c->roles[seen] != CENTER)
        c->roles[node] = CENTER;
    else if (unite(c, seen, node))
        c->roles[node] = MEMBER;
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

static akin_status split(const akin_split_graph *graph, int merges)
{
    char *at = akin_split_reserve(graph->room, akin_split_sources_bytes(graph) + graph->count * sizeof(uint64_t) +
                                                   graph->nodes * (sizeof(uint32_t) + 1));
    if (!at)
        return AKIN_E_NOMEM;
    const akin_split_sources sources = akin_split_sources_begin(graph, &at);
    uint64_t *keys = akin_split_cut(&at, graph->count, sizeof *keys);
    uint32_t *parents = akin_split_cut(&at, graph->nodes, sizeof *parents);
    const centering c = {parents, akin_split_cut(&at, graph->nodes, 1), sources, merges};
    if (!akin_split_order(graph, keys))
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
