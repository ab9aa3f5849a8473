/*
 * The kernels of connected components on the GPU that the host plays (property/host_device.h): one thread after the
 * other, so it does not show how threads of a real GPU get into each other's way.
 */
#include "property/host_kernel.h"

#include "graph/kernels.h"

#define NONE   UINT32_MAX
#define SAMPLE 1024 /* nodes that are looked at */

static uint32_t root_of(const akin_gpu_forest *forest, uint32_t node)
{
    must(node < forest->nodes);
    while (forest->parents[node] != node) {
        must(forest->parents[node] < node);
        node = forest->parents[node];
    }
    return node;
}

static int is_member(const akin_gpu_forest *forest, uint32_t node)
{
    return forest->members[node / 32] >> node % 32 & 1;
}

static akin_status forest_plant(akin_device_stream *stream, const akin_gpu_forest *forest, int planted,
                                akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    *forest->largest = NONE;
    for (uint32_t node = 0; node < forest->nodes && !planted; node++)
        forest->parents[node] = node;
    return AKIN_OK;
}

static akin_status forest_link(akin_device_stream *stream, const akin_gpu_forest *forest, const uint64_t *edges,
                               uint64_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    const uint32_t largest = *forest->largest;
    must(count <= AKIN_FOREST_EDGES);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        uint32_t a = (uint32_t)(edges[i] >> 32), b = (uint32_t)edges[i];
        must(a < forest->nodes && b < forest->nodes);
        if (largest != NONE) {
            a = is_member(forest, a) ? largest : a;
            b = is_member(forest, b) ? largest : b;
        }
        a = root_of(forest, a);
        b = root_of(forest, b);
        forest->parents[a > b ? a : b] = a > b ? b : a;
    }
    return status;
}

/* The label of the middle of the sample, if more than half of the sample has it. */
static akin_status forest_sample(akin_device_stream *stream, const akin_gpu_forest *forest, akin_error *error)
{
    akin_status status = host_enter(error);
    if (status != AKIN_OK)
        return status;
    uint32_t label = NONE, votes = 0, count = 0;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < SAMPLE; i++) {
            const uint32_t root = root_of(forest, (uint32_t)((uint64_t)forest->nodes * i / SAMPLE));
            if (round > 0) {
                count += root == label;
            } else if (votes == 0) {
                label = root;
                votes = 1;
            } else {
                votes += root == label ? 1 : UINT32_MAX;
            }
        }
    *forest->largest = count > SAMPLE / 2 ? label : NONE;
    return AKIN_OK;
}

static akin_status forest_settle(akin_device_stream *stream, const akin_gpu_forest *forest, uint32_t first,
                                 akin_error *error)
{
    akin_status status = host_enter(error);
    must(first % 32 == 0 && first < forest->nodes);
    for (uint64_t node = first; node < forest->nodes && node - first < AKIN_FOREST_NODES && status == AKIN_OK; node++) {
        const uint32_t root = root_of(forest, (uint32_t)node), bit = UINT32_C(1) << node % 32;
        forest->parents[node] = root;
        if (*forest->largest != NONE && node % 32 == 0)
            forest->members[node / 32] = 0;
        if (*forest->largest == root)
            forest->members[node / 32] |= bit;
    }
    return status;
}

extern const akin_forest_kernels host_forest_kernels;
const akin_forest_kernels host_forest_kernels = {forest_plant, forest_link, forest_sample, forest_settle};
