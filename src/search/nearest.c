/*
 * Nearest strings: the portable lanes, the choice of a level, and queries among threads. Queries are put into lanes by length, so that
 * those side by side leave out the same strings; a task has as many as there are lanes, and a span of the strings.
 */
#include "search/nearest.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "strings/edit.h"
#include "table/columns.h"

#include <string.h>

#define TARGET
#define INLINE          static inline __attribute__((always_inline))
#define or_nor(a, b, c) ((a) | ~((b) | (c)))
#define WIDTH           2

typedef uint64_t two __attribute__((vector_size(16)));

INLINE two popcounts(two x)
{
    return (two){akin_popcount64(x[0]), akin_popcount64(x[1])};
}

#include "search/nearest_body.h"

#define TASKS 4 /* for each thread, at least */

/* Any distance: strings have fewer bytes. */
#define LEAST (UINT32_MAX - (uint32_t)INT32_MAX)

akin_nearest_level akin_nearest_choose(akin_cpu cpu)
{
    akin_nearest_level level = {0, NULL};
    if (cpu >= AKIN_CPU_AVX512)
        level = akin_nearest_avx512();
    if (!level.scan && cpu >= AKIN_CPU_AVX2)
        level = akin_nearest_avx2();
    return level.scan ? level : (akin_nearest_level){LANES, scan};
}

/* -------------------------------------------------------------------------------------------------------------- tasks */

/* What a thread has. */
typedef struct worker {
    uint64_t *places, *columns;
    akin_top tops[AKIN_NEAREST_LANES];
    akin_pattern pattern;
} worker;

typedef struct searching {
    const akin_sequences *sequences;
    const akin_column *queries;
    akin_nearest_level level;
    uint64_t *order;   /* queries, | length | number |, rising; nulls are not there */
    uint32_t count;    /* of them */
    uint32_t in_lanes; /* so many, the first ones, are short enough */
    uint32_t groups, spans, k;
    uint64_t *keys; /* k for each query and span */
    uint32_t *found;
    worker *workers;
    akin_asking *asking; /* of each thread */
} searching;

static const uint8_t *bytes_of(const searching *s, uint32_t place, uint64_t *length)
{
    const uint64_t *at = s->queries->offsets + (uint32_t)s->order[place];
    *length = at[1] - at[0];
    return (const uint8_t *)s->queries->bytes + at[0];
}

/* The first query of a group. */
static uint32_t group_first(const searching *s, uint32_t group)
{
    const uint32_t full = (uint32_t)akin_ceil_div(s->in_lanes, s->level.lanes);
    return group < full ? group * s->level.lanes : s->in_lanes + (group - full);
}

static void scan_group(const searching *s, worker *w, uint32_t first, uint32_t count, uint32_t begin, uint32_t end)
{
    akin_nearest_job job = {s->sequences, begin, end, w->places, {0}, {0}, w->columns};
    const uint32_t lanes = s->level.lanes;
    memset(w->places, 0, (size_t)256 * lanes * sizeof *w->places);
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t length;
        const uint8_t *bytes = bytes_of(s, first + (i < count ? i : 0), &length);
        job.lengths[i] = (uint32_t)length;
        if (i >= count)
            continue;
        job.tops[i] = &w->tops[i];
        for (uint64_t at = 0; at < length; at++)
            w->places[(size_t)bytes[at] * lanes + i] |= (uint64_t)1 << at;
    }
    s->level.scan(&job);
}

/* A query that is too long for a lane. */
static akin_status scan_one(const searching *s, worker *w, uint32_t place, uint32_t begin, uint32_t end)
{
    akin_top *top = &w->tops[0];
    uint64_t length;
    const akin_symbols query = {.bytes = bytes_of(s, place, &length), .length = (uint32_t)length};
    if (!akin_pattern_set(&w->pattern, &query))
        return AKIN_E_NOMEM;
    for (uint32_t i = begin; i < end; i++) {
        const uint64_t at = s->sequences->begins[i], own = s->sequences->begins[i + UINT64_C(1)] - at;
        const uint32_t most = UINT32_MAX - top->least;
        if (own + most < length || length + most < own)
            continue;
        const akin_symbols text = {.bytes = s->sequences->bytes + at, .length = (uint32_t)own};
        const uint32_t distance = akin_levenshtein(&w->pattern, &text, most);
        if (w->pattern.stopped)
            return AKIN_E_CANCELLED;
        if (distance <= most)
            akin_top_add(top, akin_nearest_count(distance), s->sequences->rows[i]);
    }
    return AKIN_OK;
}

static akin_status search_task(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    worker *w = &s->workers[thread];
    const uint64_t span = task % s->spans, sequences = s->sequences->count;
    const uint32_t group = (uint32_t)(task / s->spans), first = group_first(s, group), next = group_first(s, group + 1);
    const uint32_t begin = (uint32_t)(span * sequences / s->spans), end = (uint32_t)((span + 1) * sequences / s->spans);
    const uint32_t last = first < s->in_lanes ? (uint32_t)akin_min_u64(next, s->in_lanes) : next;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < last - first; i++)
        akin_top_reset(&w->tops[i], LEAST);
    if (first < s->in_lanes)
        scan_group(s, w, first, last - first, begin, end);
    else
        status = scan_one(s, w, first, begin, end);
    for (uint32_t i = 0; i < last - first && status == AKIN_OK; i++) {
        const uint64_t at = (uint64_t)(uint32_t)s->order[first + i] * s->spans + span;
        akin_top_finish(&w->tops[i]);
        memcpy(s->keys + at * s->k, w->tops[i].keys, (size_t)w->tops[i].held * sizeof *s->keys);
        s->found[at] = (uint32_t)w->tops[i].held;
    }
    return status;
}

/* -------------------------------------------------------------------------------------------------------------- batch */

/* Puts queries in order. */
static akin_status order_queries(searching *s, uint32_t count, akin_error *error)
{
    for (uint32_t q = 0; q < count; q++) {
        const uint64_t length = s->queries->offsets[q + UINT64_C(1)] - s->queries->offsets[q];
        if (!akin_column_has(s->queries, q))
            continue;
        if (length > INT32_MAX)
            return akin_fail(error, AKIN_E_LIMIT, "query %lu has 2^31 bytes or more", (unsigned long)q);
        s->order[s->count++] = length << 32 | q;
    }
    akin_sort_u64(s->order, s->count);
    s->in_lanes = (uint32_t)akin_lower_bound_u64(s->order, s->count, (uint64_t)(AKIN_NEAREST_LONGEST + 1) << 32);
    s->groups = (uint32_t)akin_ceil_div(s->in_lanes, s->level.lanes) + (s->count - s->in_lanes);
    return AKIN_OK;
}

static akin_status make_workers(akin_context *context, searching *s, atomic_int *cancelled)
{
    const uint64_t shared = akin_min_u64(s->sequences->most_shared, AKIN_NEAREST_SHARED), lanes = s->level.lanes;
    s->workers = akin_alloc_zero(NULL, context->threads, sizeof *s->workers);
    s->asking = akin_alloc_zero(NULL, context->threads, sizeof *s->asking);
    for (uint32_t i = 0; s->workers && s->asking && i < context->threads; i++) {
        worker *w = &s->workers[i];
        w->places = akin_alloc(NULL, 256 * lanes, sizeof *w->places);
        w->columns = akin_alloc(NULL, 2 * lanes * (shared + 1), sizeof *w->columns);
        int made = w->places && w->columns;
        for (uint32_t j = 0; j < lanes; j++) {
            made &= akin_top_begin(&w->tops[j], s->k, NULL);
            w->tops[j].ties = 1;
        }
        s->asking[i] = (akin_asking){context, cancelled, i, 0};
        w->pattern.go_on = akin_goes_on;
        w->pattern.user = &s->asking[i];
        if (!made)
            return AKIN_E_NOMEM;
    }
    return s->workers && s->asking ? AKIN_OK : AKIN_E_NOMEM;
}

static void clear_workers(searching *s, uint32_t threads)
{
    for (uint32_t i = 0; s->workers && i < threads; i++) {
        akin_free(s->workers[i].places);
        akin_free(s->workers[i].columns);
        for (int j = 0; j < AKIN_NEAREST_LANES; j++)
            akin_top_clear(&s->workers[i].tops[j]);
        akin_pattern_clear(&s->workers[i].pattern);
    }
    akin_free(s->workers);
    akin_free(s->asking);
}

/* Leaves the k best of all spans at the place of the first one, and closes the gaps. */
static void merge(const searching *s, uint32_t count)
{
    for (uint64_t q = 0; q < count; q++) {
        uint64_t *keys = s->keys + q * s->spans * s->k, held = 0;
        for (uint64_t i = 0; i < s->spans; i++) {
            memmove(keys + held, keys + i * s->k, s->found[q * s->spans + i] * sizeof *keys);
            held += s->found[q * s->spans + i];
        }
        akin_sort_u64(keys, held);
        s->found[q] = (uint32_t)akin_min_u64(held, s->k);
        memmove(s->keys + q * s->k, keys, s->found[q] * sizeof *keys);
    }
}

static akin_status search_all(akin_context *context, searching *s, uint32_t count, akin_error *error)
{
    atomic_int cancelled = 0;
    s->order = akin_alloc(NULL, count, sizeof *s->order);
    akin_status status = s->order ? order_queries(s, count, error) : akin_fail_memory(error, "a search");
    if (status != AKIN_OK)
        return status;
    s->spans = 1;
    if (context->threads > 1 && s->groups < (uint64_t)context->threads * TASKS)
        s->spans = (uint32_t)akin_min_u64((uint64_t)context->threads * TASKS, akin_max_u32(s->sequences->count, 1));
    s->keys = akin_alloc(NULL, (uint64_t)count * s->spans * s->k, sizeof *s->keys);
    s->found = akin_alloc_zero(NULL, (uint64_t)count * s->spans, sizeof *s->found);
    status = s->keys && s->found ? make_workers(context, s, &cancelled) : AKIN_E_NOMEM;
    if (status == AKIN_OK)
        status = akin_parallel_long(context, "searching", (uint64_t)s->groups * s->spans, search_task, s, &cancelled);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "a search");
    merge(s, count);
    return AKIN_OK;
}

akin_status akin_nearest_search(akin_context *context, const akin_sequences *sequences, const akin_column *queries,
                                uint32_t count, uint32_t *k, uint64_t **keys, uint32_t **found, akin_error *error)
{
    searching s = {.sequences = sequences, .queries = queries, .level = akin_nearest_choose(context->cpu)};
    *keys = NULL;
    *found = NULL;
    if (*k == 0)
        return akin_fail(error, AKIN_E_OPTION, "k is 0: expected 1 or more");
    *k = s.k = (uint32_t)akin_min_u64(*k, akin_max_u32(sequences->count, 1));
    akin_status status = search_all(context, &s, count, error);
    clear_workers(&s, context->threads);
    akin_free(s.order);
    *keys = s.keys;
    *found = s.found;
    return status;
}
