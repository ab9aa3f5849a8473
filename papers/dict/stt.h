/*
 * A state-transition table: for every node and every symbol the node that comes next, as it stands in Table 1 of Wakatsuki,
 * Keyaki and Miyazaki, A Case for Term Weighting using a Dictionary on GPUs. It is what the compressed tries are compared
 * with, takes a hundred times their memory, and nothing chooses it by itself.
 *
 *     next[node * columns + symbol]    the next node, or AKIN_STT_NONE
 */
#ifndef AKIN_PAPERS_DICT_STT_H
#define AKIN_PAPERS_DICT_STT_H

#include <stdint.h>

#define AKIN_STT_NONE UINT32_MAX

typedef struct akin_stt {
    const uint32_t *next;
    uint32_t columns;
} akin_stt;

/* Fills the column of a symbol, which is AKIN_STT_NONE: node ones[i] goes on to node first + i. */
void akin_stt_fill(uint32_t *next, uint32_t columns, uint32_t symbol, const uint32_t *ones, uint64_t count,
                   uint32_t first);

/* Checks what came of a file: of each symbol, from node 0 on, that the next nodes are numbered on from first[symbol], and that
 * there are counts[symbol] of them. NULL, or what is wrong. */
const char *akin_stt_check(akin_stt stt, uint64_t nodes, const uint32_t *first, const uint32_t *counts);

/* The node that goes on to `next` by the symbol, which there must be. */
uint32_t akin_stt_select(akin_stt stt, uint64_t nodes, uint32_t symbol, uint32_t next);

static inline int akin_stt_next(akin_stt stt, uint32_t node, uint32_t symbol, uint32_t *next)
{
    *next = stt.next[(uint64_t)node * stt.columns + symbol];
    return *next != AKIN_STT_NONE;
}

#endif
