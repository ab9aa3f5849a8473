/* Ranks documents for queries: text becomes lists, and each thread ranks some of the queries. */
#include "base/options.h"
#include "base/parallel.h"
#include "table/columns.h"
#include "weigh/index.h"
#include "weigh/ranker.h"

#define QUERIES 256                 /* at a time, for each thread */
#define FOUND   (UINT64_C(1) << 22) /* documents at a time, about */

AKIN_OPTIONS_END(akin_rank_options, reserved);

/* What a thread has. */
typedef struct worker {
    akin_analyser analyser;
    akin_ranker ranker;
    akin_error error;
} worker;

typedef struct ranking {
    const akin_index *index;
    const akin_column *queries;
    uint32_t columns;
    uint32_t k;
    uint32_t first; /* of the queries at hand */
    worker *workers;
    akin_ranker_found *found; /* k for each query at hand */
    uint32_t *counts;
    akin_ranking_hit *batch;
} ranking;

static const char what[] = "a ranking"; /* the memory is for */

/* Adds the tokens of a text to the query. */
static akin_status add_text(const akin_index *index, worker *w, const char *text, uint64_t length)
{
    akin_status status = akin_analyser_take(&w->analyser, text, length, length);
    while (status == AKIN_OK) {
        const char *term;
        uint32_t size, list;
        status = akin_analyser_next(&w->analyser, &term, &size);
        if (status != AKIN_OK || size == 0)
            break;
        if (akin_index_find(index, term, size, &list))
            status = akin_ranker_add(&w->ranker, list);
    }
    return status;
}

static akin_status rank_query(void *argument, uint64_t task, uint32_t thread)
{
    ranking *r = argument;
    worker *w = &r->workers[thread];
    uint64_t row = r->first + task;
    akin_status status = AKIN_OK;
    akin_ranker_new(&w->ranker);
    for (uint32_t c = 0; c < r->columns && status == AKIN_OK; c++) {
        const akin_column *column = akin_columns_at(r->queries, c);
        uint64_t begin = column->offsets[row], length = column->offsets[row + 1] - begin;
        if (!column->validity || column->validity[row / 8] >> row % 8 & 1)
            status = add_text(r->index, w, column->bytes + begin, length);
        if (status == AKIN_E_INPUT)
            akin_fail(&w->error, status, "query %llu, column %s: is not UTF-8", (unsigned long long)row,
                      column->name ? column->name : "");
    }
    if (status != AKIN_OK)
        return status;
    akin_ranker_run(&w->ranker);
    r->counts[task] = w->ranker.found;
    if (w->ranker.found > 0)
        memcpy(r->found + task * r->k, w->ranker.heap, w->ranker.found * sizeof *r->found);
    return AKIN_OK;
}

static akin_status say_why(const ranking *r, uint32_t threads, akin_status status, akin_error *error)
{
    for (uint32_t i = 0; i < threads && status == AKIN_E_INPUT; i++)
        if (r->workers[i].error.code == status)
            return akin_fail(error, status, "%s", r->workers[i].error.message);
    if (status == AKIN_E_LIMIT)
        return akin_fail(error, status, "a query has more tokens, or bytes, than 32 bits can number");
    return akin_fail_stopped(error, status, what);
}

/* Hands on what was found for `count` queries. */
static akin_status deliver(ranking *r, uint32_t count, akin_rank_sink sink, void *user, akin_error *error)
{
    size_t length = 0;
    for (uint32_t q = 0; q < count; q++)
        for (uint32_t i = 0; i < r->counts[q]; i++) {
            const akin_ranker_found *found = &r->found[(uint64_t)q * r->k + i];
            r->batch[length++] = (akin_ranking_hit){r->first + q, found->document, found->score};
        }
    return length == 0 || sink(user, r->batch, length) == 0
               ? AKIN_OK
               : akin_fail(error, AKIN_E_CANCELLED, "cancelled by the sink of a ranking");
}

static akin_status rank(akin_context *context, ranking *r, uint32_t rows, uint32_t threads, akin_rank_sink sink,
                        void *user, akin_error *error)
{
    uint64_t at_once = akin_min_u64((uint64_t)threads * QUERIES, akin_max_u64(FOUND / akin_max_u64(r->k, 1), threads));
    at_once = akin_min_u64(at_once, rows);
    r->workers = akin_alloc_zero(NULL, threads, sizeof *r->workers);
    r->found = akin_alloc(NULL, at_once * r->k, sizeof *r->found);
    r->batch = akin_alloc(NULL, at_once * r->k, sizeof *r->batch);
    r->counts = akin_alloc(NULL, at_once, sizeof *r->counts);
    if (!r->workers || !r->found || !r->batch || !r->counts)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < threads; i++)
        if (akin_ranker_begin(&r->workers[i].ranker, &r->index->lists, &r->index->frequent, r->k) != AKIN_OK ||
            akin_analyser_begin(&r->workers[i].analyser, r->index->analysis, context->cpu, NULL) != AKIN_OK)
            return akin_fail_memory(error, what);
    for (uint64_t row = 0; row < rows; row += at_once) {
        uint64_t count = akin_min_u64(at_once, rows - row);
        r->first = (uint32_t)row;
        akin_status status = akin_context_report(context, "ranking", row, rows);
        if (status == AKIN_OK)
            status = akin_parallel(context, NULL, count, rank_query, r);
        if (status != AKIN_OK)
            return say_why(r, threads, status, error);
        status = deliver(r, (uint32_t)count, sink, user, error);
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

akin_status akin_rank(akin_context *context, const akin_index *index, const akin_column *queries, uint32_t columns,
                      uint32_t rows, const akin_rank_options *options, akin_rank_sink sink, void *user,
                      akin_error *error)
{
    akin_rank_options own = AKIN_RANK_OPTIONS_INIT;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_rank_options", error);
    if (status != AKIN_OK)
        return status;
    if (own.k == 0 || own.reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_rank_options: k is %u, reserved %u; expected at least 1, and 0",
                         own.k, own.reserved);
    status = akin_table_columns_check(queries, columns, rows, "rank by", error);
    if (status != AKIN_OK)
        return status;
    if (context->device_choice == AKIN_DEVICE_CUDA)
        return akin_fail(error, AKIN_E_DEVICE, "a GPU was asked for, and this version of akin ranks on the CPU alone");
    ranking r = {.index = index, .queries = queries, .columns = columns};
    r.k = own.k < index->lists.head.documents ? own.k : index->lists.head.documents;
    status = rank(context, &r, rows, context->threads, sink, user, error);
    for (uint32_t i = 0; r.workers && i < context->threads; i++) {
        akin_ranker_clear(&r.workers[i].ranker);
        akin_analyser_clear(&r.workers[i].analyser);
    }
    akin_free(r.workers);
    akin_free(r.found);
    akin_free(r.batch);
    akin_free(r.counts);
    return status;
}
