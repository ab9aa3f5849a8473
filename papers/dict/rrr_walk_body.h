/* The steps of a walker by RRR, for dict/trie_walk_body.h. The file of a SIMD level includes this one. Before, it
 * defines WALKER, INLINE and TARGET. */
#include "papers/dict/rrr.h"

typedef akin_rrr_place step_state;

INLINE const char *step_record(const akin_trie *trie, const akin_trie_edge *edge, uint32_t node)
{
    (void)trie;
    return (const char *)((const akin_rrr_superblock *)edge->records + node / AKIN_RRR_SUPERBLOCK);
}

INLINE akin_rrr_place step_look(const akin_trie_edge *edge, const void *record, uint32_t node, const uint8_t **cell)
{
    akin_rrr_place place = akin_rrr_look(record, node % AKIN_RRR_SUPERBLOCK);
    *cell += place.offset / 8;
    place.offset %= 8;
    place.ones += edge->first;
    return place;
}

INLINE akin_rrr_place step_found(uint32_t next, uint32_t found)
{
    return (akin_rrr_place){.ones = next, .k = found * AKIN_RRR_BLOCK};
}

INLINE int step_settle(const akin_trie *trie, akin_rrr_place place, const uint8_t *cell, uint32_t *next)
{
    return akin_rrr_settle(place, trie->own, cell, next);
}

#include "dict/trie_walk_body.h"
