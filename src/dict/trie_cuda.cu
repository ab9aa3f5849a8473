/* The kernels that look up words in tries of chunks. */
#include "dict/chunks_step.h"
#include "dict/trie_kernels.cuh"

const akin_trie_kernels akin_cuda_trie = {akin_trie_look_up_by<akin_step_chunks, 0>};
