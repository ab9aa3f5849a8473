/*
 * The kernels that look up words in the papers' tries.
 *
 * A step of RRR reads a word of offsets, where a step of chunks reads a cell. Then it reads the 64 KB table, most often
 * the small parts that have blocks of few ones. A step of a state-transition table reads one sector, but the table of a
 * million words has 240 MB. Sectors that the second-level cache lacks come from scattered places of memory.
 */
#include "dict/trie_kernels.cuh"
#include "papers/dict/kernels.h"
#include "papers/dict/rrr_step.h"
#include "papers/dict/stt_step.h"

const akin_paper_trie_kernels akin_cuda_paper_tries = {
    akin_trie_look_up_by<akin_step_rrr, AKIN_RRR_NEAR>,
    akin_trie_look_up_by<akin_step_stt, 0>,
};
