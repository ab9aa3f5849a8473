/* The kinds of tries, and the form in chunks. */
#include "dict/trie_forms.h"

#include "dict/chunks.h"
#include "dict/paper/rrr_form.h"
#include "dict/paper/stt_form.h"
#include "dict/trie_walk.h"

/* ---------------------------------------------------------------------------------------------------------- chunks */

static akin_chunks vector_of(const akin_trie *trie, uint32_t symbol)
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
    return akin_chunks_check(vector_of(trie, symbol), trie->head.nodes, edge->first, edge->count, bytes);
}

static inline int chunks_next(const akin_trie *trie, uint32_t symbol, uint32_t node, uint32_t *next)
{
    return akin_chunks_rank(vector_of(trie, symbol), node, next);
}

static uint32_t chunks_parent(const akin_trie *trie, uint32_t symbol, uint32_t next)
{
    return akin_chunks_select(vector_of(trie, symbol), trie->head.nodes, next);
}

static int chunks_find(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id)
{
    return akin_trie_find_by(trie, chunks_next, bytes, length, id);
}

static const akin_trie_form chunks = {
    .kind = AKIN_TRIE_CHUNKS,
    .saved = 1,
    .has_lists = 1,
    .has_pairs = 1,
    .bytes = chunks_bytes,
    .begin = chunks_begin,
    .cells = akin_chunks_cells,
    .fill = chunks_fill,
    .check = chunks_check,
    .next = chunks_next,
    .parent = chunks_parent,
    .find = chunks_find,
    .walker = akin_trie_walker_choose,
};

/* ----------------------------------------------------------------------------------------------------------- kinds */

static const akin_trie_kind_row rows[] = {
    {{"chunks", "", "bit vectors in chunks of 128: smallest and fastest", AKIN_TRIE_CHUNKS, AKIN_IS_DEFAULT}, &chunks},
    {{"rrr", "", "bit vectors compressed as RRR", AKIN_TRIE_RRR, AKIN_FROM_PAPER}, &akin_rrr_form},
    {{"stt", "", "a state-transition table, a hundred times as large", AKIN_TRIE_STT, AKIN_FROM_PAPER}, &akin_stt_form},
};
const akin_choice_table akin_trie_kinds = AKIN_CHOICE_TABLE("kind of trie", rows);

const akin_trie_form *akin_trie_form_of(akin_trie_kind kind)
{
    const akin_trie_kind_row *row = (const akin_trie_kind_row *)akin_choice_of(&akin_trie_kinds, (int)kind);
    return row ? row->form : NULL;
}

const akin_trie_form *akin_trie_form_saved(uint32_t saved)
{
    const akin_trie_kind_row *row;
    for (uint32_t i = 0; (row = (const akin_trie_kind_row *)akin_choice_at(&akin_trie_kinds, i)); i++)
        if (row->form->saved == saved)
            return row->form;
    return NULL;
}

const char *akin_trie_kind_name(akin_trie_kind kind)
{
    return akin_choice_name(&akin_trie_kinds, (int)kind);
}

akin_status akin_trie_kind_parse(const char *name, akin_trie_kind *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_trie_kinds, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_trie_kind)value;
    return status;
}
