/* Asking of queries: a task is a few of them, whose items a thread keeps until all are put together. */
#include "search/asker.h"

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

typedef struct asking {
    akin_asker *asker;
    const uint32_t *rows;
    uint32_t first, count;
    uint32_t *sizes;
    place *places; /* of each task */
} asking;

akin_status akin_asker_begin(const akin_scope *scope, const akin_questions *questions, akin_ask ask, int is_measured,
                             akin_asker *out, akin_error *error)
{
    *out = (akin_asker){scope, ask, akin_alloc_zero(NULL, scope->threads, sizeof *out->threads)};
    if (!out->threads)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < scope->threads; i++) {
        akin_questions *own = &out->threads[i].questions;
        *own = *questions;
        if (questions->index->analysis &&
            akin_analyser_begin(&own->analyser, questions->index->analysis, scope->cpu, NULL) != AKIN_OK)
            return akin_fail_memory(error, what);
        akin_status status = is_measured ? akin_dictionary_create_within(scope, &own->unknown, error) : AKIN_OK;
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

void akin_asker_clear(akin_asker *asker)
{
    for (uint32_t i = 0; asker->threads && i < asker->scope->threads; i++) {
        akin_asker_thread *t = &asker->threads[i];
        akin_analyser_clear(&t->questions.analyser);
        akin_dictionary_free(t->questions.unknown);
        akin_free(t->questions.found);
        akin_asked_clear(&t->asked);
    }
    akin_free(asker->threads);
}

static akin_status ask_some(void *argument, uint64_t task, uint32_t thread)
{
    const asking *g = argument;
    akin_asker_thread *own = &g->asker->threads[thread];
    const uint32_t begin = (uint32_t)task * SOME, end = (uint32_t)akin_min_u64(begin + (uint64_t)SOME, g->count);
    akin_status status = AKIN_OK;
    g->places[task] = (place){thread, own->asked.count};
    for (uint32_t i = begin; i < end && status == AKIN_OK; i++) {
        status = g->asker->ask(&own->questions, g->rows ? g->rows[i] : g->first + i, &own->asked, &own->error);
        akin_asked_end(&own->asked);
        if (g->sizes)
            g->sizes[i] = own->questions.size;
    }
    if (status != AKIN_OK)
        own->failed = task;
    return status;
}

/* Puts the queries of all tasks together. */
static int put_together(const asking *g, uint64_t tasks, akin_asked *out)
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < g->asker->scope->threads; i++)
        items += g->asker->threads[i].asked.used;
    if (!akin_asked_begin(out, g->count) || !akin_asked_reserve(out, items))
        return 0;
    for (uint64_t task = 0; task < tasks; task++) {
        const akin_asked *from = &g->asker->threads[g->places[task].thread].asked;
        const uint64_t *offsets = from->offsets + g->places[task].query;
        const uint32_t count = (uint32_t)akin_min_u64(SOME, g->count - task * SOME);
        if (offsets[count] > offsets[0])
            memcpy(out->items + out->used, from->items + offsets[0],
                   (size_t)(offsets[count] - offsets[0]) * sizeof *out->items);
        for (uint32_t i = 0; i < count; i++) {
            out->used += offsets[i + 1] - offsets[i];
            akin_asked_end(out);
        }
    }
    return 1;
}

/* What the first task that failed has said. */
static akin_status say_why(const akin_asker *asker, akin_status status, akin_error *error)
{
    const akin_asker_thread *first = NULL;
    for (uint32_t i = 0; i < asker->scope->threads; i++) {
        const akin_asker_thread *g = &asker->threads[i];
        if (g->failed != UINT64_MAX && (!first || g->failed < first->failed))
            first = g;
    }
    return first ? akin_fail_again(error, status, &first->error) : akin_fail_stopped(error, status, what);
}

akin_status akin_asker_run(akin_asker *asker, const uint32_t *rows, uint32_t first, uint32_t count, uint32_t *sizes,
                           akin_asked *out, akin_error *error)
{
    const uint64_t tasks = akin_ceil_div(count, SOME);
    asking g = {asker, rows, first, count, sizes, akin_alloc(NULL, tasks, sizeof *g.places)};
    int made = g.places != NULL;
    for (uint32_t i = 0; i < asker->scope->threads && made; i++) {
        asker->threads[i].failed = UINT64_MAX;
        made = akin_asked_begin(&asker->threads[i].asked, count);
    }
    akin_status status = made ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK) {
        status = akin_parallel(asker->scope, NULL, tasks, ask_some, &g);
        if (status != AKIN_OK)
            say_why(asker, status, error);
        else if (!put_together(&g, tasks, out))
            status = akin_fail_memory(error, what);
    }
    akin_free(g.places);
    return status;
}
