/* The frozen dictionary: finds the id of one word, and the word of one id. */
#include "dict/trie.h"

#include "base/memory.h"
#include "base/options.h"

static const char what[] = "a trie";

/* -------------------------------------------------------------------------------------------------------- preparing */

void akin_trie_set_edges(akin_trie *trie)
{
    static const uint32_t none[2]; /* the starts of a list without places */
    const akin_trie_head *head = &trie->head;
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data;
    const char *records = trie->parts[AKIN_TRIE_RECORDS].data;
    for (int byte = 0; byte < 256; byte++)
        trie->code[byte] = (uint16_t)(head->symbols + 1);
    for (uint32_t s = 0; s <= head->symbols; s++) {
        const akin_trie_symbol *symbol = &symbols[s];
        akin_trie_edge *edge = &trie->edges[s];
        if (s < head->symbols)
            trie->code[symbol->byte] = (uint16_t)s;
        *edge = (akin_trie_edge){.records = records + (symbol->rare ? 0 : trie->form->begin(head, s, symbol->place)),
                                 .cells = trie->parts[AKIN_TRIE_CELLS].data,
                                 .first = symbol->first,
                                 .count = symbol->count};
        if (symbol->rare)
            edge->starts =
                (const uint32_t *)trie->parts[AKIN_TRIE_STARTS].data + symbol->place * akin_sparse_starts(head->nodes);
        else
            edge->cells += symbol->cells;
    }
    /* The absent symbol is a rare one without places. */
    trie->edges[head->symbols + 1] = (akin_trie_edge){.records = records, .cells = trie->parts[AKIN_TRIE_CELLS].data};
    trie->edges[head->symbols + 1].starts = none;
    trie->places = trie->parts[AKIN_TRIE_PLACES].data;
}

static uint32_t next_or_unknown(const akin_trie *trie, uint32_t node, uint32_t symbol)
{
    uint32_t next = AKIN_TRIE_UNKNOWN;
    return akin_trie_next(trie, node, symbol, &next) ? next : AKIN_TRIE_UNKNOWN;
}

static void fill_pairs(akin_trie *trie)
{
    const uint32_t end = trie->head.symbols, span = trie->span;
    for (uint32_t first = 0; first < span; first++) {
        uint32_t node = next_or_unknown(trie, 0, first);
        for (uint32_t second = 0; second < span; second++)
            trie->pairs[first * span + second] =
                first == end || node == AKIN_TRIE_UNKNOWN ? node : next_or_unknown(trie, node, second);
    }
}

akin_status akin_trie_prepare(akin_trie *trie, akin_error *error)
{
    akin_trie_set_edges(trie);
    trie->span = trie->head.symbols + 2;
    if (!trie->form->has_pairs || (uint64_t)trie->span * trie->span > trie->head.nodes / AKIN_TRIE_PAIRS)
        return AKIN_OK;
    trie->pairs = akin_alloc(NULL, (uint64_t)trie->span * trie->span, sizeof *trie->pairs);
    if (!trie->pairs)
        return akin_fail_memory(error, what);
    fill_pairs(trie);
    return AKIN_OK;
}

void akin_trie_free(akin_trie *trie)
{
    if (!trie)
        return;
    for (int part = 0; part < AKIN_TRIE_PARTS; part++)
        akin_bulk_clear(&trie->bulks[part]);
    akin_store_clear(&trie->store);
    akin_container_close(trie->container);
    akin_bulk_clear(&trie->image);
    akin_free(trie->own);
    akin_free(trie->pairs);
    akin_free(trie);
}

/* --------------------------------------------------------------------------------------------------------- one word */

uint32_t akin_trie_count(const akin_trie *trie)
{
    return trie->head.words;
}

int akin_trie_find(const akin_trie *trie, const char *bytes, size_t length, uint32_t *id)
{
    return trie->form->find(trie, bytes, length, id);
}

uint32_t akin_trie_parent(const akin_trie *trie, uint32_t symbol, uint32_t next)
{
    const akin_trie_edge *edge = &trie->edges[symbol];
    if (!edge->starts)
        return trie->form->parent(trie, symbol, next);
    akin_sparse sparse = {edge->starts, trie->places};
    return akin_sparse_select(sparse, trie->head.nodes, next - edge->first);
}

/* Returns the symbol by which a node is reached. The node is not the root. */
static uint32_t label_of(const akin_trie *trie, uint32_t node)
{
    uint32_t low = 0, high = trie->head.symbols;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (trie->edges[middle].first <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

akin_status akin_trie_string(const akin_trie *trie, uint32_t id, char *buffer, size_t room, size_t *length,
                             akin_error *error)
{
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data;
    if (id >= trie->head.words)
        return akin_fail(error, AKIN_E_OPTION, "there is no word %u, only %u of them", id, trie->head.words);
    uint32_t depth = 0, node = akin_trie_parent(trie, trie->head.symbols, id);
    for (; node != 0; depth++) {
        /* In an altered file with correct checksums, parents may form a circle. */
        if (depth == trie->head.longest)
            return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                                  "the trie is altered: word %u is longer than the longest", id);
        uint32_t label = label_of(trie, node);
        if (depth < room)
            buffer[depth] = (char)symbols[label].byte;
        node = akin_trie_parent(trie, label, node);
    }
    *length = depth;
    if (depth > room)
        return akin_fail(error, AKIN_E_OPTION, "word %u has %u bytes, and there is room for %zu", id, depth, room);
    for (uint32_t i = 0; i < depth / 2; i++) {
        char byte = buffer[i];
        buffer[i] = buffer[depth - 1 - i];
        buffer[depth - 1 - i] = byte;
    }
    return AKIN_OK;
}

akin_status akin_trie_describe(const akin_trie *trie, akin_trie_statistics *statistics, akin_error *error)
{
    const akin_trie_head *head = &trie->head;
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data;
    akin_trie_statistics own = {.size = sizeof own,
                                .kind = trie->form->kind,
                                .words = head->words,
                                .nodes = head->nodes,
                                .symbols = head->symbols,
                                .longest = head->longest,
                                .bytes_table = (uint64_t)head->nodes * (head->symbols + 1) * sizeof(uint32_t)};
    for (uint32_t s = 0; s < head->symbols; s++)
        own.rare += symbols[s].rare;
    for (int part = 0; part < AKIN_TRIE_PARTS; part++)
        own.bytes += trie->parts[part].length;
    own.bytes_beside = (trie->pairs ? (uint64_t)trie->span * trie->span * sizeof *trie->pairs : 0) +
                       (trie->own ? trie->form->own_bytes : 0) + sizeof *trie;
    return akin_options_write(&own, sizeof own, statistics, "akin_trie_statistics", error);
}
