/*
 * Objects in parts: put together part behind part, and built so where a memory bound leaves no room for all at once.
 *
 * A segment of a whole range stays as it is. Where a part begins or ends within a range, the objects of that range are
 * listed and written again.
 */
#include "base/parallel.h"
#include "device/devices.h"
#include "search/objects.h"

#include <string.h>

#define TASKS 256 /* at most: spans of keywords */

static const char what[] = "a search index"; /* the memory is for */

/* What writes a list of objects as segments, or, without cells, counts what these take. */
typedef struct writer {
    uint64_t range; /* of what is listed */
    uint32_t count;
    uint64_t segments, used; /* cells */
    akin_segment *to;
    uint16_t *cells;
    uint32_t ids[AKIN_RANGE];
} writer;

/* What a thread has for itself. */
typedef struct worker {
    writer writer;
    uint32_t *next; /* of each part: the keyword that comes next */
} worker;

typedef struct merging {
    const akin_objects_part *parts;
    uint32_t count;
    uint64_t *firsts; /* of each part: its first object */
    uint32_t *nexts;  /* of all workers */
    worker *workers;
    akin_objects *objects;
    akin_keyword *lists; /* of them, as what follows */
    akin_segment *segments;
    uint16_t *cells;
    uint8_t *bytes;
} merging;

/* ------------------------------------------------------------------------------------------------------------ lists */

static void end_segment(writer *w, uint64_t range, uint32_t cells)
{
    w->used += cells;
    if (w->cells)
        w->to[w->segments] = (akin_segment){(uint32_t)range, (uint32_t)w->used};
    w->segments++;
}

static void flush_postings(writer *w)
{
    if (w->count == 0)
        return;
    if (w->cells)
        akin_objects_write_cells(w->ids, w->count, w->cells + w->used);
    end_segment(w, w->range, akin_objects_cells(w->count));
    w->count = 0;
}

static void add_object(writer *w, uint64_t object)
{
    if (object / AKIN_RANGE != w->range)
        flush_postings(w);
    w->range = object / AKIN_RANGE;
    w->ids[w->count++] = (uint32_t)object;
}

/* Adds a segment of a whole range as it is. */
static void copy_segment(writer *w, uint64_t range, const uint16_t *cells, uint32_t size)
{
    flush_postings(w);
    if (w->cells)
        memcpy(w->cells + w->used, cells, size * sizeof *cells);
    end_segment(w, range, size);
}

/* Adds the objects of a segment, whose range begins with object `base` of all. */
static void add_cells(writer *w, uint64_t base, const uint16_t *cells, uint32_t size)
{
    for (uint32_t i = 0; i < size && size <= AKIN_RANGE_PLACES; i++)
        add_object(w, base + cells[i]);
    for (uint32_t i = 0; i < size && size > AKIN_RANGE_PLACES; i++)
        for (uint32_t bits = cells[i]; bits; bits &= bits - 1)
            add_object(w, base + 16 * i + (uint32_t)__builtin_ctz(bits));
}

/* Adds a list of a part. */
static void add_list(writer *w, const akin_objects *o, uint64_t first, uint32_t keyword)
{
    const akin_keyword *list = &o->lists[keyword];
    const uint16_t *cells = o->cells + list->cell;
    uint32_t begin = 0;
    for (uint64_t i = list->segment; i < list[1].segment; i++) {
        const akin_segment *segment = &o->segments[i];
        const uint64_t base = first + (uint64_t)segment->range * AKIN_RANGE;
        if (first % AKIN_RANGE == 0 && akin_objects_of_range(o, segment->range) == AKIN_RANGE)
            copy_segment(w, base / AKIN_RANGE, cells + begin, segment->end - begin);
        else
            add_cells(w, base, cells + begin, segment->end - begin);
        begin = segment->end;
    }
}

/* What a keyword of a part is among all. */
static uint32_t united_keyword(const akin_objects_part *part, uint32_t keyword)
{
    return part->names ? part->names[keyword] : keyword;
}

/* The first keyword of a part that is not below `name` among all. */
static uint32_t first_from(const akin_objects_part *part, uint64_t name)
{
    uint32_t low = 0, high = part->objects->head.keywords;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (united_keyword(part, middle) < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds what the parts have of a keyword, which is at least as large as the one before. */
static void add_keyword(const merging *m, worker *w, uint64_t keyword)
{
    for (uint32_t p = 0; p < m->count; p++) {
        const akin_objects *o = m->parts[p].objects;
        if (w->next[p] < o->head.keywords && united_keyword(&m->parts[p], w->next[p]) == keyword)
            add_list(&w->writer, o, m->firsts[p], w->next[p]++);
    }
    flush_postings(&w->writer);
}

/* The keywords of a task; the worker stands before them. */
static worker *begin_task(const merging *m, uint64_t task, uint32_t thread, uint64_t *first, uint64_t *end)
{
    const uint64_t keywords = m->objects->head.keywords, step = akin_ceil_div(keywords, TASKS);
    worker *w = &m->workers[thread];
    *first = task * step;
    *end = akin_min_u64(*first + step, keywords);
    for (uint32_t p = 0; p < m->count; p++)
        w->next[p] = first_from(&m->parts[p], *first);
    w->writer.count = 0;
    w->writer.range = UINT64_MAX;
    return w;
}

/* Counts segments and cells: those of keyword i stand at i + 1, to be summed up. */
static akin_status measure_part(void *argument, uint64_t task, uint32_t thread)
{
    const merging *m = argument;
    uint64_t first, end;
    worker *w = begin_task(m, task, thread, &first, &end);
    w->writer.cells = NULL;
    for (uint64_t k = first; k < end; k++) {
        w->writer.segments = w->writer.used = 0;
        add_keyword(m, w, k);
        m->lists[k + 1] = (akin_keyword){w->writer.segments, w->writer.used};
    }
    return AKIN_OK;
}

static akin_status merge_lists(void *argument, uint64_t task, uint32_t thread)
{
    const merging *m = argument;
    uint64_t first, end;
    worker *w = begin_task(m, task, thread, &first, &end);
    for (uint64_t k = first; k < end; k++) {
        w->writer.to = m->segments + m->lists[k].segment;
        w->writer.cells = m->cells + m->lists[k].cell;
        w->writer.segments = w->writer.used = 0;
        add_keyword(m, w, k);
    }
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- columns */

static uint32_t read_code(const uint8_t *bytes, uint32_t width, uint64_t i)
{
    uint16_t code;
    if (width == 1)
        return bytes[i];
    memcpy(&code, bytes + 2 * i, sizeof code);
    return code;
}

static void write_code(uint8_t *bytes, uint32_t width, uint64_t i, uint16_t code)
{
    if (width == 1)
        bytes[i] = (uint8_t)code;
    else
        memcpy(bytes + 2 * i, &code, sizeof code);
}

/* Puts a dimension together. What a file has for codes is not believed. */
static akin_status merge_codes(void *argument, uint64_t task, uint32_t thread)
{
    const merging *m = argument;
    const akin_codes *to = (const akin_codes *)m->objects->own[AKIN_OBJECTS_CODES].data + task;
    (void)thread;
    for (uint32_t p = 0; p < m->count; p++) {
        const akin_objects *o = m->parts[p].objects;
        const akin_codes *from = &o->codes[task];
        for (uint64_t i = 0; i < o->head.count; i++) {
            const uint32_t code = read_code(o->bytes + from->begin, from->width, i);
            const uint32_t name = code < from->count ? united_keyword(&m->parts[p], from->first + code) - to->first
                                                     : akin_codes_none(to->width);
            write_code(m->bytes + to->begin, to->width, m->firsts[p] + i, (uint16_t)name);
        }
    }
    return AKIN_OK;
}

/* Numbers the keywords of dimensions, and lays their columns out if all parts have them. */
static akin_status lay_out_columns(const akin_scope *scope, merging *m, uint32_t dimensions, const uint32_t *counts,
                                   akin_error *error)
{
    akin_objects *o = m->objects;
    akin_status status = akin_objects_lay_out(scope, akin_objects_share(scope), dimensions, counts, o, error);
    for (uint32_t p = 0; p < m->count; p++)
        if (m->parts[p].objects->head.dimensions != dimensions)
            o->head.dimensions = 0;
    m->bytes = o->own[AKIN_OBJECTS_BYTES].data;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ merge */

/* Where each part begins, and what threads work in. */
static akin_status begin_merging(const akin_scope *scope, merging *m, akin_error *error)
{
    akin_objects_head *head = &m->objects->head;
    uint64_t objects = 0;
    m->firsts = akin_alloc(NULL, m->count, sizeof *m->firsts);
    m->nexts = akin_alloc(NULL, (uint64_t)scope->threads * m->count, sizeof *m->nexts);
    m->workers = akin_alloc(NULL, scope->threads, sizeof *m->workers);
    if (!m->firsts || !m->nexts || !m->workers) {
        akin_fail_memory(error, what);
        return AKIN_E_NOMEM;
    }
    for (uint32_t thread = 0; thread < scope->threads; thread++)
        m->workers[thread].next = m->nexts + (uint64_t)thread * m->count;
    for (uint32_t p = 0; p < m->count; p++) {
        m->firsts[p] = objects;
        objects += m->parts[p].objects->head.count;
        head->most = akin_max_u32(head->most, m->parts[p].objects->head.most);
    }
    if (objects >= UINT32_MAX)
        return akin_fail(error, AKIN_E_LIMIT, "an index of 2^32 - 1 objects");
    head->count = (uint32_t)objects;
    return AKIN_OK;
}

/* Makes room for segments and cells, which have been counted. */
static akin_status reserve_merged(const akin_scope *scope, merging *m, akin_error *error)
{
    akin_objects_head *head = &m->objects->head;
    const uint64_t share = akin_objects_share(scope);
    for (uint64_t k = 0; k < head->keywords; k++) {
        m->lists[k + 1].segment += m->lists[k].segment;
        m->lists[k + 1].cell += m->lists[k].cell;
    }
    head->segments = m->lists[head->keywords].segment;
    head->cells = m->lists[head->keywords].cell;
    akin_status status = akin_objects_reserve(scope, share, AKIN_OBJECTS_SEGMENTS, head->segments * sizeof *m->segments,
                                              m->objects, error);
    if (status == AKIN_OK)
        status =
            akin_objects_reserve(scope, share, AKIN_OBJECTS_CELLS, head->cells * sizeof *m->cells, m->objects, error);
    m->segments = m->objects->own[AKIN_OBJECTS_SEGMENTS].data;
    m->cells = m->objects->own[AKIN_OBJECTS_CELLS].data;
    return status;
}

static akin_status merge_parts(const akin_scope *scope, merging *m, akin_error *error)
{
    akin_objects *o = m->objects;
    const uint64_t keywords = o->head.keywords;
    const uint64_t tasks = keywords ? akin_ceil_div(keywords, akin_ceil_div(keywords, TASKS)) : 0;
    akin_status status = akin_objects_reserve(scope, akin_objects_share(scope), AKIN_OBJECTS_LISTS,
                                              (keywords + 1) * sizeof *m->lists, o, error);
    if (status != AKIN_OK)
        return status;
    m->lists = o->own[AKIN_OBJECTS_LISTS].data;
    m->lists[0] = (akin_keyword){0, 0};
    status = akin_parallel(scope, NULL, tasks, measure_part, m);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = reserve_merged(scope, m, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(scope, "merging", tasks, merge_lists, m);
    if (status == AKIN_OK && o->head.dimensions > 0)
        status = akin_parallel(scope, NULL, o->head.dimensions, merge_codes, m);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    akin_objects_own_parts(o);
    return AKIN_OK;
}

akin_status akin_objects_merge(const akin_scope *scope, const akin_objects_part *parts, uint32_t count,
                               uint32_t keywords, uint32_t dimensions, const uint32_t *counts, akin_objects *out,
                               akin_error *error)
{
    merging m = {.parts = parts, .count = count, .objects = out};
    *out = (akin_objects){.head = {.keywords = keywords}};
    akin_status status = begin_merging(scope, &m, error);
    if (status == AKIN_OK && dimensions > 0)
        status = lay_out_columns(scope, &m, dimensions, counts, error);
    if (status == AKIN_OK)
        status = merge_parts(scope, &m, error);
    akin_free(m.firsts);
    akin_free(m.nexts);
    akin_free(m.workers);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ build */

/* Where a part of a source ends that begins with object `first`: before one that goes beyond `room` entries, but with a
 * whole number of ranges, one at least. */
static uint64_t part_end(const akin_objects_source *source, uint64_t first, uint64_t room)
{
    uint64_t end = first;
    do
        end = akin_min_u64(end + AKIN_RANGE, source->objects);
    while (end < source->objects &&
           (source->dimensions
                ? (end + AKIN_RANGE - first) * source->dimensions
                : source->offsets[akin_min_u64(end + AKIN_RANGE, source->objects)] - source->offsets[first]) <= room);
    return end;
}

/* Builds the objects from `first` to `end` as a part, in files. `codes` has room for pointers. */
static akin_status build_part(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                              uint64_t first, uint64_t end, const uint32_t **codes, akin_objects *out,
                              akin_error *error)
{
    akin_objects_source slice = *source;
    slice.first = source->first + first;
    slice.objects = (uint32_t)(end - first);
    slice.offsets = source->offsets ? source->offsets + first : NULL;
    slice.codes = codes;
    for (uint32_t d = 0; d < source->dimensions; d++)
        codes[d] = source->codes[d] + first;
    return akin_objects_build_one(scope, device, &slice, 0, out, error);
}

/* Builds one part after the other, into `built`, and puts them together. */
static akin_status build_each(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                              uint64_t room, const uint32_t **codes, akin_objects *built, akin_objects_part *parts,
                              akin_objects *out, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint32_t count = 0;
    for (uint64_t first = 0, end; first < source->objects && status == AKIN_OK; first = end) {
        end = part_end(source, first, room);
        status = build_part(scope, device, source, first, end, codes, &built[count], error);
        parts[count] = (akin_objects_part){&built[count], NULL};
        count++;
    }
    if (status == AKIN_OK)
        status =
            akin_objects_merge(scope, parts, count, source->keywords, source->dimensions, source->counts, out, error);
    for (uint32_t i = 0; i < count; i++)
        akin_objects_clear(&built[i]);
    return status;
}

static akin_status build_parts(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                               uint64_t room, akin_objects *out, akin_error *error)
{
    const uint64_t most = akin_ceil_div(source->objects, AKIN_RANGE);
    akin_objects *built = akin_alloc(NULL, most, sizeof *built);
    akin_objects_part *parts = akin_alloc(NULL, most, sizeof *parts);
    const uint32_t **codes = akin_alloc(NULL, source->dimensions, sizeof *codes);
    akin_status status = AKIN_E_NOMEM;
    if (built && parts && codes)
        status = build_each(scope, device, source, room, codes, built, parts, out, error);
    else
        akin_fail_memory(error, what);
    akin_free(built);
    akin_free(parts);
    akin_free((void *)codes);
    return status;
}

/* Builds objects at once if they have at most `room` entries, else in parts. */
static akin_status build_in_parts(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                                  uint64_t room, akin_objects *out, akin_error *error)
{
    *out = (akin_objects){0};
    return akin_objects_entries(source) <= room
               ? akin_objects_build_one(scope, device, source, akin_objects_share(scope), out, error)
               : build_parts(scope, device, source, room, out, error);
}

akin_status akin_objects_build(const akin_scope *scope, const akin_objects_source *source, akin_objects *out,
                               akin_error *error)
{
    akin_device *device = NULL;
    *out = (akin_objects){0};
    akin_status status = akin_objects_device(scope, source, &device, error);
    if (status != AKIN_OK)
        return status;
    if (device) { /* it has room for `room` entries of a dimension; dimensions go there in turn */
        const uint64_t room = akin_objects_room_there(device, source);
        status = build_in_parts(scope, device, source, room * akin_max_u32(source->dimensions, 1), out, error);
        if (akin_device_is_required(scope) || (status != AKIN_E_DEVICE && status != AKIN_E_NOMEM))
            return status;
        akin_objects_clear(out); /* the GPU is not required */
    }
    const uint64_t room = scope->memory ? akin_objects_scratch(scope) / sizeof(uint32_t) : UINT64_MAX;
    return build_in_parts(scope, NULL, source, room, out, error);
}
