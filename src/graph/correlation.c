/*
 * Correlation clustering of one component: looks for clusters with a large sum of (similarity - parameter) over all
 * pairs of nodes of one cluster, of two tables all pairs of a left node and a right one. A pair without an edge has
 * similarity 0. The largest sum is hard to find. So the search begins with the clusters of average linkage, and moves
 * single nodes to another cluster, or out of theirs, as long as that raises the sum. A node does not move to a cluster
 * that has a node of its source.
 * Source of the sum: Bansal, Blum and Chawla, Correlation clustering, 2004.
 */
#include "graph/correlation.h"

#include "base/bits.h"
#include "graph/average.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct end {
    uint32_t to;
    int32_t similarity;
} end;

typedef struct moving {
    const akin_split_graph *graph;
    uint32_t *clusters;      /* by node; a cluster has any number below that of the nodes */
    uint32_t *sizes, *lefts; /* of clusters: nodes, and those of the left table */
    uint32_t *empty;         /* clusters without nodes */
    uint32_t empty_count;
    uint64_t *begins; /* of the ends of edges of each node, and the end of all */
    end *ends;
    int64_t *sums; /* by cluster: the similarities of a node with its nodes */
    uint32_t *met; /* clusters of the other nodes of its edges */
    uint8_t *is_met;
    /* Where there are sources, the nodes of each cluster: the first one; of each node the next one and the one before.
     * NONE: there is none. */
    uint32_t *heads, *nexts, *befores;
} moving;

static int begin_moving(const akin_split_graph *graph, moving *m)
{
    const uint64_t nodes = graph->nodes, ends = 2 * graph->count;
    uint32_t **const arrays[] = {&m->clusters, &m->sizes, &m->lefts, &m->empty, &m->met};
    const size_t count = sizeof arrays / sizeof *arrays;
    char *at = akin_split_reserve(graph->room, (2 * nodes + 1) * sizeof(uint64_t) + ends * sizeof(end) +
                                                   nodes * (count * sizeof(uint32_t) + 1) +
                                                   (graph->sources ? 3 * nodes * sizeof(uint32_t) : 0));
    *m = (moving){.graph = graph};
    if (!at)
        return 0;
    m->begins = akin_split_cut(&at, nodes + 1, sizeof *m->begins);
    m->sums = akin_split_cut(&at, nodes, sizeof *m->sums);
    m->ends = akin_split_cut(&at, ends, sizeof *m->ends);
    for (size_t i = 0; i < count; i++)
        *arrays[i] = akin_split_cut(&at, nodes, sizeof **arrays[i]);
    uint32_t **const lists[] = {&m->heads, &m->nexts, &m->befores};
    for (size_t i = 0; i < sizeof lists / sizeof *lists && graph->sources; i++)
        *lists[i] = akin_split_cut(&at, nodes, sizeof **lists[i]);
    m->is_met = akin_split_cut(&at, nodes, sizeof *m->is_met);
    return 1;
}

/* Lists the edges of each node at both of their ends: begins[i + 1] goes from the first end of node i
 * to the end of the last one. */
static void list_ends(const moving *m)
{
    const akin_split_graph *graph = m->graph;
    for (uint64_t i = 0; i < graph->count; i++) {
        if (graph->edges[i].a + 2 <= graph->nodes)
            m->begins[graph->edges[i].a + 2]++;
        if (graph->edges[i].b + 2 <= graph->nodes)
            m->begins[graph->edges[i].b + 2]++;
    }
    for (uint32_t node = 2; node <= graph->nodes; node++)
        m->begins[node] += m->begins[node - 1];
    for (uint64_t i = 0; i < graph->count; i++) {
        const akin_split_edge *edge = &graph->edges[i];
        m->ends[m->begins[edge->a + 1]++] = (end){edge->b, edge->similarity};
        m->ends[m->begins[edge->b + 1]++] = (end){edge->a, edge->similarity};
    }
}

/* Puts a node into the list of a cluster, or takes it out of there, where there are sources. */
static void enlist(const moving *m, uint32_t node, uint32_t cluster)
{
    if (!m->heads)
        return;
    m->befores[node] = NONE;
    m->nexts[node] = m->heads[cluster];
    if (m->heads[cluster] != NONE)
        m->befores[m->heads[cluster]] = node;
    m->heads[cluster] = node;
}

static void strike(const moving *m, uint32_t node, uint32_t cluster)
{
    if (!m->heads)
        return;
    *(m->befores[node] == NONE ? &m->heads[cluster] : &m->nexts[m->befores[node]]) = m->nexts[node];
    if (m->nexts[node] != NONE)
        m->befores[m->nexts[node]] = m->befores[node];
}

/* Whether a cluster has a node of the source of that one. */
static int is_closed_to(const moving *m, uint32_t node, uint32_t cluster)
{
    const uint32_t *sources = m->graph->sources;
    if (!sources || sources[node] == AKIN_NO_SOURCE)
        return 0;
    uint32_t at = m->heads[cluster];
    while (at != NONE && sources[at] != sources[node])
        at = m->nexts[at];
    return at != NONE;
}

static void take_clusters(moving *m)
{
    if (m->heads)
        memset(m->heads, 0xff, m->graph->nodes * sizeof *m->heads); /* NONE */
    for (uint32_t node = 0; node < m->graph->nodes; node++) {
        const uint32_t cluster = m->clusters[node] = m->graph->labels[node];
        m->sizes[cluster]++;
        m->lefts[cluster] += node < m->graph->lefts;
        enlist(m, node, cluster);
    }
    for (uint32_t cluster = 0; cluster < m->graph->nodes; cluster++)
        if (m->sizes[cluster] == 0)
            m->empty[m->empty_count++] = cluster;
}

/* Adds up the similarities of a node with the nodes of each cluster. Returns how many clusters were met. */
static uint32_t sum_ends(const moving *m, uint32_t node)
{
    uint32_t count = 0;
    for (uint64_t i = m->begins[node]; i < m->begins[node + 1]; i++) {
        const uint32_t cluster = m->clusters[m->ends[i].to];
        if (!m->is_met[cluster]) {
            m->is_met[cluster] = 1;
            m->met[count++] = cluster;
            m->sums[cluster] = 0;
        }
        m->sums[cluster] += m->ends[i].similarity;
    }
    return count;
}

static void move(moving *m, uint32_t node, uint32_t cluster)
{
    const uint32_t before = m->clusters[node];
    const uint32_t left = node < m->graph->lefts;
    if (--m->sizes[before] == 0)
        m->empty[m->empty_count++] = before;
    m->sizes[cluster]++;
    m->lefts[before] -= left;
    m->lefts[cluster] += left;
    strike(m, node, before);
    enlist(m, node, cluster);
    m->clusters[node] = cluster;
}

/* What a node adds to the sum in a cluster of `others` nodes besides, `lefts` of them of the left table. */
static int64_t added_in(const moving *m, uint32_t node, int64_t sum, uint32_t others, uint32_t lefts)
{
    const uint64_t pairs = akin_split_pairs(m->graph, 1, node < m->graph->lefts, others, lefts);
    return sum - m->graph->least * (int64_t)pairs;
}

/* Moves a node where it adds most to the sum; alone it adds nothing. Returns whether it was moved. */
static int improve(moving *m, uint32_t node)
{
    const uint32_t own = m->clusters[node], count = sum_ends(m, node);
    const uint32_t left = node < m->graph->lefts;
    int64_t most = 0;
    uint32_t best = m->graph->nodes; /* a cluster of its own */
    const int64_t stay = added_in(m, node, m->is_met[own] ? m->sums[own] : 0, m->sizes[own] - 1, m->lefts[own] - left);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cluster = m->met[i];
        const int64_t added = added_in(m, node, m->sums[cluster], m->sizes[cluster], m->lefts[cluster]);
        m->is_met[cluster] = 0;
        const int is_best = added > most || (added == most && best < m->graph->nodes && cluster < best);
        if (cluster != own && is_best && !is_closed_to(m, node, cluster)) {
            most = added;
            best = cluster;
        }
    }
    if (most <= stay)
        return 0;
    move(m, node, best < m->graph->nodes ? best : m->empty[--m->empty_count]);
    return 1;
}

/* Labels each node with the first node of its cluster. */
static void label_nodes(const moving *m)
{
    uint32_t *firsts = m->sizes;
    memset(firsts, 0xff, m->graph->nodes * sizeof *firsts);
    for (uint32_t node = 0; node < m->graph->nodes; node++) {
        if (firsts[m->clusters[node]] > node)
            firsts[m->clusters[node]] = node;
        m->graph->labels[node] = firsts[m->clusters[node]];
    }
}

akin_status akin_split_by_correlation(const akin_split_graph *graph)
{
    moving m;
    const akin_status status = akin_split_by_average(graph);
    if (status != AKIN_OK)
        return status;
    if (!begin_moving(graph, &m))
        return AKIN_E_NOMEM;
    list_ends(&m);
    take_clusters(&m);
    uint64_t scanned = 0;
    for (int moved = 1; moved;) {
        moved = 0;
        for (uint32_t node = 0; node < graph->nodes; node++) {
            moved |= improve(&m, node);
            scanned += 1 + m.begins[node + 1] - m.begins[node];
            if (scanned < UINT16_MAX)
                continue;
            scanned = 0;
            if (!akin_goes_on(graph->cancellation))
                return AKIN_E_CANCELLED;
        }
    }
    label_nodes(&m);
    return AKIN_OK;
}
