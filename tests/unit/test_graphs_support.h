/* Random graphs for tests, and the edit distance in its plainest form: all mappings by brute force. */
#ifndef AKIN_TEST_GRAPHS_SUPPORT_H
#define AKIN_TEST_GRAPHS_SUPPORT_H

#include <stdio.h>
#include <string.h>

#include "base/random.h"

#define GRAPH_MOST 8    /* nodes of a random graph */
#define GRAPH_TEXT 1000 /* bytes of its text */

/* A graph as a matrix: edge[i][j] is the label of an edge plus 1, or 0. */
typedef struct drawn_graph {
    uint32_t count;
    uint32_t label[GRAPH_MOST], edge[GRAPH_MOST][GRAPH_MOST];
} drawn_graph;

static void set_edge(drawn_graph *g, uint32_t i, uint32_t j, uint32_t value)
{
    g->edge[i][j] = g->edge[j][i] = value;
}

/* `density` of 10 pairs of nodes have an edge. */
static void draw_graph(akin_random *random, uint32_t count, uint32_t labels, uint32_t density, drawn_graph *out)
{
    *out = (drawn_graph){.count = count};
    for (uint32_t i = 0; i < count; i++) {
        out->label[i] = (uint32_t)akin_random_below(random, labels);
        for (uint32_t j = 0; j < i; j++)
            if (akin_random_below(random, 10) < density)
                set_edge(out, i, j, 1 + (uint32_t)akin_random_below(random, labels));
    }
}

/* Takes a node away with its edges; the last one gets its number. */
static void drop_node(drawn_graph *g, uint32_t node)
{
    const uint32_t last = --g->count;
    g->label[node] = g->label[last];
    for (uint32_t i = 0; i < last; i++)
        set_edge(g, node, i, i == node ? 0 : g->edge[last][i]);
    for (uint32_t i = 0; i <= last; i++)
        set_edge(g, last, i, 0);
}

/* Edits a graph at random places, which keeps a node. */
static void edit_graph(akin_random *random, uint32_t edits, uint32_t labels, drawn_graph *g)
{
    for (; edits > 0; edits--) {
        const uint32_t kind = (uint32_t)akin_random_below(random, 5), i = (uint32_t)akin_random_below(random, g->count),
                       j = (uint32_t)akin_random_below(random, g->count);
        if (kind == 0 && g->count < GRAPH_MOST)
            g->label[g->count++] = (uint32_t)akin_random_below(random, labels);
        else if (kind == 1 && g->count > 1)
            drop_node(g, i);
        else if (kind == 2)
            g->label[i] = (uint32_t)akin_random_below(random, labels);
        else if (i != j)
            set_edge(g, i, j, kind == 3 ? 0 : 1 + (uint32_t)akin_random_below(random, labels));
    }
}

/* Gives the nodes other numbers. */
static void shuffle_graph(akin_random *random, drawn_graph *g)
{
    for (uint32_t i = g->count; i > 1; i--) {
        const uint32_t a = i - 1, b = (uint32_t)akin_random_below(random, i), label = g->label[a];
        if (a == b)
            continue;
        g->label[a] = g->label[b];
        g->label[b] = label;
        for (uint32_t j = 0; j < g->count; j++) {
            const uint32_t edge = g->edge[a][j];
            if (j == a || j == b)
                continue;
            set_edge(g, a, j, g->edge[b][j]);
            set_edge(g, b, j, edge);
        }
    }
}

/* The graph as text, of GRAPH_TEXT bytes at most. Returns its length. */
static size_t write_graph(const drawn_graph *g, char *text)
{
    char *at = text;
    for (uint32_t i = 0; i < g->count; i++)
        at += sprintf(at, i ? " %u" : "%u", g->label[i]);
    *at++ = ';';
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (g->edge[i][j])
                at += sprintf(at, " %u-%u:%u", j, i, g->edge[i][j] - 1);
    *at = '\0';
    return (size_t)(at - text);
}

#define NO_IMAGE UINT32_MAX

/* What a mapping costs: image[i] is a node of b, each at most once, or NO_IMAGE. */
static uint32_t plain_cost(const drawn_graph *a, const drawn_graph *b, const uint32_t *image)
{
    uint32_t kept = 0, edges_kept = 0, cost = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        if (image[i] != NO_IMAGE) {
            kept++;
            cost += a->label[i] != b->label[image[i]];
        }
        for (uint32_t j = 0; j < i; j++) {
            const uint32_t x = a->edge[i][j],
                           y = image[i] != NO_IMAGE && image[j] != NO_IMAGE ? b->edge[image[i]][image[j]] : 0;
            edges_kept += x && y;
            cost += x && !y;
            cost += x && y && x != y;
        }
    }
    cost += a->count - kept + b->count - kept;
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t j = 0; j < i; j++)
            cost += b->edge[i][j] != 0;
    return cost - edges_kept;
}

/* The least cost of all mappings: each node of a to a node of b that is free, or to none. */
static uint32_t plain_edits_from(const drawn_graph *a, const drawn_graph *b, uint32_t node, uint32_t *image)
{
    if (node == a->count)
        return plain_cost(a, b, image);
    image[node] = NO_IMAGE;
    uint32_t least = plain_edits_from(a, b, node + 1, image);
    for (uint32_t to = 0; to < b->count; to++) {
        uint32_t taken = 0;
        for (uint32_t i = 0; i < node; i++)
            taken |= image[i] == to;
        if (taken)
            continue;
        image[node] = to;
        const uint32_t cost = plain_edits_from(a, b, node + 1, image);
        least = cost < least ? cost : least;
    }
    return least;
}

static uint32_t plain_edits(const drawn_graph *a, const drawn_graph *b)
{
    uint32_t image[GRAPH_MOST];
    return plain_edits_from(a, b, 0, image);
}

#endif
