/*
 * The kernels of match counts on the GPU that the host plays (property/host_device.h). What each thread does
 * (src/search/gpu_ranges.h) is the very same code: one thread after the other, and step by step where those of a block
 * wait for each other. Units come from the last one on.
 */
#include "property/host_search.h"

#include "property/host_kernel.h"

#include "search/gpu_nearest.h"
#include "search/gpu_similar.h"

#define THREADS AKIN_UNIT_THREADS
#define WARPS   (THREADS / 32)

host_search_state host_search;

/* --------------------------------------------------------------------------------------------------------- counting */

static int count_lists(const akin_unit *u, const akin_gpu_objects *objects, const akin_gpu_batch *batch,
                       const akin_gpu_query *query, uint32_t least)
{
    akin_unit_queue *queue = u->queue;
    for (uint64_t begin = 0; begin < query->keywords; begin += THREADS) {
        for (uint32_t thread = THREADS; thread-- > 0;)
            if (begin + thread < query->keywords)
                akin_unit_find(u, objects, batch, query, begin + thread);
        if (query->keywords - begin <= THREADS && queue->reach < least)
            return 0;
        for (uint32_t i = 0; i < queue->places; i++)
            for (uint32_t lane = 0; lane < 32; lane++)
                akin_unit_add_places(u, objects, &queue->entries[i], lane);
        for (uint32_t thread = 0; thread < THREADS; thread++)
            akin_unit_add_bits(u, objects, thread);
        queue->places = queue->bitmaps = 0;
    }
    return 1;
}

/* How many objects reach a count, or, with `similar`, a score. */
static uint32_t at_least(const akin_unit *u, const akin_unit_similar *similar, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t thread = 0; thread < THREADS; thread++)
        sum += similar ? akin_unit_similar_at_least(u, similar, count, thread) : akin_unit_at_least(u, count, thread);
    return sum;
}

static uint32_t keep_best(const akin_unit *u, const akin_gpu_batch *batch, uint64_t query, uint32_t unit,
                          uint32_t least, uint64_t *keys)
{
    akin_unit_share before[THREADS], all = {0, 0, 0};
    uint32_t most = batch->queries[query].most;
    if (batch->items && u->queue->reach < most)
        most = (uint32_t)u->queue->reach;
    akin_unit_similar ranking;
    const akin_unit_similar *similar = NULL;
    if (batch->sizes) {
        ranking = akin_unit_similar_of(u, batch, &batch->queries[query], most);
        similar = &ranking;
    }
    const uint32_t reached = at_least(u, similar, least);
    if (similar)
        most = AKIN_SCORE_MOST;
    while (reached >= batch->room && least < most) {
        const uint32_t middle = least + (most - least + 1) / 2;
        if (at_least(u, similar, middle) >= batch->room)
            least = middle;
        else
            most = middle - 1;
    }
    if (reached >= batch->k && batch->shown[query] < AKIN_SHOWN(least, unit))
        batch->shown[query] = AKIN_SHOWN(least, unit);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        const akin_unit_share own =
            similar ? akin_unit_similar_weigh(u, similar, least, thread) : akin_unit_weigh(u, least, thread);
        before[thread] = (akin_unit_share){all.above, all.equal, own.words};
        all.above += own.above;
        all.equal += own.equal;
    }
    must(all.above < batch->room || reached < batch->room);
    for (uint32_t thread = THREADS; thread-- > 0;)
        if (similar)
            akin_unit_similar_emit(u, similar, least, before[thread], all.above, batch->room, keys, thread);
        else
            akin_unit_emit(u, least, before[thread], all.above, batch->room, keys, thread);
    return all.above + all.equal < batch->room ? all.above + all.equal : batch->room;
}

static void count_unit(const akin_gpu_objects *objects, const akin_gpu_batch *batch, uint64_t query, uint32_t unit)
{
    static akin_unit_four fours[AKIN_UNIT_FOURS];
    static akin_unit_queue queue;
    const uint64_t slot = query * batch->units + unit;
    const akin_gpu_query *q = &batch->queries[query];
    const uint32_t start = akin_unit_least(batch->shown[query], unit);
    const uint32_t least = batch->sizes ? akin_unit_similar_start(batch, q, start) : start;
    akin_unit u = {fours->words, &queue, 0, 0, 0, 0};
    akin_unit_set(&u, objects->first, batch->counter_bytes, unit);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        akin_unit_clear(&u, thread);
    int is_hopeful = least <= q->most;
    if (is_hopeful && batch->items)
        is_hopeful = count_lists(&u, objects, batch, q, least);
    else
        for (uint32_t thread = 0; thread < THREADS && is_hopeful; thread++)
            akin_unit_scan(&u, objects, batch, q, thread);
    batch->found[slot] = is_hopeful ? keep_best(&u, batch, query, unit, start, batch->keys + slot * batch->room) : 0;
    host_search.units++;
    host_search.similar += batch->sizes != NULL;
    host_search.skipped += !is_hopeful;
    host_search.wide += batch->counter_bytes > 1;
    host_search.scanned += batch->items == NULL;
    host_search.scanned_wide += batch->items == NULL && batch->counter_bytes > 1;
}

static akin_status ranges_count(akin_device_stream *stream, const akin_gpu_objects *objects,
                                const akin_gpu_batch *batch, uint32_t first, uint32_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    must(first + count <= batch->units && batch->count <= 65535);
    host_search.launches++;
    for (uint64_t query = 0; query < batch->count && status == AKIN_OK; query++)
        for (uint32_t unit = first + count; unit-- > first;)
            count_unit(objects, batch, query, unit);
    return status;
}

static void compare_unit(const akin_gpu_strings *strings, const akin_gpu_batch *batch, uint64_t query, uint32_t unit)
{
    static akin_unit_four fours[AKIN_UNIT_FOURS];
    static uint64_t pattern[256 * AKIN_COMPARE_BLOCKS];
    const uint64_t slot = query * batch->units + unit;
    const akin_gpu_query *q = &batch->queries[query];
    const uint32_t least = akin_unit_least(batch->shown[query], unit);
    akin_unit u = {fours->words, NULL, 0, 0, 0, 0};
    akin_unit_set(&u, 0, 1, unit);
    must(q->parts <= 64 * strings->blocks && strings->blocks <= AKIN_COMPARE_BLOCKS);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        akin_unit_clear_words(&u, thread);
        akin_unit_set_pattern(pattern, strings->blocks, strings->queries + q->part, q->parts, thread);
    }
    for (uint32_t thread = THREADS; thread-- > 0 && least <= q->most;)
        akin_unit_compare(&u, strings, pattern, strings->blocks, q->parts, least, thread);
    batch->found[slot] =
        least <= q->most ? keep_best(&u, batch, query, unit, least, batch->keys + slot * batch->room) : 0;
    host_search.compared++;
}

static akin_status ranges_compare(akin_device_stream *stream, const akin_gpu_strings *strings,
                                  const akin_gpu_batch *batch, uint32_t first, uint32_t count, akin_error *error)
{
    akin_status status = host_enter(error);
    must(first + count <= batch->units && batch->counter_bytes == 1);
    host_search.launches++;
    for (uint64_t query = 0; query < batch->count && status == AKIN_OK; query++)
        for (uint32_t unit = first + count; unit-- > first;)
            compare_unit(strings, batch, query, unit);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- gathering */

static int by_key(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static akin_status ranges_gather(akin_device_stream *stream, const akin_gpu_groups *g, akin_error *error)
{
    static uint64_t keys[1 << 20]; /* no allocation, which may be to fail */
    akin_status status = host_enter(error);
    const uint64_t groups = (g->units + g->group - 1) / g->group;
    must(g->group > 0 && (uint64_t)g->group * g->room <= sizeof keys / sizeof *keys);
    for (uint64_t at = 0; at < g->count * groups && status == AKIN_OK; at++) {
        const uint64_t first = at % groups * g->group, end = first + g->group < g->units ? first + g->group : g->units;
        uint64_t all = 0;
        for (uint64_t unit = first; unit < end; unit++) {
            const uint64_t slot = at / groups * g->units + unit;
            for (uint32_t i = 0; i < g->found[slot]; i++) {
                const uint64_t key = g->keys[slot * g->room + i];
                must((uint32_t)key < g->objects && UINT32_MAX - (uint32_t)(key >> 32) <= g->most);
                keys[all++] = key;
            }
        }
        qsort(keys, all, sizeof *keys, by_key);
        all = all < g->k ? all : g->k;
        for (uint64_t i = 0; i < all; i++) /* in no order */
            g->best[at * g->k + all - 1 - i] = keys[i];
        g->best_found[at] = (uint32_t)all;
    }
    host_search.gathered += groups;
    host_search.grouped += groups > 1;
    return status;
}

static akin_status ranges_sort(akin_device_stream *stream, const akin_gpu_groups *g, akin_error *error)
{
    akin_status status = host_enter(error);
    must(g->k <= AKIN_RANGES_SORTED && g->units == 1);
    for (uint32_t query = 0; query < g->count && status == AKIN_OK; query++)
        qsort(g->best + (uint64_t)query * g->k, g->best_found[query], sizeof *g->best, by_key);
    return status;
}

const akin_ranges_kernels host_ranges_kernels = {ranges_count, ranges_gather, ranges_sort};

const akin_nearest_kernels host_nearest_kernels = {ranges_compare};
