/*
 * The blocks of files parsed by all threads.
 *
 * A block of whole lines becomes a piece: a parser of its own makes a table of it, whose rows are then appended to the
 * table of the file. A piece that holds an error is dropped, and the parser of the file parses the block again, which
 * then comes to that error as it would have on one thread: with its line, and after all rows before.
 *
 * In CSV a record may go on beyond the end of a block. Where a block ends within quotes, it gets the beginning of the
 * next one, up to the end of the record:
 *
 *     blocks    | a,b LF c,"d LF | e",f LF g,h LF |
 *     pieces    | a,b LF c,"d LF e",f LF | g,h LF |
 *
 * Where a record goes on beyond the next block too, these blocks are left to the parser of the file.
 *
 * Of a stream, the calling thread reads the blocks and keeps the parity of the quotes. Of a regular file, it only finds
 * where blocks end. The thread that works on a block reads it and counts its quotes. Then it waits for its turn, in the
 * order of the blocks, to learn whether the block begins within quotes:
 *
 *     thread 1  | read 0 | count 0 | turn 0 | parse 0         | read 2 | count 2 | turn 2 | ...
 *     thread 2  | read 1 | count 1 |        | turn 1 | parse 1         | ...
 *
 * The block before has been taken by a thread that takes its turn without waiting for later ones, so no turn is waited
 * for in vain.
 *
 * The calling thread also opens the next file and parses its header. The parser of the first piece of a file knows that
 * header: by it the parser of the table turns to the file, when that piece is joined.
 *
 * Where bad records are skipped, a skipper takes a piece with an error in place of the parser. It may keep the
 * beginning of a record, and takes the next piece, too, then. What the parity of quotes says can be wrong behind a
 * misplaced quote. So a piece is joined only if it ends outside quotes; the skipper takes others.
 */
#include "table/pieces.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/pipeline.h"
#include "base/thread.h"
#include "table/delimited.h"

typedef struct piece {
    akin_feed_block from;
    akin_reader *reader; /* held; of a regular file; else NULL */
    int has_turn;        /* its thread finds the quotes at its ends */
    uint64_t turn;       /* when */
    akin_range next;     /* of the file: the block behind it */
    akin_status loaded;  /* what came of reading it, */
    akin_error failure;  /* and why */
    uint64_t file;       /* whose columns the parser has */
    int is_left;         /* to the parser of the file, or the skipper */
    uint64_t lines;      /* of the first piece: the lines of the header, */
    char *header;        /* and its text, if records are kept */
    uint64_t length;     /* of that */
    akin_parser parser;
    akin_status status; /* of parsing */
    akin_table_places places;
} piece;

typedef struct pieces {
    const akin_scope *scope; /* of each piece */
    akin_feed *feed;
    akin_parser *parser;   /* of the file */
    akin_skipper *skipper; /* or NULL */
    piece *list;           /* one a slot */
    uint32_t slots;
    int inside;  /* the last block of a stream that was read ends within quotes */
    piece *last; /* the last block that was read; NULL: none. Nobody works on it before the next one is there */
    uint64_t given;
    uint64_t read, joined; /* pieces */
    struct {
        pthread_mutex_t lock;
        pthread_cond_t taken; /* signals that the turn has gone on */
        uint64_t at;          /* whose turn it is */
        int inside;           /* the block before ends within quotes, */
        int is_left;          /* and is left */
    } turns;
} pieces;

/* Of a stream: gives the block before, which ends within quotes, its last record's end. If that is not there, both
 * blocks are left to the parser of the file. */
static void close_record(piece *before, piece *own)
{
    akin_block *to = &before->from.block;
    const akin_block *from = &own->from.block;
    const size_t head = akin_quotes_head(from->data, from->length), at = to->length;
    if (head == 0 || before->is_left || akin_block_resize(to, at + head) != AKIN_OK) {
        before->is_left = own->is_left = 1;
        return;
    }
    memcpy(to->data + at, from->data, head);
    own->from.begin = head;
}

static akin_status fork_parser(const akin_parser *parser, const akin_scope *scope, akin_parser *own, akin_error *error)
{
    const akin_status status = akin_parser_fork(parser, scope, own, error);
    return status == AKIN_OK && parser->delimited.has_header ? akin_delimited_fork(parser, own, error) : status;
}

/* Gives a piece a parser for the file at hand. */
static akin_status prepare_piece(pieces *p, piece *own, akin_error *error)
{
    const akin_parser *head = &p->feed->head;
    if (own->file == p->feed->next && !own->from.is_first)
        return AKIN_OK;
    akin_parser_clear(&own->parser);
    const akin_status status = fork_parser(head, p->scope, &own->parser, error);
    own->file = p->feed->next;
    own->lines = head->lines;
    own->length = 0;
    if (status != AKIN_OK || !own->from.is_first || !head->table->keeps_records || head->table->header.rows == 0)
        return status;
    const char *header = akin_strings_row(&head->table->header, 0, &own->length);
    own->header = akin_alloc(NULL, own->length, 1);
    if (!own->header)
        return akin_parser_fail(head, AKIN_E_NOMEM, error);
    memcpy(own->header, header, (size_t)own->length);
    return AKIN_OK;
}

/* The block before ends its file within quotes. */
static void leave_last(pieces *p)
{
    if (p->inside)
        p->last->is_left = 1;
    p->inside = 0;
}

/* The parity of the quotes of a block, without those of the header. */
static int quotes_are_odd(const piece *own)
{
    const size_t before = own->from.is_first ? own->from.begin : 0;
    return akin_quotes_are_odd(own->from.block.data + before, own->from.block.length - before);
}

/* Gives a piece of a regular file its turn, and the piece before the place of this one. */
static void give_turn(pieces *p, piece *own, int *waits)
{
    const akin_range range = own->from.range;
    const uint64_t end = akin_reader_place(p->feed->reader);
    const uint64_t begin = akin_range_is_empty(range) ? end - own->from.block.length : range.begin;
    akin_reader_hold(p->feed->reader);
    own->reader = p->feed->reader;
    own->has_turn = own->parser.format->cut == AKIN_CUT_QUOTES;
    if (!own->has_turn)
        return;
    own->turn = p->given++;
    own->next = (akin_range){end, end};
    if (p->last && !own->from.is_first)
        p->last->next = (akin_range){begin, end};
    *waits = 1;
}

/* Keeps the parity of the quotes of a stream. */
static void keep_parity(pieces *p, piece *own, int *waits)
{
    if (p->inside)
        close_record(p->last, own);
    if (own->parser.format->cut == AKIN_CUT_QUOTES)
        p->inside ^= quotes_are_odd(own);
    *waits = p->inside;
}

static akin_status read_piece(void *job, uint32_t slot, int *waits, int *ended, akin_error *error)
{
    pieces *p = job;
    piece *own = &p->list[slot];
    akin_status status = akin_feed_next(p->feed, &own->from, ended, error);
    if (status != AKIN_OK) {
        leave_last(p);
        return status;
    }
    own->is_left = own->has_turn = 0;
    own->loaded = AKIN_OK;
    akin_free(own->header);
    own->header = NULL;
    if (*ended || own->from.is_first)
        leave_last(p);
    if (*ended)
        return AKIN_OK;
    status = prepare_piece(p, own, error);
    if (status != AKIN_OK)
        return status;
    if (akin_reader_has_ranges(p->feed->reader))
        give_turn(p, own, waits);
    else
        keep_parity(p, own, waits);
    p->last = own;
    p->read++;
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------ pieces of regular files */

/* Waits for the turn of a piece, passes it on, and returns whether the piece begins within quotes. */
static int take_turn(pieces *p, piece *own, int is_odd)
{
    const akin_block *block = &own->from.block;
    pthread_mutex_lock(&p->turns.lock);
    while (p->turns.at != own->turn)
        akin_condition_wait(&p->turns.taken, &p->turns.lock);
    const int inside = p->turns.inside && !own->from.is_first;
    if (inside) {
        const size_t head = akin_quotes_head(block->data, block->length);
        own->is_left = head == 0 || p->turns.is_left;
        own->from.begin = own->is_left ? 0 : head;
    }
    p->turns.inside = inside ^ is_odd;
    p->turns.is_left = own->is_left;
    p->turns.at++;
    pthread_cond_broadcast(&p->turns.taken);
    pthread_mutex_unlock(&p->turns.lock);
    return inside;
}

/* Reads the end of the record that a piece ends in. If the next block does not have it, the piece is left. */
static akin_status load_record(piece *own, akin_error *error)
{
    const size_t at = own->from.block.length;
    for (uint64_t bytes = 256; !akin_range_is_empty(own->next); bytes *= 4) {
        const uint64_t end = akin_min_u64(own->next.begin + bytes, own->next.end);
        const akin_status status =
            akin_reader_load(own->reader, (akin_range){own->next.begin, end}, &own->from.block, error);
        if (status != AKIN_OK)
            return status;
        const size_t head = akin_quotes_head(own->from.block.data + at, own->from.block.length - at);
        if (head > 0) {
            own->from.block.length = at + head;
            return AKIN_OK;
        }
        own->next.begin = end;
    }
    own->from.block.length = at;
    own->is_left = 1;
    return AKIN_OK;
}

/* Reads a piece, and finds where its records begin and end. Its turn is taken even if it cannot be read. */
static akin_status load_piece(pieces *p, piece *own, akin_error *error)
{
    const akin_range range = own->from.range;
    const akin_status status =
        akin_range_is_empty(range) ? AKIN_OK : akin_reader_load(own->reader, range, &own->from.block, error);
    if (!own->has_turn)
        return status;
    const int is_odd = quotes_are_odd(own);
    const int ends_inside = take_turn(p, own, is_odd) ^ is_odd;
    return status == AKIN_OK && ends_inside && !own->is_left ? load_record(own, error) : status;
}

static void release_reader(piece *own)
{
    akin_reader_close(own->reader);
    own->reader = NULL;
}

/* The text of a piece, without what belongs to the piece before. */
static const char *text_of(const piece *own, size_t *length)
{
    *length = own->from.block.length - own->from.begin;
    return own->from.block.data + own->from.begin;
}

static void parse_piece(void *job, uint32_t slot)
{
    piece *own = &((pieces *)job)->list[slot];
    size_t length;
    if (own->reader)
        own->loaded = load_piece(job, own, &own->failure);
    release_reader(own);
    const char *text = text_of(own, &length);
    akin_parser_renew(&own->parser);
    akin_delimited_renew(&own->parser.delimited);
    own->status = own->loaded;
    if (own->status == AKIN_OK && !own->is_left && length > 0)
        own->status = akin_parser_add(&own->parser, text, length, NULL);
}

/* Whether the piece's table is appended; else the block is parsed again. Within a record of the file it is not: a file
 * that changes while it is read can have such a piece. */
static int is_appended(const pieces *p, const piece *own)
{
    return !own->is_left && own->status == AKIN_OK && own->parser.table->rows <= UINT32_MAX - p->parser->table->rows &&
           (own->from.is_first || p->parser->delimited.inside == 0) &&
           (!p->skipper || akin_skipper_takes_none(p->skipper, &own->parser));
}

static int piece_fits(void *job, uint32_t slot)
{
    const pieces *p = job;
    const piece *own = &p->list[slot];
    return is_appended(p, own) && (!own->from.is_first || akin_table_is_even(p->parser->table)) &&
           akin_table_has_room(p->parser->table, own->parser.table);
}

/* Ends the file before, and turns to that of its first piece. */
static akin_status turn_to_file(const pieces *p, const piece *own, akin_error *error)
{
    akin_status status = p->skipper ? akin_skipper_end_file(p->skipper, error) : AKIN_OK;
    if (status == AKIN_OK)
        status = akin_parser_end_file(p->parser, error);
    return status == AKIN_OK ? akin_parser_turn(p->parser, &own->parser, own->lines, own->header ? own->header : "",
                                                own->length, error)
                             : status;
}

static akin_status append_piece(pieces *p, uint32_t slot, akin_error *error)
{
    piece *own = &p->list[slot];
    size_t length;
    const char *text = text_of(own, &length);
    own->places.count = 0;
    if (own->loaded != AKIN_OK)
        return akin_fail_again(error, own->loaded, &own->failure);
    akin_status status = own->from.is_first ? turn_to_file(p, own, error) : AKIN_OK;
    if (status != AKIN_OK || length == 0)
        return status;
    if (!is_appended(p, own))
        return p->skipper ? akin_skipper_add(p->skipper, text, length, error)
                          : akin_parser_add(p->parser, text, length, error);
    status = akin_table_place(p->parser->table, own->parser.table, p->parser->lines, &own->places);
    if (status != AKIN_OK)
        return akin_parser_fail(p->parser, status, error);
    p->parser->lines += own->parser.lines;
    p->parser->delimited.line = p->parser->lines;
    return AKIN_OK;
}

static akin_status join_piece(void *job, uint32_t slot, akin_error *error)
{
    pieces *p = job;
    const akin_status status = append_piece(p, slot, error);
    p->joined += status == AKIN_OK;
    return status;
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

/* All pieces begin with the parser of the file at hand. */
static akin_status open_pieces(pieces *p, akin_error *error)
{
    p->list = akin_alloc_zero(NULL, p->slots, sizeof *p->list);
    if (!p->list)
        return akin_parser_fail(p->parser, AKIN_E_NOMEM, error);
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < p->slots && status == AKIN_OK; i++) {
        p->list[i].file = p->feed->next;
        status = fork_parser(p->parser, p->scope, &p->list[i].parser, error);
    }
    return status;
}

static void close_pieces(pieces *p)
{
    for (uint32_t i = 0; i < p->slots && p->list; i++) {
        release_reader(&p->list[i]);
        akin_parser_clear(&p->list[i].parser);
        akin_free(p->list[i].places.list);
        akin_free(p->list[i].from.block.data);
        akin_free(p->list[i].header);
    }
    akin_free(p->list);
}

akin_status akin_pieces_read(const akin_scope *scope, akin_feed *feed, uint32_t slots, akin_parser *parser,
                             akin_skipper *skipper, akin_error *error)
{
    const akin_scope own = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const uint64_t bound = akin_budget_block(scope, akin_reader_block_bytes(scope), AKIN_BUDGET_TABLE);
    const akin_scope each = akin_scope_narrow(&own, (akin_narrowing){.memory = bound});
    pieces p = {.scope = &each,
                .feed = feed,
                .parser = parser,
                .skipper = skipper,
                .slots = slots,
                .turns.lock = PTHREAD_MUTEX_INITIALIZER};
    const akin_pipeline pipeline = {&p,         parser->name, slots,      read_piece, parse_piece,
                                    piece_fits, join_piece,   copy_piece, 0};
    if (!akin_condition_make(&p.turns.taken))
        return akin_parser_fail(parser, AKIN_E_NOMEM, error);
    akin_status status = open_pieces(&p, error);
    if (status == AKIN_OK)
        status = akin_pipeline_run(&own, &pipeline, error);
    feed->has_failed = status != AKIN_OK && p.joined == p.read;
    close_pieces(&p);
    pthread_cond_destroy(&p.turns.taken);
    pthread_mutex_destroy(&p.turns.lock);
    return status;
}
