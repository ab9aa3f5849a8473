/*
 * Chooses technique and signature widths by predicted cost: a sample of pairs tells how much each width leaves, a join of a
 * sample of sets with itself tells how many postings a prefix index would have to visit, and a table of measured prices turns
 * both into seconds.
 */
#include "join/plan.h"

#include "join/sample.h"
#include "signature/parity.h"
#include "signature/screen.h"

/* Nanoseconds of one thread for each unit of work, by SIMD level; measured with bench/join_bench (docs/benchmarks.md). */
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
    double token;                       /* a token added to a signature */
    double project;                     /* a token projected */
} prices;

static const prices price_table[] = {
    [AKIN_CPU_SCALAR] = {{1.6, 3.1, 6.2, 12.5, 25, 50}, 2.4, {12, 2.5}, {12, 3}, 12, 1.0, 22, 7, 20, 20, 15, 2.0, 1.0},
    [AKIN_CPU_AVX2] =
        {{0.27, 0.45, 0.82, 1.65, 3.4, 6.8}, 2.4, {12, 2.5}, {8, 1}, 12, 1.0, 22, 7, 18, 20, 12, 2.0, 1.0},
    [AKIN_CPU_AVX512] =
        {{0.092, 0.155, 0.27, 0.5, 1.1, 2.2}, 2.4, {2, 0.3}, {8, 1}, 12, 1.0, 22, 7, 18, 20, 12, 2.0, 1.0},
};

akin_join_technique akin_plan_technique(akin_technique technique)
{
    static const akin_join_technique techniques[] = {[AKIN_ALLPAIRS] = akin_join_allpairs,
                                                     [AKIN_PPJOIN] = akin_join_ppjoin,
                                                     [AKIN_GROUPJOIN] = akin_join_groupjoin,
                                                     [AKIN_BITMAP] = akin_join_bitmap,
                                                     [AKIN_SCREENED] = akin_join_screened};
    return techniques[technique];
}

/* What the planner reckons with. */
typedef struct facts {
    const akin_join_job *job;
    const akin_join_options *options;
    const prices *price;
    akin_sample sample;
    double probes, tokens, tokens_a_set, compatible;
} facts;

/* The cost of what is left after comparing `pairs` signatures, of which the widths leave the given shares. */
static double follow_up(const facts *facts, double pairs, const double *left, const double *widen, uint32_t screen,
                        uint32_t bits, double *candidates)
{
    const prices *price = facts->price;
    double cost = 0, share = left[akin_screen_width(bits)];
    if (screen != bits)
        cost += pairs * left[akin_screen_width(screen)] * (widen[0] + widen[1] * bits / 64);
    *candidates = pairs * share;
    return cost + *candidates * (price->verify + price->verify_token * facts->tokens_a_set);
}

static void price_bitmap(const facts *facts, akin_join_step *step)
{
    const prices *price = facts->price;
    double pairs = facts->compatible * facts->sample.projected;
    double cost = facts->tokens * (price->token + price->project) + 2e6;
    cost += facts->probes * (20 + 3.0 * step->bits / 64);
    cost += pairs * price->compare[akin_screen_width(step->bits_screen)];
    step->exact = facts->job->indexed->universe <= step->bits;
    cost += follow_up(facts, facts->compatible, facts->sample.left, price->refine, step->bits_screen, step->bits,
                      &step->predicted_candidates);
    step->predicted_seconds = cost / facts->job->threads * 1e-9;
}

static void price_screened(const facts *facts, akin_join_step *step)
{
    const prices *price = facts->price;
    const akin_sample *sample = &facts->sample;
    double compared = 1.5 * sample->visits + 8 * sample->postings_probing;
    double cost = facts->tokens * price->token + facts->probes * price->probe_screened;
    cost += (sample->postings_probing + sample->postings_indexed) * price->posting_screened;
    cost += compared * price->compare[akin_screen_width(step->bits_screen)] * price->compare_screened;
    cost += follow_up(facts, sample->visits, sample->left_of_visits, price->widen, step->bits_screen, step->bits,
                      &step->predicted_candidates);
    step->predicted_seconds = cost / facts->job->threads * 1e-9;
}

/* AllPairs, PPJoin and GroupJoin differ by less than a sample can tell; on real data GroupJoin is ahead where prefixes are
 * little more than a token and so repeat, PPJoin elsewhere. */
static void price_prefix(const facts *facts, akin_join_step *step)
{
    const prices *price = facts->price;
    const akin_sample *sample = &facts->sample;
    double cost = facts->probes * price->probe + (sample->postings_probing + sample->postings_indexed) * price->posting;
    double visit = price->visit;
    if (step->technique == AKIN_ALLPAIRS)
        visit *= 1.3;
    else if (step->technique == AKIN_GROUPJOIN)
        visit *= sample->postings_indexed < 1.3 * facts->probes ? 0.5 : 1.05;
    cost += sample->visits * visit;
    step->predicted_candidates = sample->visits;
    step->predicted_seconds = cost / facts->job->threads * 1e-9;
}

/* Adds a step to what was considered, keeping the cheapest, sorted. */
static void consider(akin_join_report *report, const akin_join_step *step)
{
    uint32_t at = report->considered_count;
    if (at == AKIN_JOIN_STEPS && report->considered[at - 1].predicted_seconds <= step->predicted_seconds)
        return;
    at -= at == AKIN_JOIN_STEPS;
    for (; at && report->considered[at - 1].predicted_seconds > step->predicted_seconds; at--)
        report->considered[at] = report->considered[at - 1];
    report->considered[at] = *step;
    report->considered_count += report->considered_count < AKIN_JOIN_STEPS;
}

/* The best pair of widths for a technique on signatures: for each narrow width the best wide one is considered. */
static void consider_widths(const facts *facts, akin_technique technique, akin_join_report *report)
{
    uint32_t asked = facts->options->bits;
    for (uint32_t screen = 64; screen <= (asked ? asked : 512); screen *= 2) {
        akin_join_step best = {.predicted_seconds = -1};
        for (uint32_t bits = asked ? asked : screen; bits <= (asked ? asked : AKIN_PARITY_BITS_MOST); bits *= 2) {
            akin_join_step step = {.technique = technique, .bits = bits, .bits_screen = screen};
            if (technique == AKIN_BITMAP)
                price_bitmap(facts, &step);
            else
                price_screened(facts, &step);
            if (best.predicted_seconds < 0 || step.predicted_seconds < best.predicted_seconds)
                best = step;
        }
        consider(report, &best);
    }
}

akin_status akin_plan_choose(akin_join_job *job, const akin_join_options *options, akin_join_report *report,
                             akin_error *error)
{
    akin_technique asked = options->technique;
    int any = asked == AKIN_AUTO;
    if (report->pairs_compatible == 0) {
        uint32_t bits = options->bits ? options->bits : AKIN_PARITY_BITS_LEAST;
        report->done.technique = !any ? asked : options->bits ? AKIN_BITMAP : AKIN_PPJOIN;
        if (report->done.technique >= AKIN_BITMAP)
            report->done.bits = report->done.bits_screen = bits;
        return AKIN_OK;
    }
    facts facts = {.job = job, .options = options, .price = &price_table[job->context->cpu]};
    facts.probes = job->probes->count;
    facts.tokens = (double)(report->tokens_left + report->tokens_right);
    facts.tokens_a_set = facts.tokens / ((double)report->rows_left + report->rows_right);
    facts.compatible = (double)report->pairs_compatible;
    if (asked != AKIN_BITMAP) {
        akin_status status = akin_sample_visits(job, &facts.sample, error);
        if (status != AKIN_OK)
            return status;
    }
    if (any || asked == AKIN_SCREENED)
        consider_widths(&facts, AKIN_SCREENED, report);
    for (akin_technique technique = AKIN_ALLPAIRS; technique <= AKIN_GROUPJOIN; technique++) {
        if (asked != technique && (!any || options->bits))
            continue;
        akin_join_step step = {.technique = technique};
        price_prefix(&facts, &step);
        consider(report, &step);
    }
    /* Pairs are sampled only if comparing half of them at the least width could be the cheapest. */
    double least = 0.5 * facts.compatible * facts.price->compare[0] * 1e-9 / job->threads;
    if (asked == AKIN_BITMAP || (any && report->considered[0].predicted_seconds > least)) {
        akin_status status = akin_sample_pairs(job, report->pairs_compatible, &facts.sample, error);
        if (status != AKIN_OK)
            return status;
        consider_widths(&facts, AKIN_BITMAP, report);
    }
    report->done = report->considered[0];
    return AKIN_OK;
}
