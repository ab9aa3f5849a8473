/*
 * Finds the parents of all nodes of a trie, and reads words along them. The parents are found in the order of the
 * nodes, so the bits that are searched for are near each other. Reading a word upwards in the trie itself takes a
 * search in a bit-vector for each letter.
 */
#include "base/budget.h"
#include "base/parallel.h"
#include "dict/trie.h"

#define TASK ((uint64_t)1 << 14) /* nodes of a task */

static const char what[] = "the words of a trie"; /* for messages: what memory is for */

static akin_status find_parents(void *argument, uint64_t task, uint32_t thread)
{
    const akin_trie_parents *p = argument;
    const akin_trie *trie = p->trie;
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data;
    const uint64_t end = akin_min_u64((task + 1) * TASK, trie->head.nodes);
    for (uint64_t id = task * TASK; id < akin_min_u64(end, trie->head.words); id++)
        p->ends[id] = akin_trie_parent(trie, trie->head.symbols, (uint32_t)id);
    uint32_t symbol = 0; /* the children by a symbol follow the children by the symbol before */
    (void)thread;
    for (uint64_t node = akin_max_u64(task * TASK, 1); node < end; node++) { /* without the root */
        while (symbol + 1 < trie->head.symbols && trie->edges[symbol + 1].first <= node)
            symbol++;
        p->nodes[node] = akin_trie_parent(trie, symbol, (uint32_t)node);
        p->bytes[node] = symbols[symbol].byte;
    }
    return AKIN_OK;
}

akin_status akin_trie_parents_find(const akin_scope *scope, const akin_trie *trie, akin_trie_parents *out,
                                   akin_error *error)
{
    *out = (akin_trie_parents){.trie = trie};
    out->bulks[0] = out->bulks[1] = out->bulks[2] =
        akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_TRIE_PARENTS));
    akin_status status =
        akin_bulk_reserve(&out->bulks[0], trie->head.nodes * (uint64_t)sizeof *out->nodes, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&out->bulks[1], trie->head.nodes, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&out->bulks[2], trie->head.words * (uint64_t)sizeof *out->ends, what, error);
    if (status != AKIN_OK)
        return status;
    out->nodes = out->bulks[0].data;
    out->bytes = out->bulks[1].data;
    out->ends = out->bulks[2].data;
    status = akin_parallel(scope, NULL, akin_ceil_div(trie->head.nodes, TASK), find_parents, out);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

int akin_trie_parents_word(const akin_trie_parents *parents, uint32_t id, char *end, uint32_t *length)
{
    const akin_trie_head *head = &parents->trie->head;
    uint32_t depth = 0;
    for (uint32_t node = parents->ends[id]; node != 0; node = parents->nodes[node]) {
        if (depth == head->longest || node >= head->nodes)
            return 0;
        depth++;
        if (end)
            *--end = (char)parents->bytes[node];
    }
    *length = depth;
    return 1;
}

void akin_trie_parents_clear(akin_trie_parents *parents)
{
    for (size_t i = 0; i < sizeof parents->bulks / sizeof *parents->bulks; i++)
        akin_bulk_clear(&parents->bulks[i]);
}
