/* Compares each row of a column with each of another: in lanes what these take, and the other cells one by one. */
#include "strings/compare.h"

#include "base/bits.h"
#include "base/budget.h"
#include "base/npy.h"
#include "base/options.h"
#include "base/parallel.h"
#include "strings/alphabet.h"
#include "strings/comparators.h"
#include "strings/comparer.h"
#include "strings/cross.h"
#include "text/folded.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define TASK_CELLS 1024 /* compared one by one, at most */

AKIN_OPTIONS_END(akin_cells, reserved);

/* Cells that are compared one by one: rows of the left column with rows of the right one. */
typedef struct rectangle {
    const uint32_t *lists[2]; /* NULL: the first rows */
    uint32_t counts[2];
} rectangle;

typedef struct job {
    atomic_int stopped;
    akin_account account;
    const akin_scope *scope;
    akin_compare_options options; /* without folds: the columns are folded */
    akin_column columns[2];
    uint32_t rows[2];
    akin_cells cells;
    akin_cutoff cutoff;
    akin_cross cross;
    rectangle rectangle;
    akin_compare_worker *workers;
    akin_cross_room **rooms; /* of each worker */
} job;

static void put_cell(const job *j, uint32_t left, uint32_t right, double value)
{
    const uint64_t at = (uint64_t)left * j->rows[1] + right;
    if (j->cells.floats)
        j->cells.floats[at] = (float)value;
    else
        j->cells.doubles[at] = value;
}

/* ------------------------------------------------------------------------------------------------------------ lanes */

static void put_cells(void *user, uint32_t left, const uint32_t *rows, uint32_t count, const double *values)
{
    const job *j = user;
    const uint64_t first = (uint64_t)left * j->rows[1];
    float *floats = j->cells.floats ? j->cells.floats + first : NULL;
    double *doubles = floats ? NULL : j->cells.doubles + first;
    if (floats)
        for (uint32_t i = 0; i < count; i++)
            floats[rows[i]] = (float)values[i];
    else
        for (uint32_t i = 0; i < count; i++)
            doubles[rows[i]] = values[i];
}

static akin_status compare_tile(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const uint32_t block = (uint32_t)(task / j->cross.strip_count), strip = (uint32_t)(task % j->cross.strip_count);
    akin_cross_compare(&j->cross, j->rooms[thread], block, strip, j->cells.distances != 0, put_cells, j);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------- one by one */

static uint32_t row_of(const rectangle *r, int side, uint32_t at)
{
    return r->lists[side] ? r->lists[side][at] : at;
}

static const char *text_of(const akin_column *column, uint32_t row, uint64_t *length)
{
    *length = column->offsets[row + (uint64_t)1] - column->offsets[row];
    return column->bytes + column->offsets[row];
}

/* Compares right rows first to end - 1 of the rectangle with a left row, which is taken for the first right value. */
static akin_status compare_part(job *j, akin_compare_worker *w, uint32_t left, uint32_t first, uint32_t end)
{
    const int is_null = !akin_column_has(&j->columns[0], left);
    int is_taken = 0;
    akin_status status = AKIN_OK;
    uint64_t length;
    for (uint32_t i = first; i < end && status == AKIN_OK; i++) {
        const uint32_t right = row_of(&j->rectangle, 1, i);
        const int has_both = !is_null && akin_column_has(&j->columns[1], right);
        akin_compared compared = {NAN, NAN};
        const char *text = text_of(&j->columns[0], left, &length);
        w->side = 0;
        w->row = left;
        if (has_both && !is_taken)
            status = akin_comparer_take(&w->comparer, text, length);
        if (status != AKIN_OK)
            break;
        is_taken |= has_both;
        w->side = 1;
        w->row = right;
        text = text_of(&j->columns[1], right, &length);
        if (has_both)
            status = akin_comparer_compare(&w->comparer, text, length, &compared);
        if (status == AKIN_OK)
            put_cell(j, left, right, j->cells.distances ? compared.distance : compared.similarity);
    }
    return status;
}

/* A task is some cells of a left row. */
static akin_status compare_singly(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    akin_compare_worker *w = &j->workers[thread];
    const uint32_t count = j->rectangle.counts[1], parts = (uint32_t)akin_ceil_div(count, TASK_CELLS);
    const uint32_t first = (uint32_t)(task % parts) * TASK_CELLS, end = first + akin_min_u32(TASK_CELLS, count - first);
    if (w->status != AKIN_OK)
        return w->status;
    w->at = task;
    w->status = compare_part(j, w, row_of(&j->rectangle, 0, (uint32_t)(task / parts)), first, end);
    return w->status;
}

static akin_status fail_cell(const job *j, akin_status status, akin_error *error)
{
    const akin_column *const columns[2] = {&j->columns[0], &j->columns[1]};
    return akin_compare_workers_fail(j->workers, j->scope->threads, status, columns, error);
}

static akin_status compare_rectangle(job *j, rectangle which, akin_error *error)
{
    const uint64_t tasks = which.counts[0] * akin_ceil_div(which.counts[1], TASK_CELLS);
    j->rectangle = which;
    akin_status status = akin_parallel_long(j->scope, "comparing", tasks, compare_singly, j, &j->stopped);
    return status == AKIN_OK ? AKIN_OK : fail_cell(j, status, error);
}

/* -------------------------------------------------------------------------------------------------------------- job */

static akin_status compare_tiles(job *j, akin_error *error)
{
    const uint64_t tasks = (uint64_t)j->cross.block_count * j->cross.strip_count;
    const uint32_t threads = j->scope->threads;
    akin_status status = AKIN_OK;
    j->rooms = akin_alloc_zero(&j->account, threads, sizeof *j->rooms);
    if (!j->rooms)
        return akin_fail_memory(error, "comparing strings");
    for (uint32_t t = 0; t < threads && status == AKIN_OK; t++) {
        j->rooms[t] = akin_cross_room_make(&j->cross);
        status = j->rooms[t] ? AKIN_OK : akin_fail_memory(error, "comparing strings");
    }
    if (status == AKIN_OK) {
        status = akin_parallel(j->scope, "comparing", tasks, compare_tile, j);
        if (status != AKIN_OK)
            fail_cell(j, status, error);
    }
    for (uint32_t t = 0; t < threads; t++)
        akin_free(j->rooms[t]);
    akin_free(j->rooms);
    return status;
}

/* The left rows that are in tiles, in their order there; NULL: memory is short. */
static uint32_t *list_lefts(job *j, uint32_t *count)
{
    const akin_cross *x = &j->cross;
    uint32_t *rows = akin_alloc(&j->account, x->sides[0].count, sizeof *rows);
    *count = 0;
    for (uint32_t b = 0; b < x->block_count && rows; b++)
        for (uint32_t i = 0; i < x->blocks[b].count; i++)
            rows[(*count)++] = x->sides[0].rows[x->blocks[b].first + i];
    return rows;
}

static akin_status refuse_row(const job *j, int side, uint32_t row, akin_error *error)
{
    const akin_column *column = &j->columns[side];
    const int is_long = column->offsets[row + (uint64_t)1] - column->offsets[row] >= UINT32_MAX;
    return akin_compare_fail_row(error, is_long ? AKIN_E_LIMIT : AKIN_E_INPUT, column, side ? "right" : "left", row);
}

/* Refuses the value that is met first where cells are compared one by one: a left one, then all right ones. */
static akin_status refuse_value(const job *j, akin_error *error)
{
    uint32_t first = 0;
    while (!akin_column_has(&j->columns[0], first))
        first++;
    const uint32_t rights = akin_strings_is_bad(&j->columns[0], first) ? 0 : j->rows[1];
    for (uint32_t row = 0; row < rights; row++)
        if (akin_strings_is_bad(&j->columns[1], row))
            return refuse_row(j, 1, row, error);
    while (!akin_strings_is_bad(&j->columns[0], first))
        first++;
    return refuse_row(j, 0, first, error);
}

/* The cells of strings that lanes take, and then those of rows that are aside, of either column. */
static akin_status compare_in_lanes(job *j, const akin_lanes *lanes, akin_error *error)
{
    akin_cross *x = &j->cross;
    uint32_t *lefts = NULL, count = 0;
    akin_error own = {.code = AKIN_OK};
    akin_status status = akin_cross_make(j->scope, &j->account, lanes, &j->cutoff, j->columns, j->rows, x, &own);
    if (status == AKIN_OK)
        status = compare_tiles(j, error);
    else
        status = own.reason == AKIN_REASON_NOT_UTF8 ? refuse_value(j, error) : akin_fail_again(error, status, &own);
    if (status == AKIN_OK && !(lefts = list_lefts(j, &count)))
        status = akin_fail_memory(error, "comparing strings");
    if (status == AKIN_OK)
        status = compare_rectangle(j, (rectangle){{lefts, x->aside[1]}, {count, x->aside_count[1]}}, error);
    if (status == AKIN_OK)
        status = compare_rectangle(j, (rectangle){{x->aside[0], NULL}, {x->aside_count[0], j->rows[1]}}, error);
    akin_free(lefts);
    akin_cross_clear(x);
    return status;
}

/* Whether all values of a side are null: then all cells are, and the values of the other side are not looked at. */
static int is_all_null(const job *j, int side)
{
    uint32_t row = 0;
    while (row < j->rows[side] && !akin_column_has(&j->columns[side], row))
        row++;
    return row == j->rows[side];
}

static akin_status compare_cells(job *j, akin_error *error)
{
    const akin_comparator_row *row = akin_comparator_of(j->options.comparator);
    const int serves = row && (row->form == AKIN_BY_MATCHES || row->form == AKIN_BY_EDITS);
    const int is_null = is_all_null(j, 0) || is_all_null(j, 1);
    const akin_lanes *lanes = serves && !is_null ? akin_lanes_choose(j->scope->cpu) : NULL;
    j->cutoff = akin_cutoff_of(row, &j->options, (akin_ratio){0, 1}, AKIN_CUTOFF_NONE - 1);
    akin_status status =
        akin_compare_workers_make(j->scope, &j->account, &j->options, NULL, &j->stopped, &j->workers, error);
    if (status == AKIN_OK && lanes)
        status = compare_in_lanes(j, lanes, error);
    else if (status == AKIN_OK)
        status = compare_rectangle(j, (rectangle){{NULL, NULL}, {j->rows[0], j->rows[1]}}, error);
    akin_compare_workers_free(j->workers, j->scope->threads);
    return status;
}

static akin_status read_cells(const akin_cells *given, uint64_t count, akin_cells *out, akin_error *error)
{
    *out = (akin_cells)AKIN_CELLS_INIT;
    akin_status status = akin_options_read(given, out, sizeof *out, sizeof *out, "akin_cells", error);
    if (status == AKIN_OK && !out->floats == !out->doubles && count > 0)
        status = akin_fail(error, AKIN_E_OPTION, "akin_cells: expected either floats or doubles");
    if (status == AKIN_OK && out->reserved != 0)
        status = akin_fail(error, AKIN_E_OPTION, "akin_cells: reserved is not 0");
    return status;
}

akin_status akin_compare_matrix(akin_context *context, const akin_compare_options *options, const akin_column *left,
                                uint32_t rows_left, const akin_column *right, uint32_t rows_right,
                                const akin_cells *cells, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    job j = {.rows = {rows_left, rows_right}};
    akin_folded folded[2] = {{{0}, {0}}, {{0}, {0}}};
    j.account.limit = akin_budget_job(scope);
    akin_status status = akin_compare_read(options, &j.options, error);
    if (status == AKIN_OK)
        status = read_cells(cells, (uint64_t)rows_left * rows_right, &j.cells, error);
    if (status == AKIN_OK)
        status = akin_compare_check_rows(left, rows_left, NULL, rows_left, "left", error);
    if (status == AKIN_OK)
        status = akin_compare_check_rows(right, rows_right, NULL, rows_right, "right", error);
    if (status != AKIN_OK || rows_left == 0 || rows_right == 0)
        return status;
    const uint64_t tasks = akin_ceil_div((uint64_t)rows_left * rows_right, TASK_CELLS);
    const uint32_t threads = (uint32_t)akin_min_u64(akin_scope_threads(scope), tasks);
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = threads});
    j.scope = &few;
    j.columns[0] = *left;
    j.columns[1] = *right;
    for (int side = 0; side < 2 && j.options.folds && status == AKIN_OK; side++)
        status = akin_folded_make(j.scope, &j.account, akin_budget(j.scope, AKIN_BUDGET_FOLDED), j.options.folds,
                                  j.rows[side], &j.columns[side], &folded[side], error);
    j.options.folds = 0;
    if (status == AKIN_OK)
        status = compare_cells(&j, error);
    for (int side = 0; side < 2; side++)
        akin_folded_clear(&folded[side]);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ write */

#define WRITTEN (UINT64_C(1) << 24) /* bytes at once, so that a job can be cancelled */

akin_status akin_cells_write(akin_context *context, const akin_cells *cells, uint32_t rows, uint32_t columns,
                             akin_output *output, akin_error *error)
{
    const uint64_t count = (uint64_t)rows * columns;
    char head[AKIN_NPY_HEAD], shape[50];
    akin_cells own;
    akin_status status = read_cells(cells, count, &own, error);
    if (status != AKIN_OK)
        return status;
    const uint64_t bytes = count * (own.doubles ? sizeof *own.doubles : sizeof *own.floats);
    const char *numbers = own.doubles ? (const char *)own.doubles : (const char *)own.floats;
    snprintf(shape, sizeof shape, "(%" PRIu32 ", %" PRIu32 ")", rows, columns);
    akin_npy_head(head, own.doubles ? "<f8" : "<f4", shape);
    status = akin_output_write(output, head, sizeof head, error);
    for (uint64_t at = 0; at < bytes && status == AKIN_OK; at += WRITTEN) {
        status = akin_output_write(output, numbers + at, (size_t)akin_min_u64(WRITTEN, bytes - at), error);
        if (status == AKIN_OK && akin_scope_report(akin_scope_of(context), NULL, 0, 0) != AKIN_OK)
            status = akin_fail(error, AKIN_E_CANCELLED, "cancelled while writing");
    }
    return status;
}
