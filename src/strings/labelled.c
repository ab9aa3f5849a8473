/* Objects with labels: pieces of rows by threads, whose dictionaries are made one. */
#include "strings/labelled.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "strings/alphabet.h"

#define PIECE_BYTES       (UINT64_C(1) << 20) /* of text, at least */
#define PIECES_FOR_THREAD 8                   /* at most, so that few dictionaries are made one */

typedef struct reading {
    const akin_scope *scope;
    const akin_column *column;
    const char *side;
    const akin_labelled_kind *kind;
    void *user;
    uint32_t rows;
    akin_labelled_piece *pieces;
    uint32_t piece_count;
    akin_error *errors; /* of the pieces */
} reading;

/* ------------------------------------------------------------------------------------------------------------- rows */

/* Says where the text of a row is no object. */
static akin_status fail_text(const reading *r, uint32_t row, const akin_text_fault *fault, akin_error *error)
{
    const char *name = r->column->name ? r->column->name : r->side;
    const unsigned long long byte = (unsigned long long)fault->at + 1;
    return fault->expected
               ? akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, row, name, ": byte %llu: expected %s", byte,
                               fault->expected)
               : akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NOT_UTF8, row, name, ": byte %llu is not UTF-8", byte);
}

static akin_status read_row(const reading *r, uint32_t piece, uint32_t row, akin_error *error)
{
    const uint64_t begin = r->column->offsets[row], length = r->column->offsets[row + (uint64_t)1] - begin;
    akin_text_fault fault = {0, NULL};
    if (!akin_column_has(r->column, row))
        return AKIN_OK;
    const akin_status status = r->kind->read(r->user, piece, r->pieces[piece].dictionary, row, r->column->bytes + begin,
                                             length, &fault, error);
    if (status == AKIN_E_INPUT)
        return fail_text(r, row, &fault, error);
    return status == AKIN_E_LIMIT ? akin_note_place(status, row, r->column->name, error) : status;
}

static akin_status read_piece(void *argument, uint64_t task, uint32_t thread)
{
    const reading *r = argument;
    akin_labelled_piece *piece = &r->pieces[task];
    akin_error *error = &r->errors[task];
    akin_status status = akin_dictionary_create_within(r->scope, &piece->dictionary, error);
    (void)thread;
    for (uint32_t row = piece->begin; row < piece->end && status == AKIN_OK; row++)
        status = read_row(r, (uint32_t)task, row, error);
    return status;
}

akin_status akin_labelled_fail(const char *which, const akin_text_fault *fault, akin_error *error)
{
    const unsigned long long byte = (unsigned long long)fault->at + 1;
    return fault->expected ? akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED,
                                            "the %s: byte %llu: expected %s", which, byte, fault->expected)
                           : akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_NOT_UTF8, "the %s: byte %llu is not UTF-8",
                                            which, byte);
}

/* ----------------------------------------------------------------------------------------------------------- labels */

/* Gives the labels of a piece the numbers that they have among all. */
static akin_status number_labels(akin_account *account, akin_labelled_piece *piece, akin_dictionary *dictionary,
                                 akin_error *error)
{
    akin_dictionary *own = piece->dictionary;
    const uint32_t count = akin_dictionary_count(own);
    akin_status status = AKIN_OK;
    piece->numbers = akin_alloc(account, count, sizeof *piece->numbers);
    if (!piece->numbers)
        return akin_fail_memory(error, "labels");
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const char *bytes;
        size_t length;
        status = akin_dictionary_string(own, i, &bytes, &length, error);
        if (status == AKIN_OK)
            status = akin_dictionary_add(dictionary, bytes, length, &piece->numbers[i], error);
    }
    akin_dictionary_free(own);
    piece->dictionary = NULL;
    return status;
}

static akin_status finish_piece(void *argument, uint64_t task, uint32_t thread)
{
    const reading *r = argument;
    (void)thread;
    r->kind->finish(r->user, (uint32_t)task, &r->pieces[task]);
    akin_free(r->pieces[task].numbers);
    r->pieces[task].numbers = NULL;
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- pieces */

/* The first row from whose text on there is `share` of `shares` of the bytes. */
static uint32_t row_at(const akin_column *column, uint32_t rows, uint64_t share, uint64_t shares)
{
    const uint64_t bytes = column->offsets[rows] - column->offsets[0];
    const uint64_t at = column->offsets[0] + (uint64_t)((akin_u128)bytes * share / shares);
    uint32_t low = 0, high = rows;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (column->offsets[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return share == shares ? rows : low;
}

static akin_status make_pieces(reading *r, akin_account *account, akin_error *error)
{
    const uint64_t bytes = r->column->offsets[r->rows] - r->column->offsets[0],
                   most = (uint64_t)PIECES_FOR_THREAD * r->scope->threads;
    const uint32_t count = (uint32_t)akin_min_u64(akin_max_u64(1, bytes / PIECE_BYTES), most);
    r->pieces = akin_alloc_zero(account, count, sizeof *r->pieces);
    if (!r->pieces || !r->kind->begin(r->user, count))
        return akin_fail_memory(error, r->kind->what);
    r->piece_count = count;
    for (uint32_t i = 0; i < count; i++) {
        r->pieces[i].begin = row_at(r->column, r->rows, i, count);
        r->pieces[i].end = row_at(r->column, r->rows, i + UINT64_C(1), count);
    }
    return AKIN_OK;
}

/* Reads the pieces; the error is that of the first row that has one. */
static akin_status read_pieces(reading *r, akin_error *error)
{
    const uint32_t count = r->piece_count;
    r->errors = akin_alloc_zero(NULL, count, sizeof *r->errors);
    if (!r->errors)
        return akin_fail_memory(error, r->kind->what);
    akin_status status = akin_parallel(r->scope, r->kind->phase, count, read_piece, r);
    uint32_t first = 0;
    while (status != AKIN_OK && first < count && r->errors[first].code != status)
        first++;
    if (status != AKIN_OK)
        status = first < count ? akin_fail_again(error, status, &r->errors[first])
                               : akin_fail_stopped(error, status, r->kind->what);
    akin_free(r->errors);
    return status;
}

akin_status akin_labelled_read(const akin_scope *scope, akin_account *account, const akin_column *column, uint32_t rows,
                               const char *side, akin_dictionary *dictionary, const akin_labelled_kind *kind,
                               void *user, akin_error *error)
{
    reading r = {.scope = scope, .column = column, .side = side, .kind = kind, .user = user, .rows = rows};
    akin_status status = akin_column_check(column, side, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(column, 1, rows, kind->purpose, error);
    if (status == AKIN_OK)
        status = make_pieces(&r, account, error);
    if (status == AKIN_OK)
        status = read_pieces(&r, error);
    for (uint32_t i = 0; i < r.piece_count && status == AKIN_OK; i++)
        status = number_labels(account, &r.pieces[i], dictionary, error);
    if (status == AKIN_OK)
        status = akin_parallel(scope, kind->phase, r.piece_count, finish_piece, &r);
    if (status == AKIN_E_CANCELLED)
        akin_fail_stopped(error, status, kind->what);
    for (uint32_t i = 0; i < r.piece_count; i++) {
        akin_dictionary_free(r.pieces[i].dictionary);
        akin_free(r.pieces[i].numbers);
    }
    akin_free(r.pieces);
    return status;
}
