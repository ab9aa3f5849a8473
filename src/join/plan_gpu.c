/* The planner's half of the GPU: what its techniques are predicted to take there, transfers included. */
#include "join/kernels.h"
#include "join/price.h"
#include "signature/parity.h"

/* Those of an H200 with 16 threads of its host; measured with bench/join_bench and bench/device_bench
 * (docs/benchmarks.md). */
static const akin_gpu_prices built_in = {
    .open = 0.5,
    .start = 1.2e-3,
    .bytes = 2e10,
    .tokens = 5e10,
    .compare = {8.4e12, 4.9e12, 2.8e12, 1.4e12},
    .candidates = 1e9,
    .fetched = 5e8,
    .counters = 3e11,
    .counter_bits = 5e13,
};

/* Seconds until both sides are there: tokens, of 16 bits where the universe permits it, and offsets of 64 bits. */
static double bring(const akin_plan_facts *facts, const akin_gpu_prices *price)
{
    double token = facts->job->indexed->universe <= (uint64_t)UINT16_MAX + 1 ? 2 : 4;
    return price->start + (token * facts->tokens + 8 * facts->sets) / price->bytes;
}

/* Seconds until the pairs found are here. About as many are found as the widest signatures leave. */
static double fetch(const akin_plan_facts *facts, const akin_gpu_prices *price, double candidates)
{
    double found = akin_plan_left(facts, AKIN_PARITY_BITS_MOST);
    if (!facts->job->keep)
        return 0;
    return (found < candidates ? found : candidates) / price->fetched;
}

/* Where the universe fits the width the signature is the set itself, and what it leaves are the pairs that qualify. */
static void consider_tensor(const akin_plan_facts *facts, const akin_gpu_prices *price, akin_join_part *part)
{
    uint32_t asked = facts->options->bits, bits = AKIN_TENSOR_BITS_LEAST;
    for (uint32_t width = 0; width < AKIN_GPU_WIDTHS; width++, bits *= 2) {
        if (asked && asked != bits)
            continue;
        akin_join_step step = akin_join_step_of(AKIN_TENSOR, bits, bits);
        step.exact = facts->job->indexed->universe <= bits;
        step.predicted_candidates = akin_plan_left(facts, bits);
        step.predicted_seconds = bring(facts, price) + facts->tokens / price->tokens +
                                 facts->compatible / price->compare[width] +
                                 fetch(facts, price, step.predicted_candidates);
        if (!step.exact)
            step.predicted_seconds += step.predicted_candidates / price->candidates;
        akin_join_part_weigh(part, &step);
    }
}

/*
 * The paper's joins are done when they are asked for, so there is nothing to choose but a width, and prices are rough:
 * a counter that is cleared and looked at for each pair, and a share of the pairs that is not known, so all of them.
 */
static void consider_blocks(const akin_plan_facts *facts, const akin_gpu_prices *price, akin_join_part *part)
{
    int bitmap = facts->options->technique == AKIN_BITMAP;
    uint32_t asked = bitmap ? facts->options->bits : 0, bits = asked || !bitmap ? asked : AKIN_PARITY_BITS_LEAST;
    do {
        akin_join_step step = akin_join_step_of(facts->options->technique, bits, bits);
        step.predicted_candidates = bitmap ? akin_plan_left(facts, bits) : facts->compatible;
        step.predicted_seconds = bring(facts, price) + facts->compatible / price->counters +
                                 facts->compatible * bits / price->counter_bits +
                                 step.predicted_candidates / price->candidates;
        akin_join_part_weigh(part, &step);
        bits *= 2;
    } while (bitmap && !asked && bits <= AKIN_PARITY_BITS_MOST);
}

/* Weighs by the samples at hand. */
static void consider(const akin_plan_facts *facts, akin_join_part *part)
{
    const akin_gpu_prices *price = &built_in;
    akin_technique asked = facts->options->technique;
    if (asked == AKIN_AUTO || asked == AKIN_TENSOR)
        consider_tensor(facts, price, part);
    else
        consider_blocks(facts, price, part);
}

akin_status akin_plan_for_gpu(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part, akin_error *error)
{
    akin_status status = akin_sample_pairs(facts->job, part->summary.pairs_compatible, whole, &facts->sample, error);
    if (status == AKIN_OK)
        consider(facts, part);
    return status;
}
