/*
 * What the CPU's techniques are predicted to take: the amount of each kind of work, which samples (sample.h) and the
 * sizes of the sides give, times the measured price of that kind.
 *
 * Memory that is looked at in no order costs more the more of it there is: it falls out of one cache after the other,
 * and out of the tables of its pages. So such work has a second price, for each doubling of the memory beyond what is
 * near.
 */
#include "join/weigh.h"

#include "base/bits.h"
#include "base/elementary.h"
#include "device/worth.h"
#include "signature/parity.h"
#include "signature/screen.h"

/* Kinds of work. */
typedef enum work_kind {
    WORK_BEGIN,       /* a join */
    WORK_LEARN,       /* a projection learnt */
    WORK_MEMORY,      /* a byte of fresh memory */
    WORK_POSTING,     /* a posting put into an index, */
    WORK_POSTING_FAR, /* and for each doubling of the index */
    WORK_LIST,        /* a token of the universe whose list is looked for */
    WORK_SET,         /* a set whose prefix is read */
    WORK_LOOKUP,      /* a token of a prefix looked up, */
    WORK_LOOKUP_FAR,
    WORK_VISIT,        /* a posting visited by AllPairs, */
    WORK_VISIT_PLACED, /* or by PPJoin and GroupJoin, */
    WORK_VISIT_FAR,
    WORK_GROUP,  /* a set looked at to find GroupJoin's groups */
    WORK_MARK,   /* a token of a probe marked */
    WORK_VERIFY, /* a pair verified, */
    WORK_VERIFY_FAR,
    WORK_VERIFY_TOKEN, /* and each token that is looked at for it */
    WORK_TOKEN,        /* a token added to a signature */
    WORK_WORD,         /* a word of a signature made, or laid out */
    WORK_PROJECT,      /* a token projected */
    WORK_ORDER,        /* a set put in order by its projection */
    WORK_BLOCK,        /* a block of probes compared with a bucket */
    WORK_COMPARE,      /* comparisons, in nanoseconds by `compare` below, of all pairs */
    WORK_COMPARE_LIST, /* and in lists */
    WORK_REFINE,       /* a pair that narrow signatures leave in the bitmap join, */
    WORK_REFINE_WORD,  /* and each word that is compared then */
    WORK_GATHER,       /* a signature gathered for a list, */
    WORK_GATHER_FAR,
    WORK_GATHER_WORD, /* and each of its words */
    WORK_WIDEN,       /* a pair that narrow signatures leave in a list, */
    WORK_WIDEN_FAR,
    WORK_AGAIN /* a pair that signatures leave in a list */
} work_kind;

#define KINDS (WORK_AGAIN + 1)

typedef struct work {
    double amount[KINDS];
} work;

/* What one thread does for all. Threads share all other work. */
static const uint8_t is_alone[KINDS] = {
    [WORK_BEGIN] = 1, [WORK_LEARN] = 1, [WORK_MEMORY] = 1, [WORK_POSTING] = 1, [WORK_POSTING_FAR] = 1, [WORK_LIST] = 1,
};

/* Nanoseconds of one thread for each unit of work, fitted to joins of bench/held_out.sh (docs/benchmarks.md). */
static const double prices[KINDS] = {
    [WORK_BEGIN] = 12100,       [WORK_LEARN] = 3420000,    [WORK_MEMORY] = 0.041,    [WORK_POSTING] = 2,
    [WORK_POSTING_FAR] = 12,    [WORK_LIST] = 36,          [WORK_SET] = 0.34,        [WORK_LOOKUP] = 40,
    [WORK_LOOKUP_FAR] = 13,     [WORK_VISIT] = 9.6,        [WORK_VISIT_PLACED] = 15, [WORK_VISIT_FAR] = 18,
    [WORK_GROUP] = 16,          [WORK_MARK] = 0.2,         [WORK_VERIFY] = 4,        [WORK_VERIFY_FAR] = 20,
    [WORK_VERIFY_TOKEN] = 0.39, [WORK_TOKEN] = 1.6,        [WORK_WORD] = 0.48,       [WORK_PROJECT] = 1.4,
    [WORK_ORDER] = 119,         [WORK_BLOCK] = 105,        [WORK_COMPARE] = 1.2,     [WORK_COMPARE_LIST] = 2.2,
    [WORK_REFINE] = 0.7,        [WORK_REFINE_WORD] = 0.19, [WORK_GATHER] = 37,       [WORK_GATHER_FAR] = 0.75,
    [WORK_GATHER_WORD] = 0.73,  [WORK_WIDEN] = 3.1,        [WORK_WIDEN_FAR] = 4.2,   [WORK_AGAIN] = 23,
};

/* Nanoseconds to compare a pair of signatures of 64, 128, ... 2048 bits, by SIMD level. Those of NEON are guesses, 1.5
 * times those of AVX2: its registers are half as wide, but it counts bits in one instruction. */
static const double compare[AKIN_SCREEN_WIDTHS][AKIN_CPU_LEVELS] = {
    AKIN_CPU_ROW(1.6, 0.4, 0.27, 0.092), AKIN_CPU_ROW(3.1, 0.68, 0.45, 0.155), AKIN_CPU_ROW(6.2, 1.2, 0.82, 0.27),
    AKIN_CPU_ROW(12.5, 2.5, 1.65, 0.5),  AKIN_CPU_ROW(25, 5.1, 3.4, 1.1),      AKIN_CPU_ROW(50, 10.2, 6.8, 2.2),
};

/* How many times as long as with AVX-512 the wide signatures of the bitmap join take, which are compared group by
 * group. */
static const double refine_scale[] = AKIN_CPU_ROW(7, 7, 7, 1);

static double compare_nanoseconds(const akin_plan_facts *facts, uint32_t bits)
{
    return compare[akin_screen_width(bits)][facts->job->scope->cpu];
}

#define THREAD_SECONDS 1e-4 /* to begin and to end one */

/* The seconds of a join. */
static double seconds_on_cpu(const akin_plan_facts *facts, const akin_technique_row *technique, const work *work)
{
    const uint32_t threads = facts->job->threads;
    const double scale = akin_calibrated_scale(facts->job->scope, technique->kind);
    double alone = 0, shared = 0;
    for (int kind = 0; kind < KINDS; kind++)
        *(is_alone[kind] ? &alone : &shared) += work->amount[kind] * prices[kind];
    return (alone + shared / threads) * scale * 1e-9 + (threads - 1) * THREAD_SECONDS;
}

#define NEAR 2097152.0 /* bytes of the second-level cache of a core */

/* How often memory of that many bytes is twice as large as what is near. */
static double doublings(double bytes)
{
    return bytes > NEAR ? 1.4427 * akin_logarithm_of(bytes / NEAR) : 0;
}

/* Pairs that are verified, and the tokens that are looked at for each of them. */
static void add_verified(const akin_plan_facts *facts, double pairs, double tokens, work *work)
{
    work->amount[WORK_VERIFY] += pairs;
    work->amount[WORK_VERIFY_FAR] += pairs * doublings(4 * facts->tokens);
    work->amount[WORK_VERIFY_TOKEN] += pairs * (tokens + 8); /* they are looked at 16 at a time */
}

/* Postings that are put into an index. */
static void add_postings(double postings, double universe, double bytes_each, work *work)
{
    work->amount[WORK_POSTING] += postings;
    work->amount[WORK_POSTING_FAR] += postings * doublings(8 * universe + bytes_each * postings);
    work->amount[WORK_MEMORY] += 8 * universe + bytes_each * postings;
}

static double signature_bytes(const akin_plan_facts *facts, uint32_t bits)
{
    return (facts->probes + (facts->job->self ? 0 : facts->job->indexed->count)) * bits / 8;
}

/* Signatures that are made. */
static void add_signatures(const akin_plan_facts *facts, uint32_t bits, work *work)
{
    work->amount[WORK_MEMORY] += signature_bytes(facts, bits);
    work->amount[WORK_TOKEN] += facts->tokens;
    work->amount[WORK_WORD] += signature_bytes(facts, bits) / 8;
}

/* ------------------------------------------------------------------------------------------------- prefix indexes */

/* A join over a prefix index whose entries, on both sides, are `groups` of the sets. */
static void weigh_prefix(const akin_plan_facts *facts, const akin_technique_row *technique, double groups,
                         akin_join_part *part)
{
    const akin_sample *sample = &facts->sample;
    const akin_technique name = (akin_technique)technique->choice.value;
    const int places = name != AKIN_ALLPAIRS;
    const double universe = (double)facts->job->indexed->universe, entries = groups * facts->job->indexed->count;
    const double probes = groups * facts->probes, candidates = sample->met * (places ? sample->kept : 1);
    const double visits = sample->visits * groups * groups, lookups = sample->live_probing * groups;
    work work = {.amount = {[WORK_BEGIN] = 1}};
    akin_join_step step = akin_join_step_of(name, 0, 0);
    add_postings(sample->live_indexed * groups, universe, places ? 8 : 4, &work);
    work.amount[WORK_MEMORY] += 8 * universe + 8 * entries;
    work.amount[WORK_SET] = entries + probes;
    work.amount[WORK_LOOKUP] = lookups;
    work.amount[WORK_LOOKUP_FAR] = lookups * doublings(16 * universe);
    work.amount[places ? WORK_VISIT_PLACED : WORK_VISIT] = visits;
    /* The entries of a list ascend: the longer it is, the nearer to one another are those that are visited. */
    work.amount[WORK_VISIT_FAR] = visits * doublings(12 * entries / (1 + visits / (1 + lookups)));
    work.amount[WORK_GROUP] = groups < 1 || name == AKIN_GROUPJOIN ? facts->probes : 0;
    work.amount[WORK_MARK] = (candidates < facts->probes ? candidates : facts->probes) * facts->tokens_a_set;
    add_verified(facts, candidates, places ? sample->verified_kept : sample->verified_met, &work);
    step.predicted_candidates = candidates;
    step.predicted_seconds = seconds_on_cpu(facts, technique, &work);
    if (facts->options->bits == 0 || facts->options->technique != AKIN_AUTO)
        akin_join_part_weigh(part, &step);
}

void akin_weigh_allpairs(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    weigh_prefix(facts, technique, 1, part);
}

void akin_weigh_ppjoin(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    weigh_prefix(facts, technique, 1, part);
}

void akin_weigh_groupjoin(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_part *part)
{
    weigh_prefix(facts, technique, facts->sample.groups, part);
}

/* ---------------------------------------------------------------------------------------------------- signatures */

double akin_weigh_block_pairs(const akin_join_job *job)
{
    const akin_ranked *probes = job->probes, *indexed = job->indexed;
    double pairs = 0;
    for (uint32_t c = 0; c < probes->classes; c++) {
        const uint32_t size = probes->class_size[c], sets = probes->class_first[c + 1] - probes->class_first[c];
        uint64_t least, most;
        akin_threshold_partners(&job->threshold, size, size, &least, &most);
        const uint32_t first = akin_ranked_class(indexed, least);
        const uint32_t end = akin_ranked_class(indexed, job->self ? size + UINT64_C(1) : most + 1);
        pairs += (double)akin_ceil_div(sets, AKIN_SCREEN_PROBES) * (end > first ? end - first : 0);
    }
    return pairs;
}

/* Sets that are put in order by their projections, with signatures that are laid out in that order. */
static void add_projections(const akin_plan_facts *facts, uint32_t bits, work *work)
{
    add_signatures(facts, bits, work);
    work->amount[WORK_MEMORY] += 2 * signature_bytes(facts, bits);
    work->amount[WORK_WORD] += 2 * signature_bytes(facts, bits) / 8;
    work->amount[WORK_LEARN] = 1;
    work->amount[WORK_PROJECT] = facts->tokens;
    work->amount[WORK_ORDER] = facts->probes + (facts->job->self ? 0 : facts->job->indexed->count);
    work->amount[WORK_BLOCK] = facts->blocks;
}

static void price_bitmap(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_step *step)
{
    const akin_sample *sample = &facts->sample;
    const uint32_t wide = step->bits / 64;
    work work = {.amount = {[WORK_BEGIN] = 1}};
    add_projections(facts, step->bits, &work);
    work.amount[WORK_COMPARE] = facts->compatible * sample->projected * compare_nanoseconds(facts, step->bits_screen);
    if (step->bits_screen != step->bits) {
        const double left = akin_plan_left(facts, step->bits_screen) * refine_scale[facts->job->scope->cpu];
        work.amount[WORK_REFINE] = left;
        work.amount[WORK_REFINE_WORD] = left * wide;
    }
    step->exact = facts->job->indexed->universe <= step->bits;
    step->predicted_candidates = akin_plan_left(facts, step->bits);
    if (!step->exact) {
        const double candidates = step->predicted_candidates,
                     verified = sample->verified[akin_screen_width(step->bits)];
        work.amount[WORK_MARK] = (candidates < facts->probes ? candidates : facts->probes) * facts->tokens_a_set;
        add_verified(facts, candidates, verified, &work);
    } else {
        work.amount[WORK_VERIFY] = step->predicted_candidates;
    }
    step->predicted_seconds = seconds_on_cpu(facts, technique, &work);
}

static void price_screened(const akin_plan_facts *facts, const akin_technique_row *technique, akin_join_step *step)
{
    const akin_sample *sample = &facts->sample;
    const uint32_t narrow = akin_screen_width(step->bits_screen), width = akin_screen_width(step->bits);
    const double universe = (double)facts->job->indexed->universe, wide = step->bits / 64.0;
    const double postings = sample->live_probing + sample->live_indexed, all = signature_bytes(facts, step->bits);
    const double left = sample->visits * sample->left_of_visits[width];
    const double met = sample->met * sample->left_of_met[width], own = met < left ? met : left;
    work work = {.amount = {[WORK_BEGIN] = 1}};
    add_signatures(facts, step->bits, &work);
    add_postings(sample->live_probing, universe, 8, &work);
    add_postings(sample->live_indexed, universe, 4, &work);
    work.amount[WORK_LIST] = universe - (double)facts->job->indexed->once;
    work.amount[WORK_SET] = facts->probes + facts->job->indexed->count;
    work.amount[WORK_GATHER] = postings;
    work.amount[WORK_GATHER_FAR] = postings * doublings(all);
    work.amount[WORK_GATHER_WORD] = postings * wide;
    work.amount[WORK_COMPARE_LIST] =
        (1.5 * sample->visits + 8 * sample->live_probing) * compare_nanoseconds(facts, step->bits_screen);
    if (step->bits_screen != step->bits) {
        const double some = sample->visits * sample->left_of_visits[narrow];
        work.amount[WORK_WIDEN] = some * (1 + wide / 8);
        work.amount[WORK_WIDEN_FAR] = some * doublings(all);
    }
    /* Of a pair that meets in several lists all but one find out that it is not theirs. */
    work.amount[WORK_AGAIN] = left;
    work.amount[WORK_MARK] = left * sample->marked[width];
    add_verified(facts, own, sample->verified[width], &work);
    step->predicted_candidates = own;
    step->predicted_seconds = seconds_on_cpu(facts, technique, &work);
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

double akin_weigh_least(const akin_plan_facts *facts, const akin_technique_row *technique)
{
    work work = {.amount = {[WORK_BEGIN] = 1}};
    add_projections(facts, AKIN_PARITY_BITS_LEAST, &work);
    work.amount[WORK_COMPARE] = 0.5 * facts->compatible * compare_nanoseconds(facts, AKIN_PARITY_BITS_LEAST);
    return seconds_on_cpu(facts, technique, &work);
}
