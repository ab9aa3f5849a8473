/*
 * Inverts objects: each range on its own, its keywords sorted, by all threads; then what ranges have of a keyword is put together,
 * each task some keywords.
 */
#include "base/parallel.h"
#include "base/sort.h"
#include "search/objects.h"

#include <string.h>

#define PLACE_BITS 15
#define RADIX_FROM 2048
#define SLICES     256 /* of keywords */

_Static_assert(AKIN_RANGE == 1u << PLACE_BITS, "places of a range");

static const char what[] = "an index"; /* the memory is for */

/* What a range has: its segments by keyword, each with the number of its cells. */
typedef struct piece {
    uint32_t *keywords, *sizes;
    uint16_t *cells;
    uint64_t *starts; /* the first cell of the segments that a slice begins with */
    uint64_t *firsts; /* and their numbers */
    uint64_t segments, segments_room, sizes_room, used, cells_room;
} piece;

/* A thread's keys: keyword << PLACE_BITS | place; and what was wrong with an object, if anything was, and in which range. */
typedef struct keys {
    uint64_t *list, *scratch;
    uint64_t room, scratch_room;
    uint64_t failed;
    akin_error error;
} keys;

typedef struct building {
    const akin_objects_source *source;
    akin_objects *objects;
    akin_keyword *lists; /* of the objects, being made, as what follows */
    akin_segment *segments;
    uint16_t *cells;
    akin_codes *codes;
    uint8_t *bytes; /* NULL: there are no columns */
    piece *pieces;
    uint32_t ranges;
    uint32_t *bases; /* the first keyword of each dimension */
    keys *keys;      /* of each thread */
    uint32_t *most;  /* of each range */
} building;

/* ------------------------------------------------------------------------------------------------------------- ranges */

static int make_room(keys *k, uint64_t count)
{
    uint64_t *list = akin_enlarge(NULL, k->list, &k->room, count, sizeof *list);
    k->list = list ? list : k->list;
    uint64_t *scratch = akin_enlarge(NULL, k->scratch, &k->scratch_room, count, sizeof *scratch);
    k->scratch = scratch ? scratch : k->scratch;
    return list && scratch;
}

/* Appends the segment of `count` keys of one keyword. */
static int add_segment(piece *p, const uint64_t *list, uint32_t count)
{
    const uint32_t size = count > AKIN_RANGE_PLACES ? AKIN_RANGE_CELLS : count;
    uint32_t *keywords = akin_enlarge(NULL, p->keywords, &p->segments_room, p->segments + 1, sizeof *keywords);
    p->keywords = keywords ? keywords : p->keywords;
    uint32_t *sizes = akin_enlarge(NULL, p->sizes, &p->sizes_room, p->segments + 1, sizeof *sizes);
    p->sizes = sizes ? sizes : p->sizes;
    uint16_t *cells = akin_enlarge(NULL, p->cells, &p->cells_room, p->used + size, sizeof *cells);
    p->cells = cells ? cells : p->cells;
    if (!keywords || !sizes || !cells)
        return 0;
    keywords[p->segments] = (uint32_t)(list[0] >> PLACE_BITS);
    sizes[p->segments++] = size;
    cells += p->used;
    p->used += size;
    if (size == count) {
        for (uint32_t i = 0; i < count; i++)
            cells[i] = (uint16_t)(list[i] & (AKIN_RANGE - 1));
        return 1;
    }
    memset(cells, 0, size * sizeof *cells);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = (uint32_t)list[i] & (AKIN_RANGE - 1);
        cells[place / 16] |= (uint16_t)(1u << place % 16);
    }
    return 1;
}

/* Appends what `count` keys make, whose keywords are beyond those before. Places of a keyword are rising as they come. */
static akin_status add_keys(piece *p, keys *k, uint64_t count)
{
    if (count >= RADIX_FROM)
        akin_radix_sort_upper_u64(k->list, k->scratch, count, PLACE_BITS);
    else
        akin_sort_u64(k->list, count);
    for (uint64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && k->list[end] >> PLACE_BITS == k->list[i] >> PLACE_BITS;)
            end++;
        if (!add_segment(p, k->list + i, (uint32_t)(end - i)))
            return AKIN_E_NOMEM;
    }
    return AKIN_OK;
}

static akin_status invert_sets(building *b, uint32_t range, keys *k)
{
    const akin_objects_source *source = b->source;
    const uint64_t first = (uint64_t)range * AKIN_RANGE, count = akin_objects_of_range(b->objects, range);
    const uint64_t begin = source->offsets[first], total = source->offsets[first + count] - begin;
    if (!make_room(k, total))
        return AKIN_E_NOMEM;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = source->offsets[first + i], end = source->offsets[first + i + 1];
        b->most[range] = akin_max_u32(b->most[range], (uint32_t)akin_min_u64(end - at, UINT32_MAX));
        for (; at < end; at++) {
            if (source->tokens[at] >= source->keywords)
                return akin_fail(&k->error, AKIN_E_INPUT, "object %llu: keyword %lu is not below %lu",
                                 (unsigned long long)first + i, (unsigned long)source->tokens[at],
                                 (unsigned long)source->keywords);
            k->list[at - begin] = (uint64_t)source->tokens[at] << PLACE_BITS | i;
        }
    }
    return add_keys(&b->pieces[range], k, total);
}

/* Keeps the codes of a range as a column, too, if there are columns. */
static void write_codes(const building *b, uint32_t dimension, uint64_t first, uint64_t count)
{
    const akin_codes *codes = &b->codes[dimension];
    const uint32_t *from = b->source->codes[dimension] + first;
    uint8_t *to = b->bytes + codes->begin + first * codes->width;
    for (uint64_t i = 0; i < count; i++) {
        uint16_t code = (uint16_t)(from[i] == UINT32_MAX ? akin_codes_none(codes->width) : from[i]);
        if (codes->width == 1)
            to[i] = (uint8_t)code;
        else
            memcpy(to + 2 * i, &code, sizeof code);
    }
}

static akin_status invert_dimensions(building *b, uint32_t range, keys *k)
{
    const akin_objects_source *source = b->source;
    const uint64_t first = (uint64_t)range * AKIN_RANGE, count = akin_objects_of_range(b->objects, range);
    if (!make_room(k, count))
        return AKIN_E_NOMEM;
    b->most[range] = source->dimensions;
    for (uint32_t d = 0; d < source->dimensions; d++) {
        const uint32_t *codes = source->codes[d] + first;
        uint64_t there = 0;
        for (uint64_t i = 0; i < count; i++) {
            if (codes[i] == UINT32_MAX)
                continue;
            if (codes[i] >= source->counts[d])
                return akin_fail(&k->error, AKIN_E_INPUT, "object %llu: code %lu of dimension %lu is not below %lu",
                                 (unsigned long long)first + i, (unsigned long)codes[i], (unsigned long)d,
                                 (unsigned long)source->counts[d]);
            k->list[there++] = (uint64_t)(b->bases[d] + codes[i]) << PLACE_BITS | i;
        }
        akin_status status = add_keys(&b->pieces[range], k, there);
        if (status != AKIN_OK)
            return status;
        if (b->bytes)
            write_codes(b, d, first, count);
    }
    return AKIN_OK;
}

/* The first segment, and cell, of each slice of keywords. */
static akin_status slice(const building *b, piece *p)
{
    const uint64_t keywords = b->objects->head.keywords;
    uint64_t at = 0, cell = 0;
    p->starts = akin_alloc(NULL, SLICES + 1, sizeof *p->starts);
    p->firsts = akin_alloc(NULL, SLICES + 1, sizeof *p->firsts);
    if (!p->starts || !p->firsts)
        return AKIN_E_NOMEM;
    for (uint64_t s = 0; s <= SLICES; s++) {
        for (; at < p->segments && p->keywords[at] < s * keywords / SLICES; at++)
            cell += p->sizes[at];
        p->starts[s] = s < SLICES ? cell : p->used;
        p->firsts[s] = s < SLICES ? at : p->segments;
    }
    return AKIN_OK;
}

static akin_status invert(void *argument, uint64_t task, uint32_t thread)
{
    building *b = argument;
    const uint32_t range = (uint32_t)task;
    keys *k = &b->keys[thread];
    k->failed = task;
    akin_status status = b->source->dimensions > 0 ? invert_dimensions(b, range, k) : invert_sets(b, range, k);
    return status == AKIN_OK ? slice(b, &b->pieces[range]) : status;
}

/* ----------------------------------------------------------------------------------------------------------- together */

/* Counts the segments and cells of a slice's keywords: list i + 1 gets those of keyword i, to be summed up. */
static akin_status count_slice(void *argument, uint64_t task, uint32_t thread)
{
    building *b = argument;
    (void)thread;
    for (uint32_t r = 0; r < b->ranges; r++) {
        const piece *p = &b->pieces[r];
        for (uint64_t i = p->firsts[task]; i < p->firsts[task + 1]; i++) {
            akin_keyword *list = &b->lists[(uint64_t)p->keywords[i] + 1];
            list->segment++;
            list->cell += p->sizes[i];
        }
    }
    return AKIN_OK;
}

static akin_status sum_up(building *b)
{
    akin_objects_head *head = &b->objects->head;
    for (uint64_t i = 0; i < head->keywords; i++) {
        b->lists[i + 1].segment += b->lists[i].segment;
        b->lists[i + 1].cell += b->lists[i].cell;
    }
    head->segments = b->lists[head->keywords].segment;
    head->cells = b->lists[head->keywords].cell;
    b->objects->own[AKIN_OBJECTS_SEGMENTS] = b->segments = akin_alloc(NULL, head->segments, sizeof *b->segments);
    b->objects->own[AKIN_OBJECTS_CELLS] = b->cells = akin_alloc(NULL, head->cells, sizeof *b->cells);
    return b->segments && b->cells ? AKIN_OK : AKIN_E_NOMEM;
}

/* Copies the segments of a slice's keywords, range by range: while that goes on, next[i] is what keyword i has so far. */
static akin_status copy_slice(void *argument, uint64_t task, uint32_t thread)
{
    building *b = argument;
    const uint64_t keywords = b->objects->head.keywords;
    const uint64_t first = task * keywords / SLICES, end = (task + 1) * keywords / SLICES;
    akin_keyword *next = akin_alloc(NULL, end - first, sizeof *next);
    (void)thread;
    if (!next)
        return AKIN_E_NOMEM;
    memcpy(next, b->lists + first, (size_t)(end - first) * sizeof *next);
    for (uint32_t r = 0; r < b->ranges; r++) {
        const piece *p = &b->pieces[r];
        const uint16_t *cells = p->cells + p->starts[task];
        for (uint64_t i = p->firsts[task]; i < p->firsts[task + 1]; i++) {
            const uint64_t keyword = p->keywords[i];
            akin_keyword *to = &next[keyword - first];
            memcpy(b->cells + to->cell, cells, p->sizes[i] * sizeof *cells);
            cells += p->sizes[i];
            to->cell += p->sizes[i];
            b->segments[to->segment++] = (akin_segment){r, (uint32_t)(to->cell - b->lists[keyword].cell)};
        }
    }
    akin_free(next);
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

/* What was wrong with the first object. */
static akin_status say_why(const building *b, uint32_t threads, akin_error *error)
{
    const keys *first = NULL;
    for (uint32_t i = 0; i < threads; i++)
        if (b->keys[i].error.code != AKIN_OK && (!first || b->keys[i].failed < first->failed))
            first = &b->keys[i];
    return akin_fail(error, AKIN_E_INPUT, "%s", first->error.message);
}

static akin_status build(akin_context *context, building *b, akin_error *error)
{
    akin_objects *o = b->objects;
    akin_status status = AKIN_OK;
    o->head.count = b->source->objects;
    o->head.keywords = b->source->keywords;
    b->ranges = akin_objects_ranges(o);
    if (b->source->dimensions > 0)
        status = lay_out(b, error);
    if (status != AKIN_OK)
        return status;
    b->pieces = akin_alloc_zero(NULL, b->ranges, sizeof *b->pieces);
    b->most = akin_alloc_zero(NULL, b->ranges, sizeof *b->most);
    b->keys = akin_alloc_zero(NULL, context->threads, sizeof *b->keys);
    o->own[AKIN_OBJECTS_LISTS] = b->lists = akin_alloc_zero(NULL, (uint64_t)o->head.keywords + 1, sizeof *b->lists);
    if (!b->pieces || !b->most || !b->keys || !b->lists)
        return akin_fail_memory(error, what);
    status = akin_parallel(context, "inverting", b->ranges, invert, b);
    if (status == AKIN_E_INPUT)
        return say_why(b, context->threads, error);
    if (status == AKIN_OK)
        status = akin_parallel(context, NULL, SLICES, count_slice, b);
    if (status == AKIN_OK)
        status = sum_up(b);
    if (status == AKIN_OK)
        status = akin_parallel(context, NULL, SLICES, copy_slice, b);
    for (uint32_t r = 0; r < b->ranges; r++)
        o->head.most = akin_max_u32(o->head.most, b->most[r]);
    for (int i = 0; i < AKIN_OBJECTS_PARTS; i++)
        o->parts[i].data = o->own[i];
    akin_objects_set_parts(o);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_objects_build(akin_context *context, const akin_objects_source *source, akin_objects *out,
                               akin_error *error)
{
    building b = {.source = source, .objects = out};
    *out = (akin_objects){0};
    akin_status status = build(context, &b, error);
    for (uint32_t r = 0; b.pieces && r < b.ranges; r++) {
        akin_free(b.pieces[r].keywords);
        akin_free(b.pieces[r].sizes);
        akin_free(b.pieces[r].cells);
        akin_free(b.pieces[r].starts);
        akin_free(b.pieces[r].firsts);
    }
    for (uint32_t i = 0; b.keys && i < context->threads; i++) {
        akin_free(b.keys[i].list);
        akin_free(b.keys[i].scratch);
    }
    akin_free(b.pieces);
    akin_free(b.most);
    akin_free(b.keys);
    akin_free(b.bases);
    return status;
}
