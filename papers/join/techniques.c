/* The rows of the papers' joins. */
#include "papers/join/techniques.h"

#include "papers/join/technique.h"

#define PAPER (AKIN_FROM_PAPER | AKIN_ON_GPU)

static const akin_block_way one_by_one = {.is_one_by_one = 1, .is_exact = 1}, by_prefix = {.by_prefix = 1},
                            exact = {.is_exact = 1}, by_signatures = {.by_signatures = 1};

const akin_technique_row akin_papers_techniques[AKIN_PAPERS_TECHNIQUES] = {
    {{"gssjoin", "", "from a paper, on a GPU: counts common tokens with all sets, by probe", AKIN_GSSJOIN, PAPER},
     .on_gpu = akin_join_in_blocks,
     .own = &one_by_one,
     .weigh_on_gpu = akin_weigh_blocks},
    {{"fgssjoin", "", "from a paper, on a GPU: counts common tokens of prefixes, by blocks", AKIN_FGSSJOIN,
      PAPER | AKIN_TAKES_BLOCK},
     .on_gpu = akin_join_in_blocks,
     .own = &by_prefix,
     .weigh_on_gpu = akin_weigh_blocks},
    {{"sf-gssjoin", "", "from a paper, on a GPU: counts all common tokens, by blocks", AKIN_SF_GSSJOIN,
      PAPER | AKIN_TAKES_BLOCK},
     .on_gpu = akin_join_in_blocks,
     .own = &exact,
     .weigh_on_gpu = akin_weigh_blocks},
    {{"hybrid", "", "from a paper: the CPU filters, a GPU verifies", AKIN_HYBRID,
      PAPER | AKIN_TAKES_SHARING | AKIN_TAKES_FILTER},
     .on_gpu = akin_join_hybrid,
     .plan = akin_plan_hybrid},
};

const akin_technique_row akin_papers_gpu_techniques[AKIN_PAPERS_GPU_TECHNIQUES] = {
    {{"bitmap", "", "from a paper, on a GPU: compares signatures, by blocks", AKIN_BITMAP,
      PAPER | AKIN_TAKES_BITS | AKIN_TAKES_BLOCK | AKIN_TAKES_SHARING},
     .on_gpu = akin_join_in_blocks,
     .own = &by_signatures,
     .weigh_on_gpu = akin_weigh_blocks},
};
