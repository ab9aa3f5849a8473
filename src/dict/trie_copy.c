/*
 * Copies the words of a trie into a dictionary. To read one word upwards is a search in a bit-vector a letter; so the parents of
 * all nodes are found first, once each and in their order, where what is searched for stands side by side.
 */
#include "base/bits.h"
#include "base/parallel.h"
#include "dict/dictionary.h"
#include "dict/trie.h"

#define TASK  ((uint64_t)1 << 16) /* nodes */
#define SHARE 64                  /* each array may have one part in so many of a memory bound */

static const char what[] = "the words of a trie"; /* the memory is for */

typedef struct copying {
    const akin_trie *trie;
    uint32_t *parents; /* of nodes */
    uint8_t *bytes;    /* by which these are reached */
    char *words;       /* of each thread, room for the longest */
    akin_bulk bulks[2];
} copying;

static akin_status list_parents(void *argument, uint64_t task, uint32_t thread)
{
    const copying *c = argument;
    const akin_trie *trie = c->trie;
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data;
    const uint64_t end = akin_min_u64((task + 1) * TASK, trie->head.nodes);
    uint32_t symbol = 0;
    (void)thread;
    for (uint64_t node = akin_max_u64(task * TASK, 1); node < end; node++) { /* but the root */
        while (symbol + 1 < trie->head.symbols && trie->edges[symbol + 1].first <= node)
            symbol++;
        c->parents[node] = akin_trie_parent(trie, symbol, (uint32_t)node);
        c->bytes[node] = symbols[symbol].byte;
    }
    return AKIN_OK;
}

/* A word of the trie, from its end. A file whose checksums are right may still lead in a circle. */
static akin_status read_word(void *user, uint64_t i, uint32_t thread, const char **bytes, uint32_t *length)
{
    const copying *c = user;
    const akin_trie_head *head = &c->trie->head;
    char *word = c->words + thread * ((uint64_t)head->longest + 1);
    uint32_t at = head->longest, node = akin_trie_parent(c->trie, head->symbols, (uint32_t)i);
    for (; node != 0; node = c->parents[node]) {
        if (at == 0 || node >= head->nodes)
            return AKIN_E_INPUT;
        word[--at] = (char)c->bytes[node];
    }
    *bytes = word + at;
    *length = head->longest - at;
    return AKIN_OK;
}

akin_status akin_dictionary_add_trie(akin_context *context, akin_dictionary *dictionary, const akin_trie *trie,
                                     akin_error *error)
{
    const akin_trie_head *head = &trie->head;
    copying c = {.trie = trie, .words = akin_alloc(NULL, context->threads, (size_t)head->longest + 1)};
    const akin_dictionary_words words = {head->words, read_word, &c};
    c.bulks[0] = c.bulks[1] = akin_bulk_of(context, NULL, context->memory / SHARE);
    akin_status status = c.words ? AKIN_OK : akin_fail_memory(error, what);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&c.bulks[0], (uint64_t)head->nodes * sizeof *c.parents, what, error);
    if (status == AKIN_OK)
        status = akin_bulk_reserve(&c.bulks[1], head->nodes, what, error);
    c.parents = c.bulks[0].data;
    c.bytes = c.bulks[1].data;
    if (status == AKIN_OK) {
        status = akin_parallel(context, NULL, akin_ceil_div(head->nodes, TASK), list_parents, &c);
        if (status != AKIN_OK)
            akin_fail_stopped(error, status, what);
    }
    if (status == AKIN_OK)
        status = akin_dictionary_add_words(context, dictionary, &words, error);
    if (status == AKIN_E_INPUT)
        akin_fail(error, status, "the trie is altered: a word is longer than the longest");
    akin_bulk_clear(&c.bulks[0]);
    akin_bulk_clear(&c.bulks[1]);
    akin_free(c.words);
    return status;
}
