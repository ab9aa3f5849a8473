/*
 * The blocks of a file parsed by all threads.
 *
 * A block of whole lines becomes a piece: a parser of its own makes a table of it, whose rows are then appended to the
 * table of the file. A piece that holds an error is dropped, and the parser of the file parses the block again, which
 * then comes to that error as it would have on one thread: with its line, and after all rows before.
 *
 * In CSV a record may go on beyond the end of a block. The calling thread, which reads the blocks, keeps the parity of
 * the quotes. Where a block ends within quotes, it gets the beginning of the next one, up to the end of the record:
 *
 *     blocks    | a,b LF c,"d LF | e",f LF g,h LF |
 *     pieces    | a,b LF c,"d LF e",f LF | g,h LF |
 *
 * Where a record goes on beyond the next block too, these blocks are left to the parser of the file.
 */
#include "table/pieces.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/pipeline.h"
#include "table/delimited.h"

typedef struct piece {
    akin_block block;
    size_t begin; /* where its own records begin */
    int is_left;  /* to the parser of the file */
    akin_parser parser;
    akin_status status; /* of parsing */
    akin_table_places places;
} piece;

typedef struct pieces {
    akin_reader *reader;
    akin_parser *parser; /* of the file */
    piece *list;         /* one a slot */
    uint32_t slots;
    int quoted;  /* whether records may go on beyond a line */
    int inside;  /* the last block that was read ends within quotes */
    piece *last; /* that block; nobody works on it as long as it does */
} pieces;

/* Gives the block before, which ends within quotes, its last record's end. If that is not there, both blocks are left
 * to the parser of the file. */
static void close_record(piece *before, piece *own)
{
    const size_t head = akin_quotes_head(own->block.data, own->block.length), at = before->block.length;
    if (head == 0 || before->is_left || akin_block_resize(&before->block, at + head) != AKIN_OK) {
        before->is_left = own->is_left = 1;
        return;
    }
    memcpy(before->block.data + at, own->block.data, head);
    own->begin = head;
}

static akin_status read_piece(void *job, uint32_t slot, int *waits, int *ended, akin_error *error)
{
    pieces *p = job;
    piece *own = &p->list[slot];
    const akin_status status = akin_reader_take(p->reader, &own->block, error);
    if (status != AKIN_OK)
        return status;
    *own = (piece){.block = own->block, .parser = own->parser, .places = own->places};
    *ended = own->block.length == 0;
    if (*ended && p->inside) /* the file ends within quotes */
        p->last->is_left = 1;
    if (*ended)
        return AKIN_OK;
    if (p->inside)
        close_record(p->last, own);
    if (p->quoted)
        p->inside ^= akin_quotes_are_odd(own->block.data, own->block.length);
    p->last = own;
    *waits = p->inside;
    return AKIN_OK;
}

static void parse_piece(void *job, uint32_t slot)
{
    piece *own = &((pieces *)job)->list[slot];
    const size_t length = own->block.length - own->begin;
    akin_parser_renew(&own->parser);
    akin_delimited_renew(&own->parser.delimited);
    own->status = AKIN_OK;
    if (!own->is_left && length > 0)
        own->status = akin_parser_add(&own->parser, own->block.data + own->begin, length, NULL);
}

/* Whether the piece's table is appended; else the block is parsed again. */
static int is_appended(const pieces *p, const piece *own)
{
    return !own->is_left && own->status == AKIN_OK && own->parser.table->rows <= UINT32_MAX - p->parser->table->rows;
}

static int piece_fits(void *job, uint32_t slot)
{
    const pieces *p = job;
    const piece *own = &p->list[slot];
    return is_appended(p, own) && akin_table_has_room(p->parser->table, own->parser.table);
}

static akin_status join_piece(void *job, uint32_t slot, akin_error *error)
{
    pieces *p = job;
    piece *own = &p->list[slot];
    if (!is_appended(p, own)) {
        own->places.count = 0;
        return akin_parser_add(p->parser, own->block.data + own->begin, own->block.length - own->begin, error);
    }
    const akin_status status = akin_table_place(p->parser->table, own->parser.table, p->parser->lines, &own->places);
    if (status != AKIN_OK)
        return akin_parser_fail(p->parser, status, error);
    p->parser->lines += own->parser.lines;
    p->parser->delimited.line = p->parser->lines;
    return AKIN_OK;
}

/* Threads that copy at once begin with different columns, so that they do not wait for the same new page. */
static void copy_piece(void *job, uint32_t slot)
{
    const akin_table_places *places = &((pieces *)job)->list[slot].places;
    for (uint64_t i = 0; i < places->count; i++)
        akin_strings_copy_piece(&places->list[(slot + i) % places->count]);
}

/* ---------------------------------------------------------------------------------------------------------------- */

uint32_t akin_pieces_slots(const akin_scope *scope, const akin_format_row *format)
{
    return format->cut == AKIN_CUT_NOWHERE
               ? 0
               : akin_pipeline_slots(scope, akin_reader_block_bytes(scope), AKIN_BUDGET_TABLE);
}

static akin_status fork_parser(const akin_parser *parser, const akin_scope *scope, akin_parser *own, akin_error *error)
{
    const akin_status status = akin_parser_fork(parser, scope, own, error);
    return status == AKIN_OK && parser->delimited.has_header ? akin_delimited_fork(parser, own, error) : status;
}

static akin_status open_pieces(const akin_scope *scope, pieces *p, akin_error *error)
{
    const uint64_t bound = akin_budget_block(scope, akin_reader_block_bytes(scope), AKIN_BUDGET_TABLE);
    const akin_scope each = akin_scope_narrow(scope, (akin_narrowing){.memory = bound});
    p->list = akin_alloc_zero(NULL, p->slots, sizeof *p->list);
    if (!p->list)
        return akin_parser_fail(p->parser, AKIN_E_NOMEM, error);
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < p->slots && status == AKIN_OK; i++)
        status = fork_parser(p->parser, &each, &p->list[i].parser, error);
    return status;
}

static void close_pieces(pieces *p)
{
    for (uint32_t i = 0; i < p->slots && p->list; i++) {
        akin_parser_clear(&p->list[i].parser);
        akin_free(p->list[i].places.list);
        akin_free(p->list[i].block.data);
    }
    akin_free(p->list);
}

akin_status akin_pieces_read(const akin_scope *scope, akin_reader *reader, uint32_t slots, akin_parser *parser,
                             akin_error *error)
{
    pieces p = {.reader = reader, .parser = parser, .slots = slots, .quoted = parser->format->cut == AKIN_CUT_QUOTES};
    const akin_scope own = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const akin_pipeline pipeline = {&p,         parser->name, slots,      read_piece, parse_piece,
                                    piece_fits, join_piece,   copy_piece, 0};
    akin_status status = open_pieces(&own, &p, error);
    if (status == AKIN_OK)
        status = akin_pipeline_run(&own, &pipeline, error);
    close_pieces(&p);
    return status;
}
