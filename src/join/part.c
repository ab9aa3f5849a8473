/* Describes a part of a join, and plans it. */
#include "join/part.h"

#include "base/clock.h"
#include "join/plan.h"

void akin_join_part_describe(const akin_join_job *job, akin_join_summary *summary)
{
    const akin_ranked *left = job->probes, *right = job->indexed;
    summary->rows_left = left->count;
    summary->threads = job->threads;
    if (left->classes) {
        summary->smallest = left->class_size[0];
        summary->largest = left->class_size[left->classes - 1];
    }
    summary->pairs_all = (uint64_t)left->count * (left->count ? left->count - 1 : 0) / 2;
    if (!job->self) {
        summary->rows_right = right->count;
        summary->pairs_all = (uint64_t)left->count * right->count;
        if (right->classes && (!left->classes || right->class_size[0] < summary->smallest))
            summary->smallest = right->class_size[0];
        if (right->classes && right->class_size[right->classes - 1] > summary->largest)
            summary->largest = right->class_size[right->classes - 1];
    }
    for (uint32_t c = 0; c < left->classes; c++)
        summary->pairs_compatible += akin_join_class_pairs(job, c);
}

void akin_join_step_describe(const akin_join_job *job, akin_join_step *step)
{
    const akin_ranked *probes = job->probes, *indexed = job->indexed;
    step->parts = 1;
    step->probes = probes->count;
    step->probes_smallest = probes->class_size[0];
    step->probes_largest = probes->class_size[probes->classes - 1];
    step->indexed = indexed->count;
    step->indexed_smallest = indexed->class_size[0];
    step->indexed_largest = indexed->class_size[indexed->classes - 1];
}

akin_status akin_join_part_plan(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                                akin_join_part *part, akin_sample *sample, akin_error *error)
{
    akin_join_summary *summary = &part->summary;
    double start = akin_clock();
    part->bits_asked = options->bits;
    akin_join_part_describe(job, summary);
    summary->tokens_left = akin_ranked_tokens(job->probes);
    summary->tokens_right = job->self ? 0 : akin_ranked_tokens(job->indexed);
    summary->universe = job->probes->universe;
    if (summary->pairs_compatible == 0)
        return AKIN_OK;
    akin_status status = akin_plan_choose(job, options, whole, part, sample, error);
    if (status != AKIN_OK)
        return status;
    akin_join_step_describe(job, &part->done);
    summary->seconds_plan = summary->seconds_join = akin_clock() - start;
    return AKIN_OK;
}
