/* Similar objects: a heap of the best for each query, whose worst says what others must count. Similarities are
 * compared as fractions. */
#include "search/similar.h"

#include "base/heap.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "search/search.h"
#include "search/tally.h"

static const char what[] = "a search"; /* the memory is for */

static uint64_t counted_key(uint32_t count, uint32_t object)
{
    return (uint64_t)count << 32 | object;
}

/* < 0, 0 or > 0. */
static int compare_similarities(akin_fraction a, akin_fraction b)
{
    const akin_u128 left = (akin_u128)a.above * b.below, right = (akin_u128)b.above * a.below;
    return (left > right) - (left < right);
}

/* ------------------------------------------------------------------------------------------------------------- heap */

/* The best objects so far, the worst of them at the root, for a query of `query` keywords; an object can have at most
 * `most` of them. */
typedef struct ranking {
    const akin_similar *similar;
    uint64_t query, most;
    akin_heap heap;
    akin_fraction worst; /* the rank of the root, once there are k; before that, a rank that no object is below */
} ranking;

static akin_fraction similarity_of(const ranking *r, uint64_t key)
{
    return akin_rule_rank(r->similar->form, key >> 32, r->query, r->similar->sizes[(uint32_t)key]);
}

static int is_less_similar(const void *user, uint64_t a, uint64_t b)
{
    const int order = compare_similarities(similarity_of(user, a), similarity_of(user, b));
    return order != 0 ? order < 0 : (uint32_t)a > (uint32_t)b;
}

static void begin_ranking(ranking *r, const akin_similar *similar, uint64_t query, uint64_t most, uint64_t *best)
{
    *r = (ranking){.similar = similar,
                   .query = similar->query_sizes[query],
                   .most = most,
                   .heap = {.keys = best, .k = similar->k, .is_worse = is_less_similar},
                   .worst = {0, 1}};
    r->heap.user = r;
}

/* Holds an object that is as good as the worst of the best, or better. */
static void hold_similar(ranking *r, uint64_t key)
{
    uint64_t dropped;
    if (akin_heap_offer(&r->heap, key, 0, &dropped) && akin_heap_is_full(&r->heap))
        r->worst = similarity_of(r, r->heap.keys[0]);
}

/* Most objects are below the worst of the best: one comparison is all that they cost. */
static inline void offer_similar(ranking *r, uint64_t key)
{
    if (compare_similarities(similarity_of(r, key), r->worst) >= 0)
        hold_similar(r, key);
}

uint32_t akin_similar_best(const akin_similar *similar, uint32_t query, const uint64_t *keys, uint64_t count,
                           uint64_t *best)
{
    ranking r;
    begin_ranking(&r, similar, query, 0, best);
    for (uint64_t i = 0; i < count; i++)
        offer_similar(&r, keys[i]);
    akin_heap_sort(&r.heap);
    return r.heap.held;
}

/* ----------------------------------------------------------------------------------------------------------- search */

/* Whether an object that counts at most so much cannot be among the best. */
static int is_out_of_best(const ranking *r, uint64_t count)
{
    return compare_similarities(akin_rule_rank(r->similar->form, count, r->query, count), r->worst) < 0;
}

/* Takes objects that were counted. */
static void take_counted(akin_top *top)
{
    ranking *r = top->user;
    for (uint64_t i = 0; i < top->held; i++)
        offer_similar(r, counted_key(akin_top_count(top->keys[i]), (uint32_t)top->keys[i]));
    top->held = 0;
    while (top->least <= r->most && is_out_of_best(r, top->least))
        top->least++;
}

/* What a thread has. */
typedef struct worker {
    akin_tally tally;
    akin_top top;
} worker;

typedef struct searching {
    const akin_similar *similar;
    akin_similar_found *out;
    uint64_t *most; /* that each query counts */
    worker *workers;
} searching;

static akin_status search_query(void *argument, uint64_t task, uint32_t thread)
{
    const searching *s = argument;
    const akin_similar *similar = s->similar;
    const uint64_t *at = similar->queries->offsets + task;
    worker *w = &s->workers[thread];
    ranking r;
    begin_ranking(&r, similar, task, s->most[task], s->out->best + task * similar->k);
    akin_top_reset(&w->top, akin_max_u32(similar->least, 1));
    w->top.user = &r;
    akin_status status = akin_tally_query(&w->tally, similar->queries->items + at[0], at[1] - at[0], s->most[task], 0,
                                          akin_objects_ranges(similar->objects), &w->top);
    if (status != AKIN_OK)
        return status;
    take_counted(&w->top);
    akin_heap_sort(&r.heap);
    s->out->found[task] = r.heap.held;
    return AKIN_OK;
}

static akin_status prepare_similar(const akin_scope *scope, searching *s, akin_error *error)
{
    const akin_queries *queries = s->similar->queries;
    s->most = akin_alloc(NULL, queries->count, sizeof *s->most);
    s->workers = akin_alloc_zero(NULL, scope->threads, sizeof *s->workers);
    s->out->best = akin_alloc(NULL, (uint64_t)queries->count * s->similar->k, sizeof *s->out->best);
    s->out->found = akin_alloc_zero(NULL, queries->count, sizeof *s->out->found);
    int made = s->most && s->workers && s->out->best && s->out->found;
    for (uint32_t i = 0; made && i < scope->threads; i++) {
        made = akin_tally_begin(&s->workers[i].tally, s->similar->objects, scope->cpu) &&
               akin_top_begin(&s->workers[i].top, 1, NULL);
        s->workers[i].top.take = take_counted;
    }
    if (!made)
        return akin_fail_memory(error, what);
    return akin_search_check(s->similar->objects, queries, s->most, error);
}

akin_status akin_similar_search(const akin_scope *scope, const akin_similar *similar, akin_similar_found *out,
                                akin_error *error)
{
    searching s = {.similar = similar, .out = out};
    *out = (akin_similar_found){0};
    akin_status status = prepare_similar(scope, &s, error);
    if (status == AKIN_OK) {
        status = akin_parallel(scope, "searching", similar->queries->count, search_query, &s);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    for (uint32_t i = 0; s.workers && i < scope->threads; i++) {
        akin_tally_clear(&s.workers[i].tally);
        akin_top_clear(&s.workers[i].top);
    }
    akin_free(s.workers);
    akin_free(s.most);
    return status;
}

void akin_similar_clear(akin_similar_found *found)
{
    akin_free(found->best);
    akin_free(found->found);
}
