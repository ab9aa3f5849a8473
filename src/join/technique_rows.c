/* The table of techniques: what each is, where it runs, what options it has, and what it is predicted to take. */
#include "join/technique_rows.h"
#include "join/technique.h"

#include "base/annex.h"
#include "join/gpu.h"
#include "join/kernels.h"
#include "join/postings.h"
#include "join/room.h"
#include "join/tensor.h"
#include "join/weigh.h"

#define BY_AUTO(where) (AKIN_BY_AUTO | (where))
#define EITHER         (AKIN_ON_CPU | AKIN_ON_GPU)

static const akin_technique_row rows[] = {
    {{"auto", "", "the technique that is predicted to be the fastest", AKIN_AUTO,
      EITHER | AKIN_IS_DEFAULT | AKIN_TAKES_BITS},
     .bits_on_gpu = AKIN_TENSOR_BITS_LEAST,
     .samples_visits = 1},
    {{"allpairs", "", "prefix index with the prefix and the length filter", AKIN_ALLPAIRS,
      BY_AUTO(AKIN_ON_CPU) | AKIN_IS_FILTER},
     .on_cpu = akin_join_allpairs,
     .weigh_on_cpu = akin_weigh_allpairs,
     .bytes_on_cpu = akin_room_prefix},
    {{"ppjoin", "", "prefix index with the positional filter, too", AKIN_PPJOIN, BY_AUTO(AKIN_ON_CPU) | AKIN_IS_FILTER},
     .on_cpu = akin_join_ppjoin,
     .weigh_on_cpu = akin_weigh_ppjoin,
     .bytes_on_cpu = akin_room_prefix},
    {{"groupjoin", "", "ppjoin that handles sets with the same prefix as one", AKIN_GROUPJOIN,
      BY_AUTO(AKIN_ON_CPU) | AKIN_IS_FILTER},
     .on_cpu = akin_join_groupjoin,
     .weigh_on_cpu = akin_weigh_groupjoin,
     .bytes_on_cpu = akin_room_prefix},
    {{"bitmap", "", "compares signatures of all pairs of compatible sizes", AKIN_BITMAP,
      BY_AUTO(AKIN_ON_CPU) | AKIN_TAKES_BITS},
     .on_cpu = akin_join_bitmap,
     .weigh_on_cpu = akin_weigh_bitmap,
     .bytes_on_cpu = akin_room_bitmap,
     .samples_pairs = 1,
     .kind = AKIN_CALIBRATED_BITMAP},
    {{"screened", "", "prefix index whose lists carry signatures", AKIN_SCREENED,
      BY_AUTO(AKIN_ON_CPU) | AKIN_TAKES_BITS},
     .on_cpu = akin_join_screened,
     .weigh_on_cpu = akin_weigh_screened,
     .bytes_on_cpu = akin_room_screened,
     .kind = AKIN_CALIBRATED_SCREENED},
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
};
const akin_choice_table akin_join_techniques = AKIN_CHOICE_TABLE("technique", rows);
const akin_choice_table akin_join_gpu_techniques = {.what = "technique", .stride = sizeof(akin_technique_row)};
const akin_choice_table akin_join_readers = {.what = "reader of options", .stride = sizeof(akin_join_reader)};

const akin_technique_row *akin_technique_at(uint32_t index)
{
    return (const akin_technique_row *)akin_choice_at(&akin_join_techniques, index);
}

const akin_technique_row *akin_technique_of(const akin_annex *annex, akin_technique technique)
{
    return (const akin_technique_row *)akin_annex_find(annex, &akin_join_techniques, (int)technique);
}

const akin_technique_row *akin_technique_on_gpu(const akin_annex *annex, akin_technique technique)
{
    const akin_technique_row *row = akin_technique_of(annex, technique);
    const akin_choice *other = akin_annex_find(annex, &akin_join_gpu_techniques, (int)technique);
    return row && !(row->choice.capabilities & AKIN_ON_GPU) && other ? (const akin_technique_row *)other : row;
}

void akin_technique_list(const akin_annex *annex, unsigned capabilities, char *names, size_t room)
{
    const akin_choice_table on_gpu = akin_annex_table(annex, &akin_join_gpu_techniques);
    akin_choice_table all = akin_annex_table(annex, &akin_join_techniques), of_annex = {0};
    if (all.more) {
        of_annex = *all.more;
        of_annex.more = on_gpu.more;
        all.more = &of_annex;
    }
    akin_choice_list(&all, capabilities, names, room);
}

const char *akin_technique_name(const akin_annex *annex, akin_technique technique)
{
    const akin_choice *row = akin_annex_find(annex, &akin_join_techniques, (int)technique);
    return row ? row->name : NULL;
}

akin_status akin_technique_parse(const akin_annex *annex, const char *name, akin_technique *out, akin_error *error)
{
    int value;
    const akin_choice_table techniques = akin_annex_table(annex, &akin_join_techniques);
    akin_status status = akin_choice_value(&techniques, name, &value, error);
    if (status == AKIN_OK)
        *out = (akin_technique)value;
    return status;
}
