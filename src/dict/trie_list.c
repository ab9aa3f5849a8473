/*
 * All words of a trie, in the order of their ids. The way up from a node is a select, of which every step of every word would be one; so
 * the parents of all nodes are found first, once each, and words are read along these.
 */
#include "base/parallel.h"
#include "dict/trie.h"

#define TASK 4096 /* nodes, or words */

static const char what[] = "the words of a trie"; /* the memory is for */

typedef struct listing {
    const akin_trie *trie;
    akin_bulk arrays[2]; /* of these, for each node: */
    uint32_t *parents;
    uint8_t *bytes; /* by which it was reached */
    uint64_t *offsets;
    char *words; /* NULL: they are measured */
} listing;

static akin_status find_parents(void *argument, uint64_t task, uint32_t thread)
{
    const listing *l = argument;
    const akin_trie *trie = l->trie;
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data;
    const uint64_t begin = task * TASK, end = akin_min_u64(begin + TASK, trie->head.nodes);
    uint32_t symbol = 0; /* their children rise */
    (void)thread;
    for (uint64_t node = begin; node < end; node++) {
        while (symbol + 1 < trie->head.symbols && trie->edges[symbol + 1].first <= node)
            symbol++;
        l->parents[node] = node > 0 ? akin_trie_parent(trie, symbol, (uint32_t)node) : 0;
        l->bytes[node] = node > 0 ? symbols[symbol].byte : 0;
    }
    return AKIN_OK;
}

/* Measures words, or writes them. */
static akin_status list_words(void *argument, uint64_t task, uint32_t thread)
{
    const listing *l = argument;
    const akin_trie *trie = l->trie;
    const uint64_t begin = task * TASK, end = akin_min_u64(begin + TASK, trie->head.words);
    (void)thread;
    for (uint64_t id = begin; id < end; id++) {
        char *to = l->words ? l->words + l->offsets[id + 1] : NULL;
        uint32_t depth = 0;
        for (uint32_t node = akin_trie_parent(trie, trie->head.symbols, (uint32_t)id); node != 0; depth++) {
            if (depth == trie->head.longest) /* a file whose checksums are right may still lead in a circle */
                return AKIN_E_INPUT;
            if (to)
                *--to = (char)l->bytes[node];
            node = l->parents[node];
        }
        if (!to)
            l->offsets[id + 1] = depth;
    }
    return AKIN_OK;
}

static akin_status reserve(akin_context *context, akin_bulk *array, uint64_t bytes, akin_error *error)
{
    *array = akin_bulk_of(context, NULL, context->memory / 16);
    return akin_bulk_reserve(array, bytes, what, error);
}

static akin_status list(akin_context *context, listing *l, akin_bulk words[2], akin_error *error)
{
    const akin_trie_head *head = &l->trie->head;
    const uint64_t count = head->words, tasks = akin_ceil_div(count, TASK);
    akin_status status = reserve(context, &l->arrays[0], head->nodes * sizeof *l->parents, error);
    if (status == AKIN_OK)
        status = reserve(context, &l->arrays[1], head->nodes, error);
    if (status == AKIN_OK)
        status = reserve(context, &words[0], (count + 1) * sizeof *l->offsets, error);
    if (status != AKIN_OK)
        return status;
    l->parents = l->arrays[0].data;
    l->bytes = l->arrays[1].data;
    l->offsets = words[0].data;
    l->offsets[0] = 0;
    status = akin_parallel(context, NULL, akin_ceil_div(head->nodes, TASK), find_parents, l);
    if (status == AKIN_OK)
        status = akin_parallel(context, NULL, tasks, list_words, l);
    if (status == AKIN_E_INPUT)
        return akin_fail(error, status, "the trie is altered: a word is longer than the longest");
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, what);
    for (uint64_t i = 0; i < count; i++)
        l->offsets[i + 1] += l->offsets[i];
    status = reserve(context, &words[1], l->offsets[count] + 1, error);
    if (status != AKIN_OK)
        return status;
    l->words = words[1].data;
    status = akin_parallel(context, NULL, tasks, list_words, l);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

akin_status akin_trie_list(akin_context *context, const akin_trie *trie, akin_bulk words[2], akin_error *error)
{
    listing l = {.trie = trie};
    akin_status status = list(context, &l, words, error);
    akin_bulk_clear(&l.arrays[0]);
    akin_bulk_clear(&l.arrays[1]);
    return status;
}
