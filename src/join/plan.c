/*
 * Chooses device, technique and signature widths by predicted cost: a sample of pairs tells how much each width leaves,
 * a join of a sample of sets with itself tells how many postings a prefix index would have to visit, and tables of
 * measured prices, here that of the CPU, turn both into seconds.
 */
#include "join/plan.h"

#include "join/gpu.h"
#include "join/price.h"
#include "signature/parity.h"
#include "signature/screen.h"

/* Nanoseconds of one thread for each unit of work, by SIMD level; measured with bench/join_bench (docs/benchmarks.md).
 */
typedef struct prices {
    double compare[AKIN_SCREEN_WIDTHS]; /* a pair of signatures of 64, 128, ... 2048 bits, in the bitmap join */
    double compare_screened;            /* in the lists of an index it takes so many times as long */
    double refine[2];                   /* a pair that narrow signatures leave in the bitmap join, and each wide word */
    double widen[2];                    /* the same in the screened join */
    double verify, verify_token;        /* a pair verified, and each of its tokens */
    double visit;                       /* a posting visited by AllPairs, PPJoin or GroupJoin */
    double posting;                     /* a posting put into the index by them */
    double posting_screened;            /* a posting put into the index and laid out for the screen */
    double probe, probe_screened;       /* a probe */
    double group;                       /* a set looked at to find GroupJoin's groups */
    double token;                       /* a token added to a signature */
    double project;                     /* a token projected */
} prices;

static const prices price_table[] = {
    [AKIN_CPU_SCALAR] =
        {{1.6, 3.1, 6.2, 12.5, 25, 50}, 2.4, {12, 2.5}, {12, 3}, 12, 1.0, 22, 7, 20, 20, 15, 10, 2.0, 1.0},
    [AKIN_CPU_AVX2] =
        {{0.27, 0.45, 0.82, 1.65, 3.4, 6.8}, 2.4, {12, 2.5}, {8, 1}, 12, 1.0, 22, 7, 18, 20, 12, 10, 2.0, 1.0},
    [AKIN_CPU_AVX512] =
        {{0.092, 0.155, 0.27, 0.5, 1.1, 2.2}, 2.4, {2, 0.3}, {8, 1}, 12, 1.0, 22, 7, 18, 20, 12, 10, 2.0, 1.0},
};

akin_join_technique akin_plan_technique(const akin_join_job *job)
{
    static const akin_join_technique techniques[] = {
        [AKIN_ALLPAIRS] = akin_join_allpairs,    [AKIN_PPJOIN] = akin_join_ppjoin,
        [AKIN_GROUPJOIN] = akin_join_groupjoin,  [AKIN_BITMAP] = akin_join_bitmap,
        [AKIN_SCREENED] = akin_join_screened,    [AKIN_TENSOR] = akin_join_tensor,
        [AKIN_GSSJOIN] = akin_join_in_blocks,    [AKIN_FGSSJOIN] = akin_join_in_blocks,
        [AKIN_SF_GSSJOIN] = akin_join_in_blocks, [AKIN_HYBRID] = akin_join_hybrid,
        [AKIN_PREFIX] = akin_join_prefix};
    return job->device && job->technique == AKIN_BITMAP ? akin_join_in_blocks : techniques[job->technique];
}

/* How many times as long as the prices say a technique takes on this machine. */
static double scale_of(const akin_context *context, akin_technique technique)
{
    int kind = technique == AKIN_BITMAP ? 2 : technique == AKIN_SCREENED ? 1 : 0;
    return context->scale[kind] > 0 ? context->scale[kind] : 1;
}

/* The prices of the CPU at hand. */
static const prices *prices_of(const akin_plan_facts *facts)
{
    return &price_table[facts->job->context->cpu];
}

#define THREAD_SECONDS 1e-4 /* to begin and to end one */

/* The seconds of a join whose work costs so many nanoseconds of one thread, and before it some that are not shared. */
static double seconds(const akin_plan_facts *facts, akin_technique technique, double alone, double cost)
{
    uint32_t threads = facts->job->threads;
    return (alone + cost / threads) * scale_of(facts->job->context, technique) * 1e-9 + (threads - 1) * THREAD_SECONDS;
}

static double verify(const akin_plan_facts *facts, double pairs)
{
    const prices *price = prices_of(facts);
    return pairs * (price->verify + price->verify_token * facts->tokens_a_set);
}

static void price_bitmap(const akin_plan_facts *facts, akin_join_step *step)
{
    const prices *price = prices_of(facts);
    uint32_t wide = step->bits / 64;
    double alone = 2e6, cost = facts->tokens * (price->token + price->project);
    cost += facts->probes * (20 + 8.0 * wide);
    cost += facts->compatible * facts->sample.projected * price->compare[akin_screen_width(step->bits_screen)];
    if (step->bits_screen != step->bits)
        cost += akin_plan_left(facts, step->bits_screen) * (price->refine[0] + price->refine[1] * wide);
    step->exact = facts->job->indexed->universe <= step->bits;
    step->predicted_candidates = akin_plan_left(facts, step->bits);
    step->predicted_seconds = seconds(facts, step->technique, alone, cost + verify(facts, step->predicted_candidates));
}

static void price_screened(const akin_plan_facts *facts, akin_join_step *step)
{
    const prices *price = prices_of(facts);
    const akin_sample *sample = &facts->sample;
    uint32_t narrow = akin_screen_width(step->bits_screen), width = akin_screen_width(step->bits);
    double compared = 1.5 * sample->visits + 8 * sample->postings_probing;
    double cost = facts->tokens * price->token + facts->probes * price->probe_screened;
    cost += facts->probes * 8.0 * (step->bits - step->bits_screen) / 64; /* wide signatures are memory to be written */
    double postings = sample->postings_probing + sample->postings_indexed, alone = postings * price->posting;
    cost += postings * (price->posting_screened - price->posting);
    cost += compared * price->compare[narrow] * price->compare_screened;
    if (step->bits_screen != step->bits)
        cost += sample->visits * sample->left_of_visits[narrow] * (price->widen[0] + price->widen[1] * step->bits / 64);
    step->predicted_candidates = sample->met * sample->left_of_met[width];
    /* Of a pair that meets in several lists the others find out that it is not theirs. */
    cost += (sample->visits * sample->left_of_visits[width] - step->predicted_candidates) * price->verify;
    step->predicted_seconds = seconds(facts, step->technique, alone, cost + verify(facts, step->predicted_candidates));
}

/* AllPairs looks at candidates that PPJoin prunes. GroupJoin meets groups where those meet sets, but verifies as many
 * pairs. */
static void price_prefix(const akin_plan_facts *facts, akin_join_step *step)
{
    const prices *price = prices_of(facts);
    const akin_sample *sample = &facts->sample;
    double postings = sample->postings_probing + sample->postings_indexed;
    double alone = postings * price->posting, met = facts->probes * price->probe;
    double visits = sample->visits * price->visit;
    if (step->technique == AKIN_ALLPAIRS)
        visits *= 1.3;
    double cost = met + visits;
    if (step->technique == AKIN_GROUPJOIN) {
        alone *= sample->groups;
        cost = facts->probes * price->group + met * sample->groups +
               visits * (0.3 + 0.75 * sample->groups * sample->groups);
    }
    step->predicted_candidates = sample->met;
    step->predicted_seconds = seconds(facts, step->technique, alone, cost);
}

/* The best pair of widths for a technique on signatures: for each narrow width the best wide one is considered. */
static void consider_widths(const akin_plan_facts *facts, akin_technique technique, akin_join_part *part)
{
    uint32_t asked = facts->options->bits;
    for (uint32_t screen = 64; screen <= (asked ? asked : 512); screen *= 2) {
        akin_join_step best = akin_join_step_of(technique, screen, screen);
        for (uint32_t bits = asked ? asked : screen; bits <= (asked ? asked : AKIN_PARITY_BITS_MOST); bits *= 2) {
            akin_join_step step = akin_join_step_of(technique, screen, bits);
            if (technique == AKIN_BITMAP)
                price_bitmap(facts, &step);
            else
                price_screened(facts, &step);
            if (best.predicted_seconds < 0 || step.predicted_seconds < best.predicted_seconds)
                best = step;
        }
        akin_join_part_weigh(part, &best);
    }
}

/* Weighs what the CPU has. */
static akin_status plan_for_cpu(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part,
                                akin_error *error)
{
    akin_technique asked = facts->options->technique;
    int any = asked == AKIN_AUTO;
    akin_status status = akin_plan_sample_visits(facts, AKIN_SAMPLE_TOKENS, whole, error);
    if (status != AKIN_OK)
        return status;
    if (any || asked == AKIN_SCREENED)
        consider_widths(facts, AKIN_SCREENED, part);
    for (akin_technique technique = AKIN_ALLPAIRS; technique <= AKIN_GROUPJOIN; technique++) {
        if (asked != technique && (!any || facts->options->bits))
            continue;
        akin_join_step step = akin_join_step_of(technique, 0, 0);
        price_prefix(facts, &step);
        akin_join_part_weigh(part, &step);
    }
    /* Pairs are sampled only if comparing half of them at the least width could be the cheapest. */
    double least = seconds(facts, AKIN_BITMAP, 0, 0.5 * facts->compatible * prices_of(facts)->compare[0]);
    if (asked == AKIN_BITMAP || (any && part->weighed[0].predicted_seconds > least)) {
        status = akin_sample_pairs(facts->job, part->summary.pairs_compatible, whole, &facts->sample, error);
        if (status == AKIN_OK)
            consider_widths(facts, AKIN_BITMAP, part);
    }
    return status;
}

/* Weighs the filters of AKIN_HYBRID: of its price theirs is what matters, as the rest is done meanwhile. */
static akin_status plan_for_both(akin_plan_facts *facts, const akin_sample *whole, akin_join_part *part,
                                 akin_error *error)
{
    akin_technique asked = facts->options->filter;
    akin_status status = akin_plan_sample_visits(facts, AKIN_SAMPLE_TOKENS, whole, error);
    for (akin_technique filter = AKIN_ALLPAIRS; filter <= AKIN_GROUPJOIN && status == AKIN_OK; filter++) {
        if (asked != AKIN_AUTO && asked != filter)
            continue;
        akin_join_step step = akin_join_step_of(filter, 0, 0);
        price_prefix(facts, &step);
        step.technique = AKIN_HYBRID;
        step.filter = filter;
        step.device = facts->job->owner->device_number + 1;
        akin_join_part_weigh(part, &step);
    }
    return status;
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
    int both = options->technique == AKIN_HYBRID;
    if (both)
        status = plan_for_both(&facts, whole, part, error);
    else if (job->place != AKIN_JOIN_ON_GPU && !akin_plan_gpu_is_quick(&facts))
        status = plan_for_cpu(&facts, whole, part, error);
    if (status == AKIN_OK && job->place != AKIN_JOIN_ON_CPU && !both)
        status = akin_plan_for_gpu(&facts, whole, part, error);
    if (status != AKIN_OK)
        return status;
    part->done = part->weighed[0];
    if (sample)
        *sample = facts.sample;
    return AKIN_OK;
}
