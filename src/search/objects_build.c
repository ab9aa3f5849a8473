/*
 * Inverts objects by counting: how often each keyword is in each part of the objects says where what it has of that part goes, so
 * all threads put objects into the lists at once, and they come out in order. Then lists are cut by ranges.
 *
 *     ids    | keyword 0: of part 0 | of part 1 | .. | keyword 1: of part 0 | ..          objects, rising in each list
 */
#include "base/parallel.h"
#include "search/objects.h"

#include <string.h>

#define SPARE ((uint64_t)1 << 24) /* bytes that the places of all parts may take, or as many as the lists do */

static const char what[] = "an index"; /* the memory is for */

/* Some of the objects, which one task inverts. */
typedef struct part {
    uint64_t first, end;
    uint64_t *next; /* for each keyword, how often it is here; then where its next object goes */
    uint32_t most;  /* keywords of one object */
    akin_error error;
} part;

typedef struct building {
    const akin_objects_source *source;
    akin_objects *objects;
    akin_keyword *lists; /* of the objects, being made, as what follows */
    akin_segment *segments;
    uint16_t *cells;
    akin_codes *codes;
    uint8_t *bytes;   /* NULL: there are no columns */
    uint32_t *bases;  /* the first keyword of each dimension */
    uint64_t *begins; /* where each list begins in ids, one more than there are */
    uint32_t *ids;
    part *parts;
    uint32_t part_count;
} building;

/* ------------------------------------------------------------------------------------------------------------ counting */

static akin_status count_sets(const building *b, part *p)
{
    const akin_objects_source *source = b->source;
    for (uint64_t i = p->first; i < p->end; i++) {
        const uint64_t begin = source->offsets[i], end = source->offsets[i + 1];
        p->most = akin_max_u32(p->most, (uint32_t)akin_min_u64(end - begin, UINT32_MAX));
        for (uint64_t at = begin; at < end; at++) {
            if (source->tokens[at] >= source->keywords)
                return akin_fail(&p->error, AKIN_E_INPUT, "object %llu: keyword %lu is not below %lu",
                                 (unsigned long long)i, (unsigned long)source->tokens[at],
                                 (unsigned long)source->keywords);
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
    uint64_t end = p->end; /* or the first object that is wrong */
    p->most = source->dimensions;
    for (uint32_t d = 0; d < source->dimensions; d++) {
        const uint32_t *codes = source->codes[d];
        uint64_t *next = p->next + b->bases[d];
        for (uint64_t i = p->first; i < end; i++) {
            if (codes[i] < source->counts[d]) {
                next[codes[i]]++;
            } else if (codes[i] != UINT32_MAX) {
                akin_fail(&p->error, AKIN_E_INPUT, "object %llu: code %lu of dimension %lu is not below %lu",
                          (unsigned long long)i, (unsigned long)codes[i], (unsigned long)d,
                          (unsigned long)source->counts[d]);
                end = i;
            }
        }
        if (b->bytes)
            write_codes(b, d, p);
    }
    return p->error.code;
}

static akin_status count_part(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    (void)thread;
    return b->source->dimensions > 0 ? count_codes(b, &b->parts[task]) : count_sets(b, &b->parts[task]);
}

/* Where each list, and what each part has of it, begins. */
static akin_status sum_counts(building *b)
{
    uint64_t total = 0;
    for (uint64_t k = 0; k < b->objects->head.keywords; k++) {
        b->begins[k] = total;
        for (uint32_t i = 0; i < b->part_count; i++) {
            const uint64_t count = b->parts[i].next[k];
            b->parts[i].next[k] = total;
            total += count;
        }
    }
    b->begins[b->objects->head.keywords] = total;
    b->ids = akin_alloc(NULL, total, sizeof *b->ids);
    return b->ids ? AKIN_OK : AKIN_E_NOMEM;
}

static akin_status put_part(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    const akin_objects_source *source = b->source;
    const part *p = &b->parts[task];
    (void)thread;
    for (uint64_t i = p->first; source->dimensions == 0 && i < p->end; i++)
        for (uint64_t at = source->offsets[i]; at < source->offsets[i + 1]; at++)
            b->ids[p->next[source->tokens[at]]++] = (uint32_t)i;
    for (uint32_t d = 0; d < source->dimensions; d++) {
        uint64_t *next = p->next + b->bases[d];
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

static uint32_t cells_of(uint32_t count)
{
    return count > AKIN_RANGE_PLACES ? AKIN_RANGE_CELLS : count;
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
            b->lists[k + 1].cell += cells_of(count);
            at += count;
        }
    }
    return AKIN_OK;
}

static akin_status sum_lists(building *b)
{
    akin_objects_head *head = &b->objects->head;
    for (uint64_t k = 0; k < head->keywords; k++) {
        b->lists[k + 1].segment += b->lists[k].segment;
        b->lists[k + 1].cell += b->lists[k].cell;
    }
    head->segments = b->lists[head->keywords].segment;
    head->cells = b->lists[head->keywords].cell;
    b->objects->own[AKIN_OBJECTS_SEGMENTS] = b->segments = akin_alloc(NULL, head->segments, sizeof *b->segments);
    b->objects->own[AKIN_OBJECTS_CELLS] = b->cells = akin_alloc(NULL, head->cells, sizeof *b->cells);
    return b->segments && b->cells ? AKIN_OK : AKIN_E_NOMEM;
}

static void write_cells(const uint32_t *ids, uint32_t count, uint16_t *cells)
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
            write_cells(at, count, b->cells + b->lists[k].cell + cell);
            cell += cells_of(count);
            *segment++ = (akin_segment){*at / AKIN_RANGE, cell};
            at += count;
        }
    }
    return AKIN_OK;
}

/* -------------------------------------------------------------------------------------------------------------- build */

/* Numbers the keywords of dimensions, and lays out their columns. */
static akin_status lay_out(building *b, akin_error *error)
{
    const akin_objects_source *source = b->source;
    akin_objects *o = b->objects;
    uint64_t keywords = 0, bytes = 0;
    int narrow = 1;
    b->bases = akin_alloc(NULL, source->dimensions, sizeof *b->bases);
    o->own[AKIN_OBJECTS_CODES] = b->codes = akin_alloc(NULL, source->dimensions, sizeof *b->codes);
    if (!b->bases || !b->codes)
        return akin_fail_memory(error, what);
    for (uint32_t d = 0; d < source->dimensions; d++) {
        const uint32_t count = source->counts[d], width = count <= UINT8_MAX ? 1 : 2;
        narrow &= count <= UINT16_MAX;
        b->bases[d] = (uint32_t)keywords;
        b->codes[d] = (akin_codes){(uint32_t)keywords, count, width, 0, bytes};
        keywords += count;
        if (keywords > UINT32_MAX - 1)
            return akin_fail(error, AKIN_E_LIMIT, "an index has more than 2^32 - 2 keywords");
        bytes += akin_codes_bytes(&b->codes[d], source->objects);
    }
    o->head.keywords = (uint32_t)keywords;
    if (!narrow)
        return AKIN_OK;
    o->head.dimensions = source->dimensions;
    o->own[AKIN_OBJECTS_BYTES] = b->bytes = akin_alloc_zero(NULL, bytes, 1);
    return b->bytes ? AKIN_OK : akin_fail_memory(error, what);
}

/* Cuts objects into parts: one for each thread, or fewer where there are many keywords, of each of which a part keeps a place. */
static akin_status cut(building *b, uint32_t threads)
{
    const akin_objects_source *source = b->source;
    const uint64_t objects = source->objects, keywords = b->objects->head.keywords;
    const uint64_t entries = source->dimensions ? objects * source->dimensions : objects ? source->offsets[objects] : 0;
    const uint64_t room = akin_max_u64(SPARE, entries * sizeof *b->ids) / sizeof *b->begins;
    const uint64_t most = akin_max_u64(keywords ? room / keywords : 1, 1);
    b->part_count = (uint32_t)akin_min_u64(akin_min_u64(threads, most), akin_max_u64(objects, 1));
    b->parts = akin_alloc_zero(NULL, b->part_count, sizeof *b->parts);
    b->begins = akin_alloc(NULL, keywords + 1, sizeof *b->begins);
    b->lists = b->objects->own[AKIN_OBJECTS_LISTS] = akin_alloc_zero(NULL, keywords + 1, sizeof *b->lists);
    if (!b->parts || !b->begins || !b->lists)
        return AKIN_E_NOMEM;
    for (uint64_t i = 0; i < b->part_count; i++) {
        part *p = &b->parts[i];
        p->first = i * objects / b->part_count;
        p->end = (i + 1) * objects / b->part_count;
        p->next = akin_alloc_zero(NULL, keywords, sizeof *p->next);
        if (!p->next)
            return AKIN_E_NOMEM;
    }
    return AKIN_OK;
}

static akin_status count_all(akin_context *context, building *b, akin_error *error)
{
    akin_status status = akin_parallel(context, "counting keywords", b->part_count, count_part, b);
    for (uint32_t i = 0; i < b->part_count; i++) {
        if (b->parts[i].error.code != AKIN_OK) /* the first object that is wrong */
            return akin_fail(error, status, "%s", b->parts[i].error.message);
        b->objects->head.most = akin_max_u32(b->objects->head.most, b->parts[i].most);
    }
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status build(akin_context *context, building *b, akin_error *error)
{
    akin_objects *o = b->objects;
    akin_status status = AKIN_OK;
    o->head.count = b->source->objects;
    o->head.keywords = b->source->keywords;
    if (b->source->dimensions > 0)
        status = lay_out(b, error);
    if (status != AKIN_OK)
        return status;
    if (cut(b, context->threads) != AKIN_OK)
        return akin_fail_memory(error, what);
    status = count_all(context, b, error);
    if (status != AKIN_OK)
        return status;
    status = sum_counts(b);
    if (status == AKIN_OK)
        status = akin_parallel(context, "inverting", b->part_count, put_part, b);
    const uint64_t tasks = akin_weighed_tasks(bytes_before, b, o->head.keywords);
    if (status == AKIN_OK)
        status = akin_parallel(context, NULL, tasks, measure_lists, b);
    if (status == AKIN_OK)
        status = sum_lists(b);
    if (status == AKIN_OK)
        status = akin_parallel(context, NULL, tasks, cut_lists, b);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++)
        o->parts[i].data = o->own[i];
    akin_objects_set_parts(o);
    return AKIN_OK;
}

akin_status akin_objects_build(akin_context *context, const akin_objects_source *source, akin_objects *out,
                               akin_error *error)
{
    building b = {.source = source, .objects = out};
    *out = (akin_objects){0};
    akin_status status = build(context, &b, error);
    for (uint32_t i = 0; b.parts && i < b.part_count; i++)
        akin_free(b.parts[i].next);
    akin_free(b.parts);
    akin_free(b.bases);
    akin_free(b.begins);
    akin_free(b.ids);
    return status;
}
