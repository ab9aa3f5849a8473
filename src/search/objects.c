/* Objects taken from the sections of a file, which are checked, or cleared. */
#include "search/objects.h"

#include "base/parallel.h"

#define TASK 4096 /* keywords */

_Static_assert(sizeof(akin_objects_head) == 32 && sizeof(akin_keyword) == 16 && sizeof(akin_segment) == 8 &&
                   sizeof(akin_codes) == 24,
               "structs that lie in memory as in the file");

typedef struct checking {
    const akin_objects *objects;
    _Atomic(const char *) why; /* one of the reasons, if there are several */
} checking;

void akin_objects_set_parts(akin_objects *objects)
{
    const akin_objects_head *head = &objects->head;
    uint64_t bytes = 0;
    objects->lists = objects->parts[AKIN_OBJECTS_LISTS].data;
    objects->segments = objects->parts[AKIN_OBJECTS_SEGMENTS].data;
    objects->cells = objects->parts[AKIN_OBJECTS_CELLS].data;
    objects->codes = objects->parts[AKIN_OBJECTS_CODES].data;
    objects->bytes = objects->parts[AKIN_OBJECTS_BYTES].data;
    for (uint32_t d = 0; d < head->dimensions; d++)
        bytes += akin_codes_bytes(&objects->codes[d], head->count);
    objects->parts[AKIN_OBJECTS_HEAD] = (akin_section){.data = head, .length = sizeof *head};
    objects->parts[AKIN_OBJECTS_LISTS].length = ((uint64_t)head->keywords + 1) * sizeof *objects->lists;
    objects->parts[AKIN_OBJECTS_SEGMENTS].length = head->segments * sizeof *objects->segments;
    objects->parts[AKIN_OBJECTS_CELLS].length = head->cells * sizeof *objects->cells;
    objects->parts[AKIN_OBJECTS_CODES].length = head->dimensions * sizeof *objects->codes;
    objects->parts[AKIN_OBJECTS_BYTES].length = bytes;
}

void akin_objects_own_parts(akin_objects *objects)
{
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++)
        objects->parts[i].data = objects->own[i].data;
    akin_objects_set_parts(objects);
}

void akin_objects_clear(akin_objects *objects)
{
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++)
        akin_bulk_clear(&objects->own[i]);
    *objects = (akin_objects){0};
}

/* ----------------------------------------------------------------------------------------------------------- checks */

/* The places of a segment, or its bits, in a range of `objects` objects. */
static const char *check_cells(const uint16_t *cells, uint32_t size, uint32_t objects)
{
    if (size <= AKIN_RANGE_PLACES) {
        for (uint32_t i = 0; i < size; i++)
            if (cells[i] >= objects || (i > 0 && cells[i] <= cells[i - 1]))
                return "the places of a segment are not rising";
        return NULL;
    }
    for (uint32_t i = objects / 16; i < AKIN_RANGE_CELLS; i++)
        if (cells[i] >> (i == objects / 16 ? objects % 16 : 0))
            return "the bits of a segment are of no objects";
    return NULL;
}

static const char *check_list(const akin_objects *o, uint64_t keyword)
{
    const akin_keyword *list = &o->lists[keyword];
    const uint32_t ranges = akin_objects_ranges(o);
    uint32_t begin = 0;
    if (list[1].segment < list->segment || list[1].cell < list->cell || list[1].segment > o->head.segments ||
        list[1].cell > o->head.cells)
        return "its lists are not in order";
    const uint64_t cells = list[1].cell - list->cell;
    for (uint64_t i = list->segment; i < list[1].segment; i++) {
        const akin_segment *segment = &o->segments[i];
        if (segment->range >= ranges || (i > list->segment && segment->range <= segment[-1].range))
            return "the segments of a list are not in order";
        if (segment->end <= begin || segment->end > cells)
            return "the cells of a list are not in order";
        const uint32_t size = segment->end - begin;
        if (size > AKIN_RANGE_PLACES && size != AKIN_RANGE_CELLS)
            return "a segment has more cells than it may have";
        const char *why = check_cells(o->cells + list->cell + begin, size, akin_objects_of_range(o, segment->range));
        if (why)
            return why;
        begin = segment->end;
    }
    return begin == cells ? NULL : "a list has cells of no segment";
}

static akin_status check_keyword_lists(void *argument, uint64_t task, uint32_t thread)
{
    checking *c = argument;
    const uint64_t begin = task * TASK, end = akin_min_u64(begin + TASK, c->objects->head.keywords);
    (void)thread;
    for (uint64_t keyword = begin; keyword < end; keyword++) {
        const char *why = check_list(c->objects, keyword);
        if (why) {
            atomic_store(&c->why, why);
            return AKIN_E_INPUT;
        }
    }
    return AKIN_OK;
}

/* Whether columns are laid out as those of such dimensions are. */
static const char *check_codes(const akin_objects *o)
{
    uint64_t keywords = 0, bytes = 0;
    for (uint32_t d = 0; d < o->head.dimensions; d++) {
        const akin_codes *codes = &o->codes[d];
        if (codes->first != keywords || codes->count > UINT16_MAX ||
            codes->width != (codes->count <= UINT8_MAX ? 1 : 2) || codes->begin != bytes || codes->reserved != 0)
            return "its columns are not those of its keywords";
        keywords += codes->count;
        bytes += akin_codes_bytes(codes, o->head.count);
    }
    if (bytes != o->parts[AKIN_OBJECTS_BYTES].length || (o->head.dimensions > 0 && keywords != o->head.keywords))
        return "its columns are not those of its keywords";
    return NULL;
}

static const char *check_lengths(const akin_objects *o)
{
    const akin_section *parts = o->parts;
    const akin_objects_head *head = &o->head;
    if (parts[AKIN_OBJECTS_LISTS].length != ((uint64_t)head->keywords + 1) * sizeof *o->lists ||
        head->segments != parts[AKIN_OBJECTS_SEGMENTS].length / sizeof *o->segments ||
        parts[AKIN_OBJECTS_SEGMENTS].length % sizeof *o->segments != 0 ||
        head->cells != parts[AKIN_OBJECTS_CELLS].length / sizeof *o->cells ||
        parts[AKIN_OBJECTS_CELLS].length % sizeof *o->cells != 0 ||
        parts[AKIN_OBJECTS_CODES].length != (uint64_t)head->dimensions * sizeof *o->codes ||
        head->keywords == UINT32_MAX)
        return "its sections are not as long as they must be";
    return NULL;
}

static const char *check_ends(const akin_objects *o)
{
    const akin_keyword *last = &o->lists[o->head.keywords];
    return o->lists->segment == 0 && o->lists->cell == 0 && last->segment == o->head.segments &&
                   last->cell == o->head.cells
               ? NULL
               : "its lists are not in order";
}

/* Copies the parts of a mapped file that the others are found by. */
static akin_status keep_parts(const akin_scope *scope, akin_objects *objects, akin_error *error)
{
    static const int kept[] = {AKIN_OBJECTS_LISTS, AKIN_OBJECTS_SEGMENTS, AKIN_OBJECTS_CODES};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof kept / sizeof *kept && status == AKIN_OK; i++)
        status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &objects->parts[kept[i]], 0, &objects->own[kept[i]], error);
    return status;
}

akin_status akin_objects_take(const akin_scope *scope, const char *name, const akin_section parts[AKIN_OBJECTS_PARTS],
                              akin_objects *out, akin_error *error)
{
    checking c = {.objects = out};
    *out = (akin_objects){0};
    if (parts[AKIN_OBJECTS_HEAD].length != sizeof out->head)
        return akin_fail(error, AKIN_E_INPUT, "%s: no index: its numbers are not as many as they must be", name);
    memcpy(&out->head, parts[AKIN_OBJECTS_HEAD].data, sizeof out->head);
    memcpy(out->parts, parts, sizeof out->parts);
    const char *why = check_lengths(out);
    akin_status status = why ? AKIN_OK : keep_parts(scope, out, error);
    if (status != AKIN_OK)
        return status;
    if (!why) {
        out->lists = out->parts[AKIN_OBJECTS_LISTS].data;
        out->codes = out->parts[AKIN_OBJECTS_CODES].data;
        why = check_ends(out);
    }
    if (!why)
        why = check_codes(out);
    if (why)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, why);
    akin_objects_set_parts(out);
    status = akin_parallel(scope, NULL, akin_ceil_div(out->head.keywords, TASK), check_keyword_lists, &c);
    if (status == AKIN_E_INPUT)
        return akin_error_set(error, status, AKIN_REASON_DAMAGED, "%s: no index: %s", name, c.why);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, "a search index");
}
