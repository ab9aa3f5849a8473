/* Compares candidates: the paper's algorithm 2, for the k nearest instead of one. */
#include "search/candidates.h"

#include "base/parallel.h"
#include "strings/edit.h"
#include "table/columns.h"

#define REPORT_EVERY 4096 /* candidates, whether to go on */

typedef struct worker {
    akin_pattern pattern;
    akin_top top;
} worker;

typedef struct comparing {
    const akin_search_index *index;
    const akin_lettered *queries;
    const uint32_t *rows;
    akin_column strings;
    uint32_t candidates;
    akin_search_results counted;
    akin_nearest_found *out;
    worker *workers;
    akin_cancellation *cancellations;
} comparing;

static const char what[] = "a search"; /* the memory is for */

/* Numbers, if there are any, say what the symbols are. */
static akin_symbols symbols_of(const akin_column *column, const uint32_t *numbers, uint32_t row)
{
    const uint64_t at = column->offsets[row], length = column->offsets[row + UINT64_C(1)] - at;
    return (akin_symbols){.bytes = (const uint8_t *)column->bytes + at,
                          .points = numbers ? numbers + at : NULL,
                          .length = (uint32_t)length};
}

/* The most edits by which a string that is to be among the k nearest may differ. */
static uint32_t most_edits(const akin_top *top)
{
    return UINT32_MAX - top->least;
}

/* The least number of n-grams that a string within `edits` edits shares with the query; it may be 0 or below. */
static int64_t grams_needed(const comparing *c, uint32_t length, uint32_t edits)
{
    return (int64_t)length - c->index->head.ngram + 1 - (int64_t)c->index->head.ngram * edits;
}

/* Compares candidates in the order of their counts; *certified becomes 1 if no other string can be among the
 * nearest. */
static akin_status compare_candidates(const comparing *c, worker *w, const akin_symbols *query, const uint64_t *keys,
                                      uint32_t count, int *certified)
{
    akin_top *top = &w->top;
    uint32_t left_out =
        count == c->counted.k && count > 0 ? akin_top_count(keys[count - 1]) : 0; /* that others count */
    uint32_t compared = 0;
    uint64_t held = 0; /* when it was cut */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = (uint32_t)keys[i], counted = akin_top_count(keys[i]);
        if (i % REPORT_EVERY == REPORT_EVERY - 1 && !w->pattern.go_on(w->pattern.user))
            return AKIN_E_CANCELLED;
        if (top->held != held)
            akin_top_cut_some(top);
        held = top->held;
        const uint32_t most = most_edits(top);
        if (top->held >= top->k && (int64_t)counted < grams_needed(c, query->length, most)) {
            left_out = counted;
            break;
        }
        const akin_symbols text = symbols_of(&c->strings, c->index->ordered.numbers, row);
        compared++;
        if (text.length > (uint64_t)query->length + most || query->length > (uint64_t)text.length + most)
            continue;
        const uint32_t distance = akin_levenshtein(&w->pattern, &text, most);
        if (w->pattern.stopped)
            return AKIN_E_CANCELLED;
        if (distance <= most)
            akin_top_add(top, UINT32_MAX - distance, row);
    }
    akin_top_finish(top);
    *certified = compared == c->index->ordered.count ||
                 (top->held == top->k &&
                  (int64_t)left_out < grams_needed(c, query->length, (uint32_t)(top->keys[top->k - 1] >> 32)));
    return AKIN_OK;
}

static akin_status compare_query(void *argument, uint64_t task, uint32_t thread)
{
    const comparing *c = argument;
    const uint32_t row = c->rows[task], k = c->out->k;
    worker *w = &c->workers[thread];
    int certified = 0;
    if (!akin_column_has(&c->queries->column, row)) {
        c->out->found[row] = 0;
        c->out->certificates[row] = AKIN_CERTIFIED_BY_COUNT;
        return AKIN_OK;
    }
    const akin_symbols query = symbols_of(&c->queries->column, c->queries->numbers, row);
    if (!akin_pattern_set(&w->pattern, &query))
        return AKIN_E_NOMEM;
    akin_top_reset(&w->top, UINT32_MAX - (uint32_t)INT32_MAX);
    akin_status status =
        compare_candidates(c, w, &query, c->counted.keys + task * c->counted.k, c->counted.found[task], &certified);
    if (status != AKIN_OK)
        return status;
    memcpy(c->out->keys + (uint64_t)row * k, w->top.keys, (size_t)w->top.held * sizeof *w->top.keys);
    c->out->found[row] = (uint32_t)w->top.held;
    c->out->certificates[row] = certified ? AKIN_CERTIFIED_BY_COUNT : AKIN_CERTIFICATE_NONE;
    return AKIN_OK;
}

static akin_status compare_all_queries(const akin_scope *scope, comparing *c, uint32_t count, atomic_int *cancelled)
{
    c->workers = akin_alloc_zero(NULL, scope->threads, sizeof *c->workers);
    c->cancellations = akin_alloc_zero(NULL, scope->threads, sizeof *c->cancellations);
    if (!c->workers || !c->cancellations)
        return AKIN_E_NOMEM;
    for (uint32_t i = 0; i < scope->threads; i++) {
        worker *w = &c->workers[i];
        if (!akin_top_begin(&w->top, c->out->k, NULL))
            return AKIN_E_NOMEM;
        w->top.ties = 1;
        c->cancellations[i] = (akin_cancellation){scope, cancelled, i, 0};
        w->pattern.go_on = akin_goes_on;
        w->pattern.user = &c->cancellations[i];
    }
    return akin_parallel_long(scope, "comparing", count, compare_query, c, cancelled);
}

akin_status akin_candidates_compare(akin_searcher *searcher, const akin_lettered *queries, const uint32_t *rows,
                                    const akin_query_batch *batch, uint32_t candidates, akin_nearest_found *out,
                                    akin_error *error)
{
    const akin_scope *scope = searcher->scope;
    comparing c = {.index = searcher->index,
                   .queries = queries,
                   .rows = rows,
                   .strings = akin_search_strings(searcher->index),
                   .counted = {.k = candidates},
                   .out = out};
    atomic_int cancelled = 0;
    const akin_queries grams = {batch->count, batch->offsets, batch->items};
    akin_status status = searcher->counts_by->count(searcher, &grams, searcher->counts_by, &c.counted, error);
    if (status == AKIN_OK) {
        status = compare_all_queries(scope, &c, batch->count, &cancelled);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    for (uint32_t i = 0; c.workers && i < scope->threads; i++) {
        akin_top_clear(&c.workers[i].top);
        akin_pattern_clear(&c.workers[i].pattern);
    }
    akin_free(c.workers);
    akin_free(c.cancellations);
    akin_search_clear(&c.counted);
    return status;
}

void akin_nearest_clear(akin_nearest_found *found)
{
    akin_free(found->keys);
    akin_free(found->found);
    akin_free(found->certificates);
}
