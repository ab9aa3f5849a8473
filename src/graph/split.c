/* Keeps pairs, sorts them by component, and has components split by all threads. */
#include "graph/split.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/counted.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/sort_parallel.h"
#include "graph/followers.h"

#include <math.h>
#include <string.h>

#define MOST       127.0                 /* a similarity beyond it counts as this */
#define EDGES_MOST ((uint64_t)INT32_MAX) /* of a component: sums fit into 64 bits */
#define PAIRS      ((uint64_t)1 << 22)   /* that are united at a time */
#define TASK_PAIRS 65536
#define SIGN       UINT32_C(0x80000000)

static const char what[] = "the pairs of the clusters";

/* Whether the rows are of one source, where sources are kept apart. */
static int is_of_one_source(const akin_clusters *clusters, uint32_t a, uint32_t b)
{
    const uint32_t *sources = clusters->sources.data;
    return sources && sources[a] == sources[b] && sources[a] != AKIN_NO_SOURCE;
}

/* Pairs, kept until the clusters are closed. An edge is a key that sorts by component, nodes and similarity:
 *
 *     component | a | b | similarity, with the sign bit inverted       32 bits each, the component is known at the end
 */
typedef struct kept {
    akin_bulk edges; /* akin_u128 each */
    uint64_t count;
    int64_t least;
} kept;

static int64_t fixed_of(double similarity)
{
    return llrint(fmax(-MOST, fmin(MOST, similarity)) * (1 << AKIN_SPLIT_BITS));
}

static akin_u128 key_of(uint32_t a, uint32_t b, double similarity)
{
    const uint32_t low = (uint32_t)(int32_t)fixed_of(similarity) ^ SIGN;
    return (akin_u128)(a < b ? a : b) << 64 | (akin_u128)(a < b ? b : a) << 32 | low;
}

static uint32_t a_of(akin_u128 key)
{
    return (uint32_t)(key >> 64);
}

static uint32_t b_of(akin_u128 key)
{
    return (uint32_t)(key >> 32);
}

static akin_status begin(const akin_scope *scope, akin_clusters *clusters, const akin_clusters_options *options,
                         akin_error *error)
{
    const akin_clustering_row *row = clusters->clustering;
    const akin_ratio own = options->parameter.num > 0 ? options->parameter : row->least;
    if (own.den > 0 && (own.num > own.den || fixed_of((double)own.num / own.den) == 0))
        return akin_fail(error, AKIN_E_OPTION,
                         "clustering %s: its parameter is %g; expected a number above 0, at most 1", row->choice.name,
                         (double)own.num / own.den);
    kept *k = akin_alloc_zero(NULL, 1, sizeof *k);
    if (!k)
        return akin_fail_memory(error, "the clusters");
    if (scope)
        k->edges = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_EDGES));
    if (own.den > 0)
        k->least = fixed_of((double)own.num / own.den);
    clusters->own = k;
    return AKIN_OK;
}

/* Pairs that are added. */
typedef struct adding {
    const akin_clusters *clusters;
    const akin_edges *edges;
    uint64_t *starts; /* of each task: its first place behind those there are */
    akin_u128 *keys;  /* behind those */
} adding;

/* Whether a pair is kept: its rows are two, and not of one source. */
static int is_kept(const adding *a, uint64_t pair)
{
    const uint32_t left = a->edges->pairs[pair].left, right = a->edges->pairs[pair].right + a->edges->shift;
    return left != right && !is_of_one_source(a->clusters, left, right);
}

/* Checks the pairs of a task, and counts those that are kept. */
static akin_status count_kept(void *argument, uint64_t task, uint32_t thread)
{
    const adding *a = argument;
    const uint64_t begin = task * TASK_PAIRS, end = akin_min_u64(begin + TASK_PAIRS, a->edges->count);
    uint64_t count = 0;
    (void)thread;
    if (!a->edges->checked && akin_edges_check(a->edges, begin, end, NULL) != AKIN_OK)
        return AKIN_E_OPTION;
    for (uint64_t i = begin; i < end; i++)
        count += is_kept(a, i) != 0;
    a->starts[task + 1] = count;
    return AKIN_OK;
}

static akin_status keep_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const adding *a = argument;
    const akin_edges *edges = a->edges;
    const uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, edges->count);
    akin_u128 *to = a->keys + a->starts[task];
    (void)thread;
    for (uint64_t i = task * TASK_PAIRS; i < end; i++)
        if (is_kept(a, i))
            *to++ = key_of(edges->pairs[i].left, edges->pairs[i].right + edges->shift, edges->similarities[i]);
    return AKIN_OK;
}

/* Keeps pairs, task by task. */
static akin_status add_tasks(const akin_scope *scope, kept *k, adding *a, uint64_t tasks, akin_error *error)
{
    akin_status status = akin_parallel_or_alone(scope, NULL, tasks, count_kept, a);
    if (status == AKIN_E_OPTION)
        return akin_edges_check(a->edges, 0, a->edges->count, error);
    for (uint64_t t = 0; t < tasks && status == AKIN_OK; t++)
        a->starts[t + 1] += a->starts[t];
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = akin_bulk_grow(&k->edges, (k->count + a->starts[tasks]) * sizeof(akin_u128), what, error);
    if (status != AKIN_OK)
        return status;
    a->keys = (akin_u128 *)k->edges.data + k->count;
    status = akin_parallel_or_alone(scope, NULL, tasks, keep_pairs, a);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    k->count += a->starts[tasks];
    return AKIN_OK;
}

static akin_status add(const akin_scope *scope, akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(edges->count, TASK_PAIRS);
    uint64_t few[2] = {0};
    adding a = {clusters, edges, tasks < 2 ? few : akin_alloc_zero(NULL, tasks + 1, sizeof *a.starts), NULL};
    if (!a.starts)
        return akin_fail_memory(error, what);
    const akin_status status = add_tasks(scope, clusters->own, &a, tasks, error);
    if (a.starts != few)
        akin_free(a.starts);
    return status;
}

static void clear(akin_clusters *clusters)
{
    kept *k = clusters->own;
    if (k)
        akin_bulk_clear(&k->edges);
    akin_free(k);
}

/* ------------------------------------------------------------------------------------------------------- components */

/* Where a component begins: the keys of its pairs, and its rows. The next component begins where it ends. */
typedef struct component {
    uint64_t key;
    uint32_t row;
} component;

/* What each thread has. */
typedef struct worker {
    akin_split_room edges, labels, sources, own; /* of a component; own: what the clustering makes */
} worker;

typedef struct parting {
    const akin_scope *scope;
    const akin_clusters *clusters;
    const kept *kept;
    akin_u128 *keys; /* sorted; each pair once */
    uint64_t count;
    uint64_t *starts;        /* of each task of pairs: its first component */
    atomic_int has_repeated; /* a pair occurs twice */
    component *components;   /* and the end of the last one */
    uint32_t component_count;
    uint32_t *nodes;    /* by row: its component, then its node there */
    uint32_t *rows;     /* of the components, ascending */
    uint32_t *labels;   /* by row: the first row of its cluster */
    akin_bulk bulks[3]; /* what these three are in */
    akin_account account;
    worker *workers;
    atomic_int cancelled;
} parting;

void *akin_split_reserve(akin_split_room *room, uint64_t bytes)
{
    if (bytes > room->capacity) {
        akin_free(room->data);
        room->data = akin_alloc(NULL, bytes, 1);
        room->capacity = room->data ? bytes : 0;
    }
    return room->data ? memset(room->data, 0, bytes) : NULL;
}

int akin_split_order(const akin_split_graph *graph, uint64_t *keys)
{
    for (uint64_t i = 0; i < graph->count; i++)
        keys[i] = (uint64_t) ~((uint32_t)graph->edges[i].similarity ^ UINT32_C(0x80000000)) << 32 | (uint32_t)i;
    return akin_sort_long_u64(keys, graph->count, graph->cancellation);
}

/* Pairs that are linked at a time. */
typedef struct linking {
    const akin_u128 *keys;
    akin_pair *pairs;
    uint64_t count;
} linking;

static akin_status list_pairs(void *argument, uint64_t task, uint32_t thread)
{
    const linking *l = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, l->count);
    (void)thread;
    for (uint64_t i = task * TASK_PAIRS; i < end; i++)
        l->pairs[i] = (akin_pair){.left = a_of(l->keys[i]), .right = b_of(l->keys[i])};
    return AKIN_OK;
}

/* Unites the components of some pairs. */
static akin_status link_pairs(const parting *p, akin_components *forest, linking *l, akin_error *error)
{
    const akin_edges edges = {
        .pairs = l->pairs, .count = l->count, .lefts = forest->nodes, .rights = forest->nodes, .checked = 1};
    const akin_status status = akin_parallel(p->scope, NULL, akin_ceil_div(l->count, TASK_PAIRS), list_pairs, l);
    return status == AKIN_OK ? akin_components_link(p->scope, forest, &edges, error) : status;
}

static akin_status mark_pairs(void *parting_, uint64_t task, uint32_t thread)
{
    const parting *p = parting_;
    const uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, p->count);
    (void)thread;
    for (uint64_t i = task * TASK_PAIRS; i < end; i++)
        p->keys[i] = (p->keys[i] << 32 >> 32) | (akin_u128)p->nodes[a_of(p->keys[i])] << 96;
    return AKIN_OK;
}

/* Writes the first row of its component to the key of each pair. */
static akin_status find_components(parting *p, akin_error *error)
{
    akin_components forest = {0};
    linking l = {.pairs = akin_alloc(NULL, akin_min_u64(PAIRS, p->count), sizeof *l.pairs)};
    if (!l.pairs)
        return akin_fail_memory(error, what);
    akin_status status =
        akin_components_begin(p->scope, &forest, p->bulks[0].data, p->labels, p->clusters->components.nodes, NULL);
    for (uint64_t i = 0; i < p->count && status == AKIN_OK; i += PAIRS) {
        l.keys = p->keys + i;
        l.count = akin_min_u64(PAIRS, p->count - i);
        status = link_pairs(p, &forest, &l, error);
    }
    akin_free(l.pairs);
    if (status != AKIN_OK)
        return status;
    status = akin_components_settle(p->scope, &forest);
    return status == AKIN_OK ? akin_parallel(p->scope, NULL, akin_ceil_div(p->count, TASK_PAIRS), mark_pairs, p)
                             : status;
}

/* Counts the components that begin at pairs of a task, and notes whether a pair occurs twice. */
static akin_status count_components(void *argument, uint64_t task, uint32_t thread)
{
    parting *p = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, p->count);
    uint64_t count = 0, repeated = 0;
    (void)thread;
    for (uint64_t i = task * TASK_PAIRS; i < end; i++) {
        count += i == 0 || p->keys[i] >> 96 != p->keys[i - 1] >> 96;
        repeated += i > 0 && p->keys[i] >> 32 == p->keys[i - 1] >> 32;
    }
    p->starts[task + 1] = count;
    if (repeated > 0)
        atomic_store_explicit(&p->has_repeated, 1, memory_order_relaxed);
    return AKIN_OK;
}

static akin_status note_components(void *argument, uint64_t task, uint32_t thread)
{
    const parting *p = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK_PAIRS, p->count);
    uint64_t at = p->starts[task];
    (void)thread;
    for (uint64_t i = task * TASK_PAIRS; i < end; i++)
        if (i == 0 || p->keys[i] >> 96 != p->keys[i - 1] >> 96)
            p->components[at++].key = i;
    return AKIN_OK;
}

/* Keeps the highest similarity of each pair. */
static void drop_repeated(parting *p)
{
    uint64_t distinct = 0;
    for (uint64_t i = 0; i < p->count; i++)
        if (i + 1 == p->count || p->keys[i] >> 32 != p->keys[i + 1] >> 32)
            p->keys[distinct++] = p->keys[i];
    p->count = distinct;
}

/* Sorts the pairs by component, and makes each occur once. Counts components task by task. */
static akin_status sort_pairs(parting *p, akin_error *error)
{
    akin_status status = find_components(p, error);
    if (status == AKIN_OK)
        status = akin_sort_parallel_u128(p->scope, &p->account, p->keys, p->count);
    p->starts =
        status == AKIN_OK ? akin_alloc_zero(NULL, akin_ceil_div(p->count, TASK_PAIRS) + 1, sizeof *p->starts) : NULL;
    if (status == AKIN_OK && !p->starts)
        return akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = akin_parallel(p->scope, NULL, akin_ceil_div(p->count, TASK_PAIRS), count_components, p);
    if (status != AKIN_OK || !p->has_repeated)
        return status;
    drop_repeated(p);
    return akin_parallel(p->scope, NULL, akin_ceil_div(p->count, TASK_PAIRS), count_components, p);
}

/* Refuses a component that is too large. */
static akin_status check_components(const parting *p, akin_error *error)
{
    akin_counted has, most;
    for (uint32_t i = 0; i < p->component_count && p->count > EDGES_MOST; i++) {
        const uint64_t edges = p->components[i + 1].key - p->components[i].key;
        if (edges > EDGES_MOST)
            return akin_fail(error, AKIN_E_LIMIT,
                             "a connected component has %s; expected at most %s for clusters by similarity: raise the "
                             "threshold, or take the components as clusters",
                             akin_count(&has, edges, "pair"), akin_count(&most, EDGES_MOST, "pair"));
    }
    return AKIN_OK;
}

/* Lists components. */
static akin_status list_components(parting *p, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(p->count, TASK_PAIRS);
    for (uint64_t t = 0; t < tasks; t++)
        p->starts[t + 1] += p->starts[t];
    p->component_count = (uint32_t)p->starts[tasks];
    p->components = akin_alloc(NULL, (uint64_t)p->component_count + 1, sizeof *p->components);
    if (!p->components)
        return akin_fail_memory(error, what);
    p->components[p->component_count].key = p->count;
    const akin_status status = akin_parallel(p->scope, NULL, tasks, note_components, p);
    return status == AKIN_OK ? check_components(p, error) : akin_fail_stopped(error, status, "the clusters");
}

#define TASK_COMPONENTS 4096
#define TASK_ROWS       65536

/* Where the rows of components are listed from. */
typedef struct rows_listing {
    const parting *parting;
    uint64_t *followers, count; /* sorted (followers.h) */
} rows_listing;

/* The first row of a component. */
static uint32_t first_row(const parting *p, uint32_t component)
{
    return (uint32_t)(p->keys[p->components[component].key] >> 96);
}

/* Lists and numbers the rows of some components. */
static akin_status number_rows(void *argument, uint64_t task, uint32_t thread)
{
    const rows_listing *l = argument;
    const parting *p = l->parting;
    const uint32_t begin = (uint32_t)(task * TASK_COMPONENTS),
                   end = (uint32_t)akin_min_u64((task + 1) * TASK_COMPONENTS, p->component_count);
    uint64_t at = akin_lower_bound_u64(l->followers, l->count, (uint64_t)first_row(p, begin) << 32);
    (void)thread;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t first = first_row(p, i);
        uint32_t *rows = p->rows + at + i; /* before it there are i first rows, and `at` others */
        uint32_t count = 1;
        p->components[i].row = (uint32_t)(at + i);
        rows[0] = first;
        for (; at < l->count && l->followers[at] >> 32 == first; at++)
            rows[count++] = (uint32_t)l->followers[at];
        for (uint32_t node = 0; node < count; node++)
            p->nodes[rows[node]] = node;
    }
    return AKIN_OK;
}

/* Lists and numbers the rows of each component. Rows and components ascend. */
static akin_status list_rows(parting *p, akin_error *error)
{
    rows_listing l = {p, NULL, 0};
    akin_status status =
        akin_followers_list(p->scope, NULL, p->nodes, p->clusters->components.nodes, &l.followers, &l.count, error);
    if (status == AKIN_OK)
        status = akin_sort_parallel_u64(p->scope, &p->account, l.followers, l.count);
    if (status == AKIN_OK)
        status = akin_parallel(p->scope, NULL, akin_ceil_div(p->component_count, TASK_COMPONENTS), number_rows, &l);
    p->components[p->component_count].row = (uint32_t)(l.count + p->component_count);
    akin_free(l.followers);
    return status;
}

/* Makes each row a cluster. */
static akin_status label_alone(void *argument, uint64_t task, uint32_t thread)
{
    const parting *p = argument;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * TASK_ROWS, p->clusters->components.nodes);
    (void)thread;
    for (uint32_t row = (uint32_t)(task * TASK_ROWS); row < end; row++)
        p->labels[row] = row;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

static uint64_t bytes_before(const void *parting_, uint32_t component)
{
    const parting *p = parting_;
    return p->components[component].key * sizeof *p->keys;
}

static void list_edges(const parting *p, uint32_t component, akin_split_edge *edges)
{
    for (uint64_t i = p->components[component].key; i < p->components[component + 1].key; i++)
        *edges++ = (akin_split_edge){.a = p->nodes[a_of(p->keys[i])],
                                     .b = p->nodes[b_of(p->keys[i])],
                                     .similarity = (int32_t)((uint32_t)p->keys[i] ^ SIGN)};
}

/* Lists the sources of the nodes, if sources are kept apart. 0: there is not enough memory. */
static int list_sources(const parting *p, const uint32_t *rows, akin_split_room *room, akin_split_graph *graph)
{
    const uint32_t *of = p->clusters->sources.data;
    uint32_t *sources = of ? akin_split_reserve(room, graph->nodes * sizeof *sources) : NULL;
    for (uint32_t node = 0; node < graph->nodes && sources; node++)
        sources[node] = of[rows[node]];
    graph->sources = sources;
    return !of || sources;
}

static akin_status split_component(const parting *p, uint32_t component, worker *w, akin_cancellation *cancellation)
{
    const uint32_t *rows = p->rows + p->components[component].row;
    akin_split_graph graph = {.nodes = p->components[component + 1].row - p->components[component].row,
                              .has_sides = p->clusters->rows_right > 0,
                              .count = p->components[component + 1].key - p->components[component].key,
                              .least = p->kept->least,
                              .are_few = p->clusters->are_few,
                              .room = &w->own,
                              .cancellation = cancellation};
    akin_split_edge *edges = akin_split_reserve(&w->edges, graph.count * sizeof *edges);
    graph.labels = akin_split_reserve(&w->labels, graph.nodes * sizeof *graph.labels);
    if (!edges || !graph.labels || !list_sources(p, rows, &w->sources, &graph))
        return AKIN_E_NOMEM;
    list_edges(p, component, edges);
    graph.edges = edges;
    if (graph.has_sides)
        graph.lefts = (uint32_t)akin_lower_bound_u32(rows, graph.nodes, p->clusters->rows_left);
    const akin_status status = p->clusters->clustering->split(&graph);
    for (uint32_t node = 0; node < graph.nodes && status == AKIN_OK; node++)
        p->labels[rows[node]] = rows[graph.labels[node]];
    return status;
}

static akin_status split_task(void *argument, uint64_t task, uint32_t thread)
{
    parting *p = argument;
    akin_cancellation cancellation = {.scope = p->scope, .cancelled = &p->cancelled, .thread = thread};
    const uint32_t end = akin_weighed_begin(bytes_before, p, p->component_count, task + 1);
    akin_status status = AKIN_OK;
    for (uint32_t i = akin_weighed_begin(bytes_before, p, p->component_count, task); i < end && status == AKIN_OK; i++)
        status = split_component(p, i, &p->workers[thread], &cancellation);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- closing */

/* Makes the forest anew: each row below the first row of its cluster, which is its label. */
static akin_status plant_labels(const parting *p, akin_clusters *clusters)
{
    akin_components *forest = &clusters->components;
    return akin_components_begin(p->scope, forest, forest->parents, forest->members, forest->nodes, p->labels);
}

static akin_status begin_parting(parting *p, akin_error *error)
{
    uint32_t **const arrays[] = {&p->nodes, &p->rows, &p->labels};
    const uint64_t bytes = p->clusters->components.nodes * sizeof(uint32_t);
    akin_status status = AKIN_OK;
    p->account.limit = akin_budget(p->scope, AKIN_BUDGET_EDGES_MAKING);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == AKIN_OK; i++) {
        p->bulks[i] = akin_bulk_of(p->scope, NULL, akin_budget(p->scope, AKIN_BUDGET_CLUSTERS));
        status = akin_bulk_reserve(&p->bulks[i], bytes, what, error);
        *arrays[i] = p->bulks[i].data;
    }
    p->workers = akin_alloc_zero(NULL, p->scope->threads, sizeof *p->workers);
    return status != AKIN_OK || p->workers ? status : akin_fail_memory(error, what);
}

static void clear_parting(parting *p)
{
    for (uint32_t thread = 0; thread < p->scope->threads && p->workers; thread++) {
        akin_free(p->workers[thread].edges.data);
        akin_free(p->workers[thread].labels.data);
        akin_free(p->workers[thread].sources.data);
        akin_free(p->workers[thread].own.data);
    }
    akin_free(p->workers);
    akin_free(p->components);
    akin_free(p->starts);
    for (size_t i = 0; i < sizeof p->bulks / sizeof *p->bulks; i++)
        akin_bulk_clear(&p->bulks[i]);
}

static akin_status split(parting *p, akin_error *error)
{
    akin_status status = sort_pairs(p, error);
    if (status == AKIN_OK) {
        status = list_components(p, error);
        if (status != AKIN_OK)
            return status;
        status = list_rows(p, error);
    }
    if (status == AKIN_OK)
        status = akin_parallel(p->scope, NULL, akin_ceil_div(p->clusters->components.nodes, TASK_ROWS), label_alone, p);
    if (status == AKIN_OK)
        status = akin_parallel_long(p->scope, "clustering", akin_weighed_tasks(bytes_before, p, p->component_count),
                                    split_task, p, &p->cancelled);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the clusters");
}

static akin_status close_clusters(const akin_scope *scope, akin_clusters *clusters, akin_error *error)
{
    kept *k = clusters->own;
    parting p = {.scope = scope, .clusters = clusters, .kept = k, .keys = k->edges.data, .count = k->count};
    akin_status status = begin_parting(&p, error);
    if (status == AKIN_OK)
        status = split(&p, error);
    if (status == AKIN_OK) {
        k->count = p.count;
        status = plant_labels(&p, clusters);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, "the clusters");
    }
    clear_parting(&p);
    return status;
}

const akin_clustering_functions akin_split_functions = {
    .begin = begin, .add = add, .close = close_clusters, .clear = clear};
