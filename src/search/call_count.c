/* Searches an index by counts of keywords: queries are gathered and counted, and what was found is handed on. */
#include "search/call_count.h"

#include "base/clock.h"
#include "base/sort.h"
#include "search/call_flat.h"
#include "search/similar.h"
#include "search/vectors.h"
#include "sets/measure.h"

/* Adds objects that count nothing to those that were found for a query, `objects`, until there are k: the first that
 * there are. */
static uint64_t add_others(akin_search_hit *hits, uint64_t at, uint32_t query, uint64_t *objects, uint32_t found,
                           uint32_t k)
{
    akin_sort_u64(objects, found);
    for (uint32_t object = 0, i = 0, held = found; held < k; object++) {
        if (i < found && objects[i] == object) {
            i++;
            continue;
        }
        hits[at++] = (akin_search_hit){query, object, 0, AKIN_CERTIFIED_BY_COUNT, 0, 0};
        held++;
    }
    return at;
}

/* Hands on what was counted for some queries, from `first` on. The keys are not needed any more then. */
static akin_status deliver_counted(akin_search_call *call, uint32_t first, uint32_t count,
                                   const akin_search_results *results, akin_error *error)
{
    const uint32_t least = call->options.least, k = (uint32_t)akin_min_u64(results->k, call->index->head.rows);
    uint64_t at = 0;
    akin_status status = akin_call_reserve(call, (uint64_t)count * k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        uint64_t *keys = results->keys + (uint64_t)q * results->k;
        for (uint32_t i = 0; i < results->found[q]; i++) {
            const uint32_t counted = akin_top_count(keys[i]);
            keys[i] = (uint32_t)keys[i];
            if (counted >= least)
                call->hits[at++] =
                    (akin_search_hit){first + q, (uint32_t)keys[i], counted, AKIN_CERTIFIED_BY_COUNT, counted, 0};
        }
        if (least == 0)
            at = add_others(call->hits, at, first + q, keys, results->found[q], k);
    }
    if (call->options.rerank == 0)
        call->report.by_count += count;
    else
        call->report.uncertified += count;
    if (call->index->head.functions > 0) {
        const akin_rating rating = {call->index, call->way->distance, call->source.matrix, call->options.k,
                                    call->options.rerank};
        status = akin_vectors_rate(call->scope, &rating, call->hits, &at, error);
    }
    return status == AKIN_OK ? akin_call_hand_on(call, at, error) : status;
}

/* Hands on the most similar. */
static akin_status deliver_similar(akin_search_call *call, uint32_t first, uint32_t count, uint32_t k,
                                   const akin_similar_found *similar, akin_error *error)
{
    const uint32_t *sizes = call->index->sections[AKIN_SEARCH_SIZES].data;
    uint64_t at = 0;
    akin_status status = akin_call_reserve(call, (uint64_t)count * k, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t q = 0; q < count; q++) {
        uint64_t *best = similar->best + (uint64_t)q * k;
        for (uint32_t i = 0; i < similar->found[q]; i++) {
            const uint32_t object = (uint32_t)best[i], counted = (uint32_t)(best[i] >> 32);
            const double value = akin_measure_value(call->options.measure, call->sizes[q], sizes[object], counted);
            best[i] = object;
            call->hits[at++] = (akin_search_hit){first + q, object, counted, AKIN_CERTIFIED_BY_COUNT, value, 0};
        }
        if (call->options.least == 0)
            at = add_others(call->hits, at, first + q, best, similar->found[q], k);
    }
    call->report.by_count += count;
    return akin_call_hand_on(call, at, error);
}

static akin_status gather_queries(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const akin_search_way *way = call->way;
    akin_status status =
        way->gather ? way->gather(call->scope, &call->source, first, count, &call->batch, error)
                    : akin_query_builder_run(&call->builder, NULL, first, count, call->sizes, &call->batch, error);
    call->report.items += call->batch.used;
    return status;
}

/* Finds the objects most similar to some queries, which have been gathered. */
static akin_status find_similar(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const akin_queries queries = {count, call->batch.offsets, call->batch.items};
    const akin_similar similar = {.objects = &call->index->objects,
                                  .sizes = call->index->sections[AKIN_SEARCH_SIZES].data,
                                  .queries = &queries,
                                  .query_sizes = call->sizes,
                                  .form = akin_measure_of(call->options.measure)->form,
                                  .k = (uint32_t)akin_min_u64(call->options.k, call->index->head.rows),
                                  .least = call->options.least};
    const double begun = akin_clock();
    akin_similar_found found;
    akin_status status = akin_searcher_similar(call->searcher, &similar, &found, error);
    call->report.seconds_search += akin_clock() - begun;
    call->report.technique = AKIN_SEARCH_LISTS;
    if (status == AKIN_OK)
        status = deliver_similar(call, first, count, similar.k, &found, error);
    akin_similar_clear(&found);
    return status;
}

akin_status akin_call_count(akin_search_call *call, uint32_t first, uint32_t count, akin_error *error)
{
    const double begun = akin_clock();
    akin_search_results results = {.k = akin_max_u32(call->options.k, call->options.rerank)};
    if (akin_call_is_flat(call))
        return akin_call_flat(call, first, count, error);
    akin_status status = gather_queries(call, first, count, error);
    const double gathered = akin_clock();
    call->report.seconds_queries += gathered - begun;
    if (status != AKIN_OK)
        return status;
    if (call->sizes)
        return find_similar(call, first, count, error);
    const akin_queries queries = {count, call->batch.offsets, call->batch.items};
    status = call->technique->count(call->searcher, &queries, call->technique, &results, error);
    call->report.seconds_search += akin_clock() - gathered;
    call->report.technique = results.technique;
    call->report.seconds_lists += results.prices.lists;
    call->report.seconds_scan += results.prices.scan;
    if (status == AKIN_OK)
        status = deliver_counted(call, first, count, &results, error);
    akin_search_clear(&results);
    return status;
}
