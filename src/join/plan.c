/*
 * Chooses device, technique and signature widths by predicted cost. A sample of pairs shows how many pairs each width
 * leaves. A self-join of a sample of sets shows how many postings a prefix index would visit. Tables of measured prices
 * turn both into seconds (weigh_cpu.c, weigh_gpu.c).
 */
#include "join/plan.h"

#include "base/annex.h"
#include "base/bits.h"
#include "device/device.h"
#include "join/price.h"
#include "join/technique_rows.h"
#include "join/weigh.h"

/* Whether to weigh a technique: the caller named it, or AKIN_AUTO may choose it. */
static int technique_is_wanted(const akin_technique_row *row, akin_technique asked)
{
    return asked == AKIN_AUTO ? (row->choice.capabilities & AKIN_BY_AUTO) != 0 : (int)asked == row->choice.value;
}

/* Weighs the techniques of the CPU: those that need a sample of pairs, or those that need none. */
static akin_status weigh_on_cpu(akin_plan_facts *facts, const akin_sample *whole, int samples_pairs,
                                akin_join_part *part, akin_error *error)
{
    akin_technique asked = facts->options->technique;
    const akin_technique_row *row;
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; (row = akin_technique_at(i)) && status == AKIN_OK; i++) {
        if (!row->weigh_on_cpu || row->samples_pairs != samples_pairs || !technique_is_wanted(row, asked))
            continue;
        /* Pairs are sampled only if comparing half of them at the least width could be the cheapest. */
        if (samples_pairs && asked == AKIN_AUTO && !(part->weighed[0].predicted_seconds > akin_weigh_least(facts, row)))
            continue;
        if (samples_pairs)
            status = akin_sample_pairs(facts->job, part->summary.pairs_compatible, whole, &facts->sample, error);
        if (status == AKIN_OK)
            row->weigh_on_cpu(facts, row, part);
    }
    return status;
}

#define TOKENS_LEAST 75000 /* of visits that are weighed, */
#define TOKENS_PART  8     /* or a part of the tokens of the sets */

static akin_status plan_on_cpu(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part,
                               akin_error *error)
{
    const uint64_t tokens = akin_max_u64(TOKENS_LEAST, (uint64_t)facts->tokens / TOKENS_PART);
    akin_status status = akin_plan_sample_visits(facts, akin_min_u64(AKIN_SAMPLE_TOKENS, tokens), whole, error);
    if (status == AKIN_OK)
        status = weigh_on_cpu(facts, whole, 0, part, error);
    return status == AKIN_OK ? weigh_on_cpu(facts, whole, 1, part, error) : status;
}

/* Whether the job has room for a step. What a GPU's step takes of the host is little. */
static int has_room(const akin_join_job *job, const akin_join_step *step)
{
    const akin_technique_row *row = akin_technique_of(akin_annex_of(job->scope), step->technique);
    return job->room <= 0 || step->device || !row || !row->bytes_on_cpu || row->bytes_on_cpu(job, step) <= job->room;
}

/* The cheapest step that the job has room for; the cheapest of all if it has room for none. */
static const akin_join_step *choose_step(const akin_join_job *job, const akin_join_part *part)
{
    for (uint32_t i = 0; i < part->weighed_count; i++)
        if (has_room(job, &part->weighed[i]))
            return &part->weighed[i];
    return &part->weighed[0];
}

akin_status akin_plan_choose(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                             akin_join_part *part, akin_sample *sample, akin_error *error)
{
    const akin_join_summary *summary = &part->summary;
    akin_plan_facts facts = {.job = job, .options = options};
    akin_status status = AKIN_OK;
    facts.probes = job->probes->count;
    facts.tokens = (double)(summary->tokens_left + summary->tokens_right);
    facts.tokens_a_set = facts.tokens / ((double)summary->rows_left + summary->rows_right);
    facts.compatible = (double)summary->pairs_compatible;
    facts.blocks = akin_weigh_block_pairs(job);
    const akin_technique_row *asked = akin_technique_of(akin_annex_of(job->scope), options->technique);
    int has_plan = asked && asked->plan;
    if (has_plan)
        status = asked->plan(&facts, whole, part, error);
    else if (job->place != AKIN_JOIN_ON_GPU && !akin_plan_gpu_is_quick(&facts))
        status = plan_on_cpu(&facts, whole, part, error);
    if (status == AKIN_OK && job->place != AKIN_JOIN_ON_CPU && !has_plan)
        status = akin_plan_for_gpu(&facts, whole, part, error);
    if (status != AKIN_OK)
        return status;
    part->done = *choose_step(job, part);
    if (sample)
        *sample = facts.sample;
    return AKIN_OK;
}
