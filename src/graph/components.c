/*
 * Connected components on the CPU, by a lock-free union-find.
 *
 * An edge is linked in steps. Each step compares the parents of the two nodes, and hangs the node with the higher
 * parent from the lower parent (Rem's algorithm, in Dijkstra: A Discipline of Programming, 1976; with compare-and-swap
 * as in Dhulipala, Hong, Shun: ConnectIt, VLDB 2020). If that node was a root, or the parents were equal, the edge is
 * done. Otherwise an edge of the other node and the higher parent is left:
 *
 *     2     5                   2     5       b hangs from 2 now, and                2
 *     |     |     edge (a, b)   | \           edge (a, 5) is left:                 / | \
 *     a     b                   a   b         5 is a root, hung from 2            a  b  5
 *
 * Parents only ever fall, so there are no cycles, and no step waits for another thread. A step costs two random memory
 * accesses, and steps of different edges are independent. So a thread works on many edges in turn, while the parents of
 * the others are on their way to the cache. With one thread a step has no branch that could be predicted wrongly.
 */
#include "graph/components.h"

#include "base/bits.h"
#include "base/parallel.h"

#include <stdatomic.h>

#define FLIGHT 32u                 /* edges under way */
#define AHEAD  128u                /* how far behind them the parents of edges are prefetched */
#define BATCH  2048u               /* edges that are looked at before they go on their way */
#define TASK   ((uint64_t)1 << 16) /* edges, or nodes, of a task */
#define SMALL  ((uint32_t)1 << 20) /* fewer nodes are in the cache anyway */
#define SAMPLE 256u                /* size of the sample of nodes that finds the largest component, */
#define SHARE  (SAMPLE / 8)        /* and how many of the sample must be in it */

akin_status akin_edges_check(const akin_edges *edges, uint64_t first, uint64_t end, akin_error *error)
{
    uint32_t left = 0, right = 0;
    for (uint64_t i = first; i < end; i++) {
        left = edges->pairs[i].left > left ? edges->pairs[i].left : left;
        right = edges->pairs[i].right > right ? edges->pairs[i].right : right;
    }
    if (first >= end || (left < edges->lefts && right < edges->rights))
        return AKIN_OK;
    while (edges->pairs[first].left < edges->lefts && edges->pairs[first].right < edges->rights)
        first++;
    const uint32_t a = edges->pairs[first].left, b = edges->pairs[first].right;
    if (edges->shift == 0 && edges->lefts == edges->rights)
        return akin_fail(error, AKIN_E_OPTION, "a pair is of the rows %u and %u, but there are %u, numbered from 0 on",
                         a, b, edges->lefts);
    return akin_fail(error, AKIN_E_OPTION,
                     "a pair is of the rows %u and %u, but there are %u left and %u right ones, numbered from 0 on", a,
                     b, edges->lefts, edges->rights);
}

typedef struct planting {
    const akin_components *components;
    const uint32_t *labels;
} planting;

static akin_status plant_task(void *argument, uint64_t task, uint32_t thread)
{
    const planting *p = argument;
    const akin_components *c = p->components;
    const uint64_t end = akin_min_u64(c->nodes, (task + 1) * TASK);
    (void)thread;
    for (uint64_t node = task * TASK; node < end; node++)
        atomic_store_explicit(&c->parents[node], p->labels ? p->labels[node] : (uint32_t)node, memory_order_relaxed);
    return AKIN_OK;
}

akin_status akin_components_begin(const akin_scope *scope, akin_components *components, _Atomic uint32_t *parents,
                                  uint32_t *members, uint32_t nodes, const uint32_t *labels)
{
    planting p = {components, labels};
    *components = (akin_components){.parents = parents,
                                    .members = members,
                                    .nodes = nodes,
                                    .largest = AKIN_COMPONENTS_NONE,
                                    .next = nodes < SMALL ? UINT64_MAX : nodes / 5 * (uint64_t)4};
    return akin_parallel_or_alone(scope, NULL, akin_ceil_div(nodes, TASK), plant_task, &p);
}

static inline uint32_t parent_of(const _Atomic uint32_t *parents, uint32_t node)
{
    return atomic_load_explicit(&parents[node], memory_order_relaxed);
}

/* ---------------------------------------------------------------------------------------------------------- linking */

typedef struct edge {
    uint32_t a, b;
} edge;

/* x where the bits of the mask are set, y elsewhere: without a branch. */
static inline uint32_t pick(uint32_t mask, uint32_t x, uint32_t y)
{
    return (x & mask) | (y & ~mask);
}

/* A step of an edge; 1: it is done. `alone` says that no other thread is at it. */
__attribute__((always_inline)) static inline uint32_t step(_Atomic uint32_t *parents, edge *e, int alone)
{
    uint32_t x = parent_of(parents, e->a), y = parent_of(parents, e->b);
    uint32_t rising = 0 - (uint32_t)(x < y);
    uint32_t low = pick(rising, x, y), high = x ^ y ^ low;
    uint32_t node = pick(rising, e->b, e->a), other = e->a ^ e->b ^ node; /* node's parent is the higher one */
    uint32_t expected = high;
    if (alone) /* no change if the parents are equal */
        atomic_store_explicit(&parents[node], low, memory_order_relaxed);
    else if (x != y &&
             !atomic_compare_exchange_strong_explicit(&parents[node], &expected, low, memory_order_relaxed,
                                                      memory_order_relaxed) &&
             node == high)
        return 0; /* it is a root no more: once again */
    *e = (edge){other, high};
    return (uint32_t)(x == y) | (uint32_t)(node == high);
}

static inline void prefetch_edge(const _Atomic uint32_t *parents, edge e)
{
    /* list_edges has set it: NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript) */
    __builtin_prefetch((const void *)&parents[e.a]);
    __builtin_prefetch((const void *)&parents[e.b]);
}

static inline void prefetch_early(const _Atomic uint32_t *parents, edge e)
{
    __builtin_prefetch((const void *)&parents[e.a], 0, 2);
    __builtin_prefetch((const void *)&parents[e.b], 0, 2);
}

/* Links `count` edges, behind which there is room for AHEAD more. */
__attribute__((always_inline)) static inline void fly(_Atomic uint32_t *parents, edge *edges, uint32_t count, int alone)
{
    edge flying[FLIGHT];
    uint32_t next = 0, begun = count < FLIGHT ? count : FLIGHT;
    for (uint32_t i = 0; i < AHEAD && count >= 2 * FLIGHT; i++)
        edges[count + i] = edges[0];
    for (; next < begun; next++)
        prefetch_edge(parents, flying[next] = edges[next]);
    while (next + FLIGHT <= count)
        for (uint32_t i = 0; i < FLIGHT; i++) {
            edge e = flying[i], follower = edges[next];
            uint32_t done = step(parents, &e, alone);
            flying[i] = (edge){pick(0 - done, follower.a, e.a), pick(0 - done, follower.b, e.b)};
            prefetch_edge(parents, flying[i]);
            prefetch_early(parents, edges[next + AHEAD]);
            next += done;
        }
    for (uint32_t i = 0; i < begun; i++)
        while (!step(parents, &flying[i], alone))
            ;
    for (; next < count; next++)
        while (!step(parents, &edges[next], alone))
            ;
}

static inline uint32_t is_member(const uint32_t *members, uint32_t node)
{
    return members[node >> 5] >> (node & 31) & 1;
}

/* Lists the edges of pairs [first, first + count), without those within the largest component. A node of that component
 * is replaced by its representative. Returns the number of edges. */
static uint32_t list_edges(const akin_components *c, const akin_edges *edges, uint64_t first, uint32_t count, edge *out)
{
    const akin_pair *pairs = edges->pairs + first;
    uint32_t kept = 0, largest = c->largest;
    if (largest == AKIN_COMPONENTS_NONE) {
        for (uint32_t i = 0; i < count; i++)
            out[i] = (edge){pairs[i].left, pairs[i].right + edges->shift};
        return count;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = pairs[i].left, b = pairs[i].right + edges->shift;
        uint32_t in_a = is_member(c->members, a), in_b = is_member(c->members, b);
        out[kept] = (edge){pick(0 - in_a, largest, a), pick(0 - in_b, largest, b)};
        kept += 1 - (in_a & in_b);
    }
    return kept;
}

static void link_range(const akin_components *c, const akin_edges *edges, uint64_t first, uint64_t end, int alone)
{
    edge waiting[2 * BATCH + AHEAD];
    uint32_t count = 0;
    while (first < end) {
        uint32_t looked_at = (uint32_t)akin_min_u64(BATCH, end - first);
        count += list_edges(c, edges, first, looked_at, waiting + count);
        first += looked_at;
        if (count == 0 || (count < BATCH && first < end))
            continue;
        if (alone)
            fly(c->parents, waiting, count, 1);
        else
            fly(c->parents, waiting, count, 0);
        count = 0;
    }
}

/* --------------------------------------------------------------------------------------------------------- settling */

static uint32_t root_of(const _Atomic uint32_t *parents, uint32_t node)
{
    for (uint32_t parent; (parent = parent_of(parents, node)) != node;)
        node = parent;
    return node;
}

/* The label that is most frequent in a sample, or AKIN_COMPONENTS_NONE if none is frequent. */
static uint32_t find_largest(const akin_components *c)
{
    uint32_t labels[SAMPLE], most = SHARE - 1, largest = AKIN_COMPONENTS_NONE;
    for (uint32_t i = 0; i < SAMPLE; i++)
        labels[i] = root_of(c->parents, (uint32_t)((uint64_t)c->nodes * i / SAMPLE));
    for (uint32_t i = 0; i < SAMPLE; i++) {
        uint32_t count = 0;
        for (uint32_t k = i; k < SAMPLE; k++)
            count += labels[k] == labels[i];
        if (count > most) {
            most = count;
            largest = labels[i];
        }
    }
    return largest;
}

/* Hangs the nodes of a task from their roots. On one thread, where tasks rise, the parent of a node below hangs from
 * its root by then. */
static void settle_task(const akin_components *c, uint64_t task, int alone)
{
    uint32_t first = (uint32_t)(task * TASK), end = (uint32_t)akin_min_u64(c->nodes, (task + 1) * TASK);
    for (uint32_t node = first; node < end; node++) {
        uint32_t parent = parent_of(c->parents, node);
        uint32_t root = alone ? parent_of(c->parents, parent) : root_of(c->parents, parent);
        atomic_store_explicit(&c->parents[node], root, memory_order_relaxed);
    }
}

static void mark_task(const akin_components *c, uint64_t task, uint32_t largest)
{
    uint32_t first = (uint32_t)(task * TASK), end = (uint32_t)akin_min_u64(c->nodes, (task + 1) * TASK);
    for (uint32_t node = first; node < end; node += 32) {
        uint32_t word = 0, most = end - node < 32 ? end - node : 32;
        for (uint32_t i = 0; i < most; i++)
            word |= (uint32_t)(parent_of(c->parents, node + i) == largest) << i;
        c->members[node / 32] = word;
    }
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

typedef struct work {
    const akin_components *components;
    const akin_edges *edges;
    uint64_t first, end;
    uint32_t largest;
    int alone;
} work;

static akin_status run_link(void *argument, uint64_t task, uint32_t thread)
{
    const work *w = argument;
    uint64_t first = w->first + task * TASK, end = akin_min_u64(w->end, first + TASK);
    (void)thread;
    if (!w->edges->checked && akin_edges_check(w->edges, first, end, NULL) != AKIN_OK)
        return AKIN_E_OPTION;
    link_range(w->components, w->edges, first, end, w->alone);
    return AKIN_OK;
}

static akin_status run_settle(void *argument, uint64_t task, uint32_t thread)
{
    const work *w = argument;
    (void)thread;
    settle_task(w->components, task, w->alone);
    if (w->largest != AKIN_COMPONENTS_NONE)
        mark_task(w->components, task, w->largest);
    return AKIN_OK;
}

akin_status akin_components_settle(const akin_scope *scope, akin_components *components)
{
    work w = {.components = components, .alone = !scope || scope->threads == 1, .largest = AKIN_COMPONENTS_NONE};
    return akin_parallel_or_alone(scope, NULL, akin_ceil_div(components->nodes, TASK), run_settle, &w);
}

/* Settles the forest and looks for the largest component; the next time that is done there are twice as many edges. */
static akin_status look_for_largest(const akin_scope *scope, akin_components *c, work *w)
{
    w->largest = find_largest(c);
    c->largest = AKIN_COMPONENTS_NONE;
    c->next = 2 * c->linked;
    akin_status status = akin_parallel_or_alone(scope, NULL, akin_ceil_div(c->nodes, TASK), run_settle, w);
    if (status == AKIN_OK)
        c->largest = w->largest;
    return status;
}

akin_status akin_components_link(const akin_scope *scope, akin_components *components, const akin_edges *edges,
                                 akin_error *error)
{
    akin_status status = AKIN_OK;
    work w = {.components = components, .edges = edges, .alone = !scope || scope->threads == 1};
    for (; w.first < edges->count && status == AKIN_OK; w.first = w.end) {
        if (components->linked >= components->next)
            status = look_for_largest(scope, components, &w);
        w.end = w.first + akin_min_u64(edges->count - w.first, components->next - components->linked);
        if (status == AKIN_OK)
            status = akin_parallel_or_alone(scope, "connecting", akin_ceil_div(w.end - w.first, TASK), run_link, &w);
        components->linked += w.end - w.first;
    }
    if (status == AKIN_E_OPTION)
        return akin_edges_check(edges, 0, edges->count, error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "connecting nodes");
}
