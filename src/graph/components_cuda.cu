/*
 * Connected components on the GPU: a thread for each edge. If one of its nodes is a root, and the parent of the other
 * is lower, the root is hung from that by compare-and-swap. Else the thread finds the roots above both, hanging nodes
 * on its way from their grandparents, and hangs the larger root from the smaller (Jaiganesh, Burtscher: A
 * High-Performance Connected Components Implementation for GPUs, HPDC 2018). Once many edges are linked, edges within
 * the largest component are left out; a bit for each node marks it (Sutton, Ben-Nun, Barak: Optimizing Parallel Graph
 * Connectivity Computation via Subgraph Sampling, IPDPS 2018, has the idea).
 *
 * Only the parent of a root must be swapped. So a stale parent, read before another thread wrote, does no harm: it
 * still is a node above, in the same tree. A swap on a node that is no longer a root fails, and returns the parent. The
 * parent of any other node may be overwritten with a node above, even if another thread has hung the node higher up
 * meanwhile. But when nodes are settled, only a node's own thread writes its parent.
 */
#include "device/kernel.h"
#include "graph/kernels.h"

#define THREADS 256
#define NONE    UINT32_MAX
#define SAMPLE  1024u        /* size of the sample of nodes that finds the largest component, */
#define SHARE   (SAMPLE / 8) /* and how many of the sample must be in it */

/* The root above a node, which is not above `parent`, its parent. */
static __device__ uint32_t find_root_below(uint32_t *parents, uint32_t node, uint32_t parent)
{
    for (;;) {
        uint32_t grandparent = __ldcg(parents + parent);
        if (grandparent == parent)
            return parent;
        __stcg(parents + node, grandparent);
        node = parent;
        parent = grandparent;
    }
}

static __global__ void __launch_bounds__(THREADS) plant(akin_gpu_forest forest, int planted)
{
    uint64_t node = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (node == 0)
        *forest.largest = NONE;
    if (!planted && node < forest.nodes)
        forest.parents[node] = (uint32_t)node;
}

static __device__ bool is_member(const uint32_t *members, uint32_t node)
{
    return __ldg(members + node / 32) >> (node % 32) & 1;
}

static __global__ void __launch_bounds__(THREADS) link(akin_gpu_forest forest, const uint64_t *edges, uint32_t count)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x, largest = *forest.largest;
    if (i >= count)
        return;
    uint64_t edge = __ldcs((const unsigned long long *)edges + i);
    uint32_t a = (uint32_t)(edge >> 32), b = (uint32_t)edge;
    if (largest != NONE) {
        bool in_a = is_member(forest.members, a), in_b = is_member(forest.members, b);
        if (in_a && in_b)
            return;
        a = in_a ? largest : a;
        b = in_b ? largest : b;
    }
    uint32_t *parents = forest.parents, x = __ldcg(parents + a), y = __ldcg(parents + b);
    if (x == y || (y == b && x < y && atomicCAS(parents + b, b, x) == b) ||
        (x == a && y < x && atomicCAS(parents + a, a, y) == a))
        return;
    a = find_root_below(parents, a, x);
    b = find_root_below(parents, b, y);
    while (a != b) {
        uint32_t high = a > b ? a : b, low = a > b ? b : a;
        uint32_t found = atomicCAS(parents + high, high, low);
        if (found == high)
            return;
        a = find_root_below(parents, high, found);
        b = find_root_below(parents, low, __ldcg(parents + low));
    }
}

/* By one block: each thread counts how often its sample's label is there. */
static __global__ void __launch_bounds__(SAMPLE) sample(akin_gpu_forest forest)
{
    __shared__ uint32_t labels[SAMPLE];
    __shared__ unsigned long long most; /* count, and the complement of the label: the smallest one wins */
    uint32_t node = (uint32_t)((uint64_t)forest.nodes * threadIdx.x / SAMPLE), count = 0;
    if (threadIdx.x == 0)
        most = 0;
    uint32_t label = find_root_below(forest.parents, node, __ldcg(forest.parents + node));
    labels[threadIdx.x] = label;
    __syncthreads();
    for (uint32_t i = 0; i < SAMPLE; i++)
        count += labels[i] == label;
    atomicMax(&most, (unsigned long long)count << 32 | (uint32_t)~label);
    __syncthreads();
    if (threadIdx.x == 0)
        *forest.largest = most >> 32 >= SHARE ? ~(uint32_t)most : NONE;
}

/* A node is hung higher and higher, which makes the ways of those below it shorter. A warp notes which of its nodes are
 * in the largest component. */
static __global__ void __launch_bounds__(THREADS) settle(akin_gpu_forest forest, uint32_t first)
{
    uint64_t node = first + (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    uint32_t largest = *forest.largest, root = NONE;
    if (node < forest.nodes) {
        root = __ldcg(forest.parents + node);
        for (uint32_t above; (above = __ldcg(forest.parents + root)) != root; root = above)
            __stcg(forest.parents + node, above);
    }
    uint32_t members = __ballot_sync(~0u, root == largest);
    if (largest != NONE && threadIdx.x % 32 == 0 && node < forest.nodes)
        forest.members[node / 32] = members;
}

/* Blocks of threads for `items` items, at least one. */
static unsigned blocks_of(uint64_t items)
{
    return (unsigned)(items / THREADS + 1);
}

static akin_status forest_plant(akin_device_stream *stream, const akin_gpu_forest *forest, int planted,
                                akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    plant<<<planted ? 1 : blocks_of(forest->nodes), THREADS, 0, akin_device_stream_cuda(stream)>>>(*forest, planted);
    return akin_device_launched(stream, "plant", error);
}

static akin_status forest_link(akin_device_stream *stream, const akin_gpu_forest *forest, const uint64_t *edges,
                               uint64_t count, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    link<<<blocks_of(count), THREADS, 0, akin_device_stream_cuda(stream)>>>(*forest, edges, (uint32_t)count);
    return akin_device_launched(stream, "link", error);
}

static akin_status forest_sample(akin_device_stream *stream, const akin_gpu_forest *forest, akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK || forest->nodes == 0)
        return status;
    sample<<<1, SAMPLE, 0, akin_device_stream_cuda(stream)>>>(*forest);
    return akin_device_launched(stream, "sample", error);
}

static akin_status forest_settle(akin_device_stream *stream, const akin_gpu_forest *forest, uint32_t first,
                                 akin_error *error)
{
    akin_status status = akin_device_enter(akin_device_stream_device(stream), error);
    if (status != AKIN_OK)
        return status;
    uint32_t left = forest->nodes - first, nodes = left < AKIN_FOREST_NODES ? left : AKIN_FOREST_NODES;
    settle<<<blocks_of(nodes), THREADS, 0, akin_device_stream_cuda(stream)>>>(*forest, first);
    return akin_device_launched(stream, "settle", error);
}

const akin_forest_kernels akin_cuda_forest = {forest_plant, forest_link, forest_sample, forest_settle};
