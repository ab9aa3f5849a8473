/* Compares two strings, or many pairs of rows of two columns. */
#include "strings/compare.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/options.h"
#include "base/parallel.h"
#include "strings/alphabet.h"
#include "strings/comparators.h"
#include "strings/comparer.h"

#include <math.h>
#include <stdio.h>

static const char what[] = "comparing strings"; /* the memory is for */

/* Why a string cannot be compared: for programs, and in words. */
static akin_reason reason_of(akin_status status)
{
    return status == AKIN_E_INPUT   ? AKIN_REASON_NOT_UTF8
           : status == AKIN_E_NOMEM ? AKIN_REASON_MEMORY
                                    : AKIN_REASON_NONE;
}

static const char *why_of(akin_status status)
{
    return status == AKIN_E_INPUT   ? "the text is not valid UTF-8"
           : status == AKIN_E_LIMIT ? "the text is longer than 4 GB, or has as many tokens"
                                    : "not enough memory for comparing the text";
}

/* `name` says which string it is. */
static akin_status fail_string(akin_error *error, akin_status status, const char *name)
{
    if (status == AKIN_E_CANCELLED)
        return akin_fail(error, status, "cancelled while comparing strings");
    return akin_error_set(error, status, reason_of(status), "%s: %s", name, why_of(status));
}

akin_status akin_compare_fail_row(akin_error *error, akin_status status, const akin_column *column, const char *side,
                                  uint32_t row)
{
    char name[240] = "";
    if (column->name)
        snprintf(name, sizeof name, " '%.200s'", column->name);
    return akin_fail_row(error, status, reason_of(status), row, column->name ? column->name : side, ", %s column%s: %s",
                         side, name, why_of(status));
}

akin_status akin_compare_workers_make(const akin_scope *scope, akin_account *account,
                                      const akin_compare_options *options, const akin_ratio *cutoff,
                                      atomic_int *stopped, akin_compare_worker **out, akin_error *error)
{
    akin_compare_worker *workers = *out = akin_alloc_zero(account, scope->threads, sizeof *workers);
    if (!workers)
        return akin_fail_memory(error, what);
    for (uint32_t t = 0; t < scope->threads; t++) {
        akin_compare_worker *w = &workers[t];
        akin_comparer_begin(&w->comparer, scope->cpu, account, options, cutoff);
        w->cancellation = (akin_cancellation){.scope = scope, .cancelled = stopped, .thread = t};
        w->comparer.pattern.go_on = akin_goes_on;
        w->comparer.pattern.user = &w->cancellation;
    }
    return AKIN_OK;
}

void akin_compare_workers_free(akin_compare_worker *workers, uint32_t threads)
{
    for (uint32_t t = 0; workers && t < threads; t++)
        akin_comparer_clear(&workers[t].comparer);
    akin_free(workers);
}

akin_status akin_compare_workers_fail(const akin_compare_worker *workers, uint32_t threads, akin_status status,
                                      const akin_column *const columns[2], akin_error *error)
{
    const akin_compare_worker *first = NULL;
    for (const akin_compare_worker *w = workers; w < workers + threads; w++)
        if (w->status != AKIN_OK && (!first || w->at < first->at))
            first = w;
    if (status == AKIN_E_CANCELLED)
        return akin_fail(error, status, "cancelled while comparing strings");
    if (!first) /* threads had no memory to begin with */
        return akin_fail_memory(error, what);
    return akin_compare_fail_row(error, first->status, columns[first->side], first->side ? "right" : "left",
                                 first->row);
}

akin_status akin_compare_read(const akin_compare_options *given, akin_compare_options *own, akin_error *error)
{
    akin_status status = akin_compare_options_read(given, own, error);
    if (status != AKIN_OK)
        return status;
    const akin_comparator_row *row = akin_comparator_of(own->comparator);
    if (row && !(row->choice.capabilities & AKIN_FOR_COMPARE))
        return akin_fail(
            error, AKIN_E_OPTION,
            "%s weighs tokens by how many records have them, which a comparison of two strings does not know: expected "
            "another comparator, such as cosine",
            row->choice.name);
    return AKIN_OK;
}

akin_status akin_compare(akin_context *context, const akin_compare_options *options, const char *a, size_t a_length,
                         const char *b, size_t b_length, akin_compared *out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_compare_options own;
    akin_compared compared;
    akin_account account = {.limit = akin_budget_job(scope)};
    akin_status status = akin_compare_read(options, &own, error);
    if (status != AKIN_OK)
        return status;
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {.scope = scope, .cancelled = &cancelled};
    akin_comparer *comparer = akin_alloc(&account, 1, sizeof *comparer);
    if (!comparer)
        return akin_fail_memory(error, what);
    akin_comparer_begin(comparer, scope->cpu, &account, &own, NULL);
    comparer->pattern.go_on = akin_goes_on;
    comparer->pattern.user = &cancellation;
    status = akin_comparer_take(comparer, a, a_length);
    if (status != AKIN_OK) {
        fail_string(error, status, "the first string");
    } else {
        status = akin_comparer_compare(comparer, b, b_length, &compared);
        if (status == AKIN_OK)
            *out = compared;
        else
            fail_string(error, status, "the second string");
    }
    akin_comparer_clear(comparer);
    akin_free(comparer);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

#define TASK_PAIRS 4096                /* of a task, at most; fewer where strings are long, so that one can cancel */
#define TASK_WORK  (UINT64_C(4) << 20) /* of a task: for a pair the bytes, times one more than the words of a pattern */

/* What a worker knows of the columns; threads write these often, so each has a cache line. */
typedef struct taken {
    _Alignas(64) int has_left; /* its comparer has taken a left row: */
    uint32_t left;
    akin_pairwise_column columns[2];
} taken;

typedef struct job {
    atomic_int stopped;
    akin_account account; /* of the workers */
    const akin_column *columns[2];
    const uint32_t *rows[2]; /* NULL: the pair's number is the row */
    uint64_t count, task_pairs;
    akin_compared *out;
    akin_compare_worker *workers;
    taken *taken; /* of each worker */
} job;

static uint32_t row_of_pair(const job *j, int side, uint64_t pair)
{
    return j->rows[side] ? j->rows[side][pair] : (uint32_t)pair;
}

/* Compares a pair by itself, or takes it if that may wait. */
static akin_status compare_pair(const job *j, akin_compare_worker *w, taken *t, uint64_t pair)
{
    const akin_column *left = j->columns[0], *right = j->columns[1];
    uint32_t a = row_of_pair(j, 0, pair), b = row_of_pair(j, 1, pair);
    akin_status status = AKIN_OK;
    w->at = pair;
    w->side = 0;
    w->row = a;
    if (!akin_column_has(left, a) || !akin_column_has(right, b)) {
        j->out[pair] = (akin_compared){NAN, NAN};
        return status;
    }
    const char *left_text = left->bytes + left->offsets[a], *right_text = right->bytes + right->offsets[b];
    const uint64_t left_length = left->offsets[a + (uint64_t)1] - left->offsets[a];
    const uint64_t right_length = right->offsets[b + (uint64_t)1] - right->offsets[b];
    if (akin_comparer_take_pair(&w->comparer, left_text, left_length, right_text, right_length, pair)) {
        t->has_left = 0; /* the folder has another string, if there is one */
        return AKIN_OK;
    }
    if (!t->has_left || t->left != a)
        status = akin_comparer_take(&w->comparer, left_text, left_length);
    if (status != AKIN_OK)
        return status;
    t->has_left = 1;
    t->left = a;
    w->side = 1;
    w->row = b;
    return akin_comparer_compare(&w->comparer, right_text, right_length, &j->out[pair]);
}

static akin_status compare_pairs(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    akin_compare_worker *w = &j->workers[thread];
    taken *t = &j->taken[thread];
    uint64_t first = task * j->task_pairs, end = first + akin_min_u64(j->task_pairs, j->count - first);
    for (uint64_t pair = first; pair < end && w->status == AKIN_OK;) {
        if (w->comparer.pairwise.count == AKIN_PAIRWISE_MOST)
            akin_comparer_settle(&w->comparer, j->out);
        const uint64_t next = akin_comparer_take_rows(&w->comparer, t->columns, pair, end);
        if (next == pair)
            w->status = compare_pair(j, w, t, pair++);
        else
            pair = next;
    }
    akin_comparer_settle(&w->comparer, j->out);
    return w->status;
}

akin_status akin_compare_check_rows(const akin_column *column, uint32_t rows, const uint32_t *list, uint64_t count,
                                    const char *side, akin_error *error)
{
    akin_status status = akin_column_check(column, side, error);
    if (status == AKIN_OK && !list && count > rows)
        return akin_fail(error, AKIN_E_OPTION, "%llu pairs of rows of the %s column, which has %u",
                         (unsigned long long)count, side, rows);
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        uint64_t row = list ? list[i] : i;
        if (row >= rows) {
            akin_fail(error, AKIN_E_OPTION, "pair %llu: there is no row %u in the %s column, which has %u rows",
                      (unsigned long long)i, (uint32_t)row, side, rows);
            return akin_note_place(AKIN_E_OPTION, row, column->name ? column->name : side, error);
        }
        uint64_t begin = column->offsets[row], end = column->offsets[row + 1];
        if (end < begin)
            return akin_fail_row(error, AKIN_E_OPTION, AKIN_REASON_NONE, row, column->name ? column->name : side,
                                 ", %s column: its offset %llu is above the next one, %llu", side,
                                 (unsigned long long)begin, (unsigned long long)end);
    }
    return status;
}

/* As many pairs as take some milliseconds, if strings are as long as they are on average. */
static uint64_t task_pairs(const akin_column *left, uint32_t rows_left, const akin_column *right, uint32_t rows_right)
{
    uint64_t a = rows_left ? (left->offsets[rows_left] - left->offsets[0]) / rows_left : 0;
    uint64_t b = rows_right ? (right->offsets[rows_right] - right->offsets[0]) / rows_right : 0;
    uint64_t words = akin_min_u64(a, UINT32_MAX) / 64 + 1, work = (akin_min_u64(b, UINT32_MAX) + 1) * words;
    return akin_max_u64(1, akin_min_u64(TASK_PAIRS, TASK_WORK / work));
}

/* A column as pairs are taken of it. Strings are read ahead as far as offsets have been checked one by one. */
static akin_pairwise_column column_of_job(const job *j, int side)
{
    const akin_column *column = j->columns[side];
    const char *limit = j->rows[side] || j->count == 0 ? NULL : column->bytes + column->offsets[j->count];
    return (akin_pairwise_column){.column = column, .rows = j->rows[side], .limit = limit};
}

static akin_status compare_listed(const akin_scope *scope, job *j, const akin_compare_options *options,
                                  const akin_ratio *cutoff, akin_error *error)
{
    uint64_t tasks = akin_ceil_div(j->count, j->task_pairs);
    const uint32_t threads = (uint32_t)akin_max_u64(1, akin_min_u64(akin_scope_threads(scope), tasks));
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = threads});
    j->account.limit = akin_budget_job(scope);
    j->taken = akin_alloc_zero(&j->account, few.threads, sizeof *j->taken);
    for (uint32_t i = 0; j->taken && i < 2 * few.threads; i++)
        j->taken[i / 2].columns[i % 2] = column_of_job(j, (int)(i % 2));
    akin_status status = j->taken ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = akin_compare_workers_make(&few, &j->account, options, cutoff, &j->stopped, &j->workers, error);
    if (status == AKIN_OK) {
        status = akin_parallel_long(&few, "comparing", tasks, compare_pairs, j, &j->stopped);
        if (status != AKIN_OK)
            akin_compare_workers_fail(j->workers, few.threads, status, j->columns, error);
    }
    akin_compare_workers_free(j->workers, few.threads);
    akin_free(j->taken);
    return status;
}

akin_status akin_compare_pairs(akin_context *context, const akin_compare_options *options, const akin_column *left,
                               uint32_t rows_left, const akin_column *right, uint32_t rows_right,
                               const uint32_t *left_rows, const uint32_t *right_rows, uint64_t count,
                               const akin_ratio *cutoff, akin_compared *out, akin_error *error)
{
    akin_compare_options own;
    akin_status status = akin_compare_read(options, &own, error);
    if (status == AKIN_OK && cutoff)
        status = akin_compare_cutoff_check(*cutoff, error);
    if (status == AKIN_OK)
        status = akin_compare_check_rows(left, rows_left, left_rows, count, "left", error);
    if (status == AKIN_OK)
        status = akin_compare_check_rows(right, rows_right, right_rows, count, "right", error);
    if (status != AKIN_OK)
        return status;
    job j = {.columns = {left, right}, .rows = {left_rows, right_rows}, .count = count, .out = out};
    j.task_pairs = task_pairs(left, rows_left, right, rows_right);
    return compare_listed(akin_scope_of(context), &j, &own, cutoff, error);
}
