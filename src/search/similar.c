/*
 * Similar objects: rounds in which more and more objects are counted for those queries whose k best are not certain yet. Similarities are
 * compared as fractions of integers.
 */
#include "search/similar.h"

#include "base/parallel.h"
#include "base/sort.h"
#include "search/asked.h"

#define LEAST 64                  /* objects that are counted in the first round, or four times as many as are wanted */
#define MORE  8                   /* times as many in the next */
#define FOUND (UINT64_C(1) << 22) /* objects at a time, about */

/* What grows with the similarity to one query. */
typedef struct fraction {
    uint64_t above, below;
} fraction;

typedef struct selecting {
    const akin_similar *similar;
    akin_similar_found *out;
    akin_search_results counted;
    const uint32_t *rows; /* the queries that were counted, */
    uint8_t *certain;     /* and whether what was found of them is the best */
} selecting;

static const char what[] = "a search"; /* the memory is for */

static uint64_t key_of(uint32_t count, uint32_t object)
{
    return (uint64_t)count << 32 | object;
}

/* Of an object of so many keywords. */
static fraction fraction_of(akin_measure measure, uint64_t count, uint64_t query, uint64_t size)
{
    return measure == AKIN_JACCARD ? (fraction){count, query + size - count}
           : measure == AKIN_DICE  ? (fraction){count, query + size}
                                   : (fraction){count * count, size};
}

/* < 0, 0 or > 0. */
static int compare(fraction a, fraction b)
{
    const akin_u128 left = (akin_u128)a.above * b.below, right = (akin_u128)b.above * a.below;
    return (left > right) - (left < right);
}

/* --------------------------------------------------------------------------------------------------------------- heap */

/* The best objects so far, the worst of them at the root. */
typedef struct heap {
    const akin_similar *similar;
    uint64_t query; /* its keywords */
    uint64_t *keys;
    uint32_t held;
} heap;

static fraction score_of(const heap *h, uint64_t key)
{
    return fraction_of(h->similar->measure, key >> 32, h->query, h->similar->sizes[(uint32_t)key]);
}

static int is_worse(const heap *h, uint64_t a, uint64_t b)
{
    const int order = compare(score_of(h, a), score_of(h, b));
    return order != 0 ? order < 0 : (uint32_t)a > (uint32_t)b;
}

/* Lets what is at `at` sink to where it belongs, among the first `count`. */
static void sink(const heap *h, uint32_t at, uint32_t count)
{
    const uint64_t key = h->keys[at];
    for (uint64_t child; (child = 2 * (uint64_t)at + 1) < count; at = (uint32_t)child) {
        if (child + 1 < count && is_worse(h, h->keys[child + 1], h->keys[child]))
            child++;
        if (!is_worse(h, h->keys[child], key))
            break;
        h->keys[at] = h->keys[child];
    }
    h->keys[at] = key;
}

static void offer(heap *h, uint64_t key)
{
    if (h->held < h->similar->k) {
        h->keys[h->held++] = key;
        for (uint32_t at = h->held / 2; h->held == h->similar->k && at-- > 0;)
            sink(h, at, h->held);
    } else if (is_worse(h, h->keys[0], key)) {
        h->keys[0] = key;
        sink(h, 0, h->held);
    }
}

/* Puts the best first. */
static void sort(heap *h)
{
    for (uint32_t at = h->held / 2; at-- > 0;)
        sink(h, at, h->held);
    for (uint32_t count = h->held; count > 1; count--) {
        const uint64_t worst = h->keys[0];
        h->keys[0] = h->keys[count - 1];
        sink(h, 0, count - 1);
        h->keys[count - 1] = worst;
    }
}

/* ------------------------------------------------------------------------------------------------------------- rounds */

/* Whether an object that counts at most so much cannot be among the best. */
static int is_out(const heap *h, uint64_t count)
{
    return count < h->similar->least ||
           (h->held == h->similar->k &&
            compare(fraction_of(h->similar->measure, count, h->query, count), score_of(h, h->keys[0])) < 0);
}

static akin_status select_best(void *argument, uint64_t task, uint32_t thread)
{
    const selecting *s = argument;
    const uint32_t row = s->rows[task], count = s->counted.found[task], k = s->similar->k;
    const uint64_t *keys = s->counted.keys + task * s->counted.k;
    heap h = {s->similar, s->similar->query_sizes[row], s->out->best + (uint64_t)row * k, 0};
    uint32_t at = 0;
    (void)thread;
    while (at < count && !is_out(&h, akin_top_count(keys[at]))) {
        offer(&h, key_of(akin_top_count(keys[at]), (uint32_t)keys[at]));
        at++;
    }
    s->certain[task] = at < count || count < s->counted.k || count == s->similar->objects->head.count ||
                       is_out(&h, akin_top_count(keys[count - 1]));
    sort(&h);
    s->out->found[row] = h.held;
    return AKIN_OK;
}

/* Gathers the items of some queries. */
static int gather(const akin_queries *queries, const uint32_t *rows, uint32_t count, akin_asked *asked)
{
    if (!akin_asked_begin(asked, count))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint64_t at = queries->offsets[rows[i]]; at < queries->offsets[rows[i] + UINT64_C(1)]; at++)
            if (!akin_asked_add(asked, queries->items[at].first, queries->items[at].last))
                return 0;
        akin_asked_end(asked);
    }
    return 1;
}

/* Counts so many objects for some queries, and selects the best. */
static akin_status run_some(akin_context *context, selecting *s, uint32_t count, uint32_t objects, akin_asked *asked,
                            akin_error *error)
{
    if (!gather(s->similar->queries, s->rows, count, asked))
        return akin_fail_memory(error, what);
    const akin_queries queries = {count, asked->offsets, asked->items};
    s->counted = (akin_search_results){.k = objects};
    akin_status status =
        akin_search_batch(context, s->similar->objects, &queries, AKIN_SEARCH_AUTO, &s->counted, error);
    s->out->prices.lists += s->counted.prices.lists;
    if (status == AKIN_OK) {
        status = akin_parallel(context, NULL, count, select_best, s);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    akin_search_clear(&s->counted);
    return status;
}

/* A round for the queries at hand, of which those stay that are not certain. */
static akin_status run_round(akin_context *context, selecting *s, uint32_t *rows, uint32_t *count, uint32_t objects,
                             akin_asked *asked, akin_error *error)
{
    const uint32_t at_once = (uint32_t)akin_min_u64(akin_max_u64(FOUND / objects, 1), *count);
    uint32_t left = 0;
    for (uint32_t first = 0, some; first < *count; first += some) {
        some = (uint32_t)akin_min_u64(at_once, *count - first);
        s->rows = rows + first;
        akin_status status = run_some(context, s, some, objects, asked, error);
        if (status != AKIN_OK)
            return status;
        for (uint32_t i = 0; i < some; i++)
            if (!s->certain[i])
                rows[left++] = rows[first + i];
    }
    *count = left;
    return AKIN_OK;
}

akin_status akin_similar_search(akin_context *context, const akin_similar *similar, akin_similar_found *out,
                                akin_error *error)
{
    selecting s = {.similar = similar, .out = out};
    uint32_t count = similar->queries->count;
    uint32_t *rows = akin_alloc(NULL, count, sizeof *rows);
    uint64_t objects = akin_max_u64(LEAST, 4 * (uint64_t)similar->k);
    akin_asked asked = {0};
    akin_status status = AKIN_E_NOMEM;
    *out = (akin_similar_found){0};
    s.certain = akin_alloc(NULL, count, 1);
    out->best = akin_alloc(NULL, (uint64_t)count * similar->k, sizeof *out->best);
    out->found = akin_alloc_zero(NULL, count, sizeof *out->found);
    if (rows && s.certain && out->best && out->found) {
        status = AKIN_OK;
        for (uint32_t i = 0; i < count; i++)
            rows[i] = i;
        for (; status == AKIN_OK && count > 0; objects *= MORE)
            status = run_round(context, &s, rows, &count,
                               (uint32_t)akin_max_u64(akin_min_u64(objects, similar->objects->head.count), 1), &asked,
                               error);
    } else {
        akin_fail_memory(error, what);
    }
    akin_asked_clear(&asked);
    akin_free(s.certain);
    akin_free(rows);
    return status;
}

void akin_similar_clear(akin_similar_found *found)
{
    akin_free(found->best);
    akin_free(found->found);
}
