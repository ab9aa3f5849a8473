/* Folds a column in rounds: threads fold some rows each, and what they wrote is put behind the rows before. */
#include "text/folded.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "table/columns.h"

#include <string.h>

#define TASK_ROWS 8192
#define TASK_BYTES                                                                                                     \
    ((uint64_t)256 << 10) /* of a task, unless a row alone has more: they are kept until the round ends */
#define TASKS 8           /* of a round, for each thread */

static const char what[] = "folded text"; /* the memory is for */

/* The rows of a task, and what becomes of them. */
typedef struct chunk {
    uint32_t first, end, fault; /* fault: the first row that is not UTF-8; UINT32_MAX: none is */
    char *text;
    uint64_t length, room;
} chunk;

typedef struct folding {
    const akin_column *column;
    uint32_t folds;
    const akin_forms *forms; /* NULL: none */
    akin_account *account;
    uint64_t *lengths; /* [row], of the folded values */
    chunk *chunks;
} folding;

/* What a thread folds values by. */
typedef struct tools {
    akin_folder folder;
    akin_rewriter rewriter;
} tools;

static akin_status add_row(folding *f, tools *t, chunk *c, uint32_t row)
{
    const uint64_t begin = f->column->offsets[row], end = f->column->offsets[row + UINT64_C(1)];
    f->lengths[row] = 0;
    if (!akin_column_has(f->column, row) || begin == end)
        return AKIN_OK;
    akin_status status = akin_folder_take(&t->folder, f->column->bytes + begin, end - begin);
    if (status == AKIN_OK && f->forms)
        status = akin_rewriter_take(&t->rewriter, t->folder.text, t->folder.length);
    if (status != AKIN_OK)
        return status;
    const char *folded = f->forms ? t->rewriter.text : t->folder.text;
    const uint64_t length = f->forms ? t->rewriter.length : t->folder.length;
    char *text = akin_enlarge(f->account, c->text, &c->room, c->length + length, 1);
    if (!text)
        return AKIN_E_NOMEM;
    c->text = text;
    if (length > 0)
        memcpy(text + c->length, folded, (size_t)length);
    c->length += length;
    f->lengths[row] = length;
    return AKIN_OK;
}

/* A row that is not UTF-8 ends its chunk, and not the round: a chunk before it may have another. */
static akin_status fold_chunk(void *argument, uint64_t task, uint32_t thread)
{
    folding *f = argument;
    chunk *c = &f->chunks[task];
    tools t;
    akin_status status = AKIN_OK;
    (void)thread;
    akin_folder_begin(&t.folder, f->account, f->folds);
    akin_rewriter_begin(&t.rewriter, f->account, f->forms);
    for (uint32_t row = c->first; row < c->end && status == AKIN_OK; row++) {
        status = add_row(f, &t, c, row);
        if (status == AKIN_E_INPUT)
            c->fault = row;
    }
    akin_rewriter_clear(&t.rewriter);
    akin_folder_clear(&t.folder);
    return status == AKIN_E_INPUT ? AKIN_OK : status;
}

/* Puts the text of a round behind that of the rounds before. */
static akin_status put_chunks(const folding *f, uint32_t count, uint64_t *length, akin_folded *out, akin_error *error)
{
    uint64_t more = 0;
    for (uint32_t i = 0; i < count; i++)
        if (f->chunks[i].fault != UINT32_MAX)
            return akin_columns_fail(f->column, 0, f->chunks[i].fault, AKIN_E_INPUT, "is not valid UTF-8", error);
    for (uint32_t i = 0; i < count; i++)
        more += f->chunks[i].length;
    akin_status status = akin_bulk_grow(&out->bytes, *length + more, what, error);
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        if (f->chunks[i].length > 0)
            memcpy((char *)out->bytes.data + *length, f->chunks[i].text, (size_t)f->chunks[i].length);
        *length += f->chunks[i].length;
    }
    return status;
}

/* Folds rows from *row on, enough of them that all threads have some. */
static akin_status fold_round(const akin_scope *scope, folding *f, uint32_t *row, uint32_t rows, uint64_t *length,
                              akin_folded *out, akin_error *error)
{
    const uint32_t most = scope->threads * TASKS;
    uint32_t count = 0;
    uint64_t bytes;
    for (; count < most && *row < rows; count++) {
        chunk *c = &f->chunks[count];
        c->first = *row;
        c->end = *row = akin_columns_cut(f->column, 1, *row, rows, TASK_ROWS, TASK_BYTES, &bytes);
        c->fault = UINT32_MAX;
        c->length = 0;
    }
    akin_status status = akin_parallel(scope, NULL, count, fold_chunk, f);
    return status == AKIN_OK ? put_chunks(f, count, length, out, error) : akin_fail_stopped(error, status, what);
}

static akin_status fold_rows(const akin_scope *scope, folding *f, uint32_t rows, akin_folded *out, akin_error *error)
{
    uint64_t *offsets = out->offsets.data, length = 0;
    akin_status status = AKIN_OK;
    f->lengths = offsets + 1;
    for (uint32_t row = 0; row < rows && status == AKIN_OK;)
        status = fold_round(scope, f, &row, rows, &length, out, error);
    offsets[0] = 0;
    for (uint32_t row = 0; row < rows && status == AKIN_OK; row++)
        offsets[row + UINT64_C(1)] += offsets[row];
    return status;
}

akin_status akin_folded_make_forms(const akin_scope *scope, akin_account *account, uint64_t share, uint32_t folds,
                                   const akin_forms *forms, uint32_t rows, akin_column *column, akin_folded *out,
                                   akin_error *error)
{
    const uint32_t chunks = scope->threads * TASKS;
    folding f = {.column = column, .folds = folds, .forms = forms, .account = account};
    *out = (akin_folded){akin_bulk_of(scope, account, share), akin_bulk_of(scope, account, share)};
    akin_status status = akin_bulk_reserve(&out->offsets, ((uint64_t)rows + 1) * sizeof(uint64_t), what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&out->bytes, 1, what, error);
    f.chunks = akin_alloc_zero(account, chunks, sizeof *f.chunks);
    if (status == AKIN_OK)
        status = f.chunks ? fold_rows(scope, &f, rows, out, error) : akin_fail_memory(error, what);
    for (uint32_t i = 0; f.chunks && i < chunks; i++)
        akin_free(f.chunks[i].text);
    akin_free(f.chunks);
    if (status == AKIN_OK) {
        column->offsets = out->offsets.data;
        column->bytes = out->bytes.data;
        column->ascii = 0;
    }
    return status;
}

akin_status akin_folded_make(const akin_scope *scope, akin_account *account, uint64_t share, uint32_t folds,
                             uint32_t rows, akin_column *column, akin_folded *out, akin_error *error)
{
    return akin_folded_make_forms(scope, account, share, folds, NULL, rows, column, out, error);
}

void akin_folded_clear(akin_folded *folded)
{
    akin_bulk_clear(&folded->offsets);
    akin_bulk_clear(&folded->bytes);
}
