/* The kernels of the annex on a device: those that its backend has, as that of a test, or else those of CUDA. */
#ifndef AKIN_PAPERS_KERNELS_H
#define AKIN_PAPERS_KERNELS_H

#include "device/backend.h"

/* The tables, one for each file of kernels. */
typedef struct akin_annex_kernels {
    const struct akin_warshall_kernels *warshall;
    const struct akin_block_kernels *blocks;
    const struct akin_hybrid_kernels *hybrid;
    const struct akin_weigh_paper_kernels *weigh;
    const struct akin_match_count_kernels *match_counts;
    const struct akin_paper_trie_kernels *tries;
} akin_annex_kernels;

const akin_annex_kernels *akin_annex_kernels_of(const akin_device_stream *stream);

#endif
