/* The planner's half of the GPU: which samples are worth taking for it, and whether it is worth opening one. */
#include "base/annex.h"
#include "device/worth.h"
#include "device/devices.h"
#include "join/plan.h"
#include "join/price.h"
#include "join/technique_rows.h"
#include "join/weigh.h"

#include <math.h>

/* Weighs by the samples at hand the techniques that AKIN_AUTO may choose, or those that the caller named. */
static void consider_gpu(akin_plan_facts *facts, const akin_gpu_prices *price, akin_join_part *part)
{
    akin_technique asked = facts->options->technique;
    const akin_technique_row *row = akin_technique_on_gpu(akin_annex_of(facts->job->scope), asked);
    facts->gpu = price;
    if (asked != AKIN_AUTO && row && row->weigh_on_gpu)
        row->weigh_on_gpu(facts, row, part);
    for (uint32_t i = 0; asked == AKIN_AUTO && (row = akin_technique_at(i)); i++)
        if (row->weigh_on_gpu)
            row->weigh_on_gpu(facts, row, part);
}

/* The seconds of the cheapest by the samples at hand; of what is not sampled filters leave nothing. */
static double least_gpu_seconds(akin_plan_facts *facts, const akin_gpu_prices *price)
{
    akin_join_part part = akin_join_part_begin();
    consider_gpu(facts, price, &part);
    return part.weighed_count ? part.weighed[0].predicted_seconds : INFINITY;
}

/* Looks for the GPU; 0: there is none that works. */
static int find_gpu_techniques(akin_join_job *job)
{
    if (!job->gpu && akin_device_of(job->scope, &job->gpu, NULL) != AKIN_OK)
        job->gpu = NULL;
    if (job->gpu && !job->devices && akin_devices_of(job->scope, &job->devices, NULL) != AKIN_OK)
        job->devices = NULL;
    return job->gpu != NULL;
}

/* Whether the GPU can beat the best choice for the CPU, and exists. A GPU is looked for only if it can win. The time to
 * open it is spread over all joins that are still to come. */
static int is_worth(akin_plan_facts *facts, const akin_gpu_prices *price, const akin_join_part *part)
{
    akin_join_job *job = facts->job;
    const akin_device_estimate e = {
        .here = part->weighed[0].predicted_seconds, .there = least_gpu_seconds(facts, price), .times = job->times};
    return akin_device_is_worth(job->scope, &e) && find_gpu_techniques(job);
}

int akin_plan_gpu_is_quick(akin_plan_facts *facts)
{
    akin_join_job *job = facts->job;
    const akin_gpu_prices price = akin_gpu_prices_of(job->scope);
    if (job->place != AKIN_JOIN_ON_EITHER || facts->options->technique != AKIN_AUTO || !akin_device_opened(job->scope))
        return 0;
    return akin_device_is_quick(job->scope, least_gpu_seconds(facts, &price), price.quick) && find_gpu_techniques(job);
}

/* Visits are sampled if the sample takes at most a share of the predicted time of the join. The share is larger where
 * sets are short, since the prefix index may be faster there. */
#define VISITS_SECONDS     4e-7 /* for each set drawn */
#define VISITS_SHARE       0.05
#define VISITS_SHARE_SHORT 0.35
#define SHORT              40    /* tokens */
#define TOKENS_QUICK       75000 /* looked at where the join takes a few ms; see akin_sample_visits */

/* Samples visits if they are wanted, not sampled yet, and sampling pays by what is known. */
static akin_status try_visits(akin_plan_facts *facts, const akin_gpu_prices *price, const akin_sample *whole,
                              akin_error *error)
{
    akin_technique asked = facts->options->technique;
    const akin_technique_row *row = akin_technique_of(akin_annex_of(facts->job->scope), asked);
    if (facts->sample.visits > 0 || (asked != AKIN_AUTO && !(row && row->samples_visits)))
        return AKIN_OK;
    double share = facts->tokens_a_set <= SHORT ? VISITS_SHARE_SHORT : VISITS_SHARE;
    double least = least_gpu_seconds(facts, price);
    if (!(row && row->by_visits) && VISITS_SECONDS * (double)akin_sample_sets(facts->job) >= share * least)
        return AKIN_OK;
    uint64_t tokens = least < price->quick ? TOKENS_QUICK : AKIN_SAMPLE_TOKENS;
    return akin_plan_sample_visits(facts, tokens, whole, error);
}

/* Whether pairs need not be sampled: a technique that is priced by visits, such as the prefix index, takes less than
 * tensor would if signatures left hardly any. */
static int visits_suffice(akin_plan_facts *facts, const akin_gpu_prices *price)
{
    akin_join_part part = akin_join_part_begin();
    consider_gpu(facts, price, &part);
    const akin_technique_row *best =
        part.weighed_count > 0 ? akin_technique_of(akin_annex_of(facts->job->scope), part.weighed[0].technique) : NULL;
    return best && best->by_visits;
}

akin_status akin_plan_for_gpu(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part, akin_error *error)
{
    const akin_join_job *job = facts->job;
    const akin_gpu_prices price = akin_gpu_prices_of(job->scope);
    if (job->place == AKIN_JOIN_ON_EITHER && part->weighed_count > 0 && !is_worth(facts, &price, part))
        return AKIN_OK;
    akin_join_job alone = *job; /* where the CPU is not weighed, a GPU needs a smaller sample of pairs */
    alone.place = part->weighed_count > 0 ? job->place : AKIN_JOIN_ON_GPU;
    akin_status status = try_visits(facts, &price, whole, error);
    if (status == AKIN_OK && facts->sample.left[0] <= 0 && !visits_suffice(facts, &price)) {
        status = akin_sample_pairs(&alone, part->summary.pairs_compatible, whole, &facts->sample, error);
        if (status == AKIN_OK)
            status = try_visits(facts, &price, whole, error);
    }
    if (status == AKIN_OK)
        consider_gpu(facts, &price, part);
    return status;
}
