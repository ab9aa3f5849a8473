/* The kernels of the papers' tries, by the rules of dict/kernels.h: words looked up in a trie of each form. */
#ifndef AKIN_PAPERS_DICT_KERNELS_H
#define AKIN_PAPERS_DICT_KERNELS_H

#include "dict/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_paper_trie_kernels {
    akin_gpu_look_up *rrr, *stt;
} akin_paper_trie_kernels;

extern const akin_paper_trie_kernels akin_cuda_paper_tries; /* of a build with CUDA */

#ifdef __cplusplus
}
#endif

#endif
