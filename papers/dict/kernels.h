/* The kernels that look up words in the papers' tries, a function for each form. The rules are those of
 * dict/kernels.h. */
#ifndef AKIN_PAPERS_DICT_KERNELS_H
#define AKIN_PAPERS_DICT_KERNELS_H

#include "dict/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_paper_trie_kernels {
    akin_gpu_look_up *rrr, *stt;
} akin_paper_trie_kernels;

extern const akin_paper_trie_kernels akin_cuda_paper_tries; /* in a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
