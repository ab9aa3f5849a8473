/* The step of RRR on a GPU: it computes the same as rrr.h, and reads aligned words. */
#ifndef AKIN_PAPERS_DICT_RRR_STEP_H
#define AKIN_PAPERS_DICT_RRR_STEP_H

#include "dict/trie_step.h"
#include "papers/dict/rrr.h"

/* The bytes of akin_gpu_trie.own, an akin_rrr_table, that are in shared memory: its starts. */
#define AKIN_RRR_NEAR ((uint32_t)sizeof(((akin_rrr_table *)0)->starts))

/* The same as akin_rrr_decode. An offset has at most 13 bits, so it is in one or two words. */
AKIN_STEP uint32_t akin_step_decode(const akin_gpu_trie *trie, const uint8_t *offsets, akin_rrr_place place)
{
    const uint32_t width = (uint32_t)akin_rrr_widths(place.k) & 15;
    if (width == 0)
        return place.k == 0 ? 0 : (1u << AKIN_RRR_BLOCK) - 1;
    const uint8_t *at = offsets + place.offset / 8;
    const uint32_t skip = (uint32_t)((uintptr_t)at % 4), shift = 8 * skip + place.offset % 8;
    uint64_t bits = akin_step_word(at - skip);
    if (shift + width > 32)
        bits |= (uint64_t)akin_step_word(at - skip + 4) << 32;
    const uint32_t offset = (uint32_t)(bits >> shift) & ((1u << width) - 1);
    const uint16_t *starts = (const uint16_t *)trie->near;
    return akin_step_half(((const akin_rrr_table *)trie->own)->blocks + starts[place.k] + offset);
}

/* The step, an akin_gpu_step. */
AKIN_STEP int akin_step_rrr(const akin_gpu_trie *trie, const akin_gpu_edge *edge, uint32_t node, uint32_t *next)
{
    const akin_rrr_superblock *superblocks = (const akin_rrr_superblock *)edge->records;
    const akin_quad read = akin_step_quad(superblocks + node / AKIN_RRR_SUPERBLOCK);
    const akin_rrr_superblock superblock = {read.words[0], read.words[1],
                                            (uint64_t)read.words[3] << 32 | read.words[2]};
    const akin_rrr_place place = akin_rrr_look(&superblock, node % AKIN_RRR_SUPERBLOCK);
    const uint32_t block = akin_step_decode(trie, edge->cells, place);
    *next = edge->first + place.ones + akin_step_popcount(block & ((1u << place.bit) - 1));
    return (int)(block >> place.bit & 1);
}

#endif
