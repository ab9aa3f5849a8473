/* The table of clusterings, and how each takes pairs. */
#include "graph/clusters.h"
#include "graph/paper/warshall.h"

#define LINKED_A_SECOND 4e7  /* pairs, by a thread */
#define SECONDS_TO_OPEN 2.0  /* what a GPU must save to be opened, */
#define SECONDS_TO_USE  0.05 /* or, once it is open, to be used */

/* --------------------------------------------------------------------------------------------------------- closure */

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

static akin_status link(akin_context *context, akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    akin_device *device = NULL;
    akin_status status = AKIN_OK;
    if (context && wants_gpu(context, edges->count))
        status = akin_device_of(context, &device, error);
    if (status == AKIN_OK && device) {
        status = connect_on(device, context, clusters, edges, error);
        if (status == AKIN_OK || status == AKIN_E_OPTION || status == AKIN_E_CANCELLED)
            return status;
        /* it has too little memory, and the CPU has what it takes; or it failed, and was not asked for */
        if (status == AKIN_E_NOMEM || context->device_choice == AKIN_DEVICE_AUTO)
            status = AKIN_OK;
    }
    return status == AKIN_OK ? akin_components_link(context, &clusters->components, edges, error) : status;
}

/* -------------------------------------------------------------------------------------------------------- warshall */

/* Puts edges aside. */
static akin_status keep(akin_context *context, akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    uint64_t bytes = (clusters->edge_count + edges->count) * sizeof(uint64_t);
    akin_status status = edges->checked ? AKIN_OK : akin_edges_check(edges, 0, edges->count, error);
    (void)context;
    if (status == AKIN_OK)
        status = akin_bulk_grow(&clusters->edges, bytes, "the pairs of the clusters", error);
    if (status != AKIN_OK)
        return status;
    uint64_t *kept = clusters->edges.data;
    for (uint64_t i = 0; i < edges->count; i++)
        kept[clusters->edge_count++] = (uint64_t)edges->pairs[i].left << 32 | (edges->pairs[i].right + edges->shift);
    return AKIN_OK;
}

static akin_status link_kept(akin_context *context, akin_clusters *clusters, akin_error *error)
{
    if (clusters->edge_count == 0)
        return AKIN_OK;
    clusters->components.largest = AKIN_COMPONENTS_NONE; /* sizes are used for something else now */
    akin_status status = akin_warshall_link(context, clusters->edges.data, clusters->edge_count, clusters->sizes,
                                            &clusters->components, error);
    if (status == AKIN_OK)
        clusters->edge_count = 0; /* they are in the forest */
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- table */

static const akin_clustering_row rows[] = {
    {{"closure", "", "connected components, as pairs come", AKIN_CLUSTERING_CLOSURE,
      AKIN_ON_CPU | AKIN_ON_GPU | AKIN_IS_DEFAULT},
     link,
     NULL},
    {{"warshall", "", "the same by a matrix of bits and Warshall's algorithm, to compare", AKIN_CLUSTERING_WARSHALL,
      AKIN_ON_CPU | AKIN_ON_GPU | AKIN_FROM_PAPER},
     keep,
     link_kept},
};
const akin_choice_table akin_clusterings = AKIN_CHOICE_TABLE("clustering", rows);
