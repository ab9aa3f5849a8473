/*
 * Inverts objects on a GPU: what postings are made of is sent, all sets, or some dimensions at a time, and what becomes
 * of them is brought back, dimensions behind dimensions.
 */
#include "device/bring.h"
#include "device/devices.h"
#include "device/primitives.h"
#include "device/worth.h"
#include "search/inverter.h"
#include "search/objects.h"

/* Measured on an H200 and its host, for the choice of auto. */
#define SECONDS_AN_ENTRY  2.5e-9
#define SECONDS_A_POSTING 2e-8 /* of a thread */

static const char what[] = "a search index on a GPU"; /* the memory is for */

enum { OFFSETS, COLUMN, INVERSE, BUFFERS };

typedef struct inverting {
    const akin_scope *scope;
    akin_device *device;
    const akin_objects_source *source;
    akin_objects *objects;
    akin_inverter inverter;
    akin_device_bringer bringer;
    akin_device_buffer buffers[BUFFERS];
    uint64_t keywords, segments, cells; /* that have been brought */
} inverting;

akin_status akin_objects_device(const akin_scope *scope, const akin_objects_source *source, akin_device **out,
                                akin_error *error)
{
    const double entries = (double)akin_objects_entries(source);
    const double scale = akin_calibrated_scale(scope, AKIN_CALIBRATED_LISTS);
    const akin_device_estimate e = {.here = scale * entries * SECONDS_A_POSTING / scope->threads,
                                    .there = entries * SECONDS_AN_ENTRY};
    *out = NULL;
    return entries > 0 && akin_device_is_worth(scope, &e) ? akin_device_of(scope, out, error) : AKIN_OK;
}

uint64_t akin_objects_room_there(const akin_device *device, const akin_objects_source *source)
{
    const uint64_t bytes = akin_device_room(device), objects = source->objects;
    uint64_t keywords = source->dimensions > 0 ? 0 : source->keywords;
    uint64_t others = source->dimensions > 0 ? objects * sizeof(uint32_t) : (objects + 1) * sizeof(uint64_t);
    if (source->order)
        others += ((uint64_t)source->keywords + source->universe) * sizeof(uint32_t);
    for (uint32_t d = 0; d < source->dimensions; d++)
        keywords += source->counts[d];
    return bytes > others ? akin_inverter_room(bytes - others, keywords) : 0;
}

/* --------------------------------------------------------------------------------------------------------- postings */

static akin_status reserve_device(inverting *v, int buffer, uint64_t count, size_t size, akin_error *error)
{
    return akin_device_reserve(v->device, &v->buffers[buffer], count, size, what, error);
}

static akin_status send_array(inverting *v, void *to, const void *from, uint64_t count, size_t size, akin_error *error)
{
    return akin_device_send(v->scope, v->inverter.stream, to, from, count * size, what, error);
}

/* Sends the order of the tokens, and turns it round. */
static akin_status send_order(inverting *v, akin_error *error)
{
    const akin_objects_source *source = v->source;
    akin_status status = reserve_device(v, COLUMN, source->keywords, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = reserve_device(v, INVERSE, source->universe, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_device_fill(v->inverter.stream, v->buffers[INVERSE].data, 0xff,
                                  source->universe * sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = send_array(v, v->buffers[COLUMN].data, source->order, source->keywords, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = akin_kernels(v->inverter.stream)
                     ->invert->order(v->inverter.stream, v->buffers[COLUMN].data, source->keywords,
                                     v->buffers[INVERSE].data, error);
    return status;
}

static akin_status send_sets(inverting *v, akin_error *error)
{
    const akin_objects_source *source = v->source;
    const uint64_t entries = akin_objects_entries(source), first = source->offsets[0];
    akin_device_stream *stream = v->inverter.stream;
    akin_status status = akin_inverter_reserve(&v->inverter, entries, source->keywords, error);
    const akin_gpu_postings *p = &v->inverter.postings;
    if (status == AKIN_OK)
        status = reserve_device(v, OFFSETS, source->objects + UINT64_C(1), sizeof *source->offsets, error);
    if (status == AKIN_OK && source->order)
        status = send_order(v, error);
    if (status == AKIN_OK)
        status = send_array(v, v->buffers[OFFSETS].data, source->offsets, source->objects + UINT64_C(1),
                            sizeof *source->offsets, error);
    if (status == AKIN_OK)
        status = akin_device_segments_of(stream, v->buffers[OFFSETS].data, source->objects, first, entries, p->objects,
                                         error);
    if (status == AKIN_OK)
        status = send_array(v, p->keywords, source->tokens + first, entries, sizeof *source->tokens, error);
    if (status == AKIN_OK)
        status =
            akin_kernels(stream)->invert->tokens(stream, p, v->buffers[INVERSE].data, akin_objects_universe(source),
                                                 akin_inverter_wrong(&v->inverter), error);
    return status;
}

/* Sends dimensions from `first` to `end`, whose keywords are counted from 0 on. */
static akin_status send_dimensions(inverting *v, uint32_t first, uint32_t end, akin_error *error)
{
    const akin_objects_source *source = v->source;
    const uint64_t objects = source->objects;
    uint32_t keywords = 0;
    for (uint32_t d = first; d < end; d++)
        keywords += source->counts[d];
    akin_status status = akin_inverter_reserve(&v->inverter, objects * (end - first), keywords, error);
    if (status == AKIN_OK)
        status = reserve_device(v, COLUMN, objects, sizeof(uint32_t), error);
    keywords = 0;
    for (uint32_t d = first; d < end && status == AKIN_OK; d++) {
        status = send_array(v, v->buffers[COLUMN].data, source->codes[d], objects, sizeof(uint32_t), error);
        if (status == AKIN_OK)
            status = akin_kernels(v->inverter.stream)
                         ->invert->codes(v->inverter.stream, v->buffers[COLUMN].data, source->objects, keywords,
                                         source->counts[d], &v->inverter.postings, (d - first) * objects,
                                         akin_inverter_wrong(&v->inverter), error);
        keywords += source->counts[d];
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ parts */

/* Brings what was made behind what there is. */
static akin_status bring_inverted(inverting *v, akin_error *error)
{
    const akin_gpu_inverted *made = &v->inverter.made;
    const uint64_t keywords = v->inverter.postings.none, cells = v->inverter.cells;
    akin_bulk *own = v->objects->own;
    akin_keyword *lists = (akin_keyword *)own[AKIN_OBJECTS_LISTS].data + v->keywords;
    akin_status status =
        akin_bulk_reserve(&own[AKIN_OBJECTS_SEGMENTS], (v->segments + made->kept) * sizeof(akin_segment), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&own[AKIN_OBJECTS_CELLS], (v->cells + cells) * sizeof(uint16_t), what, error);
    if (status == AKIN_OK)
        status = akin_device_bring_after(&v->bringer, v->inverter.stream, error);
    if (status == AKIN_OK)
        status = akin_device_bring(&v->bringer, lists, made->lists, (keywords + 1) * sizeof *lists, error);
    if (status == AKIN_OK && made->kept > 0)
        status = akin_device_bring(&v->bringer, (akin_segment *)own[AKIN_OBJECTS_SEGMENTS].data + v->segments,
                                   made->segments, made->kept * sizeof(akin_segment), error);
    if (status == AKIN_OK && cells > 0)
        status = akin_device_bring(&v->bringer, (uint16_t *)own[AKIN_OBJECTS_CELLS].data + v->cells, made->cells,
                                   cells * sizeof(uint16_t), error);
    if (status == AKIN_OK)
        status = akin_device_bring_finish(&v->bringer, error);
    if (status != AKIN_OK)
        return status;
    for (uint64_t k = 0; k <= keywords; k++) {
        lists[k].segment += v->segments;
        lists[k].cell += v->cells;
    }
    v->keywords += keywords;
    v->segments += made->kept;
    v->cells += cells;
    return AKIN_OK;
}

/* Inverts what was sent. */
static akin_status invert_sent(inverting *v, akin_error *error)
{
    uint32_t wrong = 0;
    akin_status status = akin_inverter_run(&v->inverter, &wrong, error);
    if (status == AKIN_OK && wrong)
        return akin_objects_say_wrong(v->source, error);
    return status == AKIN_OK ? bring_inverted(v, error) : status;
}

static akin_status invert_objects(inverting *v, akin_error *error)
{
    const akin_objects_source *source = v->source;
    const uint64_t each = akin_objects_room_there(v->device, source) / source->objects;
    akin_status status = akin_inverter_begin(&v->inverter, v->scope, v->device, error);
    if (status == AKIN_OK)
        status = akin_device_bringer_begin(&v->bringer, v->scope, v->device, error);
    if (status == AKIN_OK && source->dimensions == 0) {
        status = send_sets(v, error);
        if (status == AKIN_OK)
            status = invert_sent(v, error);
    }
    for (uint32_t first = 0, end; first < source->dimensions && status == AKIN_OK; first = end) {
        end = (uint32_t)akin_min_u64(first + akin_max_u64(each, 1), source->dimensions);
        status = akin_scope_report(v->scope, "inverting", first, source->dimensions) == AKIN_OK
                     ? send_dimensions(v, first, end, error)
                     : akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        if (status == AKIN_OK)
            status = invert_sent(v, error);
    }
    return status;
}

akin_status akin_objects_invert_there(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                                      uint64_t share, akin_objects *out, akin_error *error)
{
    inverting v = {.scope = scope, .device = device, .source = source, .objects = out};
    akin_bulk *own = out->own;
    akin_status status = akin_objects_reserve(scope, share, AKIN_OBJECTS_LISTS,
                                              (out->head.keywords + UINT64_C(1)) * sizeof(akin_keyword), out, error);
    own[AKIN_OBJECTS_SEGMENTS] = own[AKIN_OBJECTS_CELLS] = akin_bulk_of(scope, NULL, share);
    if (status == AKIN_OK)
        status = invert_objects(&v, error);
    if (status == AKIN_OK) {
        out->head.segments = v.segments;
        out->head.cells = v.cells;
        out->head.most = akin_objects_most(source);
        akin_bulk_trim(&own[AKIN_OBJECTS_SEGMENTS], v.segments * sizeof(akin_segment));
        akin_bulk_trim(&own[AKIN_OBJECTS_CELLS], v.cells * sizeof(uint16_t));
    }
    akin_device_bringer_clear(&v.bringer);
    for (int i = 0; i < BUFFERS; i++)
        akin_device_release(device, &v.buffers[i]);
    akin_inverter_clear(&v.inverter);
    return status;
}
