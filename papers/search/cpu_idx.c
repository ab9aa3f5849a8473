/* CPU-Idx: counts in an array with an element for each object, and selects the largest counts. */
#include "papers/search/cpu_idx.h"

#include "akin_papers.h"
#include "base/parallel.h"

#include <string.h>

typedef struct worker {
    uint32_t *counts; /* zeros between queries */
    akin_top top;
} worker;

typedef struct counting {
    const akin_objects *objects;
    const akin_queries *queries;
    akin_search_results *out;
    uint64_t *most;
    worker *workers;
} counting;

static const char what[] = "a search"; /* the memory is for */

/* Counts the objects of a bitmap. */
static void count_bits(uint32_t *counts, const uint16_t *cells, uint32_t weight)
{
    for (uint32_t c = 0; c < AKIN_RANGE_CELLS; c += 4)
        for (uint64_t bits = akin_load_word((const char *)(cells + c)); bits; bits &= bits - 1)
            counts[c * 16 + (uint32_t)__builtin_ctzll(bits)] += weight;
}

/* Counts the objects of a segment, whose range begins at counts[0]. */
static void count_segment(uint32_t *counts, const uint16_t *cells, uint32_t size, uint32_t weight)
{
    if (size == AKIN_RANGE_CELLS)
        count_bits(counts, cells, weight);
    for (uint32_t c = 0; c < size && size <= AKIN_RANGE_PLACES; c++)
        counts[cells[c]] += weight;
}

static void count_list(const akin_objects *o, uint32_t *counts, uint64_t keyword, uint32_t weight)
{
    const uint16_t *cells = o->cells + o->lists[keyword].cell;
    uint32_t begin = 0;
    for (uint64_t i = o->lists[keyword].segment; i < o->lists[keyword + 1].segment; i++) {
        const akin_segment *segment = &o->segments[i];
        count_segment(counts + (uint64_t)segment->range * AKIN_RANGE, cells + begin, segment->end - begin, weight);
        begin = segment->end;
    }
}

static akin_status search_task(void *argument, uint64_t task, uint32_t thread)
{
    const counting *c = argument;
    const akin_objects *o = c->objects;
    worker *w = &c->workers[thread];
    for (uint64_t i = c->queries->offsets[task]; i < c->queries->offsets[task + 1]; i++) {
        const akin_query_item *item = &c->queries->items[i];
        for (uint64_t keyword = item->first; keyword <= item->last; keyword++)
            count_list(o, w->counts, keyword, item->weight);
    }
    akin_top_reset(&w->top, 1);
    for (uint32_t i = 0; i < o->head.count; i++)
        if (w->counts[i] >= w->top.least)
            akin_top_add(&w->top, w->counts[i], i);
    akin_top_finish(&w->top);
    memset(w->counts, 0, o->head.count * sizeof *w->counts);
    memcpy(c->out->keys + task * c->out->k, w->top.keys, (size_t)w->top.held * sizeof *w->top.keys);
    c->out->found[task] = (uint32_t)w->top.held;
    return AKIN_OK;
}

static akin_status search_all(const akin_scope *scope, counting *c, akin_error *error)
{
    const uint64_t count = c->queries->count;
    c->most = akin_alloc(NULL, count, sizeof *c->most);
    c->workers = akin_alloc_zero(NULL, scope->threads, sizeof *c->workers);
    c->out->keys = akin_alloc(NULL, count * c->out->k, sizeof *c->out->keys);
    c->out->found = akin_alloc(NULL, count, sizeof *c->out->found);
    if (!c->most || !c->workers || !c->out->keys || !c->out->found)
        return akin_fail_memory(error, what);
    /* Segments end with their ranges, so counters are there for all of the last one. */
    const uint64_t counters = akin_max_u64((uint64_t)akin_objects_ranges(c->objects) * AKIN_RANGE, 1);
    for (uint32_t i = 0; i < scope->threads; i++) {
        c->workers[i].counts = akin_alloc_zero(NULL, counters, sizeof *c->workers[i].counts);
        if (!c->workers[i].counts || !akin_top_begin(&c->workers[i].top, c->out->k, NULL))
            return akin_fail_memory(error, what);
    }
    akin_status status = akin_search_check(c->objects, c->queries, c->most, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(scope, "searching", count, search_task, c);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_cpu_idx_search(const akin_scope *scope, const akin_objects *objects, const akin_queries *queries,
                                akin_search_results *out, akin_error *error)
{
    counting c = {.objects = objects, .queries = queries, .out = out};
    akin_status status = akin_search_begin(objects, AKIN_SEARCH_CPU_IDX, out, error);
    if (status != AKIN_OK)
        return status;
    out->technique = AKIN_SEARCH_CPU_IDX;
    status = search_all(scope, &c, error);
    for (uint32_t i = 0; c.workers && i < scope->threads; i++) {
        akin_free(c.workers[i].counts);
        akin_top_clear(&c.workers[i].top);
    }
    akin_free(c.workers);
    akin_free(c.most);
    return status;
}
