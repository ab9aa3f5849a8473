/*
 * Similar objects by a GPU: scores put them in order but for those of one score, so the counts of the best are found
 * again, and they are compared as fractions. Objects beyond them have no larger score than the last of them; where one
 * of that score could be better than the k-th best, the query is left to the CPU. Some more than k are taken, so that
 * this is rare.
 */
#include "search/similar_gpu.h"

#include "base/parallel.h"
#include "search/query_batch.h"
#include "search/score.h"

#include <string.h>

#define SPARE 32u /* objects more than are wanted, where sets are large */

static const char what[] = "a search on a GPU"; /* the memory is for */

typedef struct rescoring {
    const akin_similar *similar;
    akin_search_results *results;
    akin_similar_found *out;
    uint8_t *is_left; /* of each query */
} rescoring;

static uint32_t is_cosine(const akin_similar *similar)
{
    return (uint32_t)akin_form_is_squared(similar->form);
}

/* Makes | count | object | of keys; 0: a key does not determine its count. */
static int find_counts(const rescoring *r, uint64_t query, uint64_t *keys, uint32_t found)
{
    const akin_similar *s = r->similar;
    int is_told = 1;
    for (uint32_t i = 0; i < found && is_told; i++) {
        const uint32_t object = (uint32_t)keys[i], score = akin_top_count(keys[i]);
        const uint32_t count = akin_score_count(is_cosine(s), s->query_sizes[query], s->sizes[object], score);
        keys[i] = (uint64_t)count << 32 | object;
        is_told = count > 0;
    }
    return is_told;
}

static akin_status rescore_task(void *argument, uint64_t task, uint32_t thread)
{
    const rescoring *r = argument;
    const akin_similar *s = r->similar;
    const uint32_t k = r->results->k, found = r->results->found[task], query = s->query_sizes[task];
    uint64_t *keys = r->results->keys + task * k, *best = r->out->best + task * s->k;
    const uint32_t last = found > 0 ? akin_top_count(keys[found - 1]) : 1;
    (void)thread;
    r->is_left[task] = !find_counts(r, task, keys, found);
    if (r->is_left[task])
        return AKIN_OK;
    r->out->found[task] = akin_similar_best(s, (uint32_t)task, keys, found, best);
    if (found < k || k == s->objects->head.count || akin_score_tells(is_cosine(s), query, s->objects->head.most, last))
        return AKIN_OK; /* there are no others, or none that are better */
    const uint64_t worst = best[s->k - 1];
    r->is_left[task] = akin_score_of(is_cosine(s), query, s->sizes[(uint32_t)worst], (uint32_t)(worst >> 32)) <= last;
    return AKIN_OK;
}

/* How many objects are taken of each query: no more than are wanted if scores rank all sets. */
static uint32_t objects_taken(const akin_similar *s)
{
    uint32_t largest = 0;
    for (uint32_t q = 0; q < s->queries->count; q++)
        largest = akin_max_u32(largest, s->query_sizes[q]);
    const int tells = akin_score_tells(is_cosine(s), largest, s->objects->head.most, 1);
    return tells || s->k >= AKIN_RANGES_K ? s->k : (uint32_t)akin_min_u64(s->k + (uint64_t)SPARE, AKIN_RANGES_K);
}

/* Gathers the queries that are left: their numbers, sizes and items. 0: there is no memory. */
static int gather_left(const rescoring *r, uint32_t *queries, uint32_t *sizes, akin_query_batch *batch)
{
    const akin_queries *all = r->similar->queries;
    for (uint32_t q = 0, at = 0; q < all->count; q++) {
        if (!r->is_left[q])
            continue;
        for (uint64_t i = all->offsets[q]; i < all->offsets[q + 1]; i++)
            if (!akin_query_batch_add(batch, all->items[i].first, all->items[i].last, all->items[i].weight))
                return 0;
        akin_query_batch_end(batch);
        sizes[at] = r->similar->query_sizes[q];
        queries[at++] = q;
    }
    return 1;
}

/* Searches by the CPU for the queries that are left. */
static akin_status search_left(const akin_scope *scope, const rescoring *r, uint32_t count, akin_error *error)
{
    const uint32_t k = r->similar->k;
    uint32_t *queries = akin_alloc(NULL, count, sizeof *queries), *sizes = akin_alloc(NULL, count, sizeof *sizes);
    akin_query_batch batch = {.count = 0};
    akin_similar_found found = {0};
    akin_similar left = *r->similar;
    akin_status status = AKIN_E_NOMEM;
    if (queries && sizes && akin_query_batch_begin(&batch, count) && gather_left(r, queries, sizes, &batch)) {
        const akin_queries some = {count, batch.offsets, batch.items};
        left.queries = &some;
        left.query_sizes = sizes;
        status = akin_similar_search(scope, &left, &found, error);
        for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
            r->out->found[queries[i]] = found.found[i];
            memcpy(r->out->best + (uint64_t)queries[i] * k, found.best + (uint64_t)i * k,
                   found.found[i] * sizeof *found.best);
        }
    } else {
        akin_fail_memory(error, what);
    }
    akin_similar_clear(&found);
    akin_query_batch_clear(&batch);
    akin_free(queries);
    akin_free(sizes);
    return status;
}

static akin_status rescore_all(const akin_scope *scope, rescoring *r, akin_error *error)
{
    const uint32_t queries = r->similar->queries->count;
    uint32_t left = 0;
    r->out->best = akin_alloc(NULL, (uint64_t)queries * r->similar->k, sizeof *r->out->best);
    r->out->found = akin_alloc_zero(NULL, queries, sizeof *r->out->found);
    r->is_left = akin_alloc_zero(NULL, queries, sizeof *r->is_left);
    if (!r->out->best || !r->out->found || !r->is_left)
        return akin_fail_memory(error, what);
    akin_status status = akin_parallel(scope, NULL, queries, rescore_task, r);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    for (uint32_t q = 0; q < queries; q++)
        left += r->is_left[q];
    return left > 0 ? search_left(scope, r, left, error) : AKIN_OK;
}

akin_status akin_similar_search_gpu(const akin_scope *scope, akin_ranges *ranges, const akin_similar *similar,
                                    akin_similar_found *out, akin_error *error)
{
    akin_search_results results = {.k = akin_max_u32(objects_taken(similar), 1)};
    rescoring r = {similar, &results, out, NULL};
    *out = (akin_similar_found){0};
    akin_status status = akin_ranges_search_similar(scope, ranges, similar, &results, error);
    if (status == AKIN_OK)
        status = rescore_all(scope, &r, error);
    akin_free(r.is_left);
    akin_search_clear(&results);
    return status;
}
