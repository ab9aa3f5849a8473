/*
 * Chooses technique and signature widths by predicted cost: a sample of pairs tells how much each width leaves, a
 * join of a sample of sets with itself tells how many postings a prefix index would have to visit, and a table of
 * measured prices turns both into seconds.
 */
#include "join/plan.h"

#include "device/primitives.h"
#include "join/gpu.h"
#include "join/report.h"
#include "join/sample.h"
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
        [AKIN_SF_GSSJOIN] = akin_join_in_blocks, [AKIN_PREFIX] = akin_join_prefix};
    return job->device && job->technique == AKIN_BITMAP ? akin_join_in_blocks : techniques[job->technique];
}

/* How many times as long as the prices say a technique takes on this machine. */
static double scale_of(const akin_context *context, akin_technique technique)
{
    int kind = technique == AKIN_BITMAP ? 2 : technique == AKIN_SCREENED ? 1 : 0;
    return context->scale[kind] > 0 ? context->scale[kind] : 1;
}

/* What the planner reckons with. */
typedef struct facts {
    const akin_join_job *job;
    const akin_join_options *options;
    const prices *price;
    akin_sample sample;
    double probes, tokens, tokens_a_set, compatible;
} facts;

/* The seconds of a join whose work costs so many nanoseconds of one thread. */
static double seconds(const facts *facts, akin_technique technique, double cost)
{
    return cost * scale_of(facts->job->context, technique) / facts->job->threads * 1e-9;
}

static double verify(const facts *facts, double pairs)
{
    return pairs * (facts->price->verify + facts->price->verify_token * facts->tokens_a_set);
}

/* Of all pairs a random sample tells how many unlike ones a width leaves; those that are alike meet in the lists. */
static double left_of_all(const facts *facts, uint32_t bits)
{
    const akin_sample *sample = &facts->sample;
    uint32_t width = akin_screen_width(bits);
    double unlike = facts->compatible * sample->left[width], alike = sample->met * sample->left_of_met[width];
    return unlike > alike ? unlike : alike;
}

static void price_bitmap(const facts *facts, akin_join_step *step)
{
    const prices *price = facts->price;
    uint32_t wide = step->bits / 64;
    double cost = facts->tokens * (price->token + price->project) + 2e6;
    cost += facts->probes * (20 + 8.0 * wide);
    cost += facts->compatible * facts->sample.projected * price->compare[akin_screen_width(step->bits_screen)];
    if (step->bits_screen != step->bits)
        cost += left_of_all(facts, step->bits_screen) * (price->refine[0] + price->refine[1] * wide);
    step->exact = facts->job->indexed->universe <= step->bits;
    step->predicted_candidates = left_of_all(facts, step->bits);
    step->predicted_seconds = seconds(facts, step->technique, cost + verify(facts, step->predicted_candidates));
}

static void price_screened(const facts *facts, akin_join_step *step)
{
    const prices *price = facts->price;
    const akin_sample *sample = &facts->sample;
    uint32_t narrow = akin_screen_width(step->bits_screen), width = akin_screen_width(step->bits);
    double compared = 1.5 * sample->visits + 8 * sample->postings_probing;
    double cost = facts->tokens * price->token + facts->probes * price->probe_screened;
    cost += (sample->postings_probing + sample->postings_indexed) * price->posting_screened;
    cost += compared * price->compare[narrow] * price->compare_screened;
    if (step->bits_screen != step->bits)
        cost += sample->visits * sample->left_of_visits[narrow] * (price->widen[0] + price->widen[1] * step->bits / 64);
    step->predicted_candidates = sample->met * sample->left_of_met[width];
    /* Of a pair that meets in several lists the others find out that it is not theirs. */
    cost += (sample->visits * sample->left_of_visits[width] - step->predicted_candidates) * price->verify;
    step->predicted_seconds = seconds(facts, step->technique, cost + verify(facts, step->predicted_candidates));
}

/* AllPairs looks at candidates that PPJoin prunes. GroupJoin meets groups where those meet sets, but verifies as many
 * pairs. */
static void price_prefix(const facts *facts, akin_join_step *step)
{
    const prices *price = facts->price;
    const akin_sample *sample = &facts->sample;
    double postings = sample->postings_probing + sample->postings_indexed;
    double met = facts->probes * price->probe + postings * price->posting, visits = sample->visits * price->visit;
    if (step->technique == AKIN_ALLPAIRS)
        visits *= 1.3;
    double cost = met + visits;
    if (step->technique == AKIN_GROUPJOIN)
        cost = facts->probes * price->group + met * sample->groups +
               visits * (0.3 + 0.75 * sample->groups * sample->groups);
    step->predicted_candidates = sample->met;
    step->predicted_seconds = seconds(facts, step->technique, cost);
}

/* The best pair of widths for a technique on signatures: for each narrow width the best wide one is considered. */
static void consider_widths(const facts *facts, akin_technique technique, akin_join_part *part)
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

/* Pairs of signatures of 256, 512, 1024 and 2048 bits that the filter compares in a second on an H200, bytes that go to
 * it through staging buffers, and candidates that are verified there. */
static const double tensor_pairs[] = {8.4e12, 4.9e12, 2.8e12, 1.4e12};
#define TENSOR_BYTES      8e9
#define TENSOR_CANDIDATES 1e9
#define TENSOR_START      5e-4 /* seconds for buffers, launches, waits */

static void consider_tensor(const facts *facts, akin_join_part *part)
{
    uint32_t asked = facts->options->bits, bits = AKIN_TENSOR_BITS_LEAST;
    for (uint32_t width = 0; width < sizeof tensor_pairs / sizeof *tensor_pairs; width++, bits *= 2) {
        if (asked && asked != bits)
            continue;
        akin_join_step step = akin_join_step_of(AKIN_TENSOR, bits, bits);
        step.predicted_candidates = facts->compatible * facts->sample.left[akin_screen_width(bits)];
        step.predicted_seconds = TENSOR_START + 4 * facts->tokens / TENSOR_BYTES +
                                 facts->compatible / tensor_pairs[width] +
                                 step.predicted_candidates / TENSOR_CANDIDATES;
        akin_join_part_weigh(part, &step);
    }
}

/* What the prefix index takes of an H200: postings that are sorted and looked up in a second, pairs of a list that are
 * looked at, and pairs whose sets are compared. */
#define PREFIX_POSTINGS   5e9
#define PREFIX_PAIRS      5e10
#define PREFIX_CANDIDATES 1e9
#define PREFIX_TOKENS     2e11 /* bytes of the lists, one for each distinct token, that are cleared */

/* The index of a GPU has no more postings than a call sorts: beyond that, or where no visits were sampled, there is
 * nothing to weigh, unless it was asked for. */
static void consider_prefix(const facts *facts, akin_join_part *part)
{
    const akin_sample *sample = &facts->sample;
    akin_join_step step = akin_join_step_of(AKIN_PREFIX, 0, 0);
    double most = (double)AKIN_DEVICE_ITEMS, universe = (double)facts->job->indexed->universe;
    if (facts->options->technique == AKIN_AUTO && (facts->options->bits || sample->visits <= 0 ||
                                                   sample->postings_probing > most || sample->postings_indexed > most))
        return;
    step.predicted_candidates = sample->met;
    step.predicted_seconds = TENSOR_START + 4 * facts->tokens / TENSOR_BYTES +
                             (sample->postings_probing + sample->postings_indexed) / PREFIX_POSTINGS +
                             sizeof(akin_posting_list) * universe / PREFIX_TOKENS + sample->visits / PREFIX_PAIRS +
                             sample->met / PREFIX_CANDIDATES;
    akin_join_part_weigh(part, &step);
}

/*
 * The paper's joins are done when they are asked for, so there is nothing to choose but a width, and prices are rough:
 * a counter that is cleared and looked at for each pair, and a share of the pairs that is not known, so all of them.
 */
#define BLOCKS_PAIRS 3e11 /* counters in a second */
#define BLOCKS_BITS  5e13 /* bits of signatures */

static void consider_blocks(const facts *facts, akin_join_part *part)
{
    int bitmap = facts->options->technique == AKIN_BITMAP;
    uint32_t asked = bitmap ? facts->options->bits : 0, bits = asked || !bitmap ? asked : AKIN_PARITY_BITS_LEAST;
    do {
        akin_join_step step = akin_join_step_of(facts->options->technique, bits, bits);
        step.predicted_candidates = facts->compatible;
        if (bitmap)
            step.predicted_candidates *= facts->sample.left[akin_screen_width(bits)];
        step.predicted_seconds = TENSOR_START + 4 * facts->tokens / TENSOR_BYTES + facts->compatible / BLOCKS_PAIRS +
                                 facts->compatible * bits / BLOCKS_BITS + step.predicted_candidates / TENSOR_CANDIDATES;
        akin_join_part_weigh(part, &step);
        bits *= 2;
    } while (bitmap && !asked && bits <= AKIN_PARITY_BITS_MOST);
}

/* The plan of a join that a GPU is to do. */
static akin_status choose_for_gpu(facts *facts, const akin_sample *whole, akin_join_part *part, akin_error *error)
{
    akin_technique asked = facts->options->technique;
    akin_status status = AKIN_OK;
    if (asked == AKIN_AUTO || asked == AKIN_PREFIX)
        status = akin_sample_visits(facts->job, whole, &facts->sample, error);
    if (status == AKIN_OK && asked != AKIN_PREFIX)
        status = akin_sample_pairs(facts->job, part->summary.pairs_compatible, whole, &facts->sample, error);
    if (status != AKIN_OK)
        return status;
    if (facts->sample.met > facts->compatible)
        facts->sample.met = facts->compatible;
    if (asked == AKIN_AUTO || asked == AKIN_PREFIX)
        consider_prefix(facts, part);
    if (asked == AKIN_AUTO || asked == AKIN_TENSOR)
        consider_tensor(facts, part);
    else if (asked != AKIN_PREFIX)
        consider_blocks(facts, part);
    part->done = part->weighed[0];
    return AKIN_OK;
}

akin_status akin_plan_choose(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                             akin_join_part *part, akin_sample *sample, akin_error *error)
{
    const akin_join_summary *summary = &part->summary;
    akin_technique asked = options->technique;
    int any = asked == AKIN_AUTO;
    facts facts = {.job = job, .options = options, .price = &price_table[job->context->cpu]};
    facts.probes = job->probes->count;
    facts.tokens = (double)(summary->tokens_left + summary->tokens_right);
    facts.tokens_a_set = facts.tokens / ((double)summary->rows_left + summary->rows_right);
    facts.compatible = (double)summary->pairs_compatible;
    if (job->device) {
        akin_status planned = choose_for_gpu(&facts, whole, part, error);
        if (planned == AKIN_OK && sample)
            *sample = facts.sample;
        return planned;
    }
    akin_status status = akin_sample_visits(job, whole, &facts.sample, error);
    if (status != AKIN_OK)
        return status;
    if (facts.sample.met > facts.compatible) /* few visits of huge sets tell little of how often a pair meets */
        facts.sample.met = facts.compatible;
    if (any || asked == AKIN_SCREENED)
        consider_widths(&facts, AKIN_SCREENED, part);
    for (akin_technique technique = AKIN_ALLPAIRS; technique <= AKIN_GROUPJOIN; technique++) {
        if (asked != technique && (!any || options->bits))
            continue;
        akin_join_step step = akin_join_step_of(technique, 0, 0);
        price_prefix(&facts, &step);
        akin_join_part_weigh(part, &step);
    }
    /* Pairs are sampled only if comparing half of them at the least width could be the cheapest. */
    double least = seconds(&facts, AKIN_BITMAP, 0.5 * facts.compatible * facts.price->compare[0]);
    if (asked == AKIN_BITMAP || (any && part->weighed[0].predicted_seconds > least)) {
        status = akin_sample_pairs(job, summary->pairs_compatible, whole, &facts.sample, error);
        if (status != AKIN_OK)
            return status;
        consider_widths(&facts, AKIN_BITMAP, part);
    }
    part->done = part->weighed[0];
    if (sample)
        *sample = facts.sample;
    return AKIN_OK;
}
