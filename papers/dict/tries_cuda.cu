/*
 * Words looked up on a GPU in the papers' tries.
 *
 * RRR reads a word of offsets where chunks read a cell, and often the few parts of its 64 KB table that have blocks of few ones.
 * A state-transition table is a sector a step, but of 240 MB for a million words. What the second-level cache lacks of it, the memory
 * brings, each sector from another place.
 */
#include "dict/trie_kernels.cuh"
#include "papers/dict/kernels.h"
#include "papers/dict/rrr_step.h"
#include "papers/dict/stt_step.h"

const akin_paper_trie_kernels akin_cuda_paper_tries = {
    akin_trie_look_up_by<akin_step_rrr, AKIN_RRR_NEAR>,
    akin_trie_look_up_by<akin_step_stt, 0>,
};
