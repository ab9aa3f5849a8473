/* Builds a trie: sorts the words, makes nodes from them, and makes bit-vectors of one form from the nodes. */
#include "base/annex.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "dict/trie.h"
#include "dict/trie_forms.h"
#include "dict/trie_nodes.h"
#include "table/columns.h"

static const char what[] = "a trie";

/* Makes room for a part, and fills it with `byte`. */
static akin_status reserve_part(akin_trie *trie, int part, uint64_t bytes, int byte, akin_error *error)
{
    akin_bulk *bulk = &trie->bulks[part];
    akin_status status = akin_bulk_reserve(bulk, bytes, what, error);
    if (status != AKIN_OK)
        return status;
    akin_bulk_trim(bulk, bytes);
    if (bytes > 0)
        memset(bulk->data, byte, (size_t)bytes);
    trie->parts[part] = (akin_section){.data = bulk->data, .length = bytes};
    return AKIN_OK;
}

/* Decides for each symbol whether it is rare, and where its data begins. *cells and *places become the sums. */
static akin_status list_symbols(const akin_scope *scope, const akin_trie_nodes *nodes, const akin_trie_form *form,
                                akin_trie_symbol *symbols, uint64_t *cells, uint64_t *places, akin_error *error)
{
    uint32_t numbers[2] = {0, 0};
    *cells = *places = 0;
    for (uint32_t s = 0; s <= nodes->symbols; s++) {
        const uint32_t *ones = akin_trie_nodes_of(nodes, s);
        const uint32_t count = nodes->counts[s];
        if (akin_scope_report(scope, "building", 0, 0) != AKIN_OK)
            return akin_fail_stopped(error, AKIN_E_CANCELLED, NULL);
        const int rare = form->has_lists && (uint64_t)count * AKIN_TRIE_RARE < nodes->count;
        symbols[s] = (akin_trie_symbol){.cells = rare ? *places : *cells,
                                        .first = nodes->first[s],
                                        .count = count,
                                        .place = numbers[rare]++,
                                        .byte = nodes->bytes[s],
                                        .rare = (uint8_t)rare};
        if (rare)
            *places += count;
        else
            *cells += form->cells(ones, count);
    }
    return AKIN_OK;
}

static akin_status reserve_parts(const akin_scope *scope, akin_trie *trie, const akin_trie_nodes *nodes,
                                 akin_error *error)
{
    akin_trie_head *head = &trie->head;
    const akin_trie_form *form = trie->form;
    uint64_t cells, places;
    uint32_t rare = 0;
    akin_status status =
        reserve_part(trie, AKIN_TRIE_SYMBOL_LIST, ((uint64_t)nodes->symbols + 1) * sizeof(akin_trie_symbol), 0, error);
    if (status != AKIN_OK)
        return status;
    akin_trie_symbol *symbols = trie->bulks[AKIN_TRIE_SYMBOL_LIST].data;
    status = list_symbols(scope, nodes, form, symbols, &cells, &places, error);
    if (status != AKIN_OK)
        return status;
    for (uint32_t s = 0; s <= nodes->symbols; s++)
        rare += symbols[s].rare;
    status = reserve_part(trie, AKIN_TRIE_RECORDS, form->bytes(head, nodes->symbols + 1 - rare), form->blank, error);
    if (status == AKIN_OK)
        status = reserve_part(trie, AKIN_TRIE_CELLS, cells + AKIN_TRIE_PAD, 0, error);
    if (status == AKIN_OK)
        status =
            reserve_part(trie, AKIN_TRIE_STARTS, rare * akin_sparse_starts(head->nodes) * sizeof(uint32_t), 0, error);
    return status == AKIN_OK ? reserve_part(trie, AKIN_TRIE_PLACES, places * sizeof(uint16_t), 0, error) : status;
}

/* The work of filling a trie from nodes. */
typedef struct filling {
    akin_trie *trie;
    const akin_trie_nodes *nodes;
} filling;

/* Fills the bit-vector of a symbol. It has its own place in each part, so threads need no locks. */
static akin_status fill_symbol(void *argument, uint64_t s, uint32_t thread)
{
    const akin_trie_nodes *nodes = ((const filling *)argument)->nodes;
    const akin_trie *trie = ((const filling *)argument)->trie;
    const akin_trie_head *head = &trie->head;
    const akin_trie_symbol *symbol = (akin_trie_symbol *)trie->bulks[AKIN_TRIE_SYMBOL_LIST].data + s;
    const uint32_t *ones = akin_trie_nodes_of(nodes, (uint32_t)s);
    (void)thread;
    uint8_t *cells = (uint8_t *)trie->bulks[AKIN_TRIE_CELLS].data + (symbol->rare ? 0 : symbol->cells);
    char *records = trie->bulks[AKIN_TRIE_RECORDS].data;
    if (symbol->rare)
        akin_sparse_fill(ones, symbol->count, head->nodes, (uint32_t)symbol->cells,
                         (uint32_t *)trie->bulks[AKIN_TRIE_STARTS].data +
                             symbol->place * akin_sparse_starts(head->nodes),
                         trie->bulks[AKIN_TRIE_PLACES].data);
    else
        trie->form->fill(trie, symbol, ones, records + trie->form->begin(head, (uint32_t)s, symbol->place), cells);
    return AKIN_OK;
}

static akin_status fill_parts(const akin_scope *scope, akin_trie *trie, const akin_trie_nodes *nodes, akin_error *error)
{
    filling f = {trie, nodes};
    akin_status status = reserve_parts(scope, trie, nodes, error);
    if (status == AKIN_OK && trie->form->ready)
        status = trie->form->ready(trie, error);
    if (status != AKIN_OK)
        return status;
    status = akin_parallel(scope, "building", nodes->symbols + UINT64_C(1), fill_symbol, &f);
    return status == AKIN_OK ? akin_trie_prepare(trie, error) : akin_fail_stopped(error, status, what);
}

static akin_status build_parts(const akin_scope *scope, const akin_column *words, uint32_t rows, akin_trie *trie,
                               akin_error *error)
{
    akin_store store = {0};
    akin_trie_words sorted = {0};
    akin_trie_nodes nodes = {0};
    akin_status status = akin_store_begin(&store, scope, AKIN_BUDGET_TRIE_MAKING, what, error);
    if (status == AKIN_OK)
        status = akin_trie_words_sort(scope, words, rows, &store, &sorted, error);
    if (status == AKIN_OK)
        status = akin_trie_nodes_make(scope, &sorted, &store, &nodes, error);
    akin_trie_words_clear(&sorted);
    if (status == AKIN_OK) {
        trie->head = (akin_trie_head){trie->form->saved, nodes.symbols, nodes.count, nodes.words, nodes.longest, {0}};
        status = fill_parts(scope, trie, &nodes, error);
    }
    akin_trie_nodes_clear(&nodes);
    akin_store_clear(&store);
    return status;
}

akin_status akin_trie_build_within(const akin_scope *scope, const akin_column *words, uint32_t rows,
                                   const akin_trie_options *options, akin_trie **out, akin_error *error)
{
    akin_trie_options own = AKIN_TRIE_OPTIONS_INIT;
    akin_status status = akin_options_read(options, &own, sizeof own, sizeof own, "akin_trie_options", error);
    if (status != AKIN_OK)
        return status;
    const akin_trie_form *form = NULL;
    status = akin_trie_form_of(akin_annex_of(scope), own.kind, &form, error);
    if (status != AKIN_OK)
        return status;
    if (own.reserved != 0)
        return akin_fail(error, AKIN_E_OPTION, "akin_trie_options: reserved is not 0");
    status = akin_table_columns_check(words, 1, rows, "make a trie of", error);
    if (status != AKIN_OK)
        return status;
    akin_trie *trie = akin_alloc_zero(NULL, 1, sizeof *trie);
    if (!trie)
        return akin_fail_memory(error, what);
    trie->form = form;
    status = akin_store_begin(&trie->store, scope, AKIN_BUDGET_DICTIONARY, what, error);
    for (int part = 0; part < AKIN_TRIE_PARTS; part++)
        trie->bulks[part] = akin_bulk_in(&trie->store);
    if (status == AKIN_OK)
        status = build_parts(scope, words, rows, trie, error);
    if (status == AKIN_OK)
        *out = trie;
    else
        akin_trie_free(trie);
    return status;
}

akin_status akin_trie_build(akin_context *context, const akin_column *words, uint32_t rows,
                            const akin_trie_options *options, akin_trie **out, akin_error *error)
{
    return akin_trie_build_within(akin_scope_of(context), words, rows, options, out, error);
}
