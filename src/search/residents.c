/*
 * Objects that are brought to a device. All of them go there as they lie in memory. Of a part, what each keyword has in
 * its ranges is found first, in two searches of its segments; then it is gathered, some keywords at a time, by all
 * threads, into memory from which the bus reads it while they gather on.
 */
#include "search/residents.h"

#include "base/parallel.h"

#include <string.h>

#define KEYWORDS 4096 /* of a task */
#define SHARE    16   /* pieces, at least, in which all objects go there: pinned memory is slow to get; */
#define LEAST    ((uint64_t)4 << 20) /* bytes of one, unless they have fewer */

static const char what[] = "a search on a GPU"; /* the memory is for */

/* -------------------------------------------------------------------------------------------------------------- all */

enum { LISTS, SEGMENTS, CELLS, BYTES, PIECES };

static void object_pieces(const akin_objects *objects, akin_section pieces[PIECES])
{
    static const int parts[PIECES] = {AKIN_OBJECTS_LISTS, AKIN_OBJECTS_SEGMENTS, AKIN_OBJECTS_CELLS,
                                      AKIN_OBJECTS_BYTES};
    for (int i = 0; i < PIECES; i++)
        pieces[i] = objects->parts[parts[i]];
}

uint64_t akin_residents_bytes(const akin_objects *objects)
{
    akin_section pieces[PIECES];
    uint64_t bytes = 0;
    object_pieces(objects, pieces);
    for (int i = 0; i < PIECES; i++)
        bytes += akin_part_padded(pieces[i].length);
    return bytes;
}

static akin_status send_resident(akin_residents *r, char *to, const void *from, uint64_t bytes, akin_error *error)
{
    return akin_device_sender_send(&r->sender, to, from, bytes, error);
}

static akin_status bring_all(akin_residents *r, akin_error *error)
{
    const akin_objects *o = r->objects;
    akin_section pieces[PIECES];
    char *there[PIECES];
    object_pieces(o, pieces);
    akin_status status = akin_device_reserve(r->device, &r->slots[0].buffer, akin_residents_bytes(o), 1, what, error);
    char *at = r->slots[0].buffer.data;
    r->sender.most = akin_min_u64(r->sender.most, akin_max_u64(akin_residents_bytes(o) / SHARE, LEAST));
    for (int i = 0; i < PIECES && status == AKIN_OK; i++) {
        there[i] = at;
        at += akin_part_padded(pieces[i].length);
        status = send_resident(r, there[i], pieces[i].data, pieces[i].length, error);
    }
    if (status != AKIN_OK)
        return status;
    r->slots[0].there = (akin_gpu_objects){.lists = (const void *)there[LISTS],
                                           .segments = (const void *)there[SEGMENTS],
                                           .cells = (const void *)there[CELLS],
                                           .codes = (const void *)there[BYTES],
                                           .count = o->head.count,
                                           .ranges = akin_objects_ranges(o)};
    status = akin_device_stream_finish(r->stream, error);
    akin_device_sender_clear(&r->sender);
    return status;
}

static akin_status make_parts(akin_residents *r, uint64_t room, akin_error *error)
{
    const akin_objects_head *head = &r->objects->head;
    akin_status status = akin_parts_cut(r->scope, r->objects, room / 2, &r->parts, error);
    if (status != AKIN_OK)
        return status;
    r->own = akin_alloc(NULL, head->keywords, sizeof *r->own);
    r->lists = akin_alloc(NULL, (uint64_t)head->keywords + 1, sizeof *r->lists);
    if (!r->own || !r->lists)
        return akin_fail_memory(error, what);
    for (int i = 0; i < 2 && status == AKIN_OK; i++) {
        r->slots[i].columns = akin_alloc(NULL, head->dimensions, sizeof *r->slots[i].columns);
        status = r->slots[i].columns
                     ? akin_device_reserve(r->device, &r->slots[i].buffer, r->parts.largest, 1, what, error)
                     : akin_fail_memory(error, what);
    }
    return status;
}

akin_status akin_residents_begin(const akin_scope *scope, akin_device *device, const akin_objects *objects,
                                 uint64_t room, akin_residents *out, akin_error *error)
{
    *out = (akin_residents){.scope = scope, .device = device, .objects = objects, .parts = {.count = 1}};
    akin_status status = akin_device_stream_create(device, &out->stream, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &out->brought, error);
    if (status == AKIN_OK)
        status = akin_device_sender_begin(&out->sender, scope, device, out->stream, error);
    if (status != AKIN_OK)
        return status;
    room = room ? room : akin_device_room(device) / 4 * 3; /* the rest is for queries */
    return akin_residents_bytes(objects) <= room ? bring_all(out, error) : make_parts(out, room, error);
}

void akin_residents_clear(akin_residents *residents)
{
    akin_residents *r = residents;
    if (!r->device)
        return;
    akin_device_sender_clear(&r->sender);
    akin_device_event_free(r->brought);
    akin_device_stream_free(r->stream);
    for (int i = 0; i < 2; i++) {
        akin_device_release(r->device, &r->slots[i].buffer);
        akin_free(r->slots[i].columns);
    }
    akin_parts_clear(&r->parts);
    akin_free(r->own);
    akin_free(r->lists);
    *r = (akin_residents){0};
}

/* ----------------------------------------------------------------------------------------------------------- a part */

/* The first segment of a keyword from `range` on. */
static uint64_t segment_from(const akin_objects *o, uint64_t keyword, uint32_t range)
{
    uint64_t low = o->lists[keyword].segment, high = o->lists[keyword + 1].segment;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (o->segments[middle].range < range)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Cells of a keyword before one of its segments. */
static uint32_t cells_before(const akin_objects *o, uint64_t keyword, uint64_t segment)
{
    return segment > o->lists[keyword].segment ? o->segments[segment - 1].end : 0;
}

/* Finds what keywords have in the part: how much, in `lists`. */
static akin_status find_keyword_lists(void *argument, uint64_t task, uint32_t thread)
{
    const akin_residents *r = argument;
    const akin_objects *o = r->objects;
    const uint64_t end = akin_min_u64((task + 1) * KEYWORDS, o->head.keywords);
    (void)thread;
    for (uint64_t k = task * KEYWORDS; k < end; k++) {
        const uint64_t first = segment_from(o, k, r->bringing.first), behind = segment_from(o, k, r->bringing.end);
        const uint32_t cell = cells_before(o, k, first);
        r->own[k] = (akin_keyword){first, o->lists[k].cell + cell};
        r->lists[k] = (akin_keyword){behind - first, cells_before(o, k, behind) - cell};
    }
    return AKIN_OK;
}

/* What is known of the part at hand, without the arrays of a technique. */
static akin_gpu_objects bringing_of(const akin_residents *r)
{
    const akin_bringing *b = &r->bringing;
    const uint64_t objects = akin_min_u64((uint64_t)b->end * AKIN_RANGE, r->objects->head.count);
    return (akin_gpu_objects){.count = (uint32_t)objects, .ranges = b->end - b->first, .first = b->first};
}

/* Says where lists, segments and cells lie in the slot. */
static void lay_out_lists(akin_residents *r)
{
    const akin_objects *o = r->objects;
    const akin_keyword *behind = &r->lists[o->head.keywords];
    const uint64_t segments = behind->segment * sizeof *o->segments, cells = behind->cell * sizeof *o->cells;
    akin_slot *slot = r->bringing.slot;
    slot->segments = (char *)slot->buffer.data + akin_part_padded(akin_part_lists(o));
    slot->cells = slot->segments + akin_part_padded(segments);
    slot->there = bringing_of(r);
    slot->there.lists = slot->buffer.data;
    slot->there.segments = (const void *)slot->segments;
    slot->there.cells = (const void *)slot->cells;
    r->bringing.total = akin_part_lists(o) + segments + cells;
}

/* Says where codes lie in the slot. */
static void lay_out_codes(akin_residents *r)
{
    const akin_objects *o = r->objects;
    akin_bringing *b = &r->bringing;
    akin_slot *slot = b->slot;
    uint64_t column = 0;
    slot->codes = slot->buffer.data;
    slot->there = bringing_of(r);
    slot->there.codes = (const void *)slot->codes;
    for (uint32_t d = 0; d < o->head.dimensions; d++) {
        slot->columns[d] = column;
        column += akin_part_codes(o, d, b->end - b->first);
        b->total += (slot->there.count - (uint64_t)b->first * AKIN_RANGE) * o->codes[d].width;
    }
}

static akin_status find_resident_lists(akin_residents *r, akin_error *error)
{
    const uint32_t keywords = r->objects->head.keywords;
    akin_keyword sum = {0, 0};
    akin_status status = akin_parallel(r->scope, NULL, akin_ceil_div(keywords, KEYWORDS), find_keyword_lists, r);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    for (uint32_t k = 0; k < keywords; k++) {
        const akin_keyword own = r->lists[k];
        r->lists[k] = sum;
        sum = (akin_keyword){sum.segment + own.segment, sum.cell + own.cell};
        if (akin_is_stopped(r->scope, k))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    r->lists[keywords] = sum;
    lay_out_lists(r);
    return AKIN_OK;
}

/* What is gathered of some keywords: segments, or cells. */
typedef struct gathering {
    const akin_residents *r;
    uint64_t first; /* keyword */
    uint32_t count;
    void *room;
} gathering;

static int gathers_cells(const akin_residents *r)
{
    return r->bringing.step == AKIN_BRING_CELLS;
}

static uint64_t residents_size(const akin_residents *r)
{
    return gathers_cells(r) ? sizeof(uint16_t) : sizeof(akin_segment);
}

/* Segments, or cells, before those of a keyword, in the slot. */
static uint64_t entries_before(const akin_residents *r, uint64_t keyword)
{
    return gathers_cells(r) ? r->lists[keyword].cell : r->lists[keyword].segment;
}

/* What keywords weigh as tasks: see akin_weighed_tasks. */
static uint64_t gathered_bytes_before(const void *of, uint32_t i)
{
    const gathering *g = of;
    return (entries_before(g->r, g->first + i) - entries_before(g->r, g->first)) * residents_size(g->r) +
           i * sizeof *g->r->lists;
}

static void gather_segments(const gathering *g, uint64_t k)
{
    const akin_residents *r = g->r;
    akin_segment *to = (akin_segment *)g->room + (r->lists[k].segment - r->lists[g->first].segment);
    const akin_segment *from = r->objects->segments + r->own[k].segment;
    const uint32_t cells = (uint32_t)(r->own[k].cell - r->objects->lists[k].cell);
    for (uint64_t i = 0; i < r->lists[k + 1].segment - r->lists[k].segment; i++)
        to[i] = (akin_segment){from[i].range, from[i].end - cells};
}

static void gather_cells(const gathering *g, uint64_t k)
{
    const akin_residents *r = g->r;
    uint16_t *to = (uint16_t *)g->room + (r->lists[k].cell - r->lists[g->first].cell);
    const uint64_t cells = r->lists[k + 1].cell - r->lists[k].cell;
    if (cells > 0)
        memcpy(to, r->objects->cells + r->own[k].cell, (size_t)cells * sizeof *to);
}

static akin_status gather_residents(void *argument, uint64_t task, uint32_t thread)
{
    const gathering *g = argument;
    const uint32_t end = akin_weighed_begin(gathered_bytes_before, g, g->count, task + 1);
    (void)thread;
    for (uint32_t i = akin_weighed_begin(gathered_bytes_before, g, g->count, task); i < end; i++)
        if (gathers_cells(g->r))
            gather_cells(g, g->first + i);
        else
            gather_segments(g, g->first + i);
    return AKIN_OK;
}

/* Gathers `bytes` bytes of keywords from the one at hand on, and sends them. */
static akin_status send_gathered(akin_residents *r, uint32_t count, char *to, uint64_t bytes, akin_error *error)
{
    gathering g = {.r = r, .first = r->bringing.at, .count = count};
    akin_status status = akin_device_sender_room(&r->sender, bytes, &g.room, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(r->scope, NULL, akin_weighed_tasks(gathered_bytes_before, &g, count), gather_residents, &g);
    return status == AKIN_OK ? akin_device_sender_put(&r->sender, to, bytes, error)
                             : akin_fail_stopped(error, status, what);
}

/* Goes to the next step. */
static void begin_step(akin_bringing *b, enum akin_bring_step step)
{
    b->step = step;
    b->at = 0;
    b->behind = 0;
}

/* The keyword behind those, from the one at hand on, that a room is for: one at least. */
static uint32_t room_end(const akin_residents *r)
{
    const uint32_t keywords = r->objects->head.keywords, at = r->bringing.at;
    const uint64_t most = r->sender.most / residents_size(r);
    uint32_t low = at < keywords ? at + 1 : at, high = keywords; /* the last one before which there are no more */
    while (low < high) {
        const uint32_t middle = high - (high - low) / 2;
        if (entries_before(r, middle) - entries_before(r, at) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Sends the segments, or the cells, of the next keywords that fit in the room together. If the cells of one keyword do
 * not fit, it sends them as they lie in memory. */
static akin_status bring_gathered(akin_residents *r, akin_error *error)
{
    akin_bringing *b = &r->bringing;
    const uint32_t keywords = r->objects->head.keywords, end = room_end(r);
    const uint64_t size = residents_size(r), first = entries_before(r, b->at);
    const uint64_t bytes = (entries_before(r, end) - first) * size;
    char *to = (gathers_cells(r) ? b->slot->cells : b->slot->segments) + first * size;
    akin_status status = AKIN_OK;
    if (bytes > r->sender.most && gathers_cells(r))
        status = send_resident(r, to, r->objects->cells + r->own[b->at].cell, bytes, error);
    else if (bytes > 0)
        status = send_gathered(r, end - b->at, to, bytes, error);
    b->there += bytes;
    b->at = end;
    if (end == keywords)
        begin_step(b, gathers_cells(r) ? AKIN_BRING_DONE : AKIN_BRING_CELLS);
    return status;
}

/* Sends some codes of the next dimension. */
static akin_status bring_codes(akin_residents *r, akin_error *error)
{
    akin_bringing *b = &r->bringing;
    const akin_objects *o = r->objects;
    if (b->at == o->head.dimensions) {
        begin_step(b, AKIN_BRING_DONE);
        return AKIN_OK;
    }
    const akin_codes *codes = &o->codes[b->at];
    const uint64_t first = (uint64_t)b->first * AKIN_RANGE * codes->width;
    const uint64_t bytes = (uint64_t)b->slot->there.count * codes->width - first;
    const uint64_t count = akin_min_u64(bytes - b->behind, r->sender.most);
    char *to = b->slot->codes + b->slot->columns[b->at];
    akin_status status = send_resident(r, to + b->behind, o->bytes + codes->begin + first + b->behind, count, error);
    b->behind += count;
    b->there += count;
    if (b->behind == bytes) {
        b->at++;
        b->behind = 0;
    }
    return status;
}

static akin_status bring_more(akin_residents *r, akin_error *error)
{
    akin_bringing *b = &r->bringing;
    akin_status status = AKIN_OK;
    switch (b->step) {
    case AKIN_BRING_FIND:
        status = find_resident_lists(r, error);
        begin_step(b, AKIN_BRING_LISTS);
        return status;
    case AKIN_BRING_LISTS:
        status = send_resident(r, b->slot->buffer.data, r->lists, akin_part_lists(r->objects), error);
        b->there += akin_part_lists(r->objects);
        begin_step(b, AKIN_BRING_SEGMENTS);
        return status;
    case AKIN_BRING_SEGMENTS:
    case AKIN_BRING_CELLS:
        return bring_gathered(r, error);
    case AKIN_BRING_CODES:
        return bring_codes(r, error);
    case AKIN_BRING_DONE:
        break;
    }
    return status;
}

void akin_residents_bring(akin_residents *residents, uint32_t part, int is_scan)
{
    akin_residents *r = residents;
    r->bringing = (akin_bringing){.slot = &r->slots[part % 2],
                                  .step = is_scan ? AKIN_BRING_CODES : AKIN_BRING_FIND,
                                  .first = r->parts.firsts[part],
                                  .end = r->parts.firsts[part + 1]};
    if (is_scan)
        lay_out_codes(r);
}

akin_status akin_residents_go_on(akin_residents *residents, double share, akin_error *error)
{
    const akin_bringing *b = &residents->bringing;
    akin_status status = AKIN_OK;
    while (status == AKIN_OK && b->step != AKIN_BRING_DONE &&
           (share >= 1 || (double)b->there <= share * (double)b->total))
        status = bring_more(residents, error);
    return status;
}

akin_status akin_residents_use(akin_residents *residents, uint32_t part, akin_device_stream *stream,
                               const akin_slot **out, akin_error *error)
{
    akin_status status = akin_residents_go_on(residents, 1, error);
    if (status == AKIN_OK)
        status = akin_device_event_record(residents->brought, residents->stream, error);
    if (status == AKIN_OK)
        status = akin_device_stream_wait(stream, residents->brought, error);
    *out = &residents->slots[part % 2];
    return status;
}
