/*
 * Inverts objects in two steps, in which no more places are written to than the nearest caches have lines for: postings
 * are dealt out to buckets, each of some tokens that follow one another, and then each bucket to the lists of its
 * tokens.
 *
 *     postings   | bucket 0: of range 0 | of range 1 | .. | bucket 1: of range 0 | ..       in the order of the objects
 *     posting    | token, of those of the bucket, 17 bits | place in the range, 15 bits |
 *
 * Where a memory bound has no room for all postings, as many objects at a time as fit, whole ranges of them, are
 * inverted into temporary files, which are merged.
 */
#include "base/parallel.h"
#include "search/objects.h"

#include <string.h>

#define BUCKETS     2048u /* as many, or some more where each would have too many tokens */
#define PLACE_BITS  15
#define BUCKET_BITS 17 /* of tokens of a bucket, at most */

_Static_assert(AKIN_RANGE == 1u << PLACE_BITS && PLACE_BITS + BUCKET_BITS == 32, "a posting has 32 bits");

static const char what[] = "a search index"; /* the memory is for */

/* A list that is being made. */
typedef struct list {
    uint32_t range;   /* of its last object, and 1 more, */
    uint32_t count;   /* and objects of that, so far */
    uint32_t cells;   /* so far */
    uint32_t is_list; /* the token is a keyword */
    uint64_t segment; /* the next; or how many there are, so far */
    uint64_t cell;    /* the first */
} list;

enum { ENDS, POSTINGS, KEYWORDS, ARRAYS }; /* that building takes */

typedef struct building {
    const akin_scope *scope;
    akin_device *device; /* NULL: the CPU inverts */
    const akin_objects_source *source;
    uint64_t share; /* of the heap, of a memory bound: for an array of the objects */
    akin_bulk arrays[ARRAYS];
    akin_objects *objects;
    akin_keyword *made; /* the lists of the objects, as what follows */
    akin_segment *segments;
    uint16_t *cells;
    akin_codes *codes;
    uint8_t *bytes;     /* NULL: there are no columns */
    uint32_t *keywords; /* of each token of an order, UINT32_MAX: none; NULL: tokens are keywords, and so are codes */
    uint32_t universe;  /* of tokens */
    uint32_t ranges, buckets;
    uint32_t shift; /* a bucket has 2^shift tokens */
    uint64_t *ends; /* of each range: what each bucket has of it, and then where that ends in */
    uint32_t *postings;
    list *lists; /* of a bucket, for each thread */
} building;

/* An array that building takes. */
static akin_status reserve_object_array(building *b, int array, uint64_t bytes, akin_error *error)
{
    b->arrays[array] = akin_bulk_of(b->scope, NULL, akin_objects_scratch(b->scope));
    return akin_bulk_reserve(&b->arrays[array], bytes, what, error);
}

akin_status akin_objects_reserve(const akin_scope *scope, uint64_t share, int part, uint64_t bytes, akin_objects *out,
                                 akin_error *error)
{
    akin_bulk *own = &out->own[part];
    *own = akin_bulk_of(scope, NULL, share);
    akin_status status = akin_bulk_reserve(own, bytes, what, error);
    akin_bulk_trim(own, bytes);
    return status;
}

static akin_status wrong_token(const akin_objects_source *source, akin_error *error)
{
    const uint32_t universe = akin_objects_universe(source);
    uint32_t i = 0;
    for (uint64_t at = source->offsets[0];; at++) {
        while (at == source->offsets[i + UINT64_C(1)])
            i++;
        if (source->tokens[at] >= universe)
            return akin_note_place(akin_fail(error, AKIN_E_INPUT, "object %llu: keyword %lu is not below %lu",
                                             (unsigned long long)source->first + i, (unsigned long)source->tokens[at],
                                             (unsigned long)universe),
                                   source->first + i, NULL, error);
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
    akin_fail(error, AKIN_E_INPUT, "object %llu: code %lu of dimension %lu is not below %lu",
              (unsigned long long)source->first + first, (unsigned long)source->codes[dimension][first],
              (unsigned long)dimension, (unsigned long)source->counts[dimension]);
    return akin_note_place(AKIN_E_INPUT, source->first + first, NULL, error);
}

/* Keeps the codes of objects from `first` to `end` as a column. */
static void write_code_column(const building *b, uint32_t dimension, uint64_t first, uint64_t end)
{
    const akin_codes *codes = &b->codes[dimension];
    const uint32_t *from = b->source->codes[dimension];
    uint8_t *to = b->bytes + codes->begin;
    for (uint64_t i = first; i < end; i++) {
        uint16_t code = (uint16_t)(from[i] == UINT32_MAX ? akin_codes_none(codes->width) : from[i]);
        if (codes->width == 1)
            to[i] = (uint8_t)code;
        else
            memcpy(to + 2 * i, &code, sizeof code);
    }
}

/* ---------------------------------------------------------------------------------------------------------- dealing */

/* What the buckets have of a range. */
static uint64_t *range_bucket_ends(const building *b, uint64_t range)
{
    return b->ends + range * b->buckets;
}

static uint64_t range_end(const building *b, uint64_t range)
{
    return akin_min_u64((range + 1) * AKIN_RANGE, b->source->objects);
}

static akin_status count_set_postings(const building *b, uint64_t range)
{
    const akin_objects_source *source = b->source;
    const uint64_t end = source->offsets[range_end(b, range)];
    uint64_t *counts = range_bucket_ends(b, range);
    for (uint64_t at = source->offsets[range * AKIN_RANGE]; at < end; at++) {
        if (source->tokens[at] >= b->universe)
            return AKIN_E_INPUT;
        counts[source->tokens[at] >> b->shift]++;
    }
    return AKIN_OK;
}

static akin_status count_codes(const building *b, uint64_t range)
{
    const akin_objects_source *source = b->source;
    const uint64_t first = range * AKIN_RANGE, end = range_end(b, range);
    uint64_t *counts = range_bucket_ends(b, range);
    for (uint32_t d = 0; d < source->dimensions; d++) {
        const uint32_t *codes = source->codes[d];
        for (uint64_t i = first; i < end; i++) {
            if (codes[i] < source->counts[d])
                counts[(b->codes[d].first + codes[i]) >> b->shift]++;
            else if (codes[i] != UINT32_MAX)
                return AKIN_E_INPUT;
        }
        if (b->bytes)
            write_code_column(b, d, first, end);
    }
    return AKIN_OK;
}

static akin_status count_range_postings(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    (void)thread;
    return b->source->dimensions > 0 ? count_codes(b, task) : count_set_postings(b, task);
}

/* Where what each bucket has of each range goes. */
static akin_status sum_counts(building *b, akin_error *error)
{
    uint64_t total = 0;
    for (uint32_t bucket = 0; bucket < b->buckets; bucket++)
        for (uint32_t range = 0; range < b->ranges; range++) {
            const uint64_t count = range_bucket_ends(b, range)[bucket];
            range_bucket_ends(b, range)[bucket] = total;
            total += count;
            if (akin_is_stopped(b->scope, range))
                return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
        }
    akin_status status = reserve_object_array(b, POSTINGS, total * sizeof *b->postings, error);
    b->postings = b->arrays[POSTINGS].data;
    return status;
}

static void deal_posting(const building *b, uint64_t *ends, uint32_t token, uint64_t object)
{
    b->postings[ends[token >> b->shift]++] =
        (token & ((1u << b->shift) - 1)) << PLACE_BITS | (uint32_t)object % AKIN_RANGE;
}

static akin_status deal_range(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    const akin_objects_source *source = b->source;
    const uint64_t first = task * AKIN_RANGE, end = range_end(b, task);
    uint64_t *ends = range_bucket_ends(b, task);
    (void)thread;
    for (uint64_t i = first; i < end && source->dimensions == 0; i++)
        for (uint64_t at = source->offsets[i]; at < source->offsets[i + 1]; at++)
            deal_posting(b, ends, source->tokens[at], i);
    for (uint32_t d = 0; d < source->dimensions; d++)
        for (uint64_t i = first; i < end; i++)
            if (source->codes[d][i] != UINT32_MAX)
                deal_posting(b, ends, b->codes[d].first + source->codes[d][i], i);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* The keyword of a token, UINT32_MAX: none. */
static uint32_t token_keyword(const building *b, uint64_t token)
{
    return b->keywords ? b->keywords[token] : (uint32_t)token;
}

static uint64_t bucket_end(const building *b, uint64_t bucket)
{
    return akin_min_u64((bucket + 1) << b->shift, b->universe);
}

/* Where its postings begin. */
static uint64_t bucket_begin(const building *b, uint64_t bucket)
{
    return bucket > 0 ? range_bucket_ends(b, b->ranges - 1)[bucket - 1] : 0;
}

/* Counts an object of a range. Whether it is the first of it is hard to foresee, so nothing depends on that but
 * numbers. */
static uint32_t add_to_list(list *l, uint32_t range)
{
    const uint32_t is_first = l->range != range + 1;
    l->count = (l->count & (is_first - 1)) + 1;
    l->range = range + 1;
    l->segment += is_first;
    return l->count;
}

/* Counts segments and cells: those of keyword i stand at i + 1, to be summed up. */
static akin_status measure_bucket(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    list *lists = b->lists + ((uint64_t)thread << b->shift);
    const uint64_t first = task << b->shift, end = bucket_end(b, task);
    uint64_t at = bucket_begin(b, task);
    memset(lists, 0, (end - first) * sizeof *lists);
    for (uint32_t range = 0; range < b->ranges; range++)
        for (const uint64_t stop = range_bucket_ends(b, range)[task]; at < stop; at++) {
            list *l = &lists[b->postings[at] >> PLACE_BITS];
            const uint32_t count = add_to_list(l, range);
            l->cells += count <= AKIN_RANGE_PLACES;
            if (count == AKIN_RANGE_PLACES + 1)
                l->cells += AKIN_RANGE_CELLS - AKIN_RANGE_PLACES;
        }
    for (uint64_t token = first; token < end; token++) {
        const uint64_t keyword = token_keyword(b, token);
        if (keyword != UINT32_MAX)
            b->made[keyword + 1] = (akin_keyword){lists[token - first].segment, lists[token - first].cells};
    }
    return AKIN_OK;
}

static akin_status sum_lists(building *b, akin_error *error)
{
    akin_objects_head *head = &b->objects->head;
    for (uint64_t k = 0; k < head->keywords; k++) {
        b->made[k + 1].segment += b->made[k].segment;
        b->made[k + 1].cell += b->made[k].cell;
        if (akin_is_stopped(b->scope, k))
            return akin_fail_stopped(error, AKIN_E_CANCELLED, what);
    }
    head->segments = b->made[head->keywords].segment;
    head->cells = b->made[head->keywords].cell;
    akin_status status = akin_objects_reserve(b->scope, b->share, AKIN_OBJECTS_SEGMENTS,
                                              head->segments * sizeof *b->segments, b->objects, error);
    if (status == AKIN_OK)
        status = akin_objects_reserve(b->scope, b->share, AKIN_OBJECTS_CELLS, head->cells * sizeof *b->cells,
                                      b->objects, error);
    b->segments = b->objects->own[AKIN_OBJECTS_SEGMENTS].data;
    b->cells = b->objects->own[AKIN_OBJECTS_CELLS].data;
    return status;
}

static void set_bit(uint16_t *cells, uint32_t place)
{
    cells[place / 16] = (uint16_t)(cells[place / 16] | 1u << place % 16);
}

void akin_objects_write_cells(const uint32_t *ids, uint32_t count, uint16_t *cells)
{
    if (count <= AKIN_RANGE_PLACES) {
        for (uint32_t i = 0; i < count; i++)
            cells[i] = (uint16_t)(ids[i] % AKIN_RANGE);
        return;
    }
    memset(cells, 0, AKIN_RANGE_CELLS * sizeof *cells);
    for (uint32_t i = 0; i < count; i++)
        set_bit(cells, ids[i] % AKIN_RANGE);
}

/* Turns places into bits. */
static void make_bitmap(uint16_t *cells)
{
    uint16_t places[AKIN_RANGE_PLACES];
    memcpy(places, cells, sizeof places);
    memset(cells, 0, AKIN_RANGE_CELLS * sizeof *cells);
    for (uint32_t i = 0; i < AKIN_RANGE_PLACES; i++)
        set_bit(cells, places[i]);
}

/* Adds an object to the last segment of a list, behind the others or as a bit. */
static void write_place(list *l, uint16_t *cells, uint32_t place)
{
    if (l->count <= AKIN_RANGE_PLACES) {
        cells[l->cells++] = (uint16_t)place;
        return;
    }
    if (l->count == AKIN_RANGE_PLACES + 1) {
        make_bitmap(cells + l->cells - AKIN_RANGE_PLACES);
        l->cells += AKIN_RANGE_CELLS - AKIN_RANGE_PLACES;
    }
    set_bit(cells + l->cells - AKIN_RANGE_CELLS, place);
}

static akin_status write_bucket(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    list *lists = b->lists + ((uint64_t)thread << b->shift);
    const uint64_t first = task << b->shift, end = bucket_end(b, task);
    uint64_t at = bucket_begin(b, task);
    for (uint64_t token = first; token < end; token++) {
        const uint32_t keyword = token_keyword(b, token);
        lists[token - first] = (list){.is_list = keyword != UINT32_MAX};
        if (keyword != UINT32_MAX) {
            lists[token - first].segment = b->made[keyword].segment;
            lists[token - first].cell = b->made[keyword].cell;
        }
    }
    for (uint32_t range = 0; range < b->ranges; range++)
        for (const uint64_t stop = range_bucket_ends(b, range)[task]; at < stop; at++) {
            list *l = &lists[b->postings[at] >> PLACE_BITS];
            if (!l->is_list)
                continue;
            add_to_list(l, range);
            write_place(l, b->cells + l->cell, b->postings[at] % AKIN_RANGE);
            b->segments[l->segment - 1] = (akin_segment){range, l->cells};
        }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ build */

akin_status akin_objects_lay_out(const akin_scope *scope, uint64_t share, uint32_t dimensions, const uint32_t *counts,
                                 akin_objects *out, akin_error *error)
{
    uint64_t keywords = 0, bytes = 0;
    int narrow = 1;
    akin_status status =
        akin_objects_reserve(scope, share, AKIN_OBJECTS_CODES, dimensions * sizeof(akin_codes), out, error);
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
    status = akin_objects_reserve(scope, share, AKIN_OBJECTS_BYTES, bytes, out, error);
    if (status == AKIN_OK)
        memset(out->own[AKIN_OBJECTS_BYTES].data, 0, (size_t)bytes);
    return status;
}

/* Says which tokens make a bucket. */
static void cut_buckets(building *b)
{
    const akin_objects_source *source = b->source;
    b->universe = source->dimensions ? b->objects->head.keywords : akin_objects_universe(source);
    while (b->shift < BUCKET_BITS && b->universe >> b->shift >= BUCKETS)
        b->shift++;
    b->buckets = (uint32_t)akin_ceil_div(b->universe, UINT64_C(1) << b->shift);
    b->ranges = akin_objects_ranges(b->objects);
}

/* Turns the order of the tokens round. */
static akin_status turn_order(building *b, akin_error *error)
{
    const akin_objects_source *source = b->source;
    if (!source->order || source->dimensions > 0)
        return AKIN_OK;
    akin_status status = reserve_object_array(b, KEYWORDS, b->universe * sizeof *b->keywords, error);
    if (status != AKIN_OK)
        return status;
    b->keywords = b->arrays[KEYWORDS].data;
    memset(b->keywords, 0xff, b->universe * sizeof *b->keywords);
    for (uint32_t k = 0; k < source->keywords; k++)
        b->keywords[source->order[k]] = k;
    return AKIN_OK;
}

/* Makes room for what is known in advance. */
static akin_status begin_building(building *b, akin_error *error)
{
    const uint64_t keywords = b->objects->head.keywords;
    cut_buckets(b);
    b->lists = akin_alloc(NULL, (uint64_t)b->scope->threads << b->shift, sizeof *b->lists);
    if (!b->lists)
        return akin_fail_memory(error, what);
    b->arrays[ENDS] = akin_bulk_of(b->scope, NULL, akin_objects_scratch(b->scope));
    akin_status status =
        akin_bulk_reserve_zeros(&b->arrays[ENDS], (uint64_t)b->ranges * b->buckets * sizeof *b->ends, what, error);
    b->ends = b->arrays[ENDS].data;
    if (status == AKIN_OK)
        status = turn_order(b, error);
    if (status == AKIN_OK)
        status = akin_objects_reserve(b->scope, b->share, AKIN_OBJECTS_LISTS, (keywords + 1) * sizeof *b->made,
                                      b->objects, error);
    if (status != AKIN_OK)
        return status;
    b->made = b->objects->own[AKIN_OBJECTS_LISTS].data;
    memset(b->made, 0, (keywords + 1) * sizeof *b->made);
    return AKIN_OK;
}

/* Deals postings out to buckets. */
static akin_status deal_postings(building *b, akin_error *error)
{
    akin_status status = akin_parallel(b->scope, "counting keywords", b->ranges, count_range_postings, b);
    if (status == AKIN_E_INPUT)
        return akin_objects_say_wrong(b->source, error);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = sum_counts(b, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(b->scope, "dealing postings out", b->ranges, deal_range, b);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* Makes lists of the buckets. */
static akin_status make_keyword_lists(building *b, akin_error *error)
{
    const uint32_t buckets = b->ranges > 0 ? b->buckets : 0;
    akin_status status = akin_parallel(b->scope, NULL, buckets, measure_bucket, b);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    status = sum_lists(b, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(b->scope, "inverting", buckets, write_bucket, b);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status build_here(building *b, akin_error *error)
{
    akin_status status = begin_building(b, error);
    if (status == AKIN_OK)
        status = deal_postings(b, error);
    if (status == AKIN_OK)
        status = make_keyword_lists(b, error);
    if (status == AKIN_OK)
        b->objects->head.most = akin_objects_most(b->source);
    return status;
}

/* Keeps the codes of a range as columns. */
static akin_status write_columns(void *argument, uint64_t task, uint32_t thread)
{
    const building *b = argument;
    (void)thread;
    for (uint32_t d = 0; d < b->source->dimensions; d++)
        write_code_column(b, d, task * AKIN_RANGE, range_end(b, task));
    return AKIN_OK;
}

static akin_status build_there(building *b, akin_error *error)
{
    akin_status status = akin_objects_invert_there(b->scope, b->device, b->source, b->share, b->objects, error);
    if (status != AKIN_OK || !b->bytes)
        return status;
    status = akin_parallel(b->scope, NULL, akin_objects_ranges(b->objects), write_columns, b);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

static akin_status build_all_objects(building *b, akin_error *error)
{
    akin_objects *o = b->objects;
    const uint32_t dimensions = b->source->dimensions;
    akin_status status = AKIN_OK;
    o->head.count = b->source->objects;
    o->head.keywords = b->source->keywords;
    if (dimensions > 0)
        status = akin_objects_lay_out(b->scope, b->share, dimensions, b->source->counts, o, error);
    b->codes = o->own[AKIN_OBJECTS_CODES].data;
    b->bytes = o->own[AKIN_OBJECTS_BYTES].data;
    if (status == AKIN_OK)
        status = b->device ? build_there(b, error) : build_here(b, error);
    if (status == AKIN_OK)
        akin_objects_own_parts(o);
    return status;
}

akin_status akin_objects_build_one(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                                   uint64_t share, akin_objects *out, akin_error *error)
{
    building b = {.scope = scope, .device = device, .source = source, .share = share, .objects = out};
    *out = (akin_objects){0};
    akin_status status = build_all_objects(&b, error);
    akin_free(b.lists);
    for (int array = 0; array < ARRAYS; array++)
        akin_bulk_clear(&b.arrays[array]);
    return status;
}
