/* Makes two graphs ready: small labels, an order of the nodes, twins. */
#include "graphs/pair.h"

#include "base/bits.h"
#include "base/random.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- labels */

/* The number of a label, which it gets if it is new. */
static uint32_t number_of(akin_graph_pair *p, uint32_t label)
{
    uint64_t slot = akin_random_mixed(label) & (p->table_size - 1);
    while (p->table[slot] != 0 && p->table[slot] >> 32 != label)
        slot = (slot + 1) & (p->table_size - 1);
    if (p->table[slot] == 0)
        p->table[slot] = (uint64_t)label << 32 | ++p->labels;
    return (uint32_t)p->table[slot] - 1;
}

/* Sorts the ends of a node by label: by insertion if they are few, as they mostly are. */
static void sort_ends(akin_graph_end *ends, uint32_t count)
{
    for (uint32_t gap = count > 16 ? count / 3 : 1;; gap = gap > 3 ? gap / 3 : 1) {
        for (uint32_t i = gap; i < count; i++) {
            const akin_graph_end end = ends[i];
            uint32_t at = i;
            for (; at >= gap && (ends[at - gap].label > end.label ||
                                 (ends[at - gap].label == end.label && ends[at - gap].node > end.node));
                 at -= gap)
                ends[at] = ends[at - gap];
            ends[at] = end;
        }
        if (gap <= 1)
            break;
    }
}

/* Copies a graph; place[i] is the number that node i gets, order[] the reverse. */
static void copy_graph(akin_graph_pair *p, const akin_graph *graph, const uint32_t *place, const uint32_t *order,
                       akin_graph_half *half)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < graph->nodes; i++) {
        const uint32_t node = order[i], degree = akin_graph_degree(graph, node);
        half->label[i] = number_of(p, graph->label[node]);
        half->begin[i] = at;
        for (uint32_t e = 0; e < degree; e++) {
            const akin_graph_end end = graph->ends[graph->begin[node] + e];
            half->ends[at + e] = (akin_graph_end){place[end.node], number_of(p, end.label)};
        }
        sort_ends(half->ends + at, degree);
        at += degree;
    }
    half->begin[graph->nodes] = at;
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* How many nodes of the other graph have the label and the degree of each node. */
static void count_alike(const akin_graph *graph, const akin_graph *other, uint32_t *alike)
{
    for (uint32_t i = 0; i < graph->nodes; i++) {
        alike[i] = 0;
        for (uint32_t j = 0; j < other->nodes; j++)
            alike[i] +=
                graph->label[i] == other->label[j] && akin_graph_degree(graph, i) == akin_graph_degree(other, j);
    }
}

/* Orders the nodes: the one with the most edges to earlier ones, then the rarest, then the one of most edges. */
static void order_nodes(const akin_graph *graph, const uint32_t *alike, uint32_t *near, uint32_t *place,
                        uint32_t *order)
{
    for (uint32_t i = 0; i < graph->nodes; i++) {
        near[i] = 0;
        place[i] = AKIN_GRAPH_NO_NODE;
    }
    for (uint32_t at = 0; at < graph->nodes; at++) {
        uint32_t best = AKIN_GRAPH_NO_NODE;
        for (uint32_t i = 0; i < graph->nodes; i++) {
            if (place[i] != AKIN_GRAPH_NO_NODE)
                continue;
            if (best == AKIN_GRAPH_NO_NODE || near[i] > near[best] ||
                (near[i] == near[best] &&
                 (alike[i] < alike[best] ||
                  (alike[i] == alike[best] && akin_graph_degree(graph, i) > akin_graph_degree(graph, best)))))
                best = i;
        }
        order[at] = best;
        place[best] = at;
        for (uint32_t e = graph->begin[best]; e < graph->begin[best + 1]; e++)
            near[graph->ends[e].node]++;
    }
}

/* ------------------------------------------------------------------------------------------------------------ twins */

/* Whether two nodes of the same label and degree have the same edges to others, whose ends are sorted alike. */
static int are_twins(const akin_graph_half *half, uint32_t a, uint32_t b)
{
    const akin_graph_end *x = half->ends + half->begin[a], *y = half->ends + half->begin[b];
    const akin_graph_end *x_end = half->ends + half->begin[a + 1], *y_end = half->ends + half->begin[b + 1];
    for (;; x++, y++) {
        x += x < x_end && x->node == b;
        y += y < y_end && y->node == a;
        if (x == x_end || y == y_end)
            return x == x_end && y == y_end;
        if (x->node != y->node || x->label != y->label)
            return 0;
    }
}

static void find_twins(akin_graph_half *half)
{
    for (uint32_t i = 0; i < half->nodes; i++) {
        const uint32_t degree = half->begin[i + 1] - half->begin[i];
        half->twin[i] = AKIN_GRAPH_NO_NODE;
        for (uint32_t j = i; j-- > 0 && half->twin[i] == AKIN_GRAPH_NO_NODE;)
            if (half->label[j] == half->label[i] && half->begin[j + 1] - half->begin[j] == degree &&
                are_twins(half, i, j))
                half->twin[i] = j;
    }
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* Cuts the arrays of a half off the numbers. */
static uint32_t *place_half(akin_graph_half *half, const akin_graph *graph, uint32_t *words)
{
    half->nodes = graph->nodes;
    half->edges = graph->edges;
    half->label = words;
    half->begin = words + graph->nodes;
    half->twin = half->begin + graph->nodes + 1;
    return half->twin + graph->nodes;
}

static int make_room(akin_graph_pair *p, const akin_graph *first, const akin_graph *second)
{
    const uint64_t nodes = (uint64_t)first->nodes + second->nodes, ends = 2 * ((uint64_t)first->edges + second->edges);
    uint64_t size = 64;
    while (size < 2 * (nodes + ends / 2))
        size *= 2;
    uint32_t *words = akin_enlarge(p->account, p->words, &p->words_room, 8 * nodes + 2, sizeof *words);
    p->words = words ? words : p->words;
    akin_graph_end *all = akin_enlarge(p->account, p->ends, &p->ends_room, ends, sizeof *all);
    p->ends = all ? all : p->ends;
    uint64_t *table = akin_enlarge(p->account, p->table, &p->table_room, size, sizeof *table);
    p->table = table ? table : p->table;
    if (!words || !all || !table)
        return 0;
    p->table_size = size;
    memset(table, 0, size * sizeof *table);
    words = place_half(&p->first, first, words);
    words = place_half(&p->second, second, words);
    p->first.ends = all;
    p->second.ends = all + 2 * (size_t)first->edges;
    p->number = words;
    p->scratch = words + first->nodes;
    return 1;
}

int akin_graph_pair_take(akin_graph_pair *pair, const akin_graph *left, const akin_graph *right, const uint32_t *alike)
{
    pair->is_swapped = left->nodes > right->nodes;
    const akin_graph *first = pair->is_swapped ? right : left, *second = pair->is_swapped ? left : right;
    if (!make_room(pair, first, second))
        return 0;
    uint32_t *counts = pair->scratch, *near = counts + first->nodes, *place = near + first->nodes;
    if (!alike)
        count_alike(first, second, counts);
    alike = alike ? alike : counts;
    order_nodes(first, alike, near, place, pair->number);
    pair->labels = 0;
    copy_graph(pair, first, place, pair->number, &pair->first);
    for (uint32_t i = 0; i < second->nodes; i++)
        pair->scratch[i] = i;
    copy_graph(pair, second, pair->scratch, pair->scratch, &pair->second);
    return 1;
}

void akin_graph_pair_find_twins(akin_graph_pair *pair)
{
    find_twins(&pair->first);
    find_twins(&pair->second);
}

void akin_graph_pair_clear(akin_graph_pair *pair)
{
    akin_free(pair->table);
    akin_free(pair->words);
    akin_free(pair->ends);
    *pair = (akin_graph_pair){.account = pair->account};
}
