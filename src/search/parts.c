/* Parts of objects: ranges are weighed, and put together as long as they have room. */
#include "search/parts.h"

#include "base/parallel.h"

#define KEYWORDS 4096 /* of a task */

static const char what[] = "a search on a GPU"; /* the memory is for */

/* The bytes of a part whose segments and cells take `segments` and `cells` bytes: those for lists or for a scan, the
 * larger of the two. */
static uint64_t part_bytes(const akin_objects *objects, uint64_t segments, uint64_t cells, uint32_t ranges)
{
    const uint64_t lists =
        akin_part_padded(akin_part_lists(objects)) + akin_part_padded(segments) + akin_part_padded(cells);
    uint64_t codes = 0;
    for (uint32_t d = 0; d < objects->head.dimensions; d++)
        codes += akin_part_codes(objects, d, ranges);
    return akin_max_u64(lists, akin_part_padded(codes));
}

/* What a range has, in bytes. */
typedef struct weight {
    uint64_t segments, cells;
} weight;

typedef struct weighing {
    const akin_objects *objects;
    uint32_t ranges;
    weight *weights; /* of the ranges, for each thread */
} weighing;

static akin_status weigh_keywords(void *argument, uint64_t task, uint32_t thread)
{
    const weighing *w = argument;
    const akin_objects *o = w->objects;
    weight *weights = w->weights + (uint64_t)thread * w->ranges;
    const uint64_t end = akin_min_u64((task + 1) * KEYWORDS, o->head.keywords);
    for (uint64_t k = task * KEYWORDS; k < end; k++) {
        uint32_t before = 0;
        for (uint64_t s = o->lists[k].segment; s < o->lists[k + 1].segment; s++) {
            weight *range = &weights[o->segments[s].range];
            range->segments += sizeof *o->segments;
            range->cells += (o->segments[s].end - before) * sizeof *o->cells;
            before = o->segments[s].end;
        }
    }
    return AKIN_OK;
}

/* Puts ranges of such weights into parts. */
static akin_status cut_ranges(const akin_objects *objects, const weight *weights, uint32_t ranges, uint64_t room,
                              akin_parts *out, akin_error *error)
{
    weight sum = {0, 0};
    for (uint32_t range = 0; range < ranges; range++) {
        const weight with = {sum.segments + weights[range].segments, sum.cells + weights[range].cells};
        if (out->count == 0 ||
            part_bytes(objects, with.segments, with.cells, range + 1 - out->firsts[out->count - 1]) > room) {
            out->firsts[out->count++] = range;
            sum = weights[range];
        } else {
            sum = with;
        }
        const uint64_t bytes = part_bytes(objects, sum.segments, sum.cells, range + 1 - out->firsts[out->count - 1]);
        if (bytes > room)
            return akin_error_set(
                error, AKIN_E_NOMEM, AKIN_REASON_DEVICE_MEMORY,
                "not enough memory of the GPU for %u objects of an index: they take %llu bytes, and may "
                "take %llu",
                AKIN_RANGE, (unsigned long long)bytes, (unsigned long long)room);
        out->largest = akin_max_u64(out->largest, bytes);
    }
    out->firsts[out->count] = ranges;
    return AKIN_OK;
}

akin_status akin_parts_cut(const akin_scope *scope, const akin_objects *objects, uint64_t room, akin_parts *out,
                           akin_error *error)
{
    const uint32_t ranges = akin_objects_ranges(objects), threads = scope->threads;
    weighing w = {objects, ranges, akin_alloc_zero(NULL, (uint64_t)threads * ranges, sizeof *w.weights)};
    *out = (akin_parts){.firsts = akin_alloc(NULL, (uint64_t)ranges + 1, sizeof *out->firsts)};
    akin_status status = w.weights && out->firsts ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK) {
        status = akin_parallel(scope, NULL, akin_ceil_div(objects->head.keywords, KEYWORDS), weigh_keywords, &w);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    for (uint32_t i = 1; i < threads && status == AKIN_OK; i++)
        for (uint32_t range = 0; range < ranges; range++) {
            w.weights[range].segments += w.weights[(uint64_t)i * ranges + range].segments;
            w.weights[range].cells += w.weights[(uint64_t)i * ranges + range].cells;
        }
    if (status == AKIN_OK)
        status = cut_ranges(objects, w.weights, ranges, room, out, error);
    akin_free(w.weights);
    return status;
}

void akin_parts_clear(akin_parts *parts)
{
    akin_free(parts->firsts);
    *parts = (akin_parts){0};
}
