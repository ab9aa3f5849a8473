/* The lengths of strings, as joins of strings have them: code points, of folded text where folds are given. */
#include "base/memory.h"
#include "base/parallel.h"
#include "strings/alphabet.h"
#include "table/utf8.h"
#include "text/fold.h"
#include "text/utf8.h"

#define ROW_WEIGHT 8 /* of a row, beside its bytes */

typedef struct job {
    const akin_column *column;
    uint32_t rows;
    akin_cpu cpu;
    uint32_t folds;
    uint32_t *lengths;
    akin_folder *folders;   /* one for each thread */
    _Atomic uint64_t fault; /* a row that is refused, with none before it; UINT64_MAX: there is none */
} job;

/* What the rows before row `i` weigh. */
static uint64_t weight_before(const void *of, uint32_t i)
{
    const job *j = of;
    return j->column->offsets[i] - j->column->offsets[0] + (uint64_t)ROW_WEIGHT * i;
}

/* The code points of valid UTF-8: the bytes that begin one. */
static uint32_t count_points(const char *text, uint64_t length)
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < length; i++)
        count += !akin_utf8_trails((unsigned char)text[i]);
    return count;
}

static akin_status measure_row(const job *j, uint32_t row, akin_folder *folder)
{
    const char *text = j->column->bytes + j->column->offsets[row];
    const uint64_t length = j->column->offsets[row + UINT64_C(1)] - j->column->offsets[row];
    akin_status status = AKIN_OK;
    j->lengths[row] = 0;
    if (!akin_column_has_text(j->column, row))
        return AKIN_OK;
    if (length >= UINT32_MAX)
        return AKIN_E_LIMIT;
    if (j->folds) {
        status = akin_folder_take(folder, text, length);
        if (status == AKIN_OK && folder->length > UINT32_MAX)
            status = AKIN_E_LIMIT;
        if (status == AKIN_OK)
            j->lengths[row] = count_points(folder->text, folder->length);
        return status;
    }
    if (!akin_utf8_is_valid(text, (size_t)length, j->cpu))
        return AKIN_E_INPUT;
    j->lengths[row] = count_points(text, length);
    return AKIN_OK;
}

static akin_status measure_rows(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    const uint32_t end = akin_weighed_begin(weight_before, j, j->rows, task + 1);
    for (uint32_t row = akin_weighed_begin(weight_before, j, j->rows, task); row < end; row++) {
        akin_status status = measure_row(j, row, &j->folders[thread]);
        uint64_t seen = j->fault;
        while (status != AKIN_OK && row < seen && !atomic_compare_exchange_weak(&j->fault, &seen, row)) {
        }
        if (status != AKIN_OK)
            return status;
    }
    return AKIN_OK;
}

akin_status akin_strings_lengths(akin_context *context, const akin_column *column, uint32_t rows, uint32_t folds,
                                 uint32_t *lengths, akin_error *error)
{
    static const char what[] = "the lengths of strings";
    const akin_scope *scope = akin_scope_of(context);
    job j = {
        .column = column, .rows = rows, .cpu = scope->cpu, .folds = folds, .lengths = lengths, .fault = UINT64_MAX};
    akin_status status = akin_folds_check(folds, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(column, 1, rows, "measure strings of", error);
    if (status != AKIN_OK)
        return status;
    j.folders = akin_alloc_zero(NULL, scope->threads, sizeof *j.folders);
    if (!j.folders)
        return akin_fail_memory(error, what);
    for (uint32_t i = 0; i < scope->threads; i++)
        akin_folder_begin(&j.folders[i], NULL, folds);
    status = akin_parallel(scope, "reading strings", akin_weighed_tasks(weight_before, &j, rows), measure_rows, &j);
    for (uint32_t i = 0; i < scope->threads; i++)
        akin_folder_clear(&j.folders[i]);
    akin_free(j.folders);
    if (status == AKIN_E_INPUT || status == AKIN_E_LIMIT)
        return akin_strings_refuse(column, j.fault, error);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}
