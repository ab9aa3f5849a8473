/* The builder of queries. A task is a few queries; a thread keeps their items until all are put together. */
#include "search/query_builder.h"

#include "dict/dictionary.h"
#include "base/parallel.h"

#include <string.h>

#define SOME 16 /* queries of a task */

static const char what[] = "queries"; /* the memory is for */

/* Where the queries of a task are. */
typedef struct place {
    uint32_t thread;
    uint32_t query; /* the first, among those of the thread */
} place;

typedef struct building {
    akin_query_builder *builder;
    const uint32_t *rows;
    uint32_t first, count;
    uint32_t *sizes;
    place *places; /* of each task */
} building;

akin_status akin_query_builder_begin(const akin_scope *scope, const akin_query_source *source, akin_query_build build,
                                     int is_measured, akin_query_builder *out, akin_error *error)
{
    *out = (akin_query_builder){scope, build, akin_alloc_zero(NULL, scope->threads, sizeof *out->threads)};
    if (!out->threads)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < scope->threads; i++) {
        akin_query_source *own = &out->threads[i].source;
        *own = *source;
        if (source->index->analysis &&
            akin_analyser_begin(&own->analyser, source->index->analysis, scope->cpu, NULL) != AKIN_OK)
            return akin_fail_memory(error, what);
        akin_status status = is_measured ? akin_dictionary_create_within(scope, &own->unknown, error) : AKIN_OK;
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

void akin_query_builder_clear(akin_query_builder *builder)
{
    for (uint32_t i = 0; builder->threads && i < builder->scope->threads; i++) {
        akin_query_builder_thread *t = &builder->threads[i];
        akin_analyser_clear(&t->source.analyser);
        akin_dictionary_free(t->source.unknown);
        akin_free(t->source.found);
        akin_query_batch_clear(&t->batch);
    }
    akin_free(builder->threads);
}

static akin_status build_some_queries(void *argument, uint64_t task, uint32_t thread)
{
    const building *g = argument;
    akin_query_builder_thread *own = &g->builder->threads[thread];
    const uint32_t begin = (uint32_t)task * SOME, end = (uint32_t)akin_min_u64(begin + (uint64_t)SOME, g->count);
    akin_status status = AKIN_OK;
    g->places[task] = (place){thread, own->batch.count};
    for (uint32_t i = begin; i < end && status == AKIN_OK; i++) {
        status = g->builder->build(&own->source, g->rows ? g->rows[i] : g->first + i, &own->batch, &own->error);
        akin_query_batch_end(&own->batch);
        if (g->sizes)
            g->sizes[i] = own->source.size;
    }
    if (status != AKIN_OK)
        own->failed = task;
    return status;
}

/* Puts the queries of all tasks together. */
static int join_task_queries(const building *g, uint64_t tasks, akin_query_batch *out)
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < g->builder->scope->threads; i++)
        items += g->builder->threads[i].batch.used;
    if (!akin_query_batch_begin(out, g->count) || !akin_query_batch_reserve(out, items))
        return 0;
    for (uint64_t task = 0; task < tasks; task++) {
        const akin_query_batch *from = &g->builder->threads[g->places[task].thread].batch;
        const uint64_t *offsets = from->offsets + g->places[task].query;
        const uint32_t count = (uint32_t)akin_min_u64(SOME, g->count - task * SOME);
        if (offsets[count] > offsets[0])
            memcpy(out->items + out->used, from->items + offsets[0],
                   (size_t)(offsets[count] - offsets[0]) * sizeof *out->items);
        for (uint32_t i = 0; i < count; i++) {
            out->used += offsets[i + 1] - offsets[i];
            akin_query_batch_end(out);
        }
    }
    return 1;
}

/* Passes on the error of the first task that failed. */
static akin_status pass_query_error(const akin_query_builder *builder, akin_status status, akin_error *error)
{
    const akin_query_builder_thread *first = NULL;
    for (uint32_t i = 0; i < builder->scope->threads; i++) {
        const akin_query_builder_thread *g = &builder->threads[i];
        if (g->failed != UINT64_MAX && (!first || g->failed < first->failed))
            first = g;
    }
    return first ? akin_fail_again(error, status, &first->error) : akin_fail_stopped(error, status, what);
}

akin_status akin_query_builder_run(akin_query_builder *builder, const uint32_t *rows, uint32_t first, uint32_t count,
                                   uint32_t *sizes, akin_query_batch *out, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(count, SOME);
    building g = {builder, rows, first, count, sizes, akin_alloc(NULL, tasks, sizeof *g.places)};
    int made = g.places != NULL;
    for (uint32_t i = 0; i < builder->scope->threads && made; i++) {
        builder->threads[i].failed = UINT64_MAX;
        made = akin_query_batch_begin(&builder->threads[i].batch, count);
    }
    akin_status status = made ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK) {
        status = akin_parallel(builder->scope, NULL, tasks, build_some_queries, &g);
        if (status != AKIN_OK)
            pass_query_error(builder, status, error);
        else if (!join_task_queries(&g, tasks, out))
            status = akin_fail_memory(error, what);
    }
    akin_free(g.places);
    return status;
}
