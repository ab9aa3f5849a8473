/*
 * Objects that are brought to a device. All of them go there as they lie in memory. Of a part, what each keyword has in its ranges is
 * found first, in two searches of its segments; then it is gathered, some keywords at a time, by all threads, and sent.
 */
#include "search/residents.h"

#include "base/parallel.h"
#include "device/bring.h"

#include <string.h>

#define PIECE    ((uint64_t)16 << 20) /* bytes that are gathered at once */
#define LONG     (4 * PIECE)          /* and that are sent at once, as they lie in memory */
#define KEYWORDS 4096                 /* of a task */

static const char what[] = "a search on a GPU"; /* the memory is for */

/* ---------------------------------------------------------------------------------------------------------------- all */

enum { LISTS, SEGMENTS, CELLS, BYTES, PIECES };

static void pieces_of(const akin_objects *objects, akin_section pieces[PIECES])
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
    pieces_of(objects, pieces);
    for (int i = 0; i < PIECES; i++)
        bytes += akin_part_padded(pieces[i].length);
    return bytes;
}

static akin_status send(akin_residents *r, char *to, const char *from, uint64_t bytes, akin_error *error)
{
    return akin_device_send(r->context, r->stream, to, from, bytes, what, error);
}

static akin_status bring_all(akin_residents *r, akin_error *error)
{
    const akin_objects *o = r->objects;
    akin_section pieces[PIECES];
    char *there[PIECES];
    pieces_of(o, pieces);
    akin_status status = akin_device_reserve(r->device, &r->slots[0].buffer, akin_residents_bytes(o), 1, what, error);
    char *at = r->slots[0].buffer.data;
    for (int i = 0; i < PIECES && status == AKIN_OK; i++) {
        there[i] = at;
        at += akin_part_padded(pieces[i].length);
        status = send(r, there[i], pieces[i].data, pieces[i].length, error);
    }
    if (status != AKIN_OK)
        return status;
    r->slots[0].there = (akin_gpu_objects){.lists = (const void *)there[LISTS],
                                           .segments = (const void *)there[SEGMENTS],
                                           .cells = (const void *)there[CELLS],
                                           .codes = (const void *)there[BYTES],
                                           .count = o->head.count,
                                           .ranges = akin_objects_ranges(o)};
    return akin_device_stream_finish(r->stream, error);
}

static akin_status make_parts(akin_residents *r, uint64_t room, akin_error *error)
{
    const akin_objects_head *head = &r->objects->head;
    akin_status status = akin_parts_cut(r->context, r->objects, room / 2, &r->parts, error);
    if (status != AKIN_OK)
        return status;
    r->own = akin_alloc(NULL, head->keywords, sizeof *r->own);
    r->lists = akin_alloc(NULL, (uint64_t)head->keywords + 1, sizeof *r->lists);
    r->piece = akin_alloc(NULL, PIECE, 1);
    r->piece_size = PIECE;
    if (!r->own || !r->lists || !r->piece)
        return akin_fail_memory(error, what);
    for (int i = 0; i < 2 && status == AKIN_OK; i++) {
        r->slots[i].columns = akin_alloc(NULL, head->dimensions, sizeof *r->slots[i].columns);
        status = r->slots[i].columns
                     ? akin_device_reserve(r->device, &r->slots[i].buffer, r->parts.largest, 1, what, error)
                     : akin_fail_memory(error, what);
    }
    return status;
}

akin_status akin_residents_begin(akin_context *context, akin_device *device, const akin_objects *objects, uint64_t room,
                                 akin_residents *out, akin_error *error)
{
    *out = (akin_residents){.context = context, .device = device, .objects = objects, .parts = {.count = 1}};
    akin_status status = akin_device_stream_create(device, &out->stream, error);
    if (status == AKIN_OK)
        status = akin_device_event_create(device, &out->brought, error);
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
    akin_device_event_free(r->brought);
    akin_device_stream_free(r->stream);
    for (int i = 0; i < 2; i++) {
        akin_device_release(r->device, &r->slots[i].buffer);
        akin_free(r->slots[i].columns);
    }
    akin_parts_clear(&r->parts);
    akin_free(r->own);
    akin_free(r->lists);
    akin_free(r->piece);
    *r = (akin_residents){0};
}

/* -------------------------------------------------------------------------------------------------------------- a part */

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
static akin_status find(void *argument, uint64_t task, uint32_t thread)
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

/* Says where the part's pieces lie in its slot. */
static void lay_out(akin_residents *r)
{
    const akin_objects *o = r->objects;
    akin_bringing *b = &r->bringing;
    const akin_keyword *behind = &r->lists[o->head.keywords];
    const uint64_t segments = behind->segment * sizeof *o->segments, cells = behind->cell * sizeof *o->cells;
    const uint64_t objects = akin_min_u64((uint64_t)b->end * AKIN_RANGE, o->head.count);
    akin_slot *slot = b->slot;
    uint64_t column = 0;
    slot->segments = (char *)slot->buffer.data + akin_part_padded(akin_part_lists(o));
    slot->cells = slot->segments + akin_part_padded(segments);
    slot->codes = slot->cells + akin_part_padded(cells);
    slot->there = (akin_gpu_objects){.lists = slot->buffer.data,
                                     .segments = (const void *)slot->segments,
                                     .cells = (const void *)slot->cells,
                                     .codes = (const void *)slot->codes,
                                     .count = (uint32_t)objects,
                                     .ranges = b->end - b->first,
                                     .first = b->first};
    b->total = akin_part_lists(o) + segments + cells;
    for (uint32_t d = 0; d < o->head.dimensions; d++) {
        slot->columns[d] = column;
        column += akin_part_codes(o, d, b->end - b->first);
        b->total += (objects - (uint64_t)b->first * AKIN_RANGE) * o->codes[d].width;
    }
}

static akin_status find_all(akin_residents *r, akin_error *error)
{
    const uint32_t keywords = r->objects->head.keywords;
    akin_keyword sum = {0, 0};
    akin_status status = akin_parallel(r->context, NULL, akin_ceil_div(keywords, KEYWORDS), find, r);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    for (uint32_t k = 0; k < keywords; k++) {
        const akin_keyword own = r->lists[k];
        r->lists[k] = sum;
        sum = (akin_keyword){sum.segment + own.segment, sum.cell + own.cell};
    }
    r->lists[keywords] = sum;
    lay_out(r);
    return AKIN_OK;
}

/* What is gathered of some keywords. */
typedef struct gathering {
    const akin_residents *r;
    uint64_t first, end; /* keywords */
} gathering;

static akin_status gather_segments(void *argument, uint64_t task, uint32_t thread)
{
    const gathering *g = argument;
    const akin_residents *r = g->r;
    const uint64_t begin = g->first + task * KEYWORDS, end = akin_min_u64(begin + KEYWORDS, g->end);
    (void)thread;
    for (uint64_t k = begin; k < end; k++) {
        akin_segment *to = (akin_segment *)(void *)r->piece + (r->lists[k].segment - r->lists[g->first].segment);
        const akin_segment *from = r->objects->segments + r->own[k].segment;
        const uint32_t before = (uint32_t)(r->own[k].cell - r->objects->lists[k].cell);
        for (uint64_t i = 0; i < r->lists[k + 1].segment - r->lists[k].segment; i++)
            to[i] = (akin_segment){from[i].range, from[i].end - before};
    }
    return AKIN_OK;
}

static akin_status gather_cells(void *argument, uint64_t task, uint32_t thread)
{
    const gathering *g = argument;
    const akin_residents *r = g->r;
    const uint64_t begin = g->first + task * KEYWORDS, end = akin_min_u64(begin + KEYWORDS, g->end);
    (void)thread;
    for (uint64_t k = begin; k < end; k++) {
        uint16_t *to = (uint16_t *)(void *)r->piece + (r->lists[k].cell - r->lists[g->first].cell);
        const uint64_t cells = r->lists[k + 1].cell - r->lists[k].cell;
        if (cells > 0)
            memcpy(to, r->objects->cells + r->own[k].cell, (size_t)cells * sizeof *to);
    }
    return AKIN_OK;
}

/* Goes to the next step. */
static void step_on(akin_bringing *b)
{
    b->step++;
    b->at = 0;
    b->behind = 0;
}

/* Segments, or cells, before those of a keyword, in the slot. */
static uint64_t before(const akin_residents *r, uint64_t keyword)
{
    return r->bringing.step == AKIN_BRING_CELLS ? r->lists[keyword].cell : r->lists[keyword].segment;
}

/* Gathers and sends the segments, or the cells, of the next keywords, as much as a piece holds. */
static akin_status bring_gathered(akin_residents *r, akin_error *error)
{
    akin_bringing *b = &r->bringing;
    const int is_cells = b->step == AKIN_BRING_CELLS;
    const uint64_t keywords = r->objects->head.keywords, first = before(r, b->at);
    const uint64_t size = is_cells ? sizeof(uint16_t) : sizeof(akin_segment);
    char *to = (is_cells ? b->slot->cells : b->slot->segments) + first * size;
    uint64_t end = b->at;
    while (end < keywords && (before(r, end + 1) - first) * size <= r->piece_size)
        end++;
    akin_status status = AKIN_OK;
    if (end == b->at && end < keywords) { /* cells that are more than a piece; no keyword has as many segments */
        end++;
        status =
            send(r, to, (const char *)(r->objects->cells + r->own[b->at].cell), (before(r, end) - first) * size, error);
    } else if (before(r, end) > first) {
        gathering g = {r, b->at, end};
        status = akin_parallel(r->context, NULL, akin_ceil_div(end - b->at, KEYWORDS),
                               is_cells ? gather_cells : gather_segments, &g);
        if (status != AKIN_OK)
            return akin_fail_stopped(error, status, what);
        status = send(r, to, r->piece, (before(r, end) - first) * size, error);
    }
    b->there += (before(r, end) - first) * size;
    b->at = (uint32_t)end;
    if (end == keywords)
        step_on(b);
    return status;
}

/* Sends some codes of the next dimension. */
static akin_status bring_codes(akin_residents *r, akin_error *error)
{
    akin_bringing *b = &r->bringing;
    const akin_objects *o = r->objects;
    if (b->at == o->head.dimensions) {
        step_on(b);
        return AKIN_OK;
    }
    const akin_codes *codes = &o->codes[b->at];
    const uint64_t first = (uint64_t)b->first * AKIN_RANGE * codes->width;
    const uint64_t bytes = (uint64_t)b->slot->there.count * codes->width - first;
    const uint64_t count = akin_min_u64(bytes - b->behind, LONG);
    char *to = b->slot->codes + b->slot->columns[b->at];
    akin_status status =
        send(r, to + b->behind, (const char *)o->bytes + codes->begin + first + b->behind, count, error);
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
        status = find_all(r, error);
        step_on(b);
        return status;
    case AKIN_BRING_LISTS:
        status = send(r, b->slot->buffer.data, (const char *)r->lists, akin_part_lists(r->objects), error);
        b->there += akin_part_lists(r->objects);
        step_on(b);
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

void akin_residents_bring(akin_residents *residents, uint32_t part)
{
    residents->bringing = (akin_bringing){.slot = &residents->slots[part % 2],
                                          .first = residents->parts.firsts[part],
                                          .end = residents->parts.firsts[part + 1]};
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
