/*
 * The blocks of a file of `ids` text parsed by all threads.
 *
 * A block becomes a piece, whose rows are then copied behind those before. A piece that holds an error is dropped, and
 * its block is parsed again in its turn, which then comes to that error with its line, as on one thread.
 */
#include "sets/ids_pieces.h"

#include "base/memory.h"
#include "base/pipeline.h"

typedef struct piece {
    akin_block block;
    akin_range range; /* whose bytes are yet to be read; empty: the block has its bytes */
    akin_status loaded;
    akin_error failure; /* of reading them */
    akin_ids ids;
    akin_status status; /* of parsing */
    akin_ids_place place;
} piece;

typedef struct pieces {
    akin_reader *reader;
    akin_ids *ids; /* of the file */
    piece *list;   /* one a slot */
    uint32_t slots;
} pieces;

static akin_status read_piece(void *job, uint32_t slot, int *waits, int *ended, akin_error *error)
{
    pieces *p = job;
    piece *own = &p->list[slot];
    const akin_status status = akin_reader_cut(p->reader, &own->block, &own->range, error);
    *waits = 0;
    *ended = status == AKIN_OK && own->block.length == 0 && akin_range_is_empty(own->range);
    return status;
}

static void parse_piece(void *job, uint32_t slot)
{
    const pieces *p = job;
    piece *own = &p->list[slot];
    akin_error ignored;
    own->loaded =
        akin_range_is_empty(own->range) ? AKIN_OK : akin_reader_load(p->reader, own->range, &own->block, &own->failure);
    akin_ids_renew(&own->ids);
    own->status = own->loaded;
    if (own->status == AKIN_OK)
        own->status = akin_ids_add(&own->ids, own->block.data, own->block.length, &ignored);
}

/* Whether the piece's rows are appended; else the block is parsed again. */
static int is_appended(const pieces *p, const piece *own)
{
    return own->status == AKIN_OK && own->ids.rows <= UINT32_MAX - p->ids->rows;
}

static int piece_fits(void *job, uint32_t slot)
{
    const pieces *p = job;
    const piece *own = &p->list[slot];
    return is_appended(p, own) && akin_ids_have_room(p->ids, &own->ids);
}

static akin_status join_piece(void *job, uint32_t slot, akin_error *error)
{
    const pieces *p = job;
    piece *own = &p->list[slot];
    if (own->loaded != AKIN_OK)
        return akin_fail_again(error, own->loaded, &own->failure);
    if (is_appended(p, own))
        return akin_ids_put(p->ids, &own->ids, &own->place, error);
    akin_ids_renew(&own->ids);
    return akin_ids_add(p->ids, own->block.data, own->block.length, error);
}

static void copy_piece(void *job, uint32_t slot)
{
    const piece *own = &((pieces *)job)->list[slot];
    if (own->ids.rows > 0)
        akin_ids_copy(&own->ids, &own->place);
}

/* ---------------------------------------------------------------------------------------------------------------- */

static akin_status open_pieces(const akin_scope *scope, pieces *p, akin_error *error)
{
    const uint64_t bound = akin_budget_block(scope, akin_reader_block_bytes(scope), AKIN_BUDGET_COLLECTION);
    const akin_scope each = akin_scope_narrow(scope, (akin_narrowing){.memory = bound});
    p->list = akin_alloc_zero(NULL, p->slots, sizeof *p->list);
    if (!p->list)
        return akin_fail_memory(error, "reading the sets");
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; i < p->slots && status == AKIN_OK; i++)
        status = akin_ids_begin(&p->list[i].ids, &each, p->ids->name, error);
    return status;
}

static void close_pieces(pieces *p)
{
    for (uint32_t i = 0; i < p->slots && p->list; i++) {
        akin_ids_clear(&p->list[i].ids);
        akin_free(p->list[i].block.data);
    }
    akin_free(p->list);
}

static akin_status read_by_all(pieces *p, const akin_scope *scope, akin_error *error)
{
    const akin_scope own = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const akin_pipeline pipeline = {p,          p->ids->name, p->slots,   read_piece, parse_piece,
                                    piece_fits, join_piece,   copy_piece, 0};
    akin_status status = open_pieces(&own, p, error);
    if (status == AKIN_OK)
        status = akin_pipeline_run(&own, &pipeline, error);
    close_pieces(p);
    return status;
}

akin_status akin_ids_read_rest(akin_ids *ids, const akin_scope *scope, akin_reader *reader, akin_error *error)
{
    pieces p = {.reader = reader,
                .ids = ids,
                .slots = akin_pipeline_slots(scope, akin_reader_block_bytes(scope), AKIN_BUDGET_COLLECTION)};
    if (p.slots > 0 && !akin_reader_is_at_end(reader))
        return read_by_all(&p, scope, error);
    akin_status status = AKIN_OK;
    char *text;
    for (size_t length = 1; status == AKIN_OK && length > 0;) {
        status = akin_reader_next(reader, &text, &length, error);
        if (status == AKIN_OK && length > 0)
            status = akin_ids_add(ids, text, length, error);
    }
    return status;
}
