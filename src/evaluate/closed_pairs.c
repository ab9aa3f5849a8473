/*
 * Pairs of transitive closures, counted and not listed, as pairs come step by step.
 *
 * Pairs are put into a union-find by falling step. A tree keeps its nodes in a list, too. When two trees become one, so
 * do their lists, with the step written between them. At the end each list has all nodes that were ever connected. Two
 * of them have been connected since the lowest step between them (single linkage):
 *
 *     nodes    a . b . c . d        a, b: step 90    c, d: 80    all four: 60    a and c are a pair from 60 on
 *     steps      90  60  80
 *
 * So the pairs that appear at each step are counted in one walk over the list, with a stack of blocks. The nodes of one
 * cluster of gold are such a list as well, once the steps between adjacent nodes are known: each is the lowest step
 * that the walk has passed since the node before.
 */
#include "evaluate/closed_pairs.h"

#include <string.h>

#define REPORT 65536u /* pairs, or nodes, after which the caller is asked */

/* ----------------------------------------------------------------------------------------------------------- blocks */

/* Nodes that follow each other, left and right ones (all are left ones where nothing is linked), and the step before
 * the first. */
typedef struct block {
    uint64_t sides[2];
    uint32_t step;
} block;

/* The blocks of a list so far. Steps rise, as a higher one connects its neighbours first. */
typedef struct blocks {
    block stack[AKIN_STEPS + 1];
    uint32_t depth;
    int linked;
    uint64_t *counts; /* pairs by step */
} blocks;

/* The last block becomes a part of the one before: all pairs across are connected from its step on. */
static void merge_last(blocks *list)
{
    const block *last = &list->stack[--list->depth];
    block *before = &list->stack[list->depth - 1];
    list->counts[last->step] += list->linked ? before->sides[0] * last->sides[1] + before->sides[1] * last->sides[0]
                                             : before->sides[0] * last->sides[0];
    before->sides[0] += last->sides[0];
    before->sides[1] += last->sides[1];
}

/* Adds a node; a step of 0 begins what has nothing to do with the nodes before. */
static void add_node(blocks *list, int right, uint32_t step)
{
    while (list->depth > 1 && list->stack[list->depth - 1].step >= step)
        merge_last(list);
    list->stack[list->depth++] = (block){{right ? 0 : 1, right ? 1 : 0}, step};
}

static void end_list(blocks *list)
{
    while (list->depth > 1)
        merge_last(list);
}

/* ----------------------------------------------------------------------------------------------------------- forest */

/* Of each node. A root is the first of its list. */
typedef struct forest {
    uint32_t nodes;
    uint32_t *parents;
    uint32_t *lasts;  /* at a root: the last of its list */
    uint32_t *nexts;  /* of all but the last of a list */
    uint8_t *steps;   /* before the node; 0 before a root */
    uint32_t *places; /* at a label of gold: where the next node of the cluster goes among the marks */
    uint32_t *seen;   /* and when the walk met the one before, counted from 1; 0: never */
    uint8_t *marks;   /* nodes by clusters of gold: step since the one before, and RIGHT */
} forest;

#define RIGHT 0x80u /* above all steps */

_Static_assert(AKIN_STEPS <= RIGHT, "a mark holds a step and a side");

static void free_forest(forest *f)
{
    akin_free(f->parents);
    akin_free(f->lasts);
    akin_free(f->nexts);
    akin_free(f->steps);
    akin_free(f->places);
    akin_free(f->seen);
    akin_free(f->marks);
}

/* Every node is a tree. The caller frees it in any case. */
static akin_status plant(forest *f, const akin_closure *closure, akin_error *error)
{
    const akin_clusters *gold = closure->gold;
    akin_account *account = closure->account;
    uint32_t nodes = akin_clusters_rows(gold), place = 0;
    f->nodes = nodes;
    f->parents = akin_alloc(account, nodes, sizeof *f->parents);
    f->lasts = akin_alloc(account, nodes, sizeof *f->lasts);
    f->nexts = akin_alloc(account, nodes, sizeof *f->nexts);
    f->steps = akin_alloc_zero(account, nodes, sizeof *f->steps);
    f->places = akin_alloc(account, nodes, sizeof *f->places);
    f->seen = akin_alloc_zero(account, nodes, sizeof *f->seen);
    f->marks = akin_alloc(account, nodes, sizeof *f->marks);
    if (!f->parents || !f->lasts || !f->nexts || !f->steps || !f->places || !f->seen || !f->marks)
        return akin_fail_memory(error, "the transitive closures");
    for (uint32_t node = 0; node < nodes; node++) {
        f->parents[node] = f->lasts[node] = node;
        if (akin_clusters_row(gold, node) != node)
            continue;
        f->places[node] = place;
        place += akin_clusters_size(gold, node);
    }
    return AKIN_OK;
}

/* The root above a node; on the way every other node is hung from its grandparent. */
static uint32_t find_root(uint32_t *parents, uint32_t node)
{
    while (parents[node] != node) {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    return node;
}

static void connect(forest *f, uint32_t left, uint32_t right, uint32_t step)
{
    uint32_t a = find_root(f->parents, left), b = find_root(f->parents, right);
    uint32_t root = a < b ? a : b, other = a < b ? b : a;
    if (a == b)
        return;
    f->parents[other] = root;
    f->steps[other] = (uint8_t)step;
    f->nexts[f->lasts[root]] = other;
    f->lasts[root] = f->lasts[other];
}

static akin_status connect_all(forest *f, const akin_closure *closure, akin_error *error)
{
    for (uint64_t i = 0; i < closure->count; i++) {
        uint32_t step = AKIN_STEPS - 1 - (uint32_t)(closure->pairs[i] >> 64);
        uint64_t nodes = (uint64_t)closure->pairs[i];
        if (i % REPORT == 0 && akin_scope_report(closure->scope, "connecting", i, closure->count) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (step == 0) /* the rest reaches no threshold */
            break;
        connect(f, (uint32_t)(nodes >> 32), (uint32_t)nodes + closure->lefts, step);
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- walk */

typedef struct walk {
    blocks list;
    uint32_t met;                /* nodes so far */
    uint32_t latest[AKIN_STEPS]; /* the last of them that had that step before it */
} walk;

/* Goes on to a node, and marks it among those of its cluster of gold. */
static void visit(forest *f, const akin_closure *closure, walk *w, uint32_t node)
{
    int right = closure->linked && node >= closure->lefts;
    uint32_t label = akin_clusters_row(closure->gold, node), lowest = 0;
    add_node(&w->list, right, f->steps[node]);
    w->latest[f->steps[node]] = ++w->met;
    while (w->latest[lowest] <= f->seen[label]) /* ends at the step of this node, if not before */
        lowest++;
    f->seen[label] = w->met;
    f->marks[f->places[label]++] = (uint8_t)(lowest | (right ? RIGHT : 0));
}

static akin_status walk_all(forest *f, const akin_closure *closure, uint64_t *counts, akin_error *error)
{
    walk w = {.list = {.linked = closure->linked, .counts = counts}};
    for (uint32_t root = 0; root < f->nodes; root++) {
        if (root % REPORT == 0 && akin_scope_report(closure->scope, "counting", w.met, f->nodes) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        if (f->parents[root] != root)
            continue;
        for (uint32_t node = root;; node = f->nexts[node]) {
            visit(f, closure, &w, node);
            if (node == f->lasts[root])
                break;
        }
    }
    end_list(&w.list);
    return AKIN_OK;
}

/* The pairs in clusters of gold: all of them, and by the step that connects them. The first of a cluster has step 0. */
static uint64_t count_gold(const forest *f, const akin_closure *closure, uint64_t *both)
{
    blocks list = {.linked = closure->linked, .counts = both};
    uint64_t golds = 0, at = 0;
    for (uint32_t label = 0; label < f->nodes; label++) {
        if (akin_clusters_row(closure->gold, label) != label)
            continue;
        uint64_t size = akin_clusters_size(closure->gold, label), rights = 0;
        for (uint64_t end = at + size; at < end; at++) {
            int right = f->marks[at] & RIGHT ? 1 : 0;
            add_node(&list, right, f->marks[at] % RIGHT);
            rights += (uint64_t)right;
        }
        golds += closure->linked ? rights * (size - rights) : size * (size - 1) / 2;
    }
    end_list(&list);
    return golds;
}

akin_status akin_closure_count(const akin_closure *closure, uint64_t pairs[AKIN_STEPS], uint64_t both[AKIN_STEPS],
                               uint64_t *golds, akin_error *error)
{
    forest f = {0};
    memset(pairs, 0, AKIN_STEPS * sizeof *pairs);
    memset(both, 0, AKIN_STEPS * sizeof *both);
    akin_status status = plant(&f, closure, error);
    if (status == AKIN_OK)
        status = connect_all(&f, closure, error);
    if (status == AKIN_OK)
        status = walk_all(&f, closure, pairs, error);
    if (status == AKIN_OK)
        *golds = count_gold(&f, closure, both);
    free_forest(&f);
    return status;
}
