/*
 * Inverts objects by counting: how often each keyword is in each part of the objects says where what it has of that part goes, so
 * all threads put objects into the lists at once, and they come out in order. Then lists are cut by ranges.
 *
 *     ids    | keyword 0: of part 0 | of part 1 | .. | keyword 1: of part 0 | ..          objects, rising in each list
 *
 * Where ids are more than a memory bound has room for, so many objects at a time are inverted, whole ranges of them, into temporary files,
 * which are merged.
 */
#include "base/parallel.h"
#include "search/objects.h"

#include <string.h>

#define SPARE ((uint64_t)1 << 24) /* bytes that the places of all parts may take, or as many as the lists do */

static const char what[] = "an index"; /* the memory is for */

/* Some of the objects, which one task inverts. */
typedef struct part {
    uint64_t first, end;
    uint64_t *next; /* for each token, how often it is here; then where its next object goes: of the array of all */
    uint32_t most;  /* keywords of one object */
} part;

#define AHEAD 24 /* tokens: where their objects go is brought near */

enum { NEXT, BEGINS, IDS, ARRAYS }; /* that building takes */

typedef struct building {
    akin_context *context;
    akin_device *device; /* NULL: the CPU inverts */
    const akin_objects_source *source;
    uint64_t share; /* of the heap, of a memory bound: for an array of the objects */
    akin_bulk arrays[ARRAYS];
    akin_objects *objects;
    akin_keyword *lists; /* of the objects, being made, as what follows */
    akin_segment *segments;
    uint16_t *cells;
    akin_codes *codes;
    uint8_t *bytes;   /* NULL: there are no columns */
    uint64_t *begins; /* where each list begins in ids, one more than there are */
    uint32_t *ids;
    part *parts;
    uint32_t part_count;
    uint32_t universe; /* of tokens: keywords, or those of an order */
} building;

/* An array that building takes. */
static akin_status reserve(building *b, int array, uint64_t bytes, akin_error *error)
{
    b->arrays[array] = akin_bulk_of(b->context, NULL, akin_objects_scratch(b->context));
    return akin_bulk_reserve(&b->arrays[array], bytes, what, error);
}

akin_status akin_objects_reserve(const akin_context *context, uint64_t share, int part, uint64_t bytes,
                                 akin_objects *out, akin_error *error)
{
    akin_bulk *own = &out->own[part];
    *own = akin_bulk_of(context, NULL, share);
    akin_status status = akin_bulk_reserve(own, bytes, what, error);
    akin_bulk_trim(own, bytes);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ counting */

static akin_status count_sets(const building *b, part *p)
{
    const akin_objects_source *source = b->source;
    for (uint64_t i = p->first; i < p->end; i++) {
        const uint64_t begin = source->offsets[i], end = source->offsets[i + 1];
        p->most = akin_max_u32(p->most, (uint32_t)akin_min_u64(end - begin, UINT32_MAX));
        for (uint64_t at = begin; at < end; at++) {
            if (source->tokens[at] >= b->universe)
                return AKIN_E_INPUT;
            p->next[source->tokens[at]]++;
        }
    }
    return AKIN_OK;
}

/* Keeps the codes of a part as a column. */
static void write_codes(const building *b, uint32_t dimension, const part *p)
{
    const akin_codes *codes = &b->codes[dimension];
    const uint32_t *from = b->source->codes[dimension];
    uint8_t *to = b->bytes + codes->begin;
    for (uint64_t i = p->first; i < p->end; i++) {
        uint16_t code = (uint16_t)(from[i] == UINT32_MAX ? akin_codes_none(codes->width) : from[i]);
        if (codes->width == 1)
            to[i] = (uint8_t)code;
        else
            memcpy(to + 2 * i, &code, sizeof code);
    }
}

static akin_status count_codes(const building *b, part *p)
{
    const akin_objects_source *source = b->source;
    p->most = source->dimensions;
    for (uint32_t d = 0; d < source->dimensions; d++) {
        const uint32_t *codes = source->codes[d];
        uint64_t *next = p->next + b->codes[d].first;
        for (uint64_t i = p->first; i < p->end; i++) {
            if (codes[i] < source->counts[d])
                next[codes[i]]++;
            else if (codes[i] != UINT32_MAX)
                return AKIN_E_INPUT;
        }
        if (b->bytes)
            write_codes(b, d, p);
    }
    return AKIN_OK;
}

static akin_status count_part(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    (void)thread;
    return b->source->dimensions > 0 ? count_codes(b, &b->parts[task]) : count_sets(b, &b->parts[task]);
}

static akin_status wrong_token(const akin_objects_source *source, akin_error *error)
{
    const uint32_t universe = akin_objects_universe(source);
    uint32_t i = 0;
    for (uint64_t at = source->offsets[0];; at++) {
        while (at == source->offsets[i + UINT64_C(1)])
            i++;
        if (source->tokens[at] >= universe)
            return akin_fail(error, AKIN_E_INPUT, "object %llu: keyword %lu is not below %lu",
                             (unsigned long long)source->first + i, (unsigned long)source->tokens[at],
                             (unsigned long)universe);
    }
}

akin_status akin_objects_say_wrong(const akin_objects_source *source, akin_error *error)
{
    uint32_t first = source->objects, dimension = 0;
    if (source->dimensions == 0)
        return wrong_token(source, error);
    for (uint32_t d = 0; d < source->dimensions; d++)
        for (uint32_t i = 0; i < first; i++)
            if (source->codes[d][i] >= source->counts[d] && source->codes[d][i] != UINT32_MAX) {
                first = i;
                dimension = d;
            }
    return akin_fail(error, AKIN_E_INPUT, "object %llu: code %lu of dimension %lu is not below %lu",
                     (unsigned long long)source->first + first, (unsigned long)source->codes[dimension][first],
                     (unsigned long)dimension, (unsigned long)source->counts[dimension]);
}

/* Where each list, and what each part has of it, begins. */
static akin_status sum_counts(building *b, akin_error *error)
{
    uint64_t total = 0;
    for (uint64_t k = 0; k < b->objects->head.keywords; k++) {
        const uint64_t token = b->source->order ? b->source->order[k] : k;
        b->begins[k] = total;
        for (uint32_t i = 0; i < b->part_count; i++) {
            const uint64_t count = b->parts[i].next[token];
            b->parts[i].next[token] = total;
            total += count;
        }
    }
    b->begins[b->objects->head.keywords] = total;
    akin_status status = reserve(b, IDS, total * sizeof *b->ids, error);
    b->ids = b->arrays[IDS].data;
    return status;
}

static void put_sets(const building *b, const part *p)
{
    const akin_objects_source *source = b->source;
    const uint64_t last = source->offsets[p->end];
    for (uint64_t i = p->first; i < p->end; i++)
        for (uint64_t at = source->offsets[i]; at < source->offsets[i + 1]; at++) {
            __builtin_prefetch(&b->ids[p->next[source->tokens[akin_min_u64(at + AHEAD, last - 1)]]], 1);
            b->ids[p->next[source->tokens[at]]++] = (uint32_t)i;
        }
}

static akin_status put_part(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    const akin_objects_source *source = b->source;
    const part *p = &b->parts[task];
    (void)thread;
    if (source->dimensions == 0)
        put_sets(b, p);
    for (uint32_t d = 0; d < source->dimensions; d++) {
        uint64_t *next = p->next + b->codes[d].first;
        for (uint64_t i = p->first; i < p->end; i++)
            if (source->codes[d][i] != UINT32_MAX)
                b->ids[next[source->codes[d][i]]++] = (uint32_t)i;
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- cutting */

/* What lists weigh as tasks: see akin_weighed_tasks. */
static uint64_t bytes_before(const void *of, uint32_t keyword)
{
    const building *b = of;
    return b->begins[keyword] * sizeof *b->ids + keyword * sizeof *b->lists;
}

/* The keywords of a task. */
static void task_keywords(const building *b, uint64_t task, uint64_t *first, uint64_t *end)
{
    *first = akin_weighed_begin(bytes_before, b, b->objects->head.keywords, task);
    *end = akin_weighed_begin(bytes_before, b, b->objects->head.keywords, task + 1);
}

/* How many ids, the first of which is of some range, are of that. */
static uint32_t same_range(const uint32_t *ids, const uint32_t *end)
{
    const uint32_t *at = ids, range = *ids / AKIN_RANGE;
    while (at < end && *at / AKIN_RANGE == range)
        at++;
    return (uint32_t)(at - ids);
}

/* Counts segments and cells: those of keyword i stand at i + 1, to be summed up. */
static akin_status measure_lists(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    uint64_t first, end;
    (void)thread;
    task_keywords(b, task, &first, &end);
    for (uint64_t k = first; k < end; k++) {
        const uint32_t *stop = b->ids + b->begins[k + 1];
        for (const uint32_t *at = b->ids + b->begins[k]; at < stop;) {
            uint32_t count = same_range(at, stop);
            b->lists[k + 1].segment++;
            b->lists[k + 1].cell += akin_objects_cells(count);
            at += count;
        }
    }
    return AKIN_OK;
}

static akin_status sum_lists(building *b, akin_error *error)
{
    akin_objects_head *head = &b->objects->head;
    for (uint64_t k = 0; k < head->keywords; k++) {
        b->lists[k + 1].segment += b->lists[k].segment;
        b->lists[k + 1].cell += b->lists[k].cell;
    }
    head->segments = b->lists[head->keywords].segment;
    head->cells = b->lists[head->keywords].cell;
    akin_status status = akin_objects_reserve(b->context, b->share, AKIN_OBJECTS_SEGMENTS,
                                              head->segments * sizeof *b->segments, b->objects, error);
    if (status == AKIN_OK)
        status = akin_objects_reserve(b->context, b->share, AKIN_OBJECTS_CELLS, head->cells * sizeof *b->cells,
                                      b->objects, error);
    b->segments = b->objects->own[AKIN_OBJECTS_SEGMENTS].data;
    b->cells = b->objects->own[AKIN_OBJECTS_CELLS].data;
    return status;
}

void akin_objects_write_cells(const uint32_t *ids, uint32_t count, uint16_t *cells)
{
    if (count <= AKIN_RANGE_PLACES) {
        for (uint32_t i = 0; i < count; i++)
            cells[i] = (uint16_t)(ids[i] % AKIN_RANGE);
        return;
    }
    memset(cells, 0, AKIN_RANGE_CELLS * sizeof *cells);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = ids[i] % AKIN_RANGE;
        cells[place / 16] = (uint16_t)(cells[place / 16] | 1u << place % 16);
    }
}

static akin_status cut_lists(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    uint64_t first, end;
    (void)thread;
    task_keywords(b, task, &first, &end);
    for (uint64_t k = first; k < end; k++) {
        const uint32_t *stop = b->ids + b->begins[k + 1];
        akin_segment *segment = b->segments + b->lists[k].segment;
        uint32_t cell = 0;
        for (const uint32_t *at = b->ids + b->begins[k]; at < stop;) {
            uint32_t count = same_range(at, stop);
            akin_objects_write_cells(at, count, b->cells + b->lists[k].cell + cell);
            cell += akin_objects_cells(count);
            *segment++ = (akin_segment){*at / AKIN_RANGE, cell};
            at += count;
        }
    }
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- build */

akin_status akin_objects_lay_out(const akin_context *context, uint64_t share, uint32_t dimensions,
                                 const uint32_t *counts, akin_objects *out, akin_error *error)
{
    uint64_t keywords = 0, bytes = 0;
    int narrow = 1;
    akin_status status =
        akin_objects_reserve(context, share, AKIN_OBJECTS_CODES, dimensions * sizeof(akin_codes), out, error);
    akin_codes *codes = out->own[AKIN_OBJECTS_CODES].data;
    for (uint32_t d = 0; d < dimensions && status == AKIN_OK; d++) {
        narrow &= counts[d] <= UINT16_MAX;
        codes[d] = (akin_codes){(uint32_t)keywords, counts[d], counts[d] <= UINT8_MAX ? 1 : 2, 0, bytes};
        keywords += counts[d];
        if (keywords > UINT32_MAX - 1)
            return akin_fail(error, AKIN_E_LIMIT, "an index has more than 2^32 - 2 keywords");
        bytes += akin_codes_bytes(&codes[d], out->head.count);
    }
    out->head.keywords = (uint32_t)keywords;
    if (status != AKIN_OK || !narrow)
        return status;
    out->head.dimensions = dimensions;
    status = akin_objects_reserve(context, share, AKIN_OBJECTS_BYTES, bytes, out, error);
    if (status == AKIN_OK)
        memset(out->own[AKIN_OBJECTS_BYTES].data, 0, (size_t)bytes);
    return status;
}

/* Cuts objects into parts: one for each thread, or fewer where there are many keywords, of each of which a part keeps a place. */
static akin_status cut(building *b, akin_error *error)
{
    const akin_objects_source *source = b->source;
    const uint64_t objects = source->objects, keywords = b->objects->head.keywords;
    const uint64_t universe = b->universe =
        source->dimensions ? b->objects->head.keywords : akin_objects_universe(source);
    const uint64_t room = akin_max_u64(SPARE, akin_objects_entries(source) * sizeof *b->ids) / sizeof *b->begins;
    const uint64_t most = akin_max_u64(universe ? room / universe : 1, 1);
    b->part_count = (uint32_t)akin_min_u64(akin_min_u64(b->context->threads, most), akin_max_u64(objects, 1));
    b->parts = akin_alloc_zero(NULL, b->part_count, sizeof *b->parts);
    if (!b->parts)
        return akin_fail_memory(error, what);
    b->arrays[NEXT] = akin_bulk_of(b->context, NULL, akin_objects_scratch(b->context));
    akin_status status =
        akin_bulk_reserve_zeros(&b->arrays[NEXT], b->part_count * universe * sizeof *b->parts->next, what, error);
    if (status == AKIN_OK)
        status = reserve(b, BEGINS, (keywords + 1) * sizeof *b->begins, error);
    if (status == AKIN_OK)
        status = akin_objects_reserve(b->context, b->share, AKIN_OBJECTS_LISTS, (keywords + 1) * sizeof *b->lists,
                                      b->objects, error);
    if (status != AKIN_OK)
        return status;
    b->begins = b->arrays[BEGINS].data;
    b->lists = b->objects->own[AKIN_OBJECTS_LISTS].data;
    memset(b->lists, 0, (keywords + 1) * sizeof *b->lists);
    for (uint64_t i = 0; i < b->part_count; i++) {
        b->parts[i].first = i * objects / b->part_count;
        b->parts[i].end = (i + 1) * objects / b->part_count;
        b->parts[i].next = (uint64_t *)b->arrays[NEXT].data + i * universe;
    }
    return status;
}

static akin_status count_all(building *b, akin_error *error)
{
    akin_status status = akin_parallel(b->context, "counting keywords", b->part_count, count_part, b);
    if (status == AKIN_E_INPUT)
        return akin_objects_say_wrong(b->source, error);
    for (uint32_t i = 0; i < b->part_count; i++)
        b->objects->head.most = akin_max_u32(b->objects->head.most, b->parts[i].most);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* Puts objects into lists, and cuts these. */
static akin_status invert(building *b, akin_error *error)
{
    akin_status status = sum_counts(b, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(b->context, "inverting", b->part_count, put_part, b);
    const uint64_t tasks = akin_weighed_tasks(bytes_before, b, b->objects->head.keywords);
    if (status == AKIN_OK)
        status = akin_parallel(b->context, NULL, tasks, measure_lists, b);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = sum_lists(b, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(b->context, NULL, tasks, cut_lists, b);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status build_here(building *b, akin_error *error)
{
    akin_status status = cut(b, error);
    if (status == AKIN_OK)
        status = count_all(b, error);
    return status == AKIN_OK ? invert(b, error) : status;
}

/* Keeps the codes of a range as columns. */
static akin_status write_columns(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    const part p = {.first = task * AKIN_RANGE, .end = akin_min_u64((task + 1) * AKIN_RANGE, b->source->objects)};
    (void)thread;
    for (uint32_t d = 0; d < b->source->dimensions; d++)
        write_codes(b, d, &p);
    return AKIN_OK;
}

static akin_status build_there(building *b, akin_error *error)
{
    akin_status status = akin_objects_invert_there(b->context, b->device, b->source, b->share, b->objects, error);
    if (status != AKIN_OK || !b->bytes)
        return status;
    status = akin_parallel(b->context, NULL, akin_objects_ranges(b->objects), write_columns, b);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status build(building *b, akin_error *error)
{
    akin_objects *o = b->objects;
    const uint32_t dimensions = b->source->dimensions;
    akin_status status = AKIN_OK;
    o->head.count = b->source->objects;
    o->head.keywords = b->source->keywords;
    if (dimensions > 0)
        status = akin_objects_lay_out(b->context, b->share, dimensions, b->source->counts, o, error);
    b->codes = o->own[AKIN_OBJECTS_CODES].data;
    b->bytes = o->own[AKIN_OBJECTS_BYTES].data;
    if (status == AKIN_OK)
        status = b->device ? build_there(b, error) : build_here(b, error);
    if (status == AKIN_OK)
        akin_objects_own_parts(o);
    return status;
}

akin_status akin_objects_build_one(akin_context *context, akin_device *device, const akin_objects_source *source,
                                   uint64_t share, akin_objects *out, akin_error *error)
{
    building b = {.context = context, .device = device, .source = source, .share = share, .objects = out};
    *out = (akin_objects){0};
    akin_status status = build(&b, error);
    akin_free(b.parts);
    for (int array = 0; array < ARRAYS; array++)
        akin_bulk_clear(&b.arrays[array]);
    return status;
}
