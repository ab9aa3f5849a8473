/* Clusters: the connected components of the graph whose edges are pairs of rows. */
#include "base/bulk.h"
#include "base/options.h"
#include "graph/components.h"
#include "graph/paper/warshall.h"

#include <stdatomic.h>

AKIN_OPTIONS_END(akin_clusters_options, reserved);

/*
 * The rows of both sides, those of the right one behind those of the left, are nodes:
 *
 *     row      0 1 2 3 4 5        pairs (0, 3), (3, 4), (2, 5)
 *     parents  0 1 2 0 0 2        the labels, once finished
 *     sizes    3 1 2 . . .        at the labels, once finished; before, the members of the largest component
 */
struct akin_clusters {
    akin_components components;
    uint32_t *sizes;
    akin_bulk bulks[2]; /* what parents and sizes are in */
    uint32_t rows_left, rows_right;
    uint32_t count;
    /* For Warshall's algorithm pairs are kept until the clusters are closed: left << 32 | right. */
    akin_clustering clustering;
    akin_bulk edges;
    uint64_t edge_count;
};

#define LINKED_A_SECOND 4e7  /* pairs, by a thread */
#define SECONDS_TO_OPEN 2.0  /* what a GPU must save to be opened, */
#define SECONDS_TO_USE  0.05 /* or, once it is open, to be used */

/* Makes every row a cluster of its own. */
static void part(akin_clusters *clusters)
{
    clusters->count = clusters->rows_left + clusters->rows_right;
    akin_components_begin(&clusters->components, clusters->bulks[0].data, clusters->sizes, clusters->count);
    for (uint32_t row = 0; row < clusters->count; row++)
        clusters->sizes[row] = 1;
}

static akin_status check_options(const akin_clusters_options *options, akin_clusters_options *own, akin_error *error)
{
    akin_status status = akin_options_read(options, own, sizeof *own, sizeof *own, "akin_clusters_options", error);
    if (status == AKIN_OK && own->clustering > AKIN_CLUSTERING_WARSHALL)
        return akin_fail(error, AKIN_E_OPTION, "akin_clusters_options: there is no clustering %u", own->clustering);
    return status;
}

akin_status akin_clusters_create(akin_context *context, uint32_t rows_left, uint32_t rows_right, akin_clusters **out,
                                 akin_error *error)
{
    return akin_clusters_create_by(context, rows_left, rows_right, NULL, out, error);
}

akin_status akin_clusters_create_by(akin_context *context, uint32_t rows_left, uint32_t rows_right,
                                    const akin_clusters_options *options, akin_clusters **out, akin_error *error)
{
    akin_clusters_options own = AKIN_CLUSTERS_OPTIONS_INIT;
    akin_status status = check_options(options, &own, error);
    if (status != AKIN_OK)
        return status;
    if (rows_right > UINT32_MAX - rows_left)
        return akin_fail(error, AKIN_E_LIMIT, "clusters of %u rows and %u rows: expected at most %u together",
                         rows_left, rows_right, UINT32_MAX);
    uint32_t rows = rows_left + rows_right;
    akin_clusters *clusters = akin_alloc_zero(NULL, 1, sizeof *clusters);
    if (!clusters)
        return akin_fail_memory(error, "the clusters");
    clusters->clustering = (akin_clustering)own.clustering;
    clusters->edges = context ? akin_bulk_of(context, NULL, context->memory / 32) : (akin_bulk){0};
    for (int i = 0; i < 2 && status == AKIN_OK; i++) {
        akin_bulk *bulk = &clusters->bulks[i];
        *bulk = context ? akin_bulk_of(context, NULL, context->memory / 128) : (akin_bulk){0};
        status = akin_bulk_reserve(bulk, (uint64_t)rows * sizeof(uint32_t), "the clusters", error);
        if (status == AKIN_OK)
            akin_bulk_trim(bulk, bulk->capacity);
    }
    if (status != AKIN_OK) {
        akin_clusters_free(clusters);
        return status;
    }
    clusters->sizes = clusters->bulks[1].data;
    clusters->rows_left = rows_left;
    clusters->rows_right = rows_right;
    part(clusters);
    *out = clusters;
    return AKIN_OK;
}

void akin_clusters_free(akin_clusters *clusters)
{
    if (!clusters)
        return;
    akin_bulk_clear(&clusters->bulks[0]);
    akin_bulk_clear(&clusters->bulks[1]);
    akin_bulk_clear(&clusters->edges);
    akin_free(clusters);
}

/* Pairs as edges of the graph. */
static akin_edges edges_of(const akin_clusters *clusters, const akin_pair *pairs, uint64_t count)
{
    return (akin_edges){.pairs = pairs,
                        .count = count,
                        .lefts = clusters->rows_left,
                        .rights = clusters->rows_right ? clusters->rows_right : clusters->rows_left,
                        .shift = clusters->rows_right ? clusters->rows_left : 0};
}

/* Puts checked edges aside. */
static akin_status keep(akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    uint64_t bytes = (clusters->edge_count + edges->count) * sizeof(uint64_t);
    akin_status status = akin_bulk_grow(&clusters->edges, bytes, "the pairs of the clusters", error);
    if (status != AKIN_OK)
        return status;
    uint64_t *kept = clusters->edges.data;
    for (uint64_t i = 0; i < edges->count; i++)
        kept[clusters->edge_count++] = (uint64_t)edges->pairs[i].left << 32 | (edges->pairs[i].right + edges->shift);
    return AKIN_OK;
}

akin_status akin_clusters_add(akin_clusters *clusters, const akin_pair *pairs, size_t count, akin_error *error)
{
    akin_edges edges = edges_of(clusters, pairs, count);
    akin_status status = akin_edges_check(&edges, 0, count, error);
    edges.checked = 1;
    if (status == AKIN_OK && clusters->clustering == AKIN_CLUSTERING_WARSHALL)
        return keep(clusters, &edges, error);
    return status == AKIN_OK ? akin_components_link(NULL, &clusters->components, &edges, error) : status;
}

int akin_clusters_sink(void *clusters, const akin_pair *pairs, size_t count)
{
    return akin_clusters_add(clusters, pairs, count, NULL) != AKIN_OK;
}

/* Whether a GPU is predicted to save enough time, or was asked for. */
static int wants_gpu(const akin_context *context, uint64_t count)
{
    double seconds = (double)count / (LINKED_A_SECOND * context->threads);
    if (context->device_choice == AKIN_DEVICE_AUTO)
        return seconds > (context->device ? SECONDS_TO_USE : SECONDS_TO_OPEN);
    return context->device_choice == AKIN_DEVICE_CUDA && count > 0;
}

/* Adds edges on the GPU; the clusters are as before if that fails. */
static akin_status connect_on(akin_device *device, akin_context *context, akin_clusters *clusters,
                              const akin_edges *edges, akin_error *error)
{
    akin_gpu_components *gpu = NULL;
    uint32_t *parents = clusters->bulks[0].data;
    akin_status status = akin_gpu_components_create(context, device, clusters->components.nodes,
                                                    clusters->components.linked ? parents : NULL, &gpu, error);
    if (status == AKIN_OK)
        status = akin_gpu_components_add(gpu, edges, error);
    if (status == AKIN_OK)
        status = akin_gpu_components_read(gpu, parents, error);
    if (status == AKIN_OK)
        clusters->components.linked += edges->count;
    akin_gpu_components_free(gpu);
    return status;
}

akin_status akin_clusters_connect(akin_context *context, akin_clusters *clusters, const akin_pair *pairs,
                                  uint64_t count, akin_error *error)
{
    akin_edges edges = edges_of(clusters, pairs, count);
    akin_device *device = NULL;
    akin_status status = AKIN_OK;
    if (clusters->clustering == AKIN_CLUSTERING_WARSHALL)
        return akin_clusters_add(clusters, pairs, (size_t)count, error);
    if (wants_gpu(context, count))
        status = akin_device_of(context, &device, error);
    if (status == AKIN_OK && device) {
        status = connect_on(device, context, clusters, &edges, error);
        if (status == AKIN_OK || status == AKIN_E_OPTION || status == AKIN_E_CANCELLED)
            return status;
        /* it has too little memory, and the CPU has what it takes; or it failed, and was not asked for */
        if (status == AKIN_E_NOMEM || context->device_choice == AKIN_DEVICE_AUTO)
            status = AKIN_OK;
    }
    return status == AKIN_OK ? akin_components_link(context, &clusters->components, &edges, error) : status;
}

/* The labels, for who only reads. */
static uint32_t label_of(const akin_clusters *clusters, uint32_t row)
{
    return atomic_load_explicit(&clusters->components.parents[row], memory_order_relaxed);
}

void akin_clusters_finish(akin_clusters *clusters)
{
    uint32_t rows = akin_clusters_rows(clusters);
    akin_components_settle(&clusters->components);
    clusters->components.largest = AKIN_COMPONENTS_NONE; /* what is known of it makes room for sizes */
    clusters->count = 0;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t label = label_of(clusters, row);
        if (label == row) {
            clusters->sizes[row] = 0;
            clusters->count++;
        }
        clusters->sizes[label]++;
    }
}

akin_status akin_clusters_close(akin_context *context, akin_clusters *clusters, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (clusters->edge_count > 0) {
        clusters->components.largest = AKIN_COMPONENTS_NONE; /* sizes are used for something else now */
        status = akin_warshall_link(context, clusters->edges.data, clusters->edge_count, clusters->sizes,
                                    &clusters->components, error);
    }
    if (status == AKIN_OK) {
        clusters->edge_count = 0; /* they are in the forest */
        akin_clusters_finish(clusters);
    }
    return status;
}

uint32_t akin_clusters_rows(const akin_clusters *clusters)
{
    return clusters->rows_left + clusters->rows_right;
}

uint32_t akin_clusters_count(const akin_clusters *clusters)
{
    return clusters->count;
}

uint32_t akin_clusters_row(const akin_clusters *clusters, uint32_t row)
{
    return label_of(clusters, row);
}

uint32_t akin_clusters_size(const akin_clusters *clusters, uint32_t row)
{
    return clusters->sizes[label_of(clusters, row)];
}
