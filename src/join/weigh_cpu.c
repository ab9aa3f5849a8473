/* What the CPU's techniques are predicted to take, by tables of measured prices and by samples. */
#include "join/weigh.h"

#include "device/worth.h"
#include "signature/parity.h"
#include "signature/screen.h"

/* Nanoseconds of one thread for each unit of work, by SIMD level; measured with bench/join_bench (docs/benchmarks.md).
 */
typedef struct prices {
    double compare[AKIN_SCREEN_WIDTHS]; /* a pair of signatures of 64, 128, ... 2048 bits, in the bitmap join */
    double compare_screened;            /* factor of the time in the lists of an index */
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

/* The prices of the CPU at hand. */
static const prices *prices_of(const akin_plan_facts *facts)
{
    return &price_table[facts->job->scope->cpu];
}

#define THREAD_SECONDS 1e-4 /* to begin and to end one */

/* The seconds of a join. `cost` is its shared work in nanoseconds of one thread, `alone` the work before it that is not
 * shared. */
static double seconds_on_cpu(const akin_plan_facts *facts, const akin_technique_row *technique, double alone,
                             double cost)
{
    const uint32_t threads = facts->job->threads;
    const double scale = akin_calibrated_scale(facts->job->scope, technique->kind);
    return (alone + cost / threads) * scale * 1e-9 + (threads - 1) * THREAD_SECONDS;
}

static double seconds_to_verify(const akin_plan_facts *facts, double pairs)
{
    const prices *price = prices_of(facts);
    return pairs * (price->verify + price->verify_token * facts->tokens_a_set);
}

static void price_bitmap(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_step *step)
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
    step->predicted_seconds =
        seconds_on_cpu(facts, technique, alone, cost + seconds_to_verify(facts, step->predicted_candidates));
}

static void price_screened(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_step *step)
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
    step->predicted_seconds =
        seconds_on_cpu(facts, technique, alone, cost + seconds_to_verify(facts, step->predicted_candidates));
}

/* Of a prefix index. */
static void price_prefix(const akin_plan_facts *facts, const akin_technique_row *technique, double alone, double cost,
                         akin_join_part *part)
{
    akin_join_step step = akin_join_step_of((akin_technique)technique->choice.value, 0, 0);
    step.predicted_candidates = facts->sample.met;
    step.predicted_seconds = seconds_on_cpu(facts, technique, alone, cost);
    if (facts->options->bits == 0 || facts->options->technique != AKIN_AUTO)
        akin_join_part_weigh(part, &step);
}

static double postings_of_index(const akin_plan_facts *facts)
{
    return (facts->sample.postings_probing + facts->sample.postings_indexed) * prices_of(facts)->posting;
}

void akin_weigh_ppjoin(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    const prices *price = prices_of(facts);
    price_prefix(facts, technique, postings_of_index(facts),
                 facts->probes * price->probe + facts->sample.visits * price->visit, part);
}

#define ALLPAIRS_VISITS 1.3 /* it looks at candidates that PPJoin prunes */

void akin_weigh_allpairs(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    const prices *price = prices_of(facts);
    double visits = facts->sample.visits * price->visit * ALLPAIRS_VISITS;
    price_prefix(facts, technique, postings_of_index(facts), facts->probes * price->probe + visits, part);
}

/* It meets groups where PPJoin meets sets, but verifies as many pairs. */
void akin_weigh_groupjoin(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    const prices *price = prices_of(facts);
    double groups = facts->sample.groups, visits = facts->sample.visits * price->visit;
    double cost =
        facts->probes * price->group + facts->probes * price->probe * groups + visits * (0.3 + 0.75 * groups * groups);
    price_prefix(facts, technique, postings_of_index(facts) * groups, cost, part);
}

/* The best pair of widths for a technique on signatures: for each narrow width the best wide one is considered. */
static void weigh_widths(const akin_plan_facts *facts, const akin_technique_row *technique,
                         void (*price)(const akin_plan_facts *, const akin_technique_row *, akin_join_step *),
                         akin_join_part *part)
{
    akin_technique name = (akin_technique)technique->choice.value;
    uint32_t asked = facts->options->bits;
    for (uint32_t screen = 64; screen <= (asked ? asked : 512); screen *= 2) {
        akin_join_step best = akin_join_step_of(name, screen, screen);
        for (uint32_t bits = asked ? asked : screen; bits <= (asked ? asked : AKIN_PARITY_BITS_MOST); bits *= 2) {
            akin_join_step step = akin_join_step_of(name, screen, bits);
            price(facts, technique, &step);
            if (best.predicted_seconds < 0 || step.predicted_seconds < best.predicted_seconds)
                best = step;
        }
        akin_join_part_weigh(part, &best);
    }
}

void akin_weigh_screened(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    weigh_widths(facts, technique, price_screened, part);
}

void akin_weigh_bitmap(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    weigh_widths(facts, technique, price_bitmap, part);
}

double akin_weigh_half_of_pairs(const akin_plan_facts *facts, const akin_technique_row *technique)
{
    return seconds_on_cpu(facts, technique, 0, 0.5 * facts->compatible * prices_of(facts)->compare[0]);
}
