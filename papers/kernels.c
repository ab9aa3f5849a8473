/* The tables of kernels of the annex. A build without CUDA has none of its own, and opens no device. */
#include "papers/kernels.h"

#ifdef AKIN_WITH_CUDA
extern const struct akin_warshall_kernels akin_cuda_warshall;
extern const struct akin_block_kernels akin_cuda_block;
extern const struct akin_hybrid_kernels akin_cuda_hybrid;
extern const struct akin_weigh_paper_kernels akin_cuda_weigh_paper;
extern const struct akin_match_count_kernels akin_cuda_match_count;
extern const struct akin_paper_trie_kernels akin_cuda_paper_tries;

static const akin_annex_kernels cuda = {
    .warshall = &akin_cuda_warshall,
    .blocks = &akin_cuda_block,
    .hybrid = &akin_cuda_hybrid,
    .weigh = &akin_cuda_weigh_paper,
    .match_counts = &akin_cuda_match_count,
    .tries = &akin_cuda_paper_tries,
};
static const akin_annex_kernels *const built_in = &cuda;
#else
static const akin_annex_kernels *const built_in = NULL;
#endif

const akin_annex_kernels *akin_annex_kernels_of(const akin_device_stream *stream)
{
    const akin_annex_kernels *own = akin_kernels(stream)->annex;
    return own ? own : built_in;
}
