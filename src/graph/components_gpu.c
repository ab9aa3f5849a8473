/*
 * Connected components on a GPU: what the host does. The host's edges go there in chunks, with two buffers in turn:
 *
 *     threads      pack 0  pack 1  pack 0  pack 1  ...
 *     copies               copy 0  copy 1  copy 0  ...
 *     kernels                      link 0  link 1  ...
 */
#include "graph/components.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/kernels.h"

#define CHUNK       ((uint64_t)1 << 21) /* edges of a chunk, at most, */
#define CHUNK_LEAST ((uint64_t)1 << 10) /* and at least */
#define TASK        ((uint64_t)1 << 15) /* edges that a thread packs at a time */
#define ROUNDS      32                  /* launches after which they are waited for, and the caller is asked */
#define SMALL       ((uint32_t)1 << 20) /* of fewer nodes no component is looked for */

_Static_assert(CHUNK <= AKIN_FOREST_EDGES, "a chunk is a launch");

static const char what[] = "the components";

struct akin_gpu_components {
    const akin_scope *scope;
    akin_device *device;
    akin_device_stream *stream, *copies;
    akin_device_buffer parents, members, largest, chunk[2];
    akin_pinned packed[2];
    akin_device_event *copied[2], *used[2];
    akin_gpu_forest forest;
    uint64_t room;         /* edges that a chunk has room for; 0: there are no chunks yet */
    uint64_t linked, next; /* edges so far, and when to look for the largest component (again) */
};

static akin_status plant(akin_gpu_components *c, const uint32_t *parents, akin_error *error)
{
    uint64_t nodes = c->forest.nodes;
    akin_status status = akin_device_stream_create(c->device, &c->stream, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(c->device, &c->parents, nodes, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(c->device, &c->members, nodes / 32 + 1, sizeof(uint32_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_reserve(c->device, &c->largest, 1, sizeof(uint32_t), what, error);
    if (status != AKIN_OK)
        return status;
    c->forest = (akin_gpu_forest){c->parents.data, c->members.data, c->largest.data, (uint32_t)nodes};
    status = akin_kernels(c->stream)->forest->plant(c->stream, &c->forest, parents != NULL, error);
    if (status == AKIN_OK && parents)
        status = akin_device_upload(c->stream, c->parents.data, parents, nodes * sizeof *parents, error);
    return status;
}

akin_status akin_gpu_components_create(const akin_scope *scope, akin_device *device, uint32_t nodes,
                                       const uint32_t *parents, akin_gpu_components **out, akin_error *error)
{
    akin_gpu_components *c = akin_alloc_zero(NULL, 1, sizeof *c);
    if (!c)
        return akin_fail_memory(error, what);
    c->scope = scope;
    c->device = device;
    c->forest.nodes = nodes;
    c->next = nodes < SMALL ? UINT64_MAX : nodes / 5 * (uint64_t)4;
    akin_status status = plant(c, parents, error);
    if (status == AKIN_OK)
        *out = c;
    else
        akin_gpu_components_free(c);
    return status;
}

void akin_gpu_components_free(akin_gpu_components *components)
{
    akin_gpu_components *c = components;
    if (!c)
        return;
    akin_device_stream_free(c->copies);
    akin_device_stream_free(c->stream);
    for (int i = 0; i < 2; i++) {
        akin_device_event_free(c->copied[i]);
        akin_device_event_free(c->used[i]);
        akin_device_release(c->device, &c->chunk[i]);
        akin_pinned_release(c->device, &c->packed[i]);
    }
    akin_device_release(c->device, &c->parents);
    akin_device_release(c->device, &c->members);
    akin_device_release(c->device, &c->largest);
    akin_free(c);
}

akin_device_stream *akin_gpu_components_stream(const akin_gpu_components *components)
{
    return components->stream;
}

static akin_status report_edges(akin_gpu_components *c, uint64_t done, uint64_t total, akin_error *error)
{
    if (akin_scope_report(c->scope, "connecting", done, total) != AKIN_OK)
        return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
    return AKIN_OK;
}

/* Later: hangs all nodes from their roots. */
static akin_status settle_forest(akin_gpu_components *c, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (uint64_t node = 0; node < c->forest.nodes && status == AKIN_OK; node += AKIN_FOREST_NODES)
        status = akin_kernels(c->stream)->forest->settle(c->stream, &c->forest, (uint32_t)node, error);
    return status;
}

/* Later: links edges of one launch; before that, if it is time, looks for the largest component. */
static akin_status link(akin_gpu_components *c, const uint64_t *edges, uint64_t count, akin_error *error)
{
    akin_status status = AKIN_OK;
    if (c->linked >= c->next) {
        c->next = 2 * c->linked;
        status = akin_kernels(c->stream)->forest->sample(c->stream, &c->forest, error);
        if (status == AKIN_OK)
            status = settle_forest(c, error);
    }
    c->linked += count;
    return status == AKIN_OK ? akin_kernels(c->stream)->forest->link(c->stream, &c->forest, edges, count, error)
                             : status;
}

akin_status akin_gpu_components_link(akin_gpu_components *components, const uint64_t *edges, uint64_t count,
                                     akin_error *error)
{
    akin_status status = AKIN_OK;
    uint64_t rounds = 0;
    for (uint64_t at = 0; at < count && status == AKIN_OK; at += AKIN_FOREST_EDGES) {
        if (rounds++ % ROUNDS == ROUNDS - 1)
            status = akin_device_stream_finish(components->stream, error);
        if (status == AKIN_OK)
            status = report_edges(components, at, count, error);
        if (status == AKIN_OK)
            status = link(components, edges + at, akin_min_u64(AKIN_FOREST_EDGES, count - at), error);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------- edges of the host's */

static akin_status make_chunks(akin_gpu_components *c, uint64_t count, akin_error *error)
{
    uint64_t most = akin_device_room(c->device) / (2 * sizeof(uint64_t));
    uint64_t room = akin_max_u64(CHUNK_LEAST, akin_min_u64(CHUNK, akin_min_u64(count, most - most / 8)));
    akin_status status = AKIN_OK;
    if (room <= c->room)
        return AKIN_OK;
    if (!c->copies)
        status = akin_device_stream_create(c->device, &c->copies, error);
    for (int i = 0; i < 2 && status == AKIN_OK; i++) {
        status = akin_device_reserve(c->device, &c->chunk[i], room, sizeof(uint64_t), what, error);
        if (status == AKIN_OK)
            status = akin_pinned_reserve(c->device, &c->packed[i], room, sizeof(uint64_t), what, error);
        if (status == AKIN_OK && !c->copied[i])
            status = akin_device_event_create(c->device, &c->copied[i], error);
        if (status == AKIN_OK && !c->used[i])
            status = akin_device_event_create(c->device, &c->used[i], error);
    }
    c->room = status == AKIN_OK ? room : 0;
    return status;
}

typedef struct packing {
    const akin_edges *edges;
    uint64_t first, end;
    uint64_t *out;
} packing;

static akin_status pack_edges(void *argument, uint64_t task, uint32_t thread)
{
    const packing *p = argument;
    uint64_t first = p->first + task * TASK, end = akin_min_u64(p->end, first + TASK);
    (void)thread;
    if (!p->edges->checked && akin_edges_check(p->edges, first, end, NULL) != AKIN_OK)
        return AKIN_E_OPTION;
    for (uint64_t i = first; i < end; i++)
        p->out[i - p->first] = (uint64_t)p->edges->pairs[i].left << 32 | (p->edges->pairs[i].right + p->edges->shift);
    return AKIN_OK;
}

/* Packs a chunk, once what it held has been copied. */
static akin_status pack_all(akin_gpu_components *c, int turn, packing *p, akin_error *error)
{
    akin_status status = akin_device_event_finish(c->copied[turn], error);
    if (status != AKIN_OK)
        return status;
    p->out = c->packed[turn].data;
    status = akin_parallel(c->scope, NULL, akin_ceil_div(p->end - p->first, TASK), pack_edges, p);
    if (status == AKIN_E_OPTION)
        return akin_edges_check(p->edges, p->first, p->end, error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* Later: copies a packed chunk, once what it held has been linked, and links it. */
static akin_status send_chunk(akin_gpu_components *c, int turn, uint64_t count, akin_error *error)
{
    akin_status status = akin_device_stream_wait(c->copies, c->used[turn], error);
    if (status == AKIN_OK)
        status =
            akin_device_write(c->copies, c->chunk[turn].data, c->packed[turn].data, count * sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = akin_device_event_record(c->copied[turn], c->copies, error);
    if (status == AKIN_OK)
        status = akin_device_stream_wait(c->stream, c->copied[turn], error);
    if (status == AKIN_OK)
        status = link(c, c->chunk[turn].data, count, error);
    return status == AKIN_OK ? akin_device_event_record(c->used[turn], c->stream, error) : status;
}

akin_status akin_gpu_components_add(akin_gpu_components *components, const akin_edges *edges, akin_error *error)
{
    akin_gpu_components *c = components;
    akin_status status = edges->count ? make_chunks(c, edges->count, error) : AKIN_OK;
    packing p = {.edges = edges};
    for (int turn = 0; p.first < edges->count && status == AKIN_OK; turn ^= 1) {
        status = report_edges(c, p.first, edges->count, error);
        p.end = p.first + akin_min_u64(c->room, edges->count - p.first);
        if (status == AKIN_OK)
            status = pack_all(c, turn, &p, error);
        if (status == AKIN_OK)
            status = send_chunk(c, turn, p.end - p.first, error);
        p.first = p.end;
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

akin_status akin_gpu_components_settle(akin_gpu_components *components, akin_error *error)
{
    return settle_forest(components, error);
}

const uint32_t *akin_gpu_components_labels(const akin_gpu_components *components)
{
    return components->forest.parents;
}

akin_status akin_gpu_components_read(akin_gpu_components *components, uint32_t *labels, akin_error *error)
{
    akin_status status = settle_forest(components, error);
    if (status == AKIN_OK)
        status = akin_device_download(components->stream, labels, components->forest.parents,
                                      components->forest.nodes * sizeof *labels, error);
    return status;
}
