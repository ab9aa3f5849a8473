/*
 * Average linkage of one component: the two clusters with the highest mean similarity become one, as long as the mean
 * is at least the parameter. The mean is over all pairs of a node of the one and a node of the other; a pair without an
 * edge counts 0. Of two tables only pairs of a left node and a right one count. If means are equal, the pair of
 * clusters with the smaller first nodes comes first.
 *
 * A chain of nearest neighbours finds the same clusters without a queue. Each cluster of the chain is followed by its
 * nearest one; where two are nearest to each other, they are merged:
 *
 *     chain    A -> B -> C <-> D        C and D are merged; the chain goes on from B
 *
 * That is exact. The mean of a cluster with a merged one is at most the higher of the two means before, so no merger
 * elsewhere comes between C and D, and an equal mean has the same first nodes as before, which lost against D. (Of two
 * tables equal means may have other first nodes: such ties may be broken in another way.) A cluster whose nearest one
 * is below the parameter has its final nodes, for the same reason.
 * Source of the chain: Murtagh, A survey of recent advances in hierarchical clustering algorithms, 1983.
 *
 * Clusters with nodes of one source are not merged: their mean counts as less than any other. What such a cluster is
 * merged into has the source, too. So the mean with a merged cluster is still at most the higher one of the means
 * before, and the chain is as exact as without sources. Two clusters that are kept apart once are so for ever. A link
 * between them is dropped when a search meets it, so such links are tested once each.
 *
 * A chain may be left at any time. To search a cluster of many links after each merger of its neighbours would be
 * quadratic. So chains keep to clusters of few links at first, and then to clusters of more and more.
 *
 * The edges of a cluster are in the segments of its nodes, one list. Each search adds up the edges to each other
 * cluster, and writes the sums back, so a list has one edge for each neighbour then.
 */
#include "graph/average.h"

#include "base/bits.h"
#include "graph/sources.h"

#define NONE UINT32_MAX

__extension__ typedef __int128 product;

/* The similarities of a cluster's nodes with those of another one, summed. */
typedef struct link {
    int64_t sum;
    uint32_t to; /* a node of the other cluster */
} link;

typedef struct linkage {
    const akin_split_graph *graph;
    uint32_t *parents; /* a forest, the first node of each cluster at its root */
    uint32_t *sizes;   /* of clusters, */
    uint32_t *lefts;   /* and how many of their nodes are of the left table */
    uint32_t *degrees; /* of clusters: how many links their segments have */
    link *links;       /* of node i: begins[i] .. begins[i] + lengths[i] - 1 */
    uint64_t *begins;
    uint32_t *lengths;
    uint32_t *nexts, *lasts; /* the list of the segments of a cluster: the next node; of the first node, the last one */
    int64_t *sums;           /* by first node of another cluster, while the links of a cluster are added up */
    uint32_t *met;           /* these clusters */
    uint8_t *is_met, *is_final;
    uint32_t *chain;
    akin_split_sources sources;
    uint64_t scanned; /* links, since the caller was last asked whether to stop */
} linkage;

/* Cuts arrays for the component out of the room of the thread. */
static int begin_linkage(const akin_split_graph *graph, linkage *l)
{
    const uint64_t nodes = graph->nodes, links = 2 * graph->count;
    uint32_t **const arrays[] = {&l->parents, &l->sizes, &l->lefts, &l->degrees, &l->lengths,
                                 &l->nexts,   &l->lasts, &l->met,   &l->chain};
    const size_t count = sizeof arrays / sizeof *arrays;
    char *at =
        akin_split_reserve(graph->room, akin_split_sources_bytes(graph) + links * sizeof(link) +
                                            nodes * (2 * sizeof(uint64_t) + 2) + nodes * count * sizeof(uint32_t));
    *l = (linkage){.graph = graph};
    if (!at)
        return 0;
    l->sources = akin_split_sources_begin(graph, &at);
    l->links = akin_split_cut(&at, links, sizeof *l->links);
    l->begins = akin_split_cut(&at, nodes, sizeof *l->begins);
    l->sums = akin_split_cut(&at, nodes, sizeof *l->sums);
    for (size_t i = 0; i < count; i++)
        *arrays[i] = akin_split_cut(&at, nodes, sizeof **arrays[i]);
    l->is_met = akin_split_cut(&at, nodes, sizeof *l->is_met);
    l->is_final = akin_split_cut(&at, nodes, sizeof *l->is_final);
    return 1;
}

/* Every node is a cluster, and its segment has its edges. */
static void list_links(linkage *l)
{
    const akin_split_graph *graph = l->graph;
    for (uint64_t i = 0; i < graph->count; i++) {
        l->lengths[graph->edges[i].a]++;
        l->lengths[graph->edges[i].b]++;
    }
    uint64_t begin = 0;
    for (uint32_t node = 0; node < graph->nodes; node++) {
        l->begins[node] = begin;
        l->degrees[node] = l->lengths[node];
        l->lefts[node] = node < graph->lefts;
        begin += l->lengths[node];
        l->lengths[node] = 0;
        l->parents[node] = l->lasts[node] = node;
        l->nexts[node] = NONE;
        l->sizes[node] = 1;
    }
    for (uint64_t i = 0; i < graph->count; i++) {
        const akin_split_edge *edge = &graph->edges[i];
        l->links[l->begins[edge->a] + l->lengths[edge->a]++] = (link){edge->similarity, edge->b};
        l->links[l->begins[edge->b] + l->lengths[edge->b]++] = (link){edge->similarity, edge->a};
    }
}

/* Adds up the links of a cluster by the cluster that they are to. Returns how many clusters these are. */
static uint32_t sum_links(linkage *l, uint32_t cluster)
{
    uint32_t count = 0;
    for (uint32_t segment = cluster; segment != NONE; segment = l->nexts[segment]) {
        const link *links = l->links + l->begins[segment];
        l->scanned += l->lengths[segment];
        for (uint32_t i = 0; i < l->lengths[segment]; i++) {
            const uint32_t to = akin_split_find(l->parents, links[i].to);
            if (to == cluster)
                continue;
            if (!l->is_met[to]) {
                l->is_met[to] = 1;
                l->met[count++] = to;
                l->sums[to] = 0;
            }
            l->sums[to] += links[i].sum;
        }
    }
    return count;
}

/* Writes the sums back: a link for each cluster that was met. There were at least as many. */
static void write_links(linkage *l, uint32_t cluster, uint32_t count)
{
    uint32_t written = 0, last = cluster;
    for (uint32_t segment = cluster; segment != NONE; segment = l->nexts[segment]) {
        link *links = l->links + l->begins[segment];
        uint32_t i = 0;
        for (; i < l->lengths[segment] && written < count; i++, written++)
            links[i] = (link){l->sums[l->met[written]], l->met[written]};
        l->lengths[segment] = i;
        if (i > 0)
            last = segment;
    }
    l->nexts[last] = NONE;
    l->lasts[cluster] = last;
    l->degrees[cluster] = count;
}

static uint64_t pairs_between(const linkage *l, uint32_t x, uint32_t y)
{
    return akin_split_pairs(l->graph, l->sizes[x], l->lefts[x], l->sizes[y], l->lefts[y]);
}

/* Whether cluster x is nearer to `of` than y is. */
static int is_nearer(const linkage *l, uint32_t of, uint32_t x, uint32_t y)
{
    const product left = (product)l->sums[x] * pairs_between(l, of, y);
    const product right = (product)l->sums[y] * pairs_between(l, of, x);
    if (left != right)
        return left > right;
    const uint32_t first_x = x < of ? x : of, first_y = y < of ? y : of;
    return first_x != first_y ? first_x < first_y : x < y;
}

/* The nearest cluster that sources permit; NONE: there is none whose mean is at least the parameter. */
static uint32_t find_nearest(linkage *l, uint32_t cluster)
{
    const uint32_t count = sum_links(l, cluster);
    uint32_t nearest = NONE, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = l->met[i];
        const int is_best = nearest == NONE || is_nearer(l, cluster, other, nearest);
        l->is_met[other] = 0;
        if (is_best && akin_split_sources_clash(&l->sources, cluster, other))
            continue;
        l->met[kept++] = other;
        if (is_best)
            nearest = other;
    }
    write_links(l, cluster, kept);
    if (nearest == NONE || l->sums[nearest] < (product)l->graph->least * pairs_between(l, cluster, nearest))
        return NONE;
    return nearest;
}

static uint32_t merge(linkage *l, uint32_t x, uint32_t y)
{
    const uint32_t first = x < y ? x : y, other = x < y ? y : x;
    l->parents[other] = first;
    l->sizes[first] += l->sizes[other];
    l->lefts[first] += l->lefts[other];
    l->degrees[first] += l->degrees[other];
    l->nexts[l->lasts[first]] = other;
    l->lasts[first] = l->lasts[other];
    akin_split_sources_merge(&l->sources, first, other);
    return first;
}

/* Asks the caller now and then whether to stop; 0: yes. */
static int goes_on(linkage *l)
{
    if (l->scanned < UINT16_MAX)
        return 1;
    l->scanned = 0;
    return akin_goes_on(l->graph->cancellation);
}

/* Follows the chain that begins at a cluster, to its end or to a cluster of more than `most` links. Returns 0 if the
 * caller cancels. */
static int follow_chain(linkage *l, uint32_t cluster, uint64_t most)
{
    uint32_t length = 0;
    l->chain[length++] = cluster;
    while (length > 0 && l->degrees[l->chain[length - 1]] <= most) {
        const uint32_t last = l->chain[length - 1], nearest = find_nearest(l, last);
        if (!goes_on(l))
            return 0;
        if (nearest == NONE) {
            l->is_final[last] = 1;
            length--;
        } else if (length > 1 && nearest == l->chain[length - 2]) {
            const uint32_t merged = merge(l, last, nearest);
            length -= 2;
            if (length == 0)
                l->chain[length++] = merged;
        } else {
            l->chain[length++] = nearest;
        }
    }
    return 1;
}

#define FEW 64 /* links of the clusters that come first; then as many times more */

akin_status akin_split_by_average(const akin_split_graph *graph)
{
    linkage l;
    if (!begin_linkage(graph, &l))
        return AKIN_E_NOMEM;
    list_links(&l);
    for (uint64_t most = FEW, before = 0; before < 2 * graph->count; before = most, most *= FEW)
        for (uint32_t node = 0; node < graph->nodes; node++)
            if (l.parents[node] == node && !l.is_final[node] && !follow_chain(&l, node, most))
                return AKIN_E_CANCELLED;
    for (uint32_t node = 0; node < graph->nodes; node++)
        graph->labels[node] = akin_split_find(l.parents, node);
    return AKIN_OK;
}
