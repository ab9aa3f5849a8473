/* Keeps pairs, sorts them by component, and has components split by all threads. */
#include "graph/split.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/sort_parallel.h"

#include <math.h>
#include <string.h>

#define MOST       127.0                 /* a similarity beyond it counts as this */
#define EDGES_MOST ((uint64_t)INT32_MAX) /* of a component: sums fit into 64 bits */
#define PAIRS      ((uint64_t)1 << 18)   /* that are united at a time */
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

static akin_status add(const akin_scope *scope, akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    kept *k = clusters->own;
    akin_status status = edges->checked ? AKIN_OK : akin_edges_check(edges, 0, edges->count, error);
    (void)scope;
    if (status == AKIN_OK)
        status = akin_bulk_grow(&k->edges, (k->count + edges->count) * sizeof(akin_u128), what, error);
    if (status != AKIN_OK)
        return status;
    akin_u128 *to = k->edges.data;
    for (uint64_t i = 0; i < edges->count; i++) {
        const uint32_t a = edges->pairs[i].left, b = edges->pairs[i].right + edges->shift;
        if (a != b && !is_of_one_source(clusters, a, b))
            to[k->count++] = key_of(a, b, edges->similarities[i]);
    }
    return AKIN_OK;
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
    component *components; /* and the end of the last one */
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

/* Unites the components of some pairs. */
static akin_status link_pairs(const parting *p, akin_components *forest, uint64_t begin, uint64_t end, akin_pair *pairs,
                              akin_error *error)
{
    const akin_edges edges = {
        .pairs = pairs, .count = end - begin, .lefts = forest->nodes, .rights = forest->nodes, .checked = 1};
    for (uint64_t i = begin; i < end; i++)
        pairs[i - begin] = (akin_pair){.left = a_of(p->keys[i]), .right = b_of(p->keys[i])};
    return akin_components_link(p->scope, forest, &edges, error);
}

static akin_status mark_pairs(void *parting_, uint64_t task, uint32_t thread)
{
    const parting *p = parting_;
    const uint64_t end = akin_min_u64((task + 1) * PAIRS, p->count);
    (void)thread;
    for (uint64_t i = task * PAIRS; i < end; i++)
        p->keys[i] = (p->keys[i] << 32 >> 32) | (akin_u128)p->nodes[a_of(p->keys[i])] << 96;
    return AKIN_OK;
}

/* Writes the first row of its component to the key of each pair. */
static akin_status find_components(parting *p, akin_error *error)
{
    akin_components forest;
    akin_status status = AKIN_OK;
    akin_pair *pairs = akin_alloc(NULL, PAIRS, sizeof *pairs);
    if (!pairs)
        return akin_fail_memory(error, what);
    akin_components_begin(&forest, p->bulks[0].data, p->labels, p->clusters->components.nodes);
    for (uint64_t i = 0; i < p->count && status == AKIN_OK; i += PAIRS)
        status = link_pairs(p, &forest, i, akin_min_u64(i + PAIRS, p->count), pairs, error);
    akin_free(pairs);
    if (status != AKIN_OK)
        return status;
    status = akin_components_settle(p->scope, &forest);
    return status == AKIN_OK ? akin_parallel(p->scope, NULL, akin_ceil_div(p->count, PAIRS), mark_pairs, p) : status;
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

/* Sorts the pairs by component, and makes each occur once. */
static akin_status sort_pairs(parting *p, akin_error *error)
{
    akin_status status = find_components(p, error);
    if (status == AKIN_OK)
        status = akin_sort_parallel_u128(p->scope, &p->account, p->keys, p->count);
    if (status == AKIN_OK)
        drop_repeated(p);
    return status;
}

/* Lists components, and refuses one that is too large. */
static akin_status list_components(parting *p, akin_error *error)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < p->count; i++)
        count += i == 0 || p->keys[i] >> 96 != p->keys[i - 1] >> 96;
    p->component_count = count;
    p->components = akin_alloc(NULL, (uint64_t)count + 1, sizeof *p->components);
    if (!p->components)
        return akin_fail_memory(error, what);
    count = 0;
    for (uint64_t i = 0; i < p->count; i++)
        if (i == 0 || p->keys[i] >> 96 != p->keys[i - 1] >> 96)
            p->components[count++].key = i;
    p->components[count].key = p->count;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t edges = p->components[i + 1].key - p->components[i].key;
        if (edges > EDGES_MOST)
            return akin_fail(error, AKIN_E_LIMIT,
                             "a connected component has %llu pairs; expected at most %llu for clusters by similarity: "
                             "raise the threshold, or take the components as clusters",
                             (unsigned long long)edges, (unsigned long long)EDGES_MOST);
    }
    return AKIN_OK;
}

#define ALONE UINT32_MAX /* the place of a row without a pair */
#define AHEAD 32u        /* rows, whose places are prefetched */

/* Lists the rows of each component. Rows and components ascend. */
static void list_rows(const parting *p)
{
    const uint32_t rows = p->clusters->components.nodes;
    /* By the first row of a component: how many rows it has; then where its next row goes. */
    uint32_t *places = p->labels;
    uint32_t place = 0, count = 0;
    memset(places, 0, (uint64_t)rows * sizeof *places);
    for (uint32_t row = 0; row < rows; row++) {
        if (row + AHEAD < rows)
            __builtin_prefetch(&places[p->nodes[row + AHEAD]]);
        places[p->nodes[row]]++;
    }
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t size = places[row];
        places[row] = size < 2 ? ALONE : place;
        if (size < 2)
            continue;
        p->components[count++].row = place;
        place += size;
    }
    p->components[count].row = place;
    for (uint32_t row = 0; row < rows; row++) {
        if (row + AHEAD < rows)
            __builtin_prefetch(&places[p->nodes[row + AHEAD]]);
        if (places[p->nodes[row]] != ALONE)
            p->rows[places[p->nodes[row]]++] = row;
    }
}

#define TASK_COMPONENTS 4096
#define TASK_ROWS       65536

/* Numbers the rows of some components. */
static akin_status number_rows(void *argument, uint64_t task, uint32_t thread)
{
    const parting *p = argument;
    const uint32_t end = (uint32_t)akin_min_u64((task + 1) * TASK_COMPONENTS, p->component_count);
    (void)thread;
    for (uint32_t i = (uint32_t)(task * TASK_COMPONENTS); i < end; i++)
        for (uint32_t at = p->components[i].row; at < p->components[i + 1].row; at++)
            p->nodes[p->rows[at]] = at - p->components[i].row;
    return AKIN_OK;
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
static void plant_labels(const parting *p, akin_clusters *clusters)
{
    akin_components *forest = &clusters->components;
    akin_components_begin(forest, forest->parents, forest->members, forest->nodes);
    for (uint32_t row = 0; row < forest->nodes; row++)
        atomic_store_explicit(&forest->parents[row], p->labels[row], memory_order_relaxed);
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
        list_rows(p);
        status = akin_parallel(p->scope, NULL, akin_ceil_div(p->component_count, TASK_COMPONENTS), number_rows, p);
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
        plant_labels(&p, clusters);
    }
    clear_parting(&p);
    return status;
}

const akin_clustering_functions akin_split_functions = {
    .begin = begin, .add = add, .close = close_clusters, .clear = clear};
