/* Packs documents for a GPU. */
#include "weigh/gpu_pack.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "table/columns.h"

#include <string.h>

#define PIECE_ROWS  65536
#define PIECE_BYTES ((uint64_t)1 << 20)
#define TEXT_MOST   (UINT32_MAX - 2 * AKIN_ASCII_GROUP) /* bytes of a text, as the tokenizer has it */

static const char what[] = "term weights";

typedef struct packing {
    akin_gpu_packer *packer;
    akin_weigher *weigher;
    char *text; /* of the batch */
    uint64_t *offsets;
    uint32_t first;
} packing;

/* ----------------------------------------------------------------------------------------------------------- pieces */

static int is_ascii(const char *text, uint64_t length)
{
    uint64_t high = 0, at = 0;
    for (; at + 64 <= length && !(high & AKIN_BYTES(0x80)); at += 64)
        for (uint64_t i = 0; i < 64; i += 8)
            high |= akin_load_word(text + at + i);
    for (; at < length; at++)
        high |= (unsigned char)text[at];
    return !(high & AKIN_BYTES(0x80));
}

/* Room for `more` bytes in a piece that is not straight. */
static char *extend(akin_weigher *w, akin_gpu_piece *p, uint64_t more)
{
    char *text = akin_enlarge(&w->account, p->text, &p->capacity, p->bytes + more, 1);
    p->text = text ? text : p->text;
    return text ? text + p->bytes : NULL;
}

static akin_status add_tokens(akin_weigher *w, akin_gpu_piece *p, akin_tokenizer *tokenizer, const char *text,
                              uint64_t length, uint64_t readable)
{
    akin_spans spans;
    akin_status status = akin_tokenizer_take(tokenizer, text, length, readable);
    while (status == AKIN_OK && akin_tokenizer_next(tokenizer, &spans)) {
        const uint32_t *bound = spans.bounds;
        for (uint32_t i = 0; i < spans.count; i++, bound += spans.step) {
            const uint32_t size = bound[spans.gap] - *bound;
            char *to = extend(w, p, (uint64_t)size + 1);
            if (!to)
                return AKIN_E_NOMEM;
            memcpy(to, spans.text + *bound, size);
            to[size] = (char)AKIN_GPU_BARRIER;
            p->bytes += (uint64_t)size + 1;
        }
    }
    return status;
}

/* Adds the text of a row in a column. */
static akin_status pack_text(akin_weigher *w, akin_gpu_piece *p, akin_tokenizer *tokenizer, const akin_column *column,
                             uint32_t row)
{
    const uint64_t *offsets = column->offsets;
    const uint64_t length = offsets[row + (uint64_t)1] - offsets[row];
    const char *text = column->bytes + offsets[row];
    if (length == 0 || !akin_column_has(column, row))
        return AKIN_OK;
    if (length > TEXT_MOST)
        return AKIN_E_LIMIT;
    if (w->weights->analysis->text.tokens != AKIN_TOKENS_WORDS || !is_ascii(text, length))
        return add_tokens(w, p, tokenizer, text, length, offsets[w->rows] - offsets[row]);
    char *to = extend(w, p, length + 1);
    if (!to)
        return AKIN_E_NOMEM;
    memcpy(to, text, length);
    to[length] = (char)AKIN_GPU_BARRIER;
    p->bytes += length + 1;
    return AKIN_OK;
}

/* Whether a piece can be copied as it is. */
static int is_straight(const akin_weigher *w, const akin_gpu_piece *p)
{
    const akin_column *column = akin_columns_at(w->columns, 0);
    const uint64_t begin = column->offsets[p->first], end = column->offsets[p->end];
    if (w->column_count != 1 || column->validity || w->weights->analysis->text.tokens != AKIN_TOKENS_WORDS)
        return 0;
    return end - begin <= TEXT_MOST && is_ascii(column->bytes + begin, end - begin);
}

static akin_status make_piece(akin_weigher *w, akin_gpu_piece *p, akin_tokenizer *tokenizer)
{
    p->bytes = 0;
    p->counts = (akin_text_counts){0, 0};
    tokenizer->counts = w->counted ? &p->counts : NULL;
    p->is_straight = is_straight(w, p);
    if (p->is_straight) {
        const uint64_t *offsets = akin_columns_at(w->columns, 0)->offsets;
        p->bytes = offsets[p->end] - offsets[p->first];
        return AKIN_OK;
    }
    uint64_t *ends = akin_enlarge(&w->account, p->ends, &p->ends_capacity, p->end - p->first, sizeof *ends);
    if (!ends)
        return AKIN_E_NOMEM;
    p->ends = ends;
    for (p->row = p->first; p->row < p->end; p->row++) {
        for (p->column = 0; p->column < w->column_count; p->column++) {
            akin_status status = pack_text(w, p, tokenizer, akin_columns_at(w->columns, p->column), p->row);
            if (status != AKIN_OK)
                return status;
        }
        ends[p->row - p->first] = p->bytes;
    }
    return AKIN_OK;
}

static akin_status pack_piece(void *argument, uint64_t task, uint32_t thread)
{
    packing *p = argument;
    akin_gpu_piece *piece = &p->packer->pieces[task];
    piece->status = make_piece(p->weigher, piece, &p->weigher->workers[thread].analyser.tokenizer);
    return piece->status;
}

/* Copies a piece to its place in the batch. */
static akin_status copy_packed(void *argument, uint64_t task, uint32_t thread)
{
    packing *p = argument;
    const akin_gpu_piece *piece = &p->packer->pieces[task];
    const akin_column *column = akin_columns_at(p->weigher->columns, 0);
    const uint64_t begin = column->offsets[piece->first];
    uint64_t *ends = p->offsets + (piece->first - p->first) + 1;
    (void)thread;
    if (piece->bytes > 0)
        memcpy(p->text + piece->at, piece->is_straight ? column->bytes + begin : piece->text, piece->bytes);
    for (uint32_t i = 0; i < piece->end - piece->first; i++)
        ends[i] =
            piece->at + (piece->is_straight ? column->offsets[piece->first + i + (uint64_t)1] - begin : piece->ends[i]);
    return AKIN_OK;
}

/* ---------------------------------------------------------------------------------------------------------- batches */

/* Cuts rows into pieces. */
static akin_status cut_pieces(akin_gpu_packer *packer, const akin_weigher *w, uint32_t first, uint32_t end)
{
    uint64_t bytes;
    packer->count = 0;
    for (uint32_t row = first; row < end;) {
        const uint64_t before = packer->capacity;
        akin_gpu_piece *pieces =
            akin_enlarge(NULL, packer->pieces, &packer->capacity, (uint64_t)packer->count + 1, sizeof *pieces);
        if (!pieces)
            return AKIN_E_NOMEM;
        if (packer->capacity > before)
            memset(pieces + before, 0, (size_t)(packer->capacity - before) * sizeof *pieces);
        packer->pieces = pieces;
        akin_gpu_piece *p = &pieces[packer->count++];
        p->first = row;
        p->end = row = akin_columns_cut(w->columns, w->column_count, row, end, PIECE_ROWS, PIECE_BYTES, &bytes);
        p->status = AKIN_OK;
    }
    return AKIN_OK;
}

/* Says what the first piece that failed has failed of. */
static akin_status fail_piece(const akin_gpu_packer *packer, const akin_weigher *w, akin_status status,
                              akin_error *error)
{
    const akin_gpu_piece *p = packer->pieces;
    while (p < packer->pieces + packer->count && p->status != status)
        p++;
    if ((status != AKIN_E_INPUT && status != AKIN_E_LIMIT) || p == packer->pieces + packer->count)
        return akin_fail_stopped(error, status, what);
    return akin_columns_fail(w->columns, p->column, p->row, status,
                             status == AKIN_E_INPUT ? "is not valid UTF-8" : "is longer than 4 GB", error);
}

akin_status akin_gpu_pack(akin_gpu_packer *packer, akin_weigher *weigher, akin_device *device, uint32_t place,
                          uint32_t first, uint32_t end, akin_gpu_batch *out, akin_error *error)
{
    const akin_text_options *text = &weigher->weights->analysis->text;
    packing p = {.packer = packer, .weigher = weigher, .first = first};
    uint64_t bytes = 0;
    akin_status status = cut_pieces(packer, weigher, first, end);
    if (status == AKIN_OK)
        status = akin_parallel(&weigher->few, NULL, packer->count, pack_piece, &p);
    if (status != AKIN_OK)
        return fail_piece(packer, weigher, status, error);
    packer->counts[place] = (akin_text_counts){0, 0};
    for (uint32_t i = 0; i < packer->count; i++) {
        akin_text_counts_add(&packer->counts[place], &packer->pieces[i].counts);
        packer->pieces[i].at = bytes;
        bytes += packer->pieces[i].bytes;
    }
    status = akin_pinned_reserve(device, &packer->text[place], bytes, 1, what, error);
    if (status == AKIN_OK)
        status = akin_pinned_reserve(device, &packer->offsets[place], (uint64_t)(end - first) + 1, sizeof(uint64_t),
                                     what, error);
    if (status != AKIN_OK)
        return status;
    p.text = packer->text[place].data;
    p.offsets = packer->offsets[place].data;
    p.offsets[0] = 0;
    status = akin_parallel(&weigher->few, NULL, packer->count, copy_packed, &p);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    *out = (akin_gpu_batch){p.text, bytes, p.offsets, end - first, AKIN_GPU_BARRIERS};
    if (text->tokens == AKIN_TOKENS_WORDS)
        out->rule = (uint32_t)AKIN_GPU_LETTERS | (text->fold ? (uint32_t)AKIN_GPU_FOLDED : 0);
    return AKIN_OK;
}

void akin_gpu_packer_clear(akin_gpu_packer *packer, akin_device *device)
{
    for (uint64_t i = 0; i < packer->capacity && packer->pieces; i++) {
        akin_free(packer->pieces[i].text);
        akin_free(packer->pieces[i].ends);
    }
    akin_free(packer->pieces);
    for (int i = 0; i < 2; i++) {
        akin_pinned_release(device, &packer->text[i]);
        akin_pinned_release(device, &packer->offsets[i]);
    }
    *packer = (akin_gpu_packer){0};
}
