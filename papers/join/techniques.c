/* The rows of the papers' joins. */
#include "papers/join/techniques.h"

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

static const akin_choice sharing_rows[AKIN_PAPERS_SHARINGS] = {
    {"auto", "", "by the average size of the sets", AKIN_SHARING_AUTO, AKIN_IS_DEFAULT},
    {"many", "", "a thread verifies many pairs", AKIN_SHARING_MANY, 0},
    {"one", "", "a thread verifies one pair", AKIN_SHARING_ONE, 0},
    {"part", "", "the threads of a warp share a pair", AKIN_SHARING_PART, 0},
};
const akin_choice_table akin_papers_sharings = AKIN_CHOICE_TABLE("sharing", sharing_rows);

const char *akin_sharing_name(akin_sharing sharing)
{
    return akin_choice_name(&akin_papers_sharings, (int)sharing);
}

akin_status akin_sharing_parse(const char *name, akin_sharing *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_papers_sharings, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_sharing)value;
    return status;
}
