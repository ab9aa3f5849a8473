/* The trees of a column: pieces of rows are read by threads, each with a dictionary of its own, which are then made
 * one. */
#include "trees/collection.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "strings/alphabet.h"
#include "table/columns.h"

#define PIECE_BYTES       (UINT64_C(1) << 20) /* of text, at least */
#define PIECES_FOR_THREAD 8                   /* at most, so that few dictionaries are made one */

/* Rows that one thread reads. */
typedef struct akin_tree_piece {
    uint32_t begin, end;
    akin_tree_builder builder;
    uint32_t *numbers; /* of labels: from those of the builder's dictionary to those of all */
} akin_tree_piece;

typedef struct reading {
    const akin_scope *scope;
    const akin_tree_format_row *format;
    const akin_column *column;
    const char *side;
    akin_tree_collection *out;
    akin_error *errors; /* of the pieces */
} reading;

/* ------------------------------------------------------------------------------------------------------------- rows */

/* Says where the text of a row is no tree. */
static akin_status fail_text(const reading *r, uint32_t row, const akin_tree_fault *fault, akin_error *error)
{
    const char *name = r->column->name ? r->column->name : r->side;
    const unsigned long long byte = (unsigned long long)fault->at + 1;
    return fault->expected
               ? akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_MALFORMED, row, name, ": byte %llu: expected %s", byte,
                               fault->expected)
               : akin_fail_row(error, AKIN_E_INPUT, AKIN_REASON_NOT_UTF8, row, name, ": byte %llu is not UTF-8", byte);
}

/* Reads the tree of a row; *nodes becomes their number. */
static akin_status read_row(const reading *r, akin_tree_builder *builder, uint32_t row, uint32_t *nodes,
                            akin_error *error)
{
    const uint64_t begin = r->column->offsets[row], length = r->column->offsets[row + (uint64_t)1] - begin;
    akin_tree_fault fault = {0, NULL};
    *nodes = 0;
    if (!akin_column_has(r->column, row))
        return AKIN_OK;
    const akin_status status =
        akin_tree_read(r->format, builder, r->column->bytes + begin, length, nodes, &fault, error);
    if (status == AKIN_E_INPUT)
        return fail_text(r, row, &fault, error);
    return status == AKIN_E_LIMIT ? akin_note_place(status, row, r->column->name, error) : status;
}

static akin_status read_piece(void *argument, uint64_t task, uint32_t thread)
{
    const reading *r = argument;
    akin_tree_piece *piece = &r->out->pieces[task];
    akin_error *error = &r->errors[task];
    akin_status status = akin_dictionary_create_within(r->scope, &piece->builder.dictionary, error);
    (void)thread;
    for (uint32_t row = piece->begin; row < piece->end && status == AKIN_OK; row++)
        status = read_row(r, &piece->builder, row, &r->out->trees[row].nodes, error);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- labels */

/* Gives the labels of a piece the numbers that they have among all. */
static akin_status number_labels(akin_account *account, akin_tree_piece *piece, akin_dictionary *dictionary,
                                 akin_error *error)
{
    akin_dictionary *own = piece->builder.dictionary;
    const uint32_t count = akin_dictionary_count(own);
    akin_status status = AKIN_OK;
    piece->numbers = akin_alloc(account, count, sizeof *piece->numbers);
    if (!piece->numbers)
        return akin_fail_memory(error, "the labels of trees");
    for (uint32_t i = 0; i < count && status == AKIN_OK; i++) {
        const char *bytes;
        size_t length;
        status = akin_dictionary_string(own, i, &bytes, &length, error);
        if (status == AKIN_OK)
            status = akin_dictionary_add(dictionary, bytes, length, &piece->numbers[i], error);
    }
    akin_dictionary_free(own);
    piece->builder.dictionary = NULL;
    return status;
}

static void renumber(const akin_tree_nodes *nodes, const uint32_t *numbers)
{
    for (uint64_t i = 0; i < nodes->first; i++) {
        nodes->label[i] = numbers[nodes->label[i]];
        nodes->pre[i] = numbers[nodes->pre[i]];
    }
}

/* Puts these numbers into the nodes, and the places of the nodes into the trees. */
static akin_status finish_piece(void *argument, uint64_t task, uint32_t thread)
{
    const reading *r = argument;
    akin_tree_piece *piece = &r->out->pieces[task];
    const akin_tree_nodes *nodes = &piece->builder.nodes;
    uint64_t first = 0;
    (void)thread;
    renumber(nodes, piece->numbers);
    for (uint32_t row = piece->begin; row < piece->end; row++) {
        akin_tree *tree = &r->out->trees[row];
        if (tree->nodes == 0)
            continue;
        tree->label = nodes->label + first;
        tree->size = nodes->size + first;
        tree->depth = nodes->depth + first;
        tree->pre = nodes->pre + first;
        first += tree->nodes;
    }
    akin_free(piece->numbers);
    piece->numbers = NULL;
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

static akin_status make_pieces(const reading *r, akin_account *account, akin_error *error)
{
    akin_tree_collection *out = r->out;
    const uint64_t bytes = r->column->offsets[out->rows] - r->column->offsets[0],
                   most = (uint64_t)PIECES_FOR_THREAD * r->scope->threads;
    const uint32_t count = (uint32_t)akin_min_u64(akin_max_u64(1, bytes / PIECE_BYTES), most);
    out->trees = akin_alloc_zero(account, out->rows, sizeof *out->trees);
    out->pieces = akin_alloc_zero(account, count, sizeof *out->pieces);
    if (!out->trees || !out->pieces)
        return akin_fail_memory(error, "trees");
    out->piece_count = count;
    for (uint32_t i = 0; i < count; i++) {
        out->pieces[i].begin = row_at(r->column, out->rows, i, count);
        out->pieces[i].end = row_at(r->column, out->rows, i + UINT64_C(1), count);
        out->pieces[i].builder =
            (akin_tree_builder){.account = account, .nodes = {.account = account}, .cpu = r->scope->cpu};
    }
    return AKIN_OK;
}

/* Reads the pieces; the error is that of the first row that has one. */
static akin_status read_pieces(reading *r, akin_error *error)
{
    const uint32_t count = r->out->piece_count;
    r->errors = akin_alloc_zero(NULL, count, sizeof *r->errors);
    if (!r->errors)
        return akin_fail_memory(error, "trees");
    akin_status status = akin_parallel(r->scope, "reading trees", count, read_piece, r);
    uint32_t first = 0;
    while (status != AKIN_OK && first < count && r->errors[first].code != status)
        first++;
    if (status != AKIN_OK)
        status = first < count ? akin_fail_again(error, status, &r->errors[first])
                               : akin_fail_stopped(error, status, "trees");
    akin_free(r->errors);
    return status;
}

akin_status akin_tree_collection_make(const akin_scope *scope, akin_account *account, akin_tree_format format,
                                      const akin_column *column, uint32_t rows, const char *side,
                                      akin_dictionary *dictionary, akin_tree_collection *out, akin_error *error)
{
    reading r = {.scope = scope, .column = column, .side = side, .out = out};
    *out = (akin_tree_collection){.rows = rows};
    akin_status status = akin_column_check(column, side, error);
    if (status == AKIN_OK)
        status = akin_table_columns_check(column, 1, rows, "read trees from", error);
    if (status == AKIN_OK)
        status = akin_tree_format_of(format, &r.format, error);
    if (status == AKIN_OK)
        status = make_pieces(&r, account, error);
    if (status == AKIN_OK)
        status = read_pieces(&r, error);
    for (uint32_t i = 0; i < out->piece_count && status == AKIN_OK; i++) {
        out->nodes += out->pieces[i].builder.nodes.first;
        status = number_labels(account, &out->pieces[i], dictionary, error);
    }
    if (status == AKIN_OK)
        status = akin_parallel(scope, "reading trees", out->piece_count, finish_piece, &r);
    if (status == AKIN_E_CANCELLED)
        akin_fail_stopped(error, status, "trees");
    if (status != AKIN_OK)
        akin_tree_collection_clear(out);
    return status;
}

void akin_tree_collection_renumber(akin_tree_collection *trees, const uint32_t *numbers)
{
    for (uint32_t p = 0; p < trees->piece_count; p++)
        renumber(&trees->pieces[p].builder.nodes, numbers);
}

void akin_tree_collection_clear(akin_tree_collection *trees)
{
    for (uint32_t i = 0; i < trees->piece_count; i++) {
        akin_dictionary_free(trees->pieces[i].builder.dictionary);
        akin_tree_builder_clear(&trees->pieces[i].builder);
        akin_free(trees->pieces[i].numbers);
    }
    akin_free(trees->pieces);
    akin_free(trees->trees);
    *trees = (akin_tree_collection){0};
}
