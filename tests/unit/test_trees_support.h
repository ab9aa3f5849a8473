/* Random trees for tests, and the edit distance in its plainest form. */
#ifndef AKIN_TEST_TREES_SUPPORT_H
#define AKIN_TEST_TREES_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "trees/builder.h"

#define TREE_MOST 400                 /* nodes of a random tree */
#define TREE_TEXT (8 * TREE_MOST + 1) /* bytes of its text */

/* A tree as the depths and labels of its nodes in preorder. */
typedef struct drawn_tree {
    uint32_t count;
    uint32_t depth[TREE_MOST], label[TREE_MOST];
} drawn_tree;

/* The shapes of random trees: the next node is a child of the last one, or of an ancestor of it that is near or far. */
enum { ANY_SHAPE, DEEP_SHAPE, FLAT_SHAPE, SHAPES };

static void draw_tree(akin_random *random, uint32_t count, uint32_t labels, int shape, drawn_tree *out)
{
    out->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t most = i > 0 ? out->depth[i - 1] + 1 : 0;
        uint32_t depth = i > 0 ? 1 + (uint32_t)akin_random_below(random, most) : 0;
        if (shape == DEEP_SHAPE && i > 0 && akin_random_below(random, 4) > 0)
            depth = most;
        if (shape == FLAT_SHAPE && i > 0 && akin_random_below(random, 4) > 0)
            depth = depth > 2 ? 2 : depth;
        out->depth[i] = depth;
        out->label[i] = (uint32_t)akin_random_below(random, labels);
    }
}

/* The node behind the subtree of node i. */
static uint32_t end_of(const drawn_tree *tree, uint32_t i)
{
    uint32_t end = i + 1;
    while (end < tree->count && tree->depth[end] > tree->depth[i])
        end++;
    return end;
}

static void insert_node(akin_random *random, uint32_t labels, drawn_tree *t)
{
    /* above some siblings from node i on, or before it */
    const uint32_t i = 1 + (uint32_t)akin_random_below(random, t->count);
    const uint32_t depth = i < t->count ? t->depth[i] : 1;
    uint32_t end = i, siblings = (uint32_t)akin_random_below(random, 4);
    for (; end < t->count && t->depth[end] == depth && siblings > 0; siblings--)
        end = end_of(t, end);
    memmove(t->depth + i + 1, t->depth + i, (t->count - i) * sizeof *t->depth);
    memmove(t->label + i + 1, t->label + i, (t->count - i) * sizeof *t->label);
    t->depth[i] = depth;
    t->label[i] = (uint32_t)akin_random_below(random, labels);
    t->count++;
    for (uint32_t j = i + 1; j <= end; j++)
        t->depth[j]++;
}

/* Edits a tree at random places; its root stays. */
static void edit_tree(akin_random *random, uint32_t edits, uint32_t labels, drawn_tree *t)
{
    for (; edits > 0; edits--) {
        const uint32_t i = (uint32_t)akin_random_below(random, t->count), kind = (uint32_t)akin_random_below(random, 3);
        if (kind == 0 && t->count < TREE_MOST) {
            insert_node(random, labels, t);
        } else if (kind == 1 && i > 0) {
            for (uint32_t j = i + 1, end = end_of(t, i); j < end; j++)
                t->depth[j]--;
            memmove(t->depth + i, t->depth + i + 1, (t->count - i - 1) * sizeof *t->depth);
            memmove(t->label + i, t->label + i + 1, (t->count - i - 1) * sizeof *t->label);
            t->count--;
        } else {
            t->label[i] = (uint32_t)akin_random_below(random, labels);
        }
    }
}

/* The tree in bracket notation, of TREE_TEXT bytes at most. Returns its length. */
static size_t write_tree(const drawn_tree *t, char *text)
{
    char *at = text;
    for (uint32_t i = 0; i < t->count; i++) {
        at += sprintf(at, "{%u", t->label[i]);
        const uint32_t next = i + 1 < t->count ? t->depth[i + 1] : 0;
        for (uint32_t depth = t->depth[i] + 1; depth > next; depth--)
            *at++ = '}';
    }
    *at = '\0';
    return (size_t)(at - text);
}

/* Zhang and Shasha: T of all subtrees, each pair of key roots with a table of its own. */
static uint32_t plain_distance(const akin_tree *a, const akin_tree *b)
{
    const uint32_t n = a->nodes, m = b->nodes;
    uint32_t *inner = malloc((size_t)n * m * sizeof *inner), *f = malloc(((size_t)n + 1) * (m + 1) * sizeof *f);
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = 0; y < m; y++) {
            const uint32_t rows = a->size[x], columns = b->size[y], width = columns + 1;
            const uint32_t from_a = x + 1 - rows, from_b = y + 1 - columns;
            for (uint32_t i = 0; i <= rows; i++)
                for (uint32_t j = 0; j <= columns; j++) {
                    uint32_t cost = i + j;
                    if (i > 0 && j > 0) {
                        const uint32_t p = from_a + i - 1, q = from_b + j - 1;
                        const uint32_t up = f[(i - 1) * width + j] + 1, left = f[i * width + j - 1] + 1;
                        const uint32_t skip = i - a->size[p], other = j - b->size[q];
                        const uint32_t match = skip == 0 && other == 0
                                                   ? f[(i - 1) * width + j - 1] + (a->label[p] != b->label[q])
                                                   : f[skip * width + other] + inner[(size_t)p * m + q];
                        cost = up < left ? up : left;
                        cost = match < cost ? match : cost;
                    }
                    f[i * width + j] = cost;
                }
            inner[(size_t)x * m + y] = f[rows * width + columns];
        }
    const uint32_t distance = inner[(size_t)n * m - 1];
    free(inner);
    free(f);
    return distance;
}

#endif
