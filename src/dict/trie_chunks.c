/* The form of tries whose bit-vectors are kept in chunks. */
#include "dict/trie_chunks.h"

#include "dict/chunks.h"
#include "dict/trie_walk.h"

static akin_chunks chunks_of(const akin_trie *trie, uint32_t symbol)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    return (akin_chunks){edge->records, edge->cells};
}

static uint64_t chunks_bytes(const akin_trie_head *head, uint32_t vectors)
{
    return vectors * akin_chunks_records(head->nodes) * sizeof(akin_chunk_record);
}

static uint64_t chunks_begin(const akin_trie_head *head, uint32_t symbol, uint32_t place)
{
    (void)symbol;
    return chunks_bytes(head, place);
}

static void chunks_fill(const akin_trie *trie, const akin_trie_symbol *symbol, const uint32_t *ones, void *records,
                        uint8_t *cells)
{
    akin_chunks_fill(ones, symbol->count, trie->head.nodes, symbol->first, records, cells);
}

static const char *chunks_check(const akin_trie *trie, uint32_t symbol, uint64_t bytes)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    return akin_chunks_check(chunks_of(trie, symbol), trie->head.nodes, edge->first, edge->count, bytes);
}

static const char *chunks_check_records(const akin_trie *trie, uint32_t symbol, uint64_t bytes)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    return akin_chunks_check_records(chunks_of(trie, symbol), trie->head.nodes, edge->first, edge->count, bytes);
}

static inline int chunks_next(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next)
{
    return akin_chunks_rank(chunks_of(trie, symbol), node, next);
}

static uint32_t chunks_parent(const akin_trie *trie, uint32_t symbol, uint32_t next)
{
    return akin_chunks_select(chunks_of(trie, symbol), trie->head.nodes, next);
}

static int chunks_find(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id)
{
    return akin_trie_find_by(trie, chunks_next, bytes, length, id);
}

static akin_status chunks_look_up(akin_device_stream *stream, const akin_gpu_trie *trie, const akin_gpu_words *words,
                                  akin_balance balance, uint32_t *ids, akin_error *error)
{
    return akin_kernels(stream)->trie->chunks(stream, trie, words, balance, ids, error);
}

const akin_trie_form akin_trie_chunks = {
    .kind = AKIN_TRIE_CHUNKS,
    .saved = AKIN_TRIE_SAVED_CHUNKS,
    .has_lists = 1,
    .has_pairs = 1,
    .is_guarded = 1,
    .bytes = chunks_bytes,
    .begin = chunks_begin,
    .cells = akin_chunks_cells,
    .fill = chunks_fill,
    .check = chunks_check,
    .check_records = chunks_check_records,
    .next = chunks_next,
    .parent = chunks_parent,
    .find = chunks_find,
    .walker = akin_trie_walker_choose,
    .look_up = chunks_look_up,
};
