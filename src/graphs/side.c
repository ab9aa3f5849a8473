/* Makes a side of a join of graphs. */
#include "graphs/side.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/sort_parallel.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#define TASK 256 /* graphs that a thread takes at once */

enum { NODE_BUCKETS = 32, EDGE_BUCKETS = 16, DEGREES = 16 };

typedef struct making {
    const akin_scope *scope;
    const akin_graph_ranks *ranks;
    akin_graph_side *side;
} making;

static akin_status fail_side(akin_error *error)
{
    return akin_fail_memory(error, "a join of graphs");
}

static akin_status stop_side(akin_status status, akin_error *error)
{
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "a join of graphs");
}

/* --------------------------------------------------------------------------------------------------------- branches */

/* The hash of a branch: the same for equal ones. Others that have it only make a filter weaker. */
static uint64_t hash_branch(const akin_graph *graph, uint32_t node)
{
    uint64_t sum = 0;
    for (uint32_t e = graph->begin[node]; e < graph->begin[node + 1]; e++)
        sum += akin_mix_u64(graph->ends[e].label + UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9));
    return akin_mix_u64(sum + UINT64_C(0x94d049bb133111eb), graph->label[node] + UINT64_C(0xd6e8feb86659fd93));
}

/* Replaces sorted hashes by the distinct ones, and writes how often each occurs above its place. Returns how many there
 * are. */
static uint32_t count_distinct(uint64_t *hashes, uint64_t count, uint64_t *keys)
{
    uint32_t distinct = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0 || hashes[i] != hashes[i - 1]) {
            keys[distinct] = distinct;
            hashes[distinct++] = hashes[i];
        }
        keys[distinct - 1] += UINT64_C(1) << 32;
    }
    return distinct;
}

/* The place of a hash that is there. */
static uint32_t find_hash(const akin_graph_ranks *ranks, uint64_t hash)
{
    uint32_t low = 0, high = ranks->branch_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ranks->branches[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static akin_status rank_branches(const akin_scope *scope, akin_account *account,
                                 const akin_graph_collection *const graphs[], uint32_t sides, akin_graph_ranks *out,
                                 akin_error *error)
{
    uint64_t count = 0, at = 0;
    for (uint32_t s = 0; s < sides; s++)
        count += graphs[s]->nodes;
    uint64_t *keys = akin_alloc(account, count, sizeof *keys);
    out->branches = akin_alloc(account, count, sizeof *out->branches);
    out->branch = akin_alloc(account, count, sizeof *out->branch);
    if (!keys || !out->branches || !out->branch) {
        akin_free(keys);
        return fail_side(error);
    }
    for (uint32_t s = 0; s < sides; s++)
        for (uint32_t row = 0; row < graphs[s]->rows; row++)
            for (uint32_t i = 0; i < graphs[s]->graphs[row].nodes; i++)
                out->branches[at++] = hash_branch(&graphs[s]->graphs[row], i);
    akin_status status = akin_sort_parallel_u64(scope, account, out->branches, count);
    if (status == AKIN_OK) {
        out->branch_count = count_distinct(out->branches, count, keys);
        status = akin_sort_parallel_u64(scope, account, keys, out->branch_count);
    }
    for (uint32_t i = 0; i < out->branch_count && status == AKIN_OK; i++)
        out->branch[(uint32_t)keys[i]] = i;
    akin_free(keys);
    return stop_side(status, error);
}

/* ----------------------------------------------------------------------------------------------------------- labels */

/* Ranks labels by keys, how often each occurs above its number: the most frequent one first. */
static akin_status rank_labels(const akin_scope *scope, akin_account *account, uint64_t *keys, uint32_t labels,
                               uint32_t *rank)
{
    const akin_status status = akin_sort_parallel_u64(scope, account, keys, labels);
    for (uint32_t i = 0; i < labels && status == AKIN_OK; i++)
        rank[(uint32_t)keys[i]] = labels - 1 - i;
    return status;
}

static void count_labels(const akin_graph *graph, uint64_t *nodes, uint64_t *edges)
{
    for (uint32_t i = 0; i < graph->nodes; i++)
        nodes[graph->label[i]] += UINT64_C(1) << 32;
    for (uint32_t e = 0; e < 2 * graph->edges; e++)
        edges[graph->ends[e].label] += UINT64_C(1) << 31;
}

akin_status akin_graph_ranks_make(const akin_scope *scope, akin_account *account, uint32_t labels,
                                  const akin_graph_collection *const graphs[], uint32_t sides, akin_graph_ranks *out,
                                  akin_error *error)
{
    *out = (akin_graph_ranks){.labels = labels};
    uint64_t *nodes = akin_alloc(account, labels, sizeof *nodes), *edges = akin_alloc(account, labels, sizeof *edges);
    out->nodes = akin_alloc(account, labels, sizeof *out->nodes);
    out->edges = akin_alloc(account, labels, sizeof *out->edges);
    const int has_memory = nodes && edges && out->nodes && out->edges;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < labels && has_memory; i++)
        nodes[i] = edges[i] = i;
    for (uint32_t s = 0; s < sides && has_memory; s++)
        for (uint32_t row = 0; row < graphs[s]->rows; row++)
            count_labels(&graphs[s]->graphs[row], nodes, edges);
    if (has_memory)
        status = rank_labels(scope, account, nodes, labels, out->nodes);
    if (has_memory && status == AKIN_OK)
        status = rank_labels(scope, account, edges, labels, out->edges);
    akin_free(nodes);
    akin_free(edges);
    if (!has_memory)
        return fail_side(error);
    return status == AKIN_OK ? rank_branches(scope, account, graphs, sides, out, error) : stop_side(status, error);
}

void akin_graph_ranks_clear(akin_graph_ranks *ranks)
{
    akin_free(ranks->nodes);
    akin_free(ranks->edges);
    akin_free(ranks->branches);
    akin_free(ranks->branch);
    *ranks = (akin_graph_ranks){0};
}

/* ----------------------------------------------------------------------------------------------------------- graphs */

static akin_status sort_graphs(const making *m, akin_account *account, akin_error *error)
{
    akin_graph_side *side = m->side;
    const uint32_t rows = side->graphs.rows;
    uint64_t *keys = akin_alloc(account, rows, sizeof *keys);
    side->rows = akin_alloc(account, rows, sizeof *side->rows);
    if (!keys || !side->rows) {
        akin_free(keys);
        return fail_side(error);
    }
    for (uint32_t row = 0; row < rows; row++) {
        const akin_graph *graph = &side->graphs.graphs[row];
        if (graph->nodes > 0) /* nodes below 2^11, edges below 2^20 */
            keys[side->count++] = ((uint64_t)graph->nodes << 20 | graph->edges) << 32 | row;
    }
    const akin_status status = akin_sort_parallel_u64(m->scope, account, keys, side->count);
    for (uint32_t p = 0; p < side->count; p++)
        side->rows[p] = (uint32_t)keys[p];
    akin_free(keys);
    return stop_side(status, error);
}

static void count_up(uint8_t *bucket)
{
    *bucket = (uint8_t)(*bucket + (*bucket < UINT8_MAX));
}

/* Frequent labels have buckets of their own. Each edge is counted at the end of the lower node. */
static void fill_sketch(const making *m, uint32_t place)
{
    const akin_graph *graph = akin_graph_at(m->side, place);
    uint8_t *sketch = m->side->sketches + (uint64_t)place * AKIN_GRAPH_SKETCH;
    memset(sketch, 0, AKIN_GRAPH_SKETCH * sizeof *sketch);
    for (uint32_t i = 0; i < graph->nodes; i++) {
        const uint32_t degree = akin_graph_degree(graph, i);
        count_up(&sketch[m->ranks->nodes[graph->label[i]] % NODE_BUCKETS]);
        for (uint32_t e = graph->begin[i]; e < graph->begin[i + 1]; e++)
            if (graph->ends[e].node > i)
                count_up(&sketch[NODE_BUCKETS + m->ranks->edges[graph->ends[e].label] % EDGE_BUCKETS]);
        for (uint32_t d = 0; d < DEGREES && d < degree; d++)
            count_up(&sketch[NODE_BUCKETS + EDGE_BUCKETS + d]);
    }
}

static void fill_branches(const making *m, uint32_t place)
{
    const akin_graph *graph = akin_graph_at(m->side, place);
    uint32_t *branches = m->side->branches + m->side->branches_begin[place];
    for (uint32_t i = 0; i < graph->nodes; i++)
        branches[i] = m->ranks->branch[find_hash(m->ranks, hash_branch(graph, i))];
    akin_sort_u32(branches, graph->nodes);
}

static akin_status fill_graphs(void *argument, uint64_t task, uint32_t thread)
{
    const making *m = argument;
    const uint64_t end = akin_min_u64((task + 1) * TASK, m->side->count);
    (void)thread;
    for (uint64_t place = task * TASK; place < end; place++) {
        fill_sketch(m, (uint32_t)place);
        fill_branches(m, (uint32_t)place);
    }
    return AKIN_OK;
}

akin_status akin_graph_side_make(const akin_scope *scope, akin_account *account, const akin_graph_ranks *ranks,
                                 akin_graph_side *side, akin_error *error)
{
    making m = {scope, ranks, side};
    const akin_status status = sort_graphs(&m, account, error);
    if (status != AKIN_OK)
        return status;
    side->sketches = akin_alloc(account, side->count, AKIN_GRAPH_SKETCH * sizeof *side->sketches);
    side->branches_begin = akin_alloc(account, side->count + UINT64_C(1), sizeof *side->branches_begin);
    side->branches = akin_alloc(account, side->graphs.nodes, sizeof *side->branches);
    if (!side->sketches || !side->branches_begin || !side->branches)
        return fail_side(error);
    side->branches_begin[0] = 0;
    for (uint64_t p = 0; p < side->count; p++)
        side->branches_begin[p + 1] = side->branches_begin[p] + akin_graph_at(side, (uint32_t)p)->nodes;
    return stop_side(akin_parallel(scope, "filtering graphs", akin_ceil_div(side->count, TASK), fill_graphs, &m),
                     error);
}

uint32_t akin_graph_side_find(const akin_graph_side *side, uint64_t nodes)
{
    uint32_t low = 0, high = side->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (akin_graph_at(side, middle)->nodes < nodes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void akin_graph_side_clear(akin_graph_side *side)
{
    akin_graph_collection_clear(&side->graphs);
    akin_free(side->rows);
    akin_free(side->sketches);
    akin_free(side->branches_begin);
    akin_free(side->branches);
    *side = (akin_graph_side){0};
}

/* ----------------------------------------------------------------------------------------------------------- bounds */

/* What counts of nodes, of edges and of degrees differ in, together: an edge that comes or goes changes two degrees. */
static uint32_t add_up(uint32_t nodes_more, uint32_t nodes_less, uint32_t edges_more, uint32_t edges_less,
                       uint32_t degrees)
{
    const uint32_t edges = akin_max_u32(edges_more, edges_less);
    return akin_max_u32(nodes_more, nodes_less) + akin_max_u32(edges, (degrees + 1) / 2);
}

#if defined(__x86_64__)
/* By how much 16 counts of `a` are above those of `b`, in two sums. */
static __m128i more_of(__m128i a, __m128i b)
{
    return _mm_sad_epu8(_mm_subs_epu8(a, b), _mm_setzero_si128());
}

static uint32_t sum_of(__m128i sums)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums)));
}

uint32_t akin_graph_sketches_apart(const uint8_t *a, const uint8_t *b)
{
    __m128i x[AKIN_GRAPH_SKETCH / 16], y[AKIN_GRAPH_SKETCH / 16];
    for (int i = 0; i < AKIN_GRAPH_SKETCH / 16; i++) {
        x[i] = _mm_load_si128((const __m128i *)(const void *)(a + 16 * i));
        y[i] = _mm_load_si128((const __m128i *)(const void *)(b + 16 * i));
    }
    return add_up(sum_of(_mm_add_epi64(more_of(x[0], y[0]), more_of(x[1], y[1]))),
                  sum_of(_mm_add_epi64(more_of(y[0], x[0]), more_of(y[1], x[1]))), sum_of(more_of(x[2], y[2])),
                  sum_of(more_of(y[2], x[2])), sum_of(_mm_sad_epu8(x[3], y[3])));
}
#else
uint32_t akin_graph_sketches_apart(const uint8_t *a, const uint8_t *b)
{
    uint32_t more[3] = {0}, less[3] = {0};
    for (int i = 0; i < AKIN_GRAPH_SKETCH; i++) {
        const int part = (i >= NODE_BUCKETS) + (i >= NODE_BUCKETS + EDGE_BUCKETS);
        more[part] += a[i] > b[i] ? (uint32_t)(a[i] - b[i]) : 0;
        less[part] += b[i] > a[i] ? (uint32_t)(b[i] - a[i]) : 0;
    }
    return add_up(more[0], less[0], more[1], less[1], more[2] + less[2]);
}
#endif

uint32_t akin_graph_branches_apart(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                                   uint32_t most)
{
    if (a_count > b_count)
        return akin_graph_branches_apart(b, b_count, a, a_count, most);
    /* a node of the smaller graph whose branch the other one lacks costs a half, an inserted one a whole edit */
    const uint64_t inserted = b_count - a_count;
    uint64_t lost = 0;
    uint32_t i = 0, j = 0;
    while (i < a_count && inserted + (lost + 1) / 2 <= most) {
        while (j < b_count && b[j] < a[i])
            j++;
        const int is_there = j < b_count && b[j] == a[i];
        lost += !is_there;
        j += (uint32_t)is_there;
        i++;
    }
    return (uint32_t)akin_min_u64(inserted + (lost + 1) / 2, most + UINT64_C(1));
}
