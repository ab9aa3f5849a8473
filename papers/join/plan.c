/* What the papers' joins are predicted to take. They run only when they are requested. */
#include "device/devices.h"
#include "device/worth.h"
#include "join/plan.h"
#include "join/technique_rows.h"
#include "join/weigh.h"
#include "papers/join/options.h"
#include "papers/join/technique.h"
#include "signature/parity.h"

/* In a second, by an H200: counters looked at, and bits of signatures compared. */
#define COUNTERS     3e11
#define COUNTER_BITS 5e13

/* Weighs the filters: of the price theirs is what matters, as a GPU verifies meanwhile. */
akin_status akin_plan_hybrid(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part, akin_error *error)
{
    akin_technique asked = akin_papers_join_options_of(facts->options->annex).filter;
    akin_join_part filters = akin_join_part_begin();
    const akin_technique_row *row;
    akin_status status = akin_plan_sample_visits(facts, AKIN_SAMPLE_TOKENS, whole, error);
    for (uint32_t i = 0; (row = akin_technique_at(i)) && status == AKIN_OK; i++)
        if ((row->choice.capabilities & AKIN_IS_FILTER) && (asked == AKIN_AUTO || (int)asked == row->choice.value))
            row->weigh_on_cpu(facts, row, &filters);
    for (uint32_t i = 0; i < filters.weighed_count && status == AKIN_OK; i++) {
        akin_join_step step = filters.weighed[i];
        step.annex_chosen[AKIN_CHOSEN_FILTER] = step.technique;
        step.technique = facts->options->technique;
        step.device = akin_device_first(facts->job->scope) + 1;
        akin_join_part_weigh(part, &step);
    }
    return status;
}

/*
 * The paper's joins run when they are requested, so only a width is chosen, and prices are rough: a counter that is
 * cleared and looked at for each pair, and a share of the pairs that is not known, so all of them.
 */
void akin_weigh_blocks(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    const akin_gpu_prices *price = facts->gpu;
    const double times = akin_calibrated_scale(facts->job->scope, AKIN_CALIBRATED_COMPARE);
    int bitmap = (technique->choice.capabilities & AKIN_TAKES_BITS) != 0;
    if (facts->options->technique == AKIN_AUTO)
        return;
    uint32_t asked = bitmap ? facts->options->bits : 0, bits = asked || !bitmap ? asked : AKIN_PARITY_BITS_LEAST;
    do {
        akin_join_step step = akin_weigh_step(facts, technique, bits);
        step.predicted_candidates = bitmap ? akin_plan_left(facts, bits) : facts->compatible;
        step.predicted_seconds = akin_weigh_bring(price, facts->tokens, facts->job->indexed->universe) +
                                 times * (facts->compatible / COUNTERS + facts->compatible * bits / COUNTER_BITS) +
                                 akin_weigh_verify(price, step.predicted_candidates, facts->tokens_a_set);
        akin_join_part_weigh(part, &step);
        bits *= 2;
    } while (bitmap && !asked && bits <= AKIN_PARITY_BITS_MOST);
}
