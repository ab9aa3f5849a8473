/*
 * The steps of a walker by chunks, for trie_walk_body.h. The file of a SIMD level includes this one. Before, it defines
 * WALKER, INLINE and TARGET, and look(record, bit) and settle(chunk, cell, number), which do the same as
 * akin_chunks_look and akin_chunk_settle (chunks.h).
 */

typedef akin_chunk step_state;

INLINE const char *step_record(const akin_trie *trie, const akin_trie_edge *edge, uint32_t node)
{
    (void)trie;
    return (const char *)((const akin_chunk_record *)edge->records + node / AKIN_CHUNK_RECORD);
}

INLINE akin_chunk step_look(const akin_trie_edge *edge, const void *record, uint32_t node, const uint8_t **cell)
{
    const akin_chunk chunk = look(record, node % AKIN_CHUNK_RECORD);
    (void)edge;
    *cell += chunk.cell;
    return chunk;
}

INLINE akin_chunk step_found(uint32_t next, uint32_t found)
{
    return (akin_chunk){.number = next, .count = found};
}

INLINE int step_settle(const akin_trie *trie, akin_chunk chunk, const uint8_t *cell, uint32_t *next)
{
    (void)trie;
    return settle(chunk, cell, next);
}

#include "dict/trie_walk_body.h"
