/*
 * Objects and their keywords, inverted: for each keyword the objects that have it (Zhou et al., A Generic Inverted
 * Index Framework for Similarity Search on the GPU, section 3). What objects and keywords stand for is the caller's:
 * words of documents, bins of columns, values of hash functions.
 *
 * Objects are cut into ranges of AKIN_RANGE, the number of counters that the nearest memory has room for. A keyword has
 * a segment for a range. In a segment an object is its place, 15 bits:
 *
 *     segment    | range | where its cells end |        rising; a keyword has those that are not empty
 *     cells      up to AKIN_RANGE_PLACES objects: their places, rising, 16 bits each
 *                more: AKIN_RANGE bits, place p is bit p % 16 of cell p / 16
 *
 * Where objects have at most one keyword of each dimension, as rows of a table have, these may be kept as columns, too,
 * so that objects can be scanned: the code of keyword `first + c` is c, that of none is AKIN_CODES_NONE of that width.
 *
 *     codes      | of object 0 | 1 | .. |               8 or 16 bits each, for each dimension
 */
#ifndef AKIN_SEARCH_OBJECTS_H
#define AKIN_SEARCH_OBJECTS_H

#include "base/budget.h"
#include "base/bits.h"
#include "base/bulk.h"
#include "base/container.h"
#include "device/device.h"
#include "search/layout.h"

#define AKIN_CODES_PAD 128 /* bytes behind the codes of a dimension that may be read */

/* A dimension as a column. */
typedef struct akin_codes {
    uint32_t first; /* the keyword of code 0 */
    uint32_t count; /* of codes */
    uint32_t width; /* bytes of one: 1 or 2 */
    uint32_t reserved;
    uint64_t begin; /* where they begin among the bytes of all, a multiple of 64 */
} akin_codes;

typedef struct akin_objects_head {
    uint32_t count;      /* of objects */
    uint32_t keywords;   /* their number */
    uint32_t most;       /* keywords of one object, at most */
    uint32_t dimensions; /* that are kept as columns; 0: none */
    uint64_t segments, cells;
} akin_objects_head;

enum { /* the parts, sections of a file */
       AKIN_OBJECTS_HEAD,
       AKIN_OBJECTS_LISTS,
       AKIN_OBJECTS_SEGMENTS,
       AKIN_OBJECTS_CELLS,
       AKIN_OBJECTS_CODES,
       AKIN_OBJECTS_BYTES,
       AKIN_OBJECTS_PARTS
};

typedef struct akin_objects {
    akin_objects_head head;
    const akin_keyword *lists; /* one more than there are keywords */
    const akin_segment *segments;
    const uint16_t *cells;
    const akin_codes *codes;
    const uint8_t *bytes; /* of all codes */
    akin_section parts[AKIN_OBJECTS_PARTS];
    akin_bulk own[AKIN_OBJECTS_PARTS]; /* if they were built, or copied from a mapped file */
} akin_objects;

/* What they are built of: either the keywords of each object, distinct, in any order, or other numbers for them; or,
 * with `dimensions` above 0, for each dimension the code of each object, below its count, or UINT32_MAX for none;
 * keywords are then numbered dimension by dimension. */
typedef struct akin_objects_source {
    uint32_t objects, keywords; /* the latter of sets */
    const uint64_t *offsets;
    const uint32_t *tokens;
    const uint32_t *order; /* the token that is keyword 0, 1, ..; others are left out; NULL: tokens are keywords */
    uint32_t universe;     /* tokens are below that; without an order it is not read */
    uint32_t dimensions;
    const uint32_t *counts;       /* of codes, for each dimension */
    const uint32_t *const *codes; /* of each object, for each dimension */
    uint64_t first;               /* what messages call object 0 */
} akin_objects_source;

/* Builds them on all threads, or on a GPU: the same bytes; akin_objects_clear may follow in any case. Dimensions are
 * kept as columns if each has 65,535 codes at most. With a memory bound, temporary files hold what exceeds its share.
 * Errors: AKIN_E_INPUT (an invalid keyword or code), AKIN_E_LIMIT (more than 2^32 - 2 keywords), AKIN_E_NOMEM,
 * AKIN_E_IO, AKIN_E_DEVICE, AKIN_E_CANCELLED. */
akin_status akin_objects_build(const akin_scope *scope, const akin_objects_source *source, akin_objects *out,
                               akin_error *error);
void akin_objects_clear(akin_objects *objects);

/* Objects that are to be put together with others. */
typedef struct akin_objects_part {
    const akin_objects *objects;
    const uint32_t *names; /* the keyword of all that each of theirs is, rising; NULL: the same */
} akin_objects_part;

/* Puts objects together, part behind part, as if they had been built at once: with `keywords` keywords, and dimensions
 * whose numbers of codes are `counts`, as in a source. Errors: AKIN_E_LIMIT (2^32 - 1 objects, or keywords),
 * AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_objects_merge(const akin_scope *scope, const akin_objects_part *parts, uint32_t count,
                               uint32_t keywords, uint32_t dimensions, const uint32_t *counts, akin_objects *out,
                               akin_error *error);

/* Takes the sections of a file, which stay where they are, and checks them, on all threads: whatever a file says, what
 * is taken can be searched, though counts are wrong if it has other keywords in its columns than in its lists, or more
 * of an object than it says. Of a mapped file all but cells and the bytes of codes is copied: places in cells are
 * checked where they are used (tally.h), and codes are compared alone. Errors: AKIN_E_INPUT, AKIN_E_NOMEM, AKIN_E_IO,
 * AKIN_E_CANCELLED. */
akin_status akin_objects_take(const akin_scope *scope, const char *name, const akin_section parts[AKIN_OBJECTS_PARTS],
                              akin_objects *out, akin_error *error);

/* What an array that lasts may have of the heap, of a memory bound. */
static inline uint64_t akin_objects_share(const akin_scope *scope)
{
    return akin_budget(scope, AKIN_BUDGET_OBJECTS);
}

/* And one that building takes for a while. */
static inline uint64_t akin_objects_scratch(const akin_scope *scope)
{
    return akin_budget(scope, AKIN_BUDGET_OBJECTS_MAKING);
}

/* Keywords of all objects. */
static inline uint64_t akin_objects_entries(const akin_objects_source *source)
{
    return source->dimensions    ? (uint64_t)source->objects * source->dimensions
           : source->objects > 0 ? source->offsets[source->objects] - source->offsets[0]
                                 : 0;
}

/* Keywords of one object, at most. */
static inline uint32_t akin_objects_most(const akin_objects_source *source)
{
    uint64_t most = source->dimensions;
    for (uint64_t i = 0; i < source->objects && source->dimensions == 0; i++)
        most = akin_max_u64(most, source->offsets[i + 1] - source->offsets[i]);
    return (uint32_t)akin_min_u64(most, UINT32_MAX);
}

/* For those that make objects: an array for a part of them, of that share of the heap; the layout of dimensions, and
 * numbers of their keywords, in objects whose number is known; cells of `count` objects of one range, rising; and at
 * last, that parts are the arrays. */
akin_status akin_objects_reserve(const akin_scope *scope, uint64_t share, int part, uint64_t bytes, akin_objects *out,
                                 akin_error *error);
akin_status akin_objects_lay_out(const akin_scope *scope, uint64_t share, uint32_t dimensions, const uint32_t *counts,
                                 akin_objects *out, akin_error *error);
void akin_objects_write_cells(const uint32_t *ids, uint32_t count, uint16_t *cells);
void akin_objects_own_parts(akin_objects *objects);

/* Tokens of sets are below that. */
static inline uint32_t akin_objects_universe(const akin_objects_source *source)
{
    return source->order ? source->universe : source->keywords;
}

/* The same as akin_objects_build, all at once, on that device, or, if it is NULL, on the CPU. */
akin_status akin_objects_build_one(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                                   uint64_t share, akin_objects *out, akin_error *error);

/* Reports the invalid keyword or code of a source: that of the first object that has one. */
akin_status akin_objects_say_wrong(const akin_objects_source *source, akin_error *error);

/* For building on a GPU (objects_gpu.c): the device to use, NULL for none, as the context requires, or where it pays if
 * the context leaves the choice; how many entries of sets, or objects with dimensions, it has room for at once; and the
 * lists, segments and cells of objects whose dimensions have been laid out. */
akin_status akin_objects_device(const akin_scope *scope, const akin_objects_source *source, akin_device **out,
                                akin_error *error);
uint64_t akin_objects_room_there(const akin_device *device, const akin_objects_source *source);
akin_status akin_objects_invert_there(const akin_scope *scope, akin_device *device, const akin_objects_source *source,
                                      uint64_t share, akin_objects *out, akin_error *error);

/* How many cells hold `count` objects of a range. */
static inline uint32_t akin_objects_cells(uint32_t count)
{
    return count > AKIN_RANGE_PLACES ? AKIN_RANGE_CELLS : count;
}

/* The dimension that has a keyword: the last that begins there or before. */
static inline uint32_t akin_objects_dimension(const akin_objects *objects, uint32_t keyword)
{
    uint32_t low = 0, high = objects->head.dimensions;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (objects->codes[middle].first <= keyword)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline uint32_t akin_objects_ranges(const akin_objects *objects)
{
    return (uint32_t)akin_ceil_div(objects->head.count, AKIN_RANGE);
}

/* Objects of a range. */
static inline uint32_t akin_objects_of_range(const akin_objects *objects, uint32_t range)
{
    uint64_t rest = objects->head.count - (uint64_t)range * AKIN_RANGE;
    return (uint32_t)akin_min_u64(rest, AKIN_RANGE);
}

/* Bytes of a dimension's codes, with what may be read behind them; and sets the pointers of what parts there are. */
static inline uint64_t akin_codes_bytes(const akin_codes *codes, uint32_t objects)
{
    return akin_ceil_div((uint64_t)objects * codes->width + AKIN_CODES_PAD, 64) * 64;
}
void akin_objects_set_parts(akin_objects *objects);

/* The code of none in a column: no item contains it. */
static inline uint32_t akin_codes_none(uint32_t width)
{
    return width == 1 ? UINT8_MAX : UINT16_MAX;
}

#endif
