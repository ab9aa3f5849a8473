/* The nodes of a trie in XBW order. For each symbol there is the list of the nodes that have a child by it. The
 * bit-vectors are made from these lists. */
#ifndef AKIN_DICT_TRIE_NODES_H
#define AKIN_DICT_TRIE_NODES_H

#include "dict/trie_words.h"

typedef struct akin_trie_nodes {
    uint32_t count;
    uint32_t symbols; /* the number of symbols, without the end */
    uint32_t longest; /* bytes of the longest word */
    uint32_t words;
    uint8_t bytes[256];      /* the byte of each symbol; 0 for the end */
    uint32_t first[256];     /* the first child by each symbol; 0 for the end */
    uint32_t counts[256];    /* the number of children by each symbol; for the end, of words */
    const uint32_t *parents; /* the parent of each node; the parents of the children by a symbol rise */
    const uint32_t *ends;    /* the nodes at which words end, rising */
    akin_bulk bulks[2];      /* the memory of the lists */
} akin_trie_nodes;

/* Returns the nodes that have a child by a symbol, rising. */
static inline const uint32_t *akin_trie_nodes_of(const akin_trie_nodes *nodes, uint32_t symbol)
{
    return symbol == nodes->symbols ? nodes->ends : nodes->parents + nodes->first[symbol];
}

/*
 * Makes the nodes of sorted words. The function takes about 30 bytes a node, in arrays of the store. The caller clears
 * *out in any case. Errors: AKIN_E_LIMIT (2^32 - 1 nodes), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_trie_nodes_make(const akin_scope *scope, const akin_trie_words *words, akin_store *store,
                                 akin_trie_nodes *out, akin_error *error);
void akin_trie_nodes_clear(akin_trie_nodes *nodes);

#endif
