/*
 * A state-transition table: it has the next node for every node and every symbol, as Table 1 of Wakatsuki, Keyaki and
 * Miyazaki, A Case for Term Weighting using a Dictionary on GPUs. The paper compares compressed tries with it. It takes
 * a hundred times their memory, and is used only on request.
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

/* Fills the column of a symbol: the next node of node ones[i] is first + i. The column must be all AKIN_STT_NONE. */
void akin_stt_fill(uint32_t *next, uint32_t columns, uint32_t symbol, const uint32_t *ones, uint64_t count,
                   uint32_t first);

/* Checks a table that was read from a file: the next nodes by each symbol are numbered from first[symbol] on, and their
 * number is counts[symbol]. Returns NULL, or the fault. */
const char *akin_stt_check(akin_stt stt, uint64_t nodes, const uint32_t *first, const uint32_t *counts);

/* Returns the node whose next node by the symbol is `next`. The table must have that node. */
uint32_t akin_stt_select(akin_stt stt, uint64_t nodes, uint32_t symbol, uint32_t next);

static inline int akin_stt_next(akin_stt stt, uint32_t node, uint32_t symbol, uint32_t *next)
{
    *next = stt.next[(uint64_t)node * stt.columns + symbol];
    return *next != AKIN_STT_NONE;
}

#endif
