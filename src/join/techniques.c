/* The table of techniques: what each is, where it runs, what options it has, and what it is predicted to take. */
#include "join/technique.h"

#include "join/gpu.h"
#include "join/kernels.h"
#include "join/weigh.h"

#define BY_AUTO(where) (AKIN_BY_AUTO | (where))
#define PAPER          (AKIN_FROM_PAPER | AKIN_ON_GPU)
#define EITHER         (AKIN_ON_CPU | AKIN_ON_GPU)

static const akin_technique_row rows[] = {
    {{"auto", "", "the technique that is predicted to be the fastest", AKIN_AUTO,
      EITHER | AKIN_IS_DEFAULT | AKIN_TAKES_BITS},
     .bits_on_gpu = AKIN_TENSOR_BITS_LEAST,
     .samples_visits = 1},
    {{"allpairs", "", "prefix index with the prefix and the length filter", AKIN_ALLPAIRS,
      BY_AUTO(AKIN_ON_CPU) | AKIN_IS_FILTER},
     .on_cpu = akin_join_allpairs,
     .weigh_on_cpu = akin_weigh_allpairs},
    {{"ppjoin", "", "prefix index with the positional filter, too", AKIN_PPJOIN, BY_AUTO(AKIN_ON_CPU) | AKIN_IS_FILTER},
     .on_cpu = akin_join_ppjoin,
     .weigh_on_cpu = akin_weigh_ppjoin},
    {{"groupjoin", "", "ppjoin that handles sets with the same prefix as one", AKIN_GROUPJOIN,
      BY_AUTO(AKIN_ON_CPU) | AKIN_IS_FILTER},
     .on_cpu = akin_join_groupjoin,
     .weigh_on_cpu = akin_weigh_groupjoin},
    /* On a GPU it reproduces a paper: AKIN_AUTO does not weigh it there. */
    {{"bitmap", "", "compares signatures of all pairs of compatible sizes", AKIN_BITMAP,
      BY_AUTO(EITHER) | AKIN_TAKES_BITS | AKIN_TAKES_BLOCK | AKIN_TAKES_SHARING},
     .on_cpu = akin_join_bitmap,
     .on_gpu = akin_join_in_blocks,
     .blocks = {.by_signatures = 1},
     .weigh_on_cpu = akin_weigh_bitmap,
     .weigh_on_gpu = akin_weigh_blocks,
     .samples_pairs = 1,
     .kind = 2},
    {{"screened", "", "prefix index whose lists carry signatures", AKIN_SCREENED,
      BY_AUTO(AKIN_ON_CPU) | AKIN_TAKES_BITS},
     .on_cpu = akin_join_screened,
     .weigh_on_cpu = akin_weigh_screened,
     .kind = 1},
    {{"tensor", "", "compares signatures of all pairs on the tensor cores of a GPU", AKIN_TENSOR,
      BY_AUTO(AKIN_ON_GPU) | AKIN_TAKES_BITS},
     .on_gpu = akin_join_tensor,
     .weigh_on_gpu = akin_weigh_tensor,
     .bounds = akin_tensor_bounds,
     .bits_on_gpu = AKIN_TENSOR_BITS_LEAST,
     .samples_visits = 1},
    {{"prefix", "", "prefix index on a GPU", AKIN_PREFIX, BY_AUTO(AKIN_ON_GPU)},
     .on_gpu = akin_join_prefix,
     .weigh_on_gpu = akin_weigh_prefix_on_gpu,
     .bounds = akin_prefix_bounds,
     .samples_visits = 1,
     .by_visits = 1},
    {{"gssjoin", "", "from a paper, on a GPU: counts common tokens with all sets, by probe", AKIN_GSSJOIN, PAPER},
     .on_gpu = akin_join_in_blocks,
     .blocks = {.is_one_by_one = 1, .is_exact = 1},
     .weigh_on_gpu = akin_weigh_blocks},
    {{"fgssjoin", "", "from a paper, on a GPU: counts common tokens of prefixes, by blocks", AKIN_FGSSJOIN,
      PAPER | AKIN_TAKES_BLOCK},
     .on_gpu = akin_join_in_blocks,
     .blocks = {.by_prefix = 1},
     .weigh_on_gpu = akin_weigh_blocks},
    {{"sf-gssjoin", "", "from a paper, on a GPU: counts all common tokens, by blocks", AKIN_SF_GSSJOIN,
      PAPER | AKIN_TAKES_BLOCK},
     .on_gpu = akin_join_in_blocks,
     .blocks = {.is_exact = 1},
     .weigh_on_gpu = akin_weigh_blocks},
    {{"hybrid", "", "from a paper: the CPU filters, a GPU verifies", AKIN_HYBRID,
      PAPER | AKIN_TAKES_SHARING | AKIN_TAKES_FILTER},
     .on_gpu = akin_join_hybrid},
};
const akin_choice_table akin_join_techniques = AKIN_CHOICE_TABLE("technique", rows);

const akin_technique_row *akin_technique_at(uint32_t index)
{
    return (const akin_technique_row *)akin_choice_at(&akin_join_techniques, index);
}

const akin_technique_row *akin_technique_of(akin_technique technique)
{
    return (const akin_technique_row *)akin_choice_of(&akin_join_techniques, (int)technique);
}

const char *akin_technique_name(akin_technique technique)
{
    return akin_choice_name(&akin_join_techniques, (int)technique);
}

akin_status akin_technique_parse(const char *name, akin_technique *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_join_techniques, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_technique)value;
    return status;
}

static const akin_choice sharing_rows[] = {
    {"auto", "", "by the average size of the sets", AKIN_SHARING_AUTO, AKIN_IS_DEFAULT},
    {"many", "", "a thread verifies many pairs", AKIN_SHARING_MANY, 0},
    {"one", "", "a thread verifies one pair", AKIN_SHARING_ONE, 0},
    {"part", "", "the threads of a warp share a pair", AKIN_SHARING_PART, 0},
};
const akin_choice_table akin_join_sharings = AKIN_CHOICE_TABLE("sharing", sharing_rows);

const char *akin_sharing_name(akin_sharing sharing)
{
    return akin_choice_name(&akin_join_sharings, (int)sharing);
}

akin_status akin_sharing_parse(const char *name, akin_sharing *out, akin_error *error)
{
    int value;
    akin_status status = akin_choice_value(&akin_join_sharings, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_sharing)value;
    return status;
}
