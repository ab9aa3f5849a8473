/* Rows of an output: pieces of them are formatted by all threads, and written in order. */
#include "base/output.h"

#include "base/budget.h"
#include "base/context.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/pipeline.h"

#define PIECE_BYTES  ((size_t)1 << 18) /* of lines, about: they stay in a cache until they are written */
#define PIECES_LEAST 4                 /* for each thread, of rows that make fewer pieces of PIECE_BYTES */
#define PIECES_MOST  3                 /* for each thread, at once */
#define PIECE_ROWS   256               /* of the first piece, and of small ones: fewer are not worth a thread's turn */
#define THREADS_MOST 64                /* more would wait for the one that writes */

char *akin_lines_reserve(akin_lines *lines, size_t bytes)
{
    const uint64_t used = lines->length, needed = used + bytes, most = lines->most ? lines->most : UINT64_MAX;
    if (needed < used || needed > most)
        return NULL;
    if (!lines->text || needed > lines->room) {
        const uint64_t room = akin_max_u64(needed, akin_min_u64(lines->room + lines->room / 2, most));
        char *text = akin_resize(NULL, lines->text, room, 1);
        if (!text)
            return NULL;
        lines->text = text;
        lines->room = (size_t)room;
    }
    return lines->text + used;
}

/* A piece: rows begin to end - 1, and what formatting them came to. */
typedef struct piece {
    uint64_t begin, end;
    akin_lines lines;
    akin_status status;
    akin_error error;
} piece;

/* All rows. The thread of the job begins pieces and writes them. */
typedef struct writing {
    akin_output *output;
    akin_lines_format format;
    void *user;
    uint64_t rows, begun, most; /* most: rows of a piece */
    uint64_t written, bytes;    /* rows, and their lines */
    size_t aim;                 /* bytes that a piece should have */
    piece *pieces;
} writing;

/* The rows that have so many bytes as a piece should have, if they are like those before. */
static akin_status begin_piece(void *job, uint32_t slot, int *waits, int *ended, akin_error *error)
{
    writing *w = job;
    piece *p = &w->pieces[slot];
    const uint64_t each = w->written ? akin_max_u64(1, w->bytes / w->written) : w->aim / PIECE_ROWS + 1,
                   rows = akin_max_u64(1, akin_min_u64(w->aim / each, w->most));
    (void)error;
    *waits = 0;
    *ended = w->begun == w->rows;
    p->begin = w->begun;
    w->begun = p->end = p->begin + akin_min_u64(rows, w->rows - p->begin);
    return AKIN_OK;
}

static akin_status format_rows(const writing *w, uint64_t begin, uint64_t end, akin_lines *lines, akin_error *error)
{
    lines->length = 0;
    const akin_status status = w->format(w->user, begin, end, lines, error);
    return status == AKIN_E_NOMEM ? akin_fail_memory(error, "the lines of a file") : status;
}

static void format_piece(void *job, uint32_t slot)
{
    const writing *w = job;
    piece *p = &w->pieces[slot];
    p->status = format_rows(w, p->begin, p->end, &p->lines, &p->error);
}

static akin_status write_lines(writing *w, const akin_lines *lines, uint64_t rows, akin_error *error)
{
    w->written += rows;
    w->bytes += lines->length;
    return akin_output_write(w->output, lines->text, lines->length, error);
}

/* Writes the rows of a piece that had no room, or of one that failed those before the failure: formats half of them,
 * and half of the rest, and so on. A single row may have all the room that there is. */
static akin_status write_again(writing *w, const piece *p, akin_error *error)
{
    akin_status status = AKIN_OK;
    akin_lines lines = {.most = p->lines.most};
    for (uint64_t at = p->begin, rows = p->end - at; at < p->end && status == AKIN_OK;) {
        lines.most = rows > 1 ? p->lines.most : 0;
        status = format_rows(w, at, at + rows, &lines, error);
        if (status == AKIN_OK) {
            status = write_lines(w, &lines, rows, error);
            at += rows;
            rows = akin_min_u64(rows, p->end - at);
        } else if (rows > 1) {
            status = AKIN_OK;
            rows /= 2;
        }
    }
    akin_free(lines.text);
    return status;
}

static akin_status write_piece(void *job, uint32_t slot, akin_error *error)
{
    writing *w = job;
    const piece *p = &w->pieces[slot];
    return p->status == AKIN_OK ? write_lines(w, &p->lines, p->end - p->begin, error) : write_again(w, p, error);
}

static int fits(void *job, uint32_t slot)
{
    (void)job, (void)slot;
    return 1;
}

static void copy_nothing(void *job, uint32_t slot)
{
    (void)job, (void)slot;
}

/* The same steps, by one thread. */
static akin_status write_alone(const akin_scope *scope, const akin_pipeline *steps, akin_error *error)
{
    atomic_int cancelled = 0;
    akin_cancellation cancellation = {.scope = scope, .cancelled = &cancelled};
    akin_status status = AKIN_OK;
    for (int waits = 0, ended = 0; status == AKIN_OK;) {
        status = steps->read(steps->job, 0, &waits, &ended, error);
        if (ended)
            break;
        steps->work(steps->job, 0);
        status = steps->join(steps->job, 0, error);
        if (status == AKIN_OK && scope && !akin_goes_on(&cancellation))
            return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while writing", steps->name);
    }
    return status;
}

static akin_status write_by_all(const akin_scope *scope, const akin_pipeline *steps, uint32_t threads,
                                akin_error *error)
{
    const akin_scope own = akin_scope_narrow(scope, (akin_narrowing){.threads = threads});
    return akin_pipeline_run(&own, steps, error);
}

/* No more threads than pieces: starting a thread costs more than formatting a few rows. */
static uint32_t threads_of(const akin_scope *scope, uint64_t rows)
{
    const uint64_t pieces = akin_min_u64(rows / PIECE_ROWS, THREADS_MOST);
    return scope ? (uint32_t)akin_max_u64(1, akin_min_u64(akin_scope_threads(scope), pieces)) : 1;
}

akin_status akin_output_write_rows(akin_output *output, uint64_t rows, akin_lines_format format, void *user,
                                   akin_error *error)
{
    const akin_scope *scope = akin_output_scope(output);
    const uint64_t wished = scope ? akin_wishes_of(scope)->lines_bytes : 0;
    const uint32_t threads = threads_of(scope, rows), slots = threads > 1 ? threads * PIECES_MOST : 1;
    const size_t room = scope ? (size_t)akin_budget_lines(scope, slots + 1) : 0; /* one is for write_again */
    writing w = {.output = output,
                 .format = format,
                 .user = user,
                 .rows = rows,
                 .most = akin_max_u64(PIECE_ROWS, rows / threads / PIECES_LEAST),
                 .aim = wished ? (size_t)wished : PIECE_BYTES,
                 .pieces = akin_alloc_zero(NULL, slots, sizeof *w.pieces)};
    const akin_pipeline steps = {.job = &w,
                                 .name = akin_output_name(output),
                                 .slots = slots,
                                 .read = begin_piece,
                                 .work = format_piece,
                                 .fits = fits,
                                 .join = write_piece,
                                 .copy = copy_nothing,
                                 .writes = 1};
    if (!w.pieces)
        return akin_fail_memory(error, "the lines of a file");
    if (room && w.aim > room / 2)
        w.aim = room / 2 + 1;
    for (uint32_t i = 0; i < slots; i++)
        w.pieces[i].lines.most = room;
    const akin_status status =
        slots > 1 ? write_by_all(scope, &steps, threads, error) : write_alone(scope, &steps, error);
    for (uint32_t i = 0; i < slots; i++)
        akin_free(w.pieces[i].lines.text);
    akin_free(w.pieces);
    return status;
}
