/* The step of a state-transition table on a GPU. */
#ifndef AKIN_PAPERS_DICT_STT_STEP_H
#define AKIN_PAPERS_DICT_STT_STEP_H

#include "dict/trie_step.h"
#include "papers/dict/stt.h"

/* The step, an akin_gpu_step. It does the same as akin_stt_next, in the column of a symbol. */
AKIN_STEP int akin_step_stt(const akin_gpu_trie *trie, const akin_gpu_edge *edge, uint32_t node, uint32_t *next)
{
    *next = akin_step_word((const uint32_t *)edge->records + (uint64_t)node * (trie->symbols + 1));
    return *next != AKIN_STT_NONE;
}

#endif
