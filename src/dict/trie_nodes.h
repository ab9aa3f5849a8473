/* The nodes of a trie in XBW order, as lists of which node has a child by which symbol: what the bit-vectors are made of. */
#ifndef AKIN_DICT_TRIE_NODES_H
#define AKIN_DICT_TRIE_NODES_H

#include "dict/trie_words.h"

typedef struct akin_trie_nodes {
    uint32_t count;
    uint32_t symbols; /* without the end */
    uint32_t longest; /* bytes of a word */
    uint32_t words;
    uint8_t bytes[256];      /* of each symbol; 0 of the end */
    uint32_t first[256];     /* of each symbol: its first child; of the end 0 */
    uint32_t counts[256];    /* of each symbol: its children; of the end the words */
    const uint32_t *parents; /* of node i, in XBW order; those of a symbol's children rise */
    const uint32_t *ends;    /* nodes at which words end, rising */
    akin_bulk bulks[2];      /* what these are in */
} akin_trie_nodes;

/* The nodes that have a child by a symbol, rising. */
static inline const uint32_t *akin_trie_nodes_of(const akin_trie_nodes *nodes, uint32_t symbol)
{
    return symbol == nodes->symbols ? nodes->ends : nodes->parents + nodes->first[symbol];
}

/*
 * Makes the nodes of sorted words. What it takes, about 30 bytes a node, is in arrays of the store; whatever it returns, *out is
 * to be cleared. Errors: AKIN_E_LIMIT (2^32 - 1 nodes), AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED.
 */
akin_status akin_trie_nodes_make(const akin_scope *scope, const akin_trie_words *words, akin_store *store,
                                 akin_trie_nodes *out, akin_error *error);
void akin_trie_nodes_clear(akin_trie_nodes *nodes);

#endif
