/*
 * The sizes of the sets that akin_sets_from_columns would make, without their tokens and without a dictionary: a thread
 * puts the tokens of a row into a set of strings, counts them, and empties it for the next row. In a multiset without
 * stop words every token counts, and none is looked at.
 */
#include "base/bits.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "dict/term_set.h"
#include "sets/from_columns.h"
#include "sets/stops.h"
#include "table/columns.h"
#include "text/fold.h"

#define ROW_WEIGHT 8 /* of a row, beside its bytes */
#define MIB        1048576.0

static const char what[] = "sizes of sets"; /* the memory is for */

/* What a thread has for itself. */
typedef struct worker {
    _Alignas(64) akin_tokenizer tokenizer;
    akin_folder folder;
    akin_term_set seen; /* the tokens of the row at hand */
    akin_text_counts counts;
    uint64_t task; /* the last one, where it was at its end, and how that was */
    uint32_t row, column;
    akin_status status;
} worker;

typedef struct job {
    akin_account account; /* of the workers */
    const akin_column *columns;
    uint32_t column_count, rows;
    akin_text_options options;
    uint32_t folds;
    akin_salt salt;
    akin_stops stops;
    akin_term_set left_out; /* the stop words */
    uint32_t *sizes;
    uint32_t worker_count;
    worker *workers;
} job;

/* What the rows before row `i` weigh. */
static uint64_t weight_before(const void *of, uint32_t i)
{
    const job *j = of;
    return akin_columns_bytes(j->columns, j->column_count, 0, i) + (uint64_t)ROW_WEIGHT * i;
}

/* Adds the tokens of a text to the row. *size: their number in a multiset. */
static akin_status count_text(const job *j, worker *w, const char *text, uint64_t length, uint64_t readable,
                              uint64_t *size)
{
    akin_spans spans;
    akin_status status = AKIN_OK;
    if (j->folds) {
        status = akin_folder_take(&w->folder, text, length);
        text = w->folder.text;
        length = readable = w->folder.length;
    }
    if (status != AKIN_OK || length == 0)
        return status;
    status = akin_tokenizer_take(&w->tokenizer, text, length, readable);
    while (status == AKIN_OK && akin_tokenizer_next(&w->tokenizer, &spans)) {
        if (j->options.multiset)
            *size += akin_term_set_count_others(&j->left_out, &spans);
        else
            status = akin_term_set_add_spans(&w->seen, &spans, &j->left_out);
    }
    return status;
}

static akin_status count_row(const job *j, worker *w)
{
    uint64_t size = 0;
    for (w->column = 0; w->column < j->column_count; w->column++) {
        const akin_column *column = akin_columns_at(j->columns, w->column);
        const uint64_t *at = column->offsets + w->row;
        if (at[1] == at[0] || !akin_column_has(column, w->row))
            continue;
        akin_status status =
            count_text(j, w, column->bytes + at[0], at[1] - at[0], column->offsets[j->rows] - at[0], &size);
        if (status != AKIN_OK)
            return status;
    }
    size += w->seen.count;
    akin_term_set_empty(&w->seen);
    if (size > UINT32_MAX)
        return AKIN_E_LIMIT;
    j->sizes[w->row] = (uint32_t)size;
    return AKIN_OK;
}

static akin_status count_rows(void *argument, uint64_t task, uint32_t thread)
{
    const job *j = argument;
    worker *w = &j->workers[thread];
    const uint32_t end = akin_weighed_begin(weight_before, j, j->rows, task + 1);
    akin_status status = AKIN_OK;
    w->task = task;
    w->row = akin_weighed_begin(weight_before, j, j->rows, task);
    while (w->row < end && (status = count_row(j, w)) == AKIN_OK)
        w->row++;
    w->status = status;
    return status;
}

/* ------------------------------------------------------------------------------------------------------ preparation */

static akin_status begin_workers(const akin_scope *scope, job *j, akin_error *error)
{
    j->workers = akin_alloc_zero(NULL, scope->threads, sizeof *j->workers);
    if (!j->workers)
        return akin_fail_memory(error, what);
    j->worker_count = scope->threads;
    for (uint32_t i = 0; i < j->worker_count; i++) {
        worker *w = &j->workers[i];
        akin_tokenizer_begin(&w->tokenizer, scope->cpu, &j->account, &j->options);
        akin_folder_begin(&w->folder, &j->account, j->folds);
        akin_term_set_begin(&w->seen, &j->account, j->salt);
        w->tokenizer.counts = &w->counts;
    }
    return AKIN_OK;
}

static void clear_workers(job *j)
{
    for (uint32_t i = 0; i < j->worker_count; i++) {
        akin_tokenizer_clear(&j->workers[i].tokenizer);
        akin_folder_clear(&j->workers[i].folder);
        akin_term_set_clear(&j->workers[i].seen);
    }
    akin_free(j->workers);
    j->workers = NULL;
    j->worker_count = 0;
}

/* Puts the stop words into a set that all threads look into. */
static akin_status read_stops(const akin_scope *scope, job *j, akin_error *error)
{
    akin_tokenizer tokenizer = {0};
    akin_tokenizer_begin(&tokenizer, scope->cpu, NULL, &j->options);
    akin_status status = akin_stops_read(&j->stops, &tokenizer, &j->options, error);
    for (uint32_t i = 0; i < j->stops.count && status == AKIN_OK; i++) {
        status = akin_term_set_add(&j->left_out, j->stops.list[i].bytes, j->stops.list[i].length);
        if (status != AKIN_OK)
            akin_fail_memory(error, "the stop words");
    }
    akin_tokenizer_clear(&tokenizer);
    return status;
}

/* Says what the first task that failed has failed of. */
static akin_status fail_sizes(const akin_scope *scope, const job *j, akin_status status, int is_short,
                              akin_error *error)
{
    const worker *first = NULL;
    for (const worker *w = j->workers; w < j->workers + j->worker_count; w++)
        if (w->status == status && (!first || w->task < first->task))
            first = w;
    if (first && is_short)
        return akin_fail_row(
            error, status, AKIN_REASON_MEMORY_BOUND, first->row, NULL,
            ": a memory bound of %.0f MiB is too small for the tokens of %llu bytes", (double)scope->memory / MIB,
            (unsigned long long)akin_columns_bytes(j->columns, j->column_count, first->row, first->row + 1));
    if (!first || (status != AKIN_E_INPUT && status != AKIN_E_LIMIT))
        return akin_fail_stopped(error, status, what);
    return akin_sets_fail_text(j->columns, j->column_count, first->column, first->row, status, error);
}

/* Counts all rows. Where the memory bound is too small for the rows of all threads at once, one thread begins again. */
static akin_status count_all(const akin_scope *scope, job *j, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const akin_scope one = akin_scope_narrow(scope, (akin_narrowing){.threads = 1});
    const uint64_t tasks = akin_weighed_tasks(weight_before, j, j->rows);
    akin_status status = begin_workers(&few, j, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(&few, "tokenizing", tasks, count_rows, j);
    uint64_t refused = 0;
    if (few.threads > 1 && akin_account_is_short(&j->account, status, refused)) {
        clear_workers(j);
        refused = j->account.refused;
        status = begin_workers(&one, j, error);
        if (status != AKIN_OK)
            return status;
        status = akin_parallel(&one, "tokenizing", tasks, count_rows, j);
    }
    if (status != AKIN_OK)
        return fail_sizes(scope, j, status, akin_account_is_short(&j->account, status, refused), error);
    for (uint32_t i = 0; i < j->worker_count; i++)
        akin_text_counts_add(j->options.counts, &j->workers[i].counts);
    return AKIN_OK;
}

akin_status akin_sets_sizes(akin_context *context, const akin_column *columns, uint32_t count, uint32_t rows,
                            const akin_text_options *options, uint32_t folds, uint32_t *sizes, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    job j = {.columns = columns, .column_count = count, .rows = rows, .folds = folds, .sizes = sizes};
    akin_status status = akin_text_options_read(options, &j.options, error);
    if (status == AKIN_OK)
        status = akin_folds_check(folds, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(columns, count, rows, "make sets from", error);
    if (status != AKIN_OK)
        return status;
    j.account.limit = akin_budget_job(scope);
    j.salt = akin_salt_draw(&j);
    akin_term_set_begin(&j.left_out, NULL, j.salt);
    status = read_stops(scope, &j, error);
    if (status == AKIN_OK)
        status = count_all(scope, &j, error);
    clear_workers(&j);
    akin_term_set_clear(&j.left_out);
    akin_stops_clear(&j.stops);
    return status;
}
