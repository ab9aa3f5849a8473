/*
 * The tiled algorithm of Warshall on the CPU, and what makes a matrix of edges and trees of a matrix.
 *
 * There is a stage for each tile on the diagonal, the pivot. Once it is closed in itself (phase 1), the tiles in its
 * row and its column are (2), by way of the records of the pivot, and then all others (3):
 *
 *     . c . .        pivot p    phase 1: closure of p
 *     r p r r        row r      phase 2: r |= p x r,  c |= c x p
 *     . c . .        column c   phase 3: t |= c x r,  for the tile t in the row of c and the column of r
 *     . c . .
 *
 * x is the product of matrices of bits: row i of the result unites those rows of the right one whose bits are set in
 * row i of the left one. So rows are read one way, along their words (Warren), 256 bits at a time. Tiles without a bit
 * are left out, which are most of them where clusters are small.
 */
#include "papers/graph/warshall.h"

#include "base/budget.h"
#include "base/bits.h"
#include "base/bulk.h"
#include "base/parallel.h"
#include "device/devices.h"
#include "device/worth.h"

#include <stdio.h>
#include <string.h>

#define BITS_A_SECOND  2e9   /* of the matrix, by a thread: a rough figure, by which 140 MiB are worth opening a GPU */
#define SECONDS_TO_USE 2e-3  /* that a GPU takes for any matrix, however small */
#define EDGES          1024u /* edges to the smallest of their cluster that are united at a time */
#define PHASE          "closing"

/* ------------------------------------------------------------------------------------------------------------ tiles */

/* a |= b, for rows of 256 bits */
static inline void unite(uint32_t *a, const uint32_t *b)
{
    for (uint32_t w = 0; w < AKIN_TILE_WORDS; w++)
        a[w] |= b[w];
}

static int is_empty(const akin_tile *tile)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < AKIN_TILE && any == 0; i++)
        for (uint32_t w = 0; w < AKIN_TILE_WORDS; w++)
            any |= tile->rows[i][w];
    return any == 0;
}

/* The closure of a tile on the diagonal. */
static void close_pivot(akin_tile *tile)
{
    for (uint32_t by = 0; by < AKIN_TILE; by++)
        for (uint32_t i = 0; i < AKIN_TILE; i++)
            if (tile->rows[i][by / 32] >> (by % 32) & 1)
                unite(tile->rows[i], tile->rows[by]);
}

/* out |= a x b. Either may be out itself, if the other is closed: what is there too early does no harm. */
static void multiply_tile(akin_tile *out, const akin_tile *a, const akin_tile *b)
{
    for (uint32_t i = 0; i < AKIN_TILE; i++) {
        uint32_t row[AKIN_TILE_WORDS]; /* in registers, while it grows */
        memcpy(row, out->rows[i], sizeof row);
        for (uint32_t w = 0; w < AKIN_TILE_WORDS; w++)
            for (uint32_t bits = a->rows[i][w]; bits; bits &= bits - 1)
                unite(row, b->rows[32 * w + (uint32_t)__builtin_ctz(bits)]);
        memcpy(out->rows[i], row, sizeof row);
    }
}

/* ----------------------------------------------------------------------------------------------------------- stages */

typedef struct stage {
    akin_bit_matrix matrix;
    uint32_t pivot;
    uint8_t *filled; /* by column: whether the tile there in the pivot's row has a bit */
} stage;

/* A tile in the pivot's row, and the one in its column. */
static akin_status run_cross(void *argument, uint64_t task, uint32_t thread)
{
    const stage *s = argument;
    uint32_t at = (uint32_t)task;
    (void)thread;
    if (at == s->pivot)
        return AKIN_OK;
    const akin_tile *pivot = akin_bit_matrix_tile(&s->matrix, s->pivot, s->pivot);
    akin_tile *row = akin_bit_matrix_tile(&s->matrix, s->pivot, at),
              *column = akin_bit_matrix_tile(&s->matrix, at, s->pivot);
    s->filled[at] = !is_empty(row);
    if (s->filled[at])
        multiply_tile(row, pivot, row);
    if (!is_empty(column))
        multiply_tile(column, column, pivot);
    return AKIN_OK;
}

/* The other tiles of a row. */
static akin_status run_rest(void *argument, uint64_t task, uint32_t thread)
{
    const stage *s = argument;
    uint32_t i = (uint32_t)task;
    const akin_tile *column = akin_bit_matrix_tile(&s->matrix, i, s->pivot);
    (void)thread;
    if (i == s->pivot || is_empty(column))
        return AKIN_OK;
    for (uint32_t j = 0; j < s->matrix.side; j++)
        if (j != s->pivot && s->filled[j])
            multiply_tile(akin_bit_matrix_tile(&s->matrix, i, j), column,
                          akin_bit_matrix_tile(&s->matrix, s->pivot, j));
    return AKIN_OK;
}

akin_status akin_warshall_close(const akin_scope *scope, const akin_bit_matrix *matrix, akin_error *error)
{
    stage s = {.matrix = *matrix, .filled = akin_alloc(NULL, matrix->side, 1)};
    akin_status status = AKIN_OK;
    if (!s.filled)
        return akin_fail_memory(error, "the closure");
    for (; s.pivot < matrix->side && status == AKIN_OK; s.pivot++) {
        status = akin_scope_report(scope, PHASE, s.pivot, matrix->side);
        if (status != AKIN_OK)
            break;
        close_pivot(akin_bit_matrix_tile(matrix, s.pivot, s.pivot));
        status = akin_parallel(scope, NULL, matrix->side, run_cross, &s);
        if (status == AKIN_OK)
            status = akin_parallel(scope, NULL, matrix->side, run_rest, &s);
    }
    akin_free(s.filled);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "the closure");
}

/* -------------------------------------------------------------------------------------------------- edges and trees */

typedef struct closure {
    const akin_scope *scope;
    const uint64_t *edges;
    uint64_t count;
    uint32_t *numbers; /* by node: its record, if it occurs */
    uint32_t *nodes;   /* by record */
    uint32_t records;
    akin_bit_matrix matrix;
    akin_bulk bits;
} closure;

/* Numbers the nodes that occur. */
static akin_status number_nodes(closure *c, uint32_t nodes, akin_error *error)
{
    memset(c->numbers, 0, nodes * sizeof *c->numbers);
    for (uint64_t i = 0; i < c->count; i++)
        c->numbers[c->edges[i] >> 32] = c->numbers[(uint32_t)c->edges[i]] = 1;
    for (uint32_t node = 0; node < nodes; node++)
        c->records += c->numbers[node];
    if (c->records > AKIN_WARSHALL_RECORDS)
        return akin_fail(
            error, AKIN_E_LIMIT,
            "%u records occur in pairs, too many for a matrix, which has room for %u at most: clusters that "
            "are connected components have no such limit",
            c->records, AKIN_WARSHALL_RECORDS);
    c->nodes = akin_alloc(NULL, c->records, sizeof *c->nodes);
    if (!c->nodes)
        return akin_fail_memory(error, "the closure");
    uint32_t record = 0;
    for (uint32_t node = 0; node < nodes; node++)
        if (c->numbers[node]) {
            c->nodes[record] = node;
            c->numbers[node] = record++;
        }
    return AKIN_OK;
}

static void set(const akin_bit_matrix *matrix, uint32_t i, uint32_t j)
{
    akin_tile *tile = akin_bit_matrix_tile(matrix, i / AKIN_TILE, j / AKIN_TILE);
    tile->rows[i % AKIN_TILE][j % AKIN_TILE / 32] |= UINT32_C(1) << (j % 32);
}

/* A pair is a bit in both directions. */
static akin_status fill_matrix(closure *c, akin_error *error)
{
    char what[120];
    uint32_t side = c->matrix.side = (uint32_t)akin_ceil_div(c->records, AKIN_TILE);
    uint64_t bytes = (uint64_t)side * side * sizeof(akin_tile);
    snprintf(what, sizeof what, "a matrix of %u records that occur in pairs, %llu bytes", c->records,
             (unsigned long long)bytes);
    c->bits = akin_bulk_of(c->scope, NULL, akin_budget(c->scope, AKIN_BUDGET_BIT_MATRIX));
    akin_status status = akin_bulk_reserve_zeros(&c->bits, bytes, what, error);
    if (status != AKIN_OK)
        return status;
    akin_bulk_trim(&c->bits, c->bits.capacity);
    c->matrix.tiles = c->bits.data;
    for (uint64_t i = 0; i < c->count; i++) {
        uint32_t a = c->numbers[c->edges[i] >> 32], b = c->numbers[(uint32_t)c->edges[i]];
        set(&c->matrix, a, b);
        set(&c->matrix, b, a);
    }
    return AKIN_OK;
}

static akin_status close_matrix(const closure *c, akin_error *error)
{
    const akin_scope *scope = c->scope;
    akin_device *device = NULL;
    akin_status status = AKIN_OK;
    const double bits = (double)c->records * c->records, scale = akin_calibrated_scale(scope, AKIN_CALIBRATED_BITMAP);
    const akin_device_estimate e = {.here = scale * bits / (BITS_A_SECOND * scope->threads),
                                    .there = SECONDS_TO_USE + akin_device_bringing(scope, 2 * bits / 8)};
    if (akin_device_is_worth(scope, &e))
        status = akin_device_of(scope, &device, error);
    if (status != AKIN_OK || !device)
        return status == AKIN_OK ? akin_warshall_close(scope, &c->matrix, error) : status;
    status = akin_warshall_close_on(device, scope, &c->matrix, error);
    if (akin_device_is_required(scope) || (status != AKIN_E_DEVICE && status != AKIN_E_NOMEM))
        return status;
    return akin_warshall_close(scope, &c->matrix, error); /* what was closed so far is a good start */
}

/* The first record of row i: the smallest of its cluster, which is in the row if any is. */
static uint32_t first_of_row(const akin_bit_matrix *matrix, uint32_t i)
{
    for (uint32_t j = 0; j < matrix->side; j++) {
        const uint32_t *row = akin_bit_matrix_tile(matrix, i / AKIN_TILE, j)->rows[i % AKIN_TILE];
        for (uint32_t w = 0; w < AKIN_TILE_WORDS; w++)
            if (row[w])
                return j * AKIN_TILE + 32 * w + (uint32_t)__builtin_ctz(row[w]);
    }
    return i;
}

static akin_status link_records(const closure *c, akin_components *components, akin_error *error)
{
    akin_pair pairs[EDGES];
    akin_edges edges = {.pairs = pairs, .lefts = components->nodes, .rights = components->nodes, .checked = 1};
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < c->records && status == AKIN_OK; i++) {
        pairs[edges.count++] = (akin_pair){.left = c->nodes[first_of_row(&c->matrix, i)], .right = c->nodes[i]};
        if (edges.count < EDGES && i + 1 < c->records)
            continue;
        status = akin_components_link(NULL, components, &edges, error);
        edges.count = 0;
    }
    return status;
}

/*
 * Unites the trees of `count` edges (left << 32 | right, nodes of the forest). The matrix is over the nodes that occur
 * in edges; it is on the heap up to a quarter of the context's memory bound, beyond it in a temporary file, and goes to
 * a GPU if one is required, or if it is large and there is one. `numbers` has room for a number of each node. After an
 * error the forest is as before.
 */
static akin_status link_edges(const akin_scope *scope, const uint64_t *edges, uint64_t count, uint32_t *numbers,
                              akin_components *components, akin_error *error)
{
    closure c = {.scope = scope, .edges = edges, .count = count, .numbers = numbers};
    akin_status status = number_nodes(&c, components->nodes, error);
    if (status == AKIN_OK && c.records > 0)
        status = fill_matrix(&c, error);
    if (status == AKIN_OK && c.records > 0)
        status = close_matrix(&c, error);
    if (status == AKIN_OK)
        status = link_records(&c, components, error);
    akin_bulk_clear(&c.bits);
    akin_free(c.nodes);
    return status;
}

/* ------------------------------------------------------------------------------------------------------- clustering */

/* Pairs, kept until the clusters are closed: left << 32 | right. */
typedef struct kept {
    akin_bulk edges;
    uint64_t count;
} kept;

static akin_status begin_closure(const akin_scope *scope, akin_clusters *clusters, const akin_clusters_options *options,
                                 akin_error *error)
{
    kept *k = akin_alloc_zero(NULL, 1, sizeof *k);
    (void)options;
    if (!k)
        return akin_fail_memory(error, "the clusters");
    if (scope)
        k->edges = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_EDGES));
    clusters->own = k;
    return AKIN_OK;
}

static akin_status keep_edges(const akin_scope *scope, akin_clusters *clusters, const akin_edges *edges,
                              akin_error *error)
{
    kept *k = clusters->own;
    uint64_t bytes = (k->count + edges->count) * sizeof(uint64_t);
    akin_status status = edges->checked ? AKIN_OK : akin_edges_check(edges, 0, edges->count, error);
    (void)scope;
    if (status == AKIN_OK)
        status = akin_bulk_grow(&k->edges, bytes, "the pairs of the clusters", error);
    if (status != AKIN_OK)
        return status;
    uint64_t *to = k->edges.data;
    for (uint64_t i = 0; i < edges->count; i++)
        to[k->count++] = (uint64_t)edges->pairs[i].left << 32 | (edges->pairs[i].right + edges->shift);
    return AKIN_OK;
}

static akin_status link_kept(const akin_scope *scope, akin_clusters *clusters, akin_error *error)
{
    kept *k = clusters->own;
    if (k->count == 0)
        return AKIN_OK;
    clusters->components.largest = AKIN_COMPONENTS_NONE; /* sizes are used for something else now */
    akin_status status = link_edges(scope, k->edges.data, k->count, clusters->sizes, &clusters->components, error);
    if (status == AKIN_OK)
        k->count = 0; /* they are in the forest */
    return status;
}

static void clear_closure(akin_clusters *clusters)
{
    kept *k = clusters->own;
    if (k)
        akin_bulk_clear(&k->edges);
    akin_free(k);
}

static const akin_clustering_functions functions = {
    .begin = begin_closure, .add = keep_edges, .close = link_kept, .clear = clear_closure};

const akin_clustering_row akin_warshall_rows[AKIN_WARSHALL_ROWS] = {
    {{"warshall", "", "components, by Warshall's algorithm on a matrix of bits, for comparison",
      AKIN_CLUSTERING_WARSHALL, AKIN_ON_CPU | AKIN_ON_GPU | AKIN_FROM_PAPER},
     .functions = &functions},
};
