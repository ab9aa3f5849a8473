/* Clusters as connected components, which grow as pairs come: on the threads of a scope, or on a GPU. */
#include "graph/closure.h"

#include "device/devices.h"
#include "device/worth.h"

#define LINKED_A_SECOND 4e7  /* pairs, by a thread */
#define SECONDS_ON_GPU  0.05 /* about, as copies are most of it */

static int is_gpu_worth_it(const akin_scope *scope, uint64_t count)
{
    const double scale = akin_calibrated_scale(scope, AKIN_CALIBRATED_LISTS);
    const akin_device_estimate e = {.here = scale * (double)count / (LINKED_A_SECOND * scope->threads),
                                    .there = SECONDS_ON_GPU};
    return count > 0 && akin_device_is_worth(scope, &e);
}

/* Adds edges on the GPU; the clusters are as before if that fails. */
static akin_status connect_on(akin_device *device, const akin_scope *scope, akin_clusters *clusters,
                              const akin_edges *edges, akin_error *error)
{
    akin_gpu_components *gpu = NULL;
    uint32_t *parents = clusters->bulks[0].data;
    akin_status status = akin_gpu_components_create(scope, device, clusters->components.nodes,
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

static akin_status link(const akin_scope *scope, akin_clusters *clusters, const akin_edges *edges, akin_error *error)
{
    akin_device *device = NULL;
    akin_status status = AKIN_OK;
    if (scope && is_gpu_worth_it(scope, edges->count))
        status = akin_device_of(scope, &device, error);
    if (status == AKIN_OK && device) {
        status = connect_on(device, scope, clusters, edges, error);
        if (status == AKIN_OK || status == AKIN_E_OPTION || status == AKIN_E_CANCELLED)
            return status;
        /* it has too little memory, and the CPU has what it takes; or it failed, and is not required */
        if (status == AKIN_E_NOMEM || !akin_device_is_required(scope))
            status = AKIN_OK;
    }
    return status == AKIN_OK ? akin_components_link(scope, &clusters->components, edges, error) : status;
}

const akin_clustering_functions akin_closure_functions = {.add = link};
