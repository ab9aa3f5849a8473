/* The form of tries whose bit-vectors are compressed as RRR. */
#include "papers/dict/rrr_form.h"

#include "akin_papers.h"
#include "base/memory.h"
#include "papers/dict/kernels.h"
#include "papers/dict/rrr.h"
#include "papers/dict/rrr_walk.h"
#include "papers/kernels.h"

static akin_rrr rrr_of(const akin_trie *trie, uint32_t symbol)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    return (akin_rrr){edge->records, edge->cells, trie->own};
}

static akin_status rrr_ready(akin_trie *trie, akin_error *error)
{
    trie->own = akin_alloc(NULL, 1, sizeof(akin_rrr_table));
    if (!trie->own)
        return akin_fail_memory(error, "a trie");
    akin_rrr_tabulate(trie->own);
    return AKIN_OK;
}

static uint64_t rrr_bytes(const akin_trie_head *head, uint32_t vectors)
{
    return vectors * akin_rrr_superblocks(head->nodes) * sizeof(akin_rrr_superblock);
}

static uint64_t rrr_begin(const akin_trie_head *head, uint32_t symbol, uint32_t place)
{
    (void)symbol;
    return rrr_bytes(head, place);
}

static uint64_t rrr_cells(const uint32_t *ones, uint64_t count)
{
    return akin_ceil_div(akin_rrr_offsets(ones, count), 8);
}

static void rrr_fill(const akin_trie *trie, const akin_trie_symbol *symbol, const uint32_t *ones, void *records,
                     uint8_t *offsets)
{
    akin_rrr_fill(trie->own, ones, symbol->count, trie->head.nodes, records, offsets);
}

static const char *rrr_check(const akin_trie *trie, uint32_t symbol, uint64_t bytes)
{
    return akin_rrr_check(rrr_of(trie, symbol), trie->head.nodes, trie->edges[symbol].count, bytes);
}

static inline int rrr_next(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next)
{
    const int found = akin_rrr_rank(rrr_of(trie, symbol), node, next);
    *next += trie->edges[symbol].first;
    return found;
}

static uint32_t rrr_parent(const akin_trie *trie, uint32_t symbol, uint32_t next)
{
    return akin_rrr_select(rrr_of(trie, symbol), trie->head.nodes, next - trie->edges[symbol].first);
}

static int rrr_find(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id)
{
    return akin_trie_find_by(trie, rrr_next, bytes, length, id);
}

static akin_status rrr_look_up(akin_device_stream *stream, const akin_gpu_trie *trie, const akin_gpu_words *words,
                               akin_balance balance, uint32_t *ids, akin_error *error)
{
    return akin_annex_kernels_of(stream)->tries->rrr(stream, trie, words, balance, ids, error);
}

const akin_trie_form akin_rrr_form = {
    .kind = AKIN_TRIE_RRR,
    .saved = AKIN_TRIE_SAVED_RRR,
    .has_lists = 1,
    .has_pairs = 1,
    .bytes = rrr_bytes,
    .begin = rrr_begin,
    .cells = rrr_cells,
    .ready = rrr_ready,
    .own_bytes = sizeof(akin_rrr_table),
    .fill = rrr_fill,
    .check = rrr_check,
    .next = rrr_next,
    .parent = rrr_parent,
    .find = rrr_find,
    .walker = akin_rrr_walker_choose,
    .look_up = rrr_look_up,
};
