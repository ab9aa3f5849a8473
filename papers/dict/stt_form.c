/* The form of tries that are a state-transition table. A row has an entry for each symbol, a symbol a column. */
#include "papers/dict/stt_form.h"

#include "akin_papers.h"
#include "papers/dict/kernels.h"
#include "papers/dict/stt.h"
#include "papers/kernels.h"

/* Returns the column of a symbol, as a table that begins at that column. */
static akin_stt column_of(const akin_trie *trie, uint32_t symbol)
{
    return (akin_stt){trie->edges[symbol].records, trie->head.symbols + 1};
}

static uint64_t stt_bytes(const akin_trie_head *head, uint32_t vectors)
{
    (void)vectors;
    return head->nodes * (head->symbols + UINT64_C(1)) * sizeof(uint32_t);
}

static uint64_t stt_begin(const akin_trie_head *head, uint32_t symbol, uint32_t place)
{
    (void)head;
    (void)place;
    return symbol * sizeof(uint32_t);
}

static uint64_t stt_cells(const uint32_t *ones, uint64_t count)
{
    (void)ones;
    (void)count;
    return 0;
}

static void stt_fill(const akin_trie *trie, const akin_trie_symbol *symbol, const uint32_t *ones, void *records,
                     uint8_t *unused)
{
    (void)unused;
    akin_stt_fill(records, trie->head.symbols + 1, 0, ones, symbol->count, symbol->first);
}

/* Checks the whole table when the first symbol is checked. */
static const char *stt_check(const akin_trie *trie, uint32_t symbol, uint64_t bytes)
{
    uint32_t first[256], counts[256];
    (void)bytes;
    for (uint32_t i = 0; i <= trie->head.symbols; i++) {
        first[i] = trie->edges[i].first;
        counts[i] = trie->edges[i].count;
    }
    return symbol == 0 ? akin_stt_check(column_of(trie, 0), trie->head.nodes, first, counts) : NULL;
}

static inline int stt_next(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next)
{
    return akin_stt_next(column_of(trie, symbol), node, 0, next);
}

static uint32_t stt_parent(const akin_trie *trie, uint32_t symbol, uint32_t next)
{
    return akin_stt_select(column_of(trie, symbol), trie->head.nodes, 0, next);
}

static int stt_find(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id)
{
    return akin_trie_find_by(trie, stt_next, bytes, length, id);
}

/* ----------------------------------------------------------------------------------------------------- many words */

#define WALKER walk_stt
#define TARGET
#define INLINE static inline __attribute__((always_inline))

typedef uint32_t step_state; /* the next node, or AKIN_STT_NONE */

INLINE const char *step_record(const akin_trie *trie, const akin_trie_edge *edge, uint32_t node)
{
    return (const char *)((const uint32_t *)edge->records + (uint64_t)node * (trie->head.symbols + 1));
}

INLINE uint32_t step_look(const akin_trie_edge *edge, const void *record, uint32_t node, const uint8_t **cell)
{
    (void)edge;
    (void)node;
    (void)cell;
    return *(const uint32_t *)record;
}

INLINE uint32_t step_found(uint32_t next, uint32_t found)
{
    return found ? next : AKIN_STT_NONE;
}

INLINE int step_settle(const akin_trie *trie, uint32_t state, const uint8_t *cell, uint32_t *next)
{
    (void)trie;
    (void)cell;
    *next = state;
    return state != AKIN_STT_NONE;
}

#include "dict/trie_walk_body.h"

static akin_trie_walker stt_walker(akin_cpu cpu)
{
    (void)cpu;
    return walk_stt;
}

static akin_status stt_look_up(akin_device_stream *stream, const akin_gpu_trie *trie, const akin_gpu_words *words,
                               akin_balance balance, uint32_t *ids, akin_error *error)
{
    return akin_annex_kernels_of(stream)->tries->stt(stream, trie, words, balance, ids, error);
}

const akin_trie_form akin_stt_form = {
    .kind = AKIN_TRIE_STT,
    .saved = AKIN_TRIE_SAVED_STT,
    .blank = 255,
    .bytes = stt_bytes,
    .begin = stt_begin,
    .cells = stt_cells,
    .fill = stt_fill,
    .check = stt_check,
    .next = stt_next,
    .parent = stt_parent,
    .find = stt_find,
    .walker = stt_walker,
    .look_up = stt_look_up,
};
