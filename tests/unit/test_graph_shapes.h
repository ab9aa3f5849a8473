/* Graphs for the tests of components and closures, and what a search, breadth first, makes of them. */
#ifndef AKIN_TEST_GRAPH_SHAPES_H
#define AKIN_TEST_GRAPH_SHAPES_H

#include "akin.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* Edges are pairs of a left and a right node; rights 0: of the left ones alone. */
typedef struct graph {
    const char *name;
    uint32_t lefts, rights;
    uint64_t count;
    akin_pair *pairs;
} graph;

typedef enum shape {
    RANDOM_SPARSE, /* trees and some small cycles */
    RANDOM,        /* one large component, and some nodes beside it */
    RANDOM_SORTED, /* the same, as a join has its pairs */
    PATH,
    PATH_BACKWARDS,
    PATH_SHUFFLED,
    STAR, /* around the last node */
    HALVES,
    COUPLES,
    LOOPS, /* each node with itself, and each edge twice */
    SIDES, /* of left and right nodes */
    SHAPES
} shape;

static const char *const shape_names[SHAPES] = {"random, sparse", "random",        "random, sorted", "path",
                                                "path backwards", "path shuffled", "star",           "halves",
                                                "couples",        "loops",         "sides"};

static inline int graph_rising(const void *a, const void *b)
{
    const akin_pair *x = a, *y = b;
    return x->left != y->left ? (x->left > y->left ? 1 : -1) : (x->right > y->right) - (x->right < y->right);
}

static inline void graph_join(graph *g, uint64_t left, uint64_t right)
{
    g->pairs[g->count++] = (akin_pair){(uint32_t)left, (uint32_t)right, 1};
}

static inline void graph_join_random(graph *g, akin_random *random, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        graph_join(g, akin_random_below(random, g->lefts), akin_random_below(random, g->rights ? g->rights : g->lefts));
}

static inline void graph_shuffle(graph *g, akin_random *random)
{
    for (uint64_t i = g->count; i > 1; i--) {
        uint64_t k = akin_random_below(random, i);
        akin_pair kept = g->pairs[i - 1];
        g->pairs[i - 1] = g->pairs[k];
        g->pairs[k] = kept;
    }
}

/* A graph of `nodes` nodes, at least two; its pairs are to be freed. */
static inline graph graph_make(shape which, uint32_t nodes, uint64_t seed)
{
    graph g = {.name = shape_names[which], .lefts = nodes, .pairs = malloc(5 * (uint64_t)nodes * sizeof *g.pairs)};
    akin_random random;
    akin_random_seed(&random, seed);
    if (!g.pairs)
        abort();
    if (which == SIDES) {
        g.lefts = nodes / 3 + 1;
        g.rights = nodes - g.lefts;
    }
    if (which == RANDOM_SPARSE)
        graph_join_random(&g, &random, nodes * (uint64_t)2 / 5);
    else if (which == RANDOM || which == RANDOM_SORTED || which == SIDES)
        graph_join_random(&g, &random, 4 * (uint64_t)nodes);
    for (uint32_t i = 0; i + 1 < nodes; i++)
        if (which == PATH || which == PATH_SHUFFLED)
            graph_join(&g, i, i + 1);
        else if (which == PATH_BACKWARDS)
            graph_join(&g, nodes - 1 - i, nodes - 2 - i);
        else if (which == STAR)
            graph_join(&g, i, nodes - 1);
        else if (which == HALVES && i + 2 < nodes)
            graph_join(&g, i, i + 2);
        else if (which == COUPLES && i % 2 == 0)
            graph_join(&g, i + 1, i);
        else if (which == LOOPS) {
            graph_join(&g, i, i);
            graph_join(&g, i, i / 2 * 2 + 1);
            graph_join(&g, i / 2 * 2 + 1, i);
        }
    if (which == PATH_SHUFFLED)
        graph_shuffle(&g, &random);
    if (which == RANDOM_SORTED)
        qsort(g.pairs, g.count, sizeof *g.pairs, graph_rising);
    return g;
}

static inline uint32_t graph_nodes(const graph *g)
{
    return g->lefts + g->rights;
}

/* The smallest node that can be reached from each; to be freed. Neighbours of node n are next[starts[n]] and so on, up
 * to the start of the one behind it. */
static inline uint32_t *graph_labels(const graph *g)
{
    uint32_t nodes = graph_nodes(g), shift = g->rights ? g->lefts : 0;
    uint64_t *starts = calloc((uint64_t)nodes + 2, sizeof *starts);
    uint32_t *next = malloc((2 * g->count + 1) * sizeof *next), *queue = malloc(nodes * sizeof *queue);
    uint32_t *labels = malloc(nodes * sizeof *labels);
    if (!starts || !next || !queue || !labels)
        abort();
    memset(labels, 0xff, nodes * sizeof *labels);
    for (uint64_t i = 0; i < g->count; i++) {
        starts[g->pairs[i].left + 2]++;
        starts[g->pairs[i].right + shift + 2]++;
    }
    for (uint32_t node = 0; node < nodes; node++)
        starts[node + 2] += starts[node + 1];
    for (uint64_t i = 0; i < g->count; i++) {
        next[starts[g->pairs[i].left + 1]++] = g->pairs[i].right + shift;
        next[starts[g->pairs[i].right + shift + 1]++] = g->pairs[i].left;
    }
    for (uint32_t start = 0; start < nodes; start++) {
        uint32_t tail = 0;
        if (labels[start] != UINT32_MAX)
            continue;
        labels[queue[tail++] = start] = start;
        for (uint32_t head = 0; head < tail; head++)
            for (uint64_t i = starts[queue[head]]; i < starts[queue[head] + 1]; i++)
                if (labels[next[i]] == UINT32_MAX)
                    labels[queue[tail++] = next[i]] = start;
    }
    free(starts);
    free(next);
    free(queue);
    return labels;
}

#endif
