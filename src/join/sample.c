/* Samples the visits that sets of a join make to lists, for the planner. */
#include "join/sample.h"

#include "base/bits.h"
#include "base/random.h"
#include "device/devices.h"
#include "join/drawn_sets.h"
#include "join/kernels.h"
#include "join/left.h"
#include "signature/parity.h"

#include <string.h>

#define SETS_LEAST    128
#define SETS_MOST     2048
#define SETS_FIRST    16      /* one set in this number is drawn at first, */
#define SETS_QUICK    128     /* or in this one where a GPU may be done soon */
#define POSTINGS_MOST 60000.0 /* tokens of prefixes of these sets, about */
#define SETS_PART     256     /* one set in this number is drawn where sets meet less than VISITS_FEW times */
#define SETS_PIECE    1024    /* the same for a part of a join that has several parts to plan */
#define SETS_AGAIN    32768   /* the most that are drawn then */
#define VISITS_FEW    64      /* from here on the estimate is less than about an eighth off */
#define VISITS_MOST   2000
#define MARKED_MOST   256 /* tokens of a probe that are marked before it is known that it pays */

/*
 * The index of the sampled sets. The universe may be a thousand times as large as their prefixes, so its lists are not
 * those of tokens, but of the tokens' lowest bits; start has mask + 2 numbers.
 */
typedef struct few_lists {
    uint64_t *start;
    struct few_posting {
        uint32_t token, entry;
    } * postings;
    uint64_t mask;
} few_lists;

/* A sample of probes at work. */
typedef struct visitor {
    const akin_join_job *job;
    few_lists index;
    akin_drawn_sets sets, probes;
    uint32_t stride, widest;
    uint64_t seen;               /* visits */
    double visits;               /* as they count, and so is what follows */
    double weighed, pairs;       /* visits weighed, and those among them that are a pair's first */
    double kept;                 /* of these pairs, by the positional filter */
    double apart, large;         /* of the visits, and of those pairs: see akin_sample */
    double prefixes[2], live[2]; /* tokens of the prefixes of probes and sets, and those that occur more than once */
    uint64_t budget;             /* tokens that may still be looked at to weigh visits */
} visitor;

/* Whether the token at position i of a, which b holds, is the first one that a and b share. */
static int is_first_common(const uint32_t *a, uint32_t i, const uint32_t *b)
{
    for (uint32_t k = 0;; k++) {
        while (*b < a[k])
            b++;
        if (*b == a[k])
            return k == i;
    }
}

/* The number of tokens of two sets that are merged until it is clear that the sets are unlike. It is one more than the
 * number of tokens in which they may differ. A thread of a GPU takes at most AKIN_POSTING_STEPS steps. */
static double tokens_apart(const akin_join_job *job, uint64_t r, uint64_t s)
{
    uint64_t need = akin_join_need(job, r, s), most = r + s + 1;
    return (double)akin_min_u64(most - akin_min_u64(2 * need, most - 1), AKIN_POSTING_STEPS);
}

/* The first token of a prefix that occurs more than once. */
static uint32_t first_live(const akin_ranked *ranked, const uint32_t *tokens, uint32_t length)
{
    uint32_t i = 0;
    while (i < length && tokens[i] < ranked->once)
        i++;
    return i;
}

/* The tokens of b that are looked at until it is clear whether it and a, whose tokens are marked, are alike. */
static double tokens_to_verify(const uint32_t *a, uint64_t r, const uint32_t *b, uint64_t s, uint64_t need)
{
    uint64_t i = 0, at = 0, misses = 0;
    if (need > s)
        return 0;
    for (; at < s && misses <= s - need; at++) {
        while (i < r && a[i] < b[at])
            i++;
        misses += i == r || a[i] != b[at];
    }
    return (double)at;
}

/* Adds up what a pair is that meets for the first time in token i of the probe. */
static void weigh_met(visitor *visitor, double counts, uint32_t probe, uint32_t i, uint32_t set, uint32_t left,
                      akin_sample *out)
{
    const akin_join_job *job = visitor->job;
    const uint32_t *a = job->probes->tokens + job->probes->offsets[probe];
    const uint32_t *b = job->indexed->tokens + job->indexed->offsets[set];
    const uint64_t r = akin_ranked_size(job->probes, probe), s = akin_ranked_size(job->indexed, set);
    const uint64_t need = akin_join_need(job, r, s), at = akin_lower_bound_u32(b, s, a[i]);
    const double tokens = tokens_to_verify(a, r, b, s, need);
    const int is_kept = 1 + akin_min_u64(r - i - 1, s - at - 1) >= need;
    visitor->pairs += counts;
    visitor->large += (left >> visitor->widest & 1) && r + s - need > AKIN_POSTING_STEPS ? counts : 0;
    visitor->kept += is_kept ? counts : 0;
    out->verified_met += counts * tokens;
    out->verified_kept += is_kept ? counts * tokens : 0;
    akin_left_add(out->left_of_met, left, counts);
    akin_left_add(out->verified, left, counts * tokens);
}

/* The visits that one sampled probe makes; as many are weighed as the budget allows. */
static void visit_lists(visitor *visitor, uint32_t drawn, akin_sample *out)
{
    const uint32_t probe = visitor->probes.set[drawn];
    const akin_join_job *job = visitor->job;
    const akin_ranked *sets = job->indexed;
    akin_join_range range = akin_join_partners(job, probe);
    uint32_t size = akin_ranked_size(job->probes, probe);
    uint32_t prefix = akin_prefix_length(job, size, AKIN_PREFIX_PROBING);
    const uint32_t *tokens = job->probes->tokens + job->probes->offsets[probe];
    uint32_t i = first_live(job->probes, tokens, prefix);
    visitor->prefixes[0] += visitor->probes.counts[drawn] * prefix;
    visitor->live[0] += visitor->probes.counts[drawn] * (prefix - i);
    for (; i < prefix; i++) {
        const few_lists *index = &visitor->index;
        uint64_t list = tokens[i] & index->mask, at = index->start[list], end = index->start[list + 1];
        for (; at < end; at++) {
            const uint32_t entry = index->postings[at].entry, set = visitor->sets.set[entry];
            const double counts = visitor->probes.counts[drawn] * visitor->sets.counts[entry];
            if (index->postings[at].token != tokens[i] || set < range.first || set >= range.end)
                continue;
            visitor->seen++;
            visitor->visits += counts;
            uint64_t cost = (uint64_t)size + akin_ranked_size(sets, set);
            visitor->apart += counts * tokens_apart(job, size, cost - size);
            if (visitor->budget == 0)
                continue;
            visitor->budget -= akin_min_u64(cost, visitor->budget);
            visitor->weighed += counts;
            uint32_t left = akin_left_weigh(job, probe, set, visitor->stride);
            akin_left_add(out->left_of_visits, left, counts);
            akin_left_add(out->marked, left, counts * akin_min_u32(size, MARKED_MOST));
            if (is_first_common(tokens, i, sets->tokens + sets->offsets[set]))
                weigh_met(visitor, counts, probe, i, set, left, out);
        }
    }
}

/* A step that leads to all of 0 .. count-1, round and round, and soon to every part: coprime, and a golden section
 * away. */
static uint32_t spread_step(uint32_t count)
{
    uint32_t step = (uint32_t)(0.618 * count);
    for (;; step++) {
        uint32_t a = count, b = step;
        while (b) {
            uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step;
    }
}

/* Fills in the index: one pass counts the postings of every list, one puts them into place. */
static akin_status list_sets(visitor *visitor, akin_error *error)
{
    const akin_join_job *job = visitor->job;
    const akin_ranked *sets = job->indexed;
    few_lists *index = &visitor->index;
    uint64_t total = 0, lists = 1;
    for (uint32_t entry = 0; entry < visitor->sets.count; entry++)
        total += akin_prefix_length(job, akin_ranked_size(sets, visitor->sets.set[entry]), AKIN_PREFIX_INDEXED);
    while (lists < 2 * total && lists < sets->universe)
        lists *= 2;
    index->mask = lists - 1;
    index->start = akin_alloc_zero(job->account, lists + 2, sizeof *index->start);
    index->postings = akin_alloc(job->account, total, sizeof *index->postings);
    if (!index->start || !index->postings)
        return akin_fail_memory(error, "the plan");
    /* As akin_prefix_build does it: counts two places on, starts one place on, which filling moves to the ends. */
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t entry = 0; entry < visitor->sets.count; entry++) {
            uint32_t set = visitor->sets.set[entry];
            uint32_t length = akin_prefix_length(job, akin_ranked_size(sets, set), AKIN_PREFIX_INDEXED);
            const uint32_t *tokens = sets->tokens + sets->offsets[set];
            uint32_t i = first_live(sets, tokens, length);
            visitor->prefixes[1] += fill ? visitor->sets.counts[entry] * length : 0;
            visitor->live[1] += fill ? visitor->sets.counts[entry] * (length - i) : 0;
            for (; i < length; i++) {
                uint64_t *next = &index->start[(tokens[i] & index->mask) + 1];
                if (fill)
                    index->postings[(*next)++] = (struct few_posting){tokens[i], entry};
                else
                    next[1]++;
            }
        }
        for (uint64_t list = 1; !fill && list <= lists; list++)
            index->start[list + 1] += index->start[list];
    }
    return AKIN_OK;
}

/* Turns sums of tokens into averages. Half an item of average size is added, as in akin_share_of_sample. */
static void share_tokens(const visitor *visitor, akin_sample *out)
{
    const double probe = (double)akin_average_size(visitor->job->probes),
                 set = (double)akin_average_size(visitor->job->indexed);
    for (uint32_t index = 0; index < AKIN_SCREEN_WIDTHS; index++) {
        out->marked[index] = (out->marked[index] + probe / 2) / (out->left_of_visits[index] + 0.5);
        out->verified[index] = (out->verified[index] + set / 2) / (out->left_of_met[index] + 0.5);
    }
    out->verified_met = (out->verified_met + set / 2) / (visitor->pairs + 0.5);
    out->verified_kept = (out->verified_kept + set / 2) / (visitor->kept + 0.5);
    out->kept = (visitor->kept + 0.5) / (visitor->pairs + 0.5);
}

/* The share of the prefix tokens of a side that occur more than once. */
static double share_alive(const visitor *visitor, int side)
{
    return (visitor->live[side] + 0.5) / (visitor->prefixes[side] + 0.5);
}

static akin_status take_visits(visitor *visitor, uint64_t draws, const akin_sample *expected, akin_sample *out,
                               akin_error *error)
{
    const akin_join_job *job = visitor->job;
    const uint32_t set_count = (uint32_t)akin_min_u64(draws, job->indexed->count);
    const uint32_t probe_count = (uint32_t)akin_min_u64(draws, job->probes->count);
    akin_status status = akin_drawn_sets_make(job, job->indexed, AKIN_PREFIX_INDEXED, 3, set_count, &visitor->sets);
    if (status == AKIN_OK)
        status = akin_drawn_sets_make(job, job->probes, AKIN_PREFIX_PROBING, 4, probe_count, &visitor->probes);
    status = status == AKIN_OK ? list_sets(visitor, error) : akin_fail_memory(error, "the plan");
    if (status != AKIN_OK)
        return status;
    /* Sizes rise with the number, and the visits may be enough before the sample ends: so no part of it comes first. */
    uint32_t taken = 0, count = visitor->probes.count, step = spread_step(count);
    for (uint64_t at = 0; taken < count && visitor->seen < VISITS_MOST; taken++, at = (at + step) % count)
        visit_lists(visitor, (uint32_t)at, out);
    share_tokens(visitor, out);
    akin_left_shares(visitor->weighed, expected ? expected->left_of_visits : NULL, out->left_of_visits);
    akin_left_shares(visitor->pairs, expected ? expected->left_of_met : NULL, out->left_of_met);
    akin_left_fill(visitor->stride, out->left_of_visits);
    akin_left_fill(visitor->stride, out->left_of_met);
    akin_left_fill(visitor->stride, out->marked);
    akin_left_fill(visitor->stride, out->verified);
    out->apart = visitor->apart / (visitor->visits + 0.5);
    out->large = visitor->pairs > 0 ? visitor->large / visitor->pairs : 0;
    out->visits = (visitor->visits + 0.5) * count / taken * visitor->probes.times * visitor->sets.times;
    out->live_probing = out->postings_probing * share_alive(visitor, 0);
    out->live_indexed = out->postings_indexed * share_alive(visitor, 1);
    out->met = out->visits * akin_share_of_sample(visitor->pairs, visitor->weighed,
                                                  expected ? expected->met / expected->visits : 0.5);
    return AKIN_OK;
}

double akin_sample_postings(const akin_join_job *job, const akin_ranked *ranked, akin_prefix_side side)
{
    double postings = 0;
    for (uint32_t c = 0; c < ranked->classes; c++)
        postings += (double)(ranked->class_first[c + 1] - ranked->class_first[c]) *
                    akin_prefix_length(job, ranked->class_size[c], side);
    return postings;
}

/* Whether a probe's prefix, or its size, is another than that of the set before. */
static int begins_group(const akin_join_job *job, uint32_t probe)
{
    const akin_ranked *probes = job->probes;
    uint32_t size = akin_ranked_size(probes, probe);
    if (probe == 0 || size != akin_ranked_size(probes, probe - 1))
        return 1;
    const uint32_t *tokens = probes->tokens + probes->offsets[probe];
    return memcmp(tokens, tokens - size, akin_prefix_length(job, size, AKIN_PREFIX_PROBING) * sizeof *tokens) != 0;
}

static double count_groups(const visitor *visitor)
{
    double groups = 1, sets = 1;
    for (uint32_t i = 0; i < visitor->probes.count; i++) {
        sets += visitor->probes.counts[i];
        groups += begins_group(visitor->job, visitor->probes.set[i]) ? visitor->probes.counts[i] : 0;
    }
    return groups / sets;
}

/* Samples the visits of `sets` sets; *visits becomes their number. */
static akin_status sample_sets(const akin_join_job *job, uint64_t sets, uint64_t budget, const akin_sample *whole,
                               akin_sample *out, double *visits, akin_error *error)
{
    visitor visitor = {.job = job, .stride = akin_left_stride(job), .budget = budget};
    visitor.widest = akin_screen_width(64 * visitor.stride);
    /* Half a visit is added here, too: of two sets of average size. */
    visitor.apart = 0.5 * tokens_apart(job, akin_average_size(job->probes), akin_average_size(job->indexed));
    memset(out->left_of_visits, 0, sizeof out->left_of_visits);
    memset(out->left_of_met, 0, sizeof out->left_of_met);
    memset(out->marked, 0, sizeof out->marked);
    memset(out->verified, 0, sizeof out->verified);
    out->verified_met = out->verified_kept = 0;
    akin_status status = take_visits(&visitor, sets, whole, out, error);
    if (status == AKIN_OK)
        out->groups = count_groups(&visitor);
    *visits = (double)visitor.seen;
    akin_free(visitor.index.start);
    akin_free(visitor.index.postings);
    akin_drawn_sets_clear(&visitor.probes);
    akin_drawn_sets_clear(&visitor.sets);
    return status;
}

/* Whether a GPU is open: it may be done with the join before many sets are drawn. */
static int has_gpu(const akin_join_job *job)
{
    return job->gpu || (job->place != AKIN_JOIN_ON_CPU && akin_device_opened(job->scope));
}

uint64_t akin_sample_sets(const akin_join_job *job)
{
    const uint64_t count = job->probes->count;
    const double postings = akin_sample_postings(job, job->probes, AKIN_PREFIX_PROBING) / (double)(count + 1);
    uint64_t sets = has_gpu(job) ? akin_min_u64(SETS_MOST / 2, count / SETS_QUICK) : count / SETS_FIRST;
    sets = akin_min_u64(sets, (uint64_t)(POSTINGS_MOST / (1 + postings)));
    return akin_max_u64(SETS_LEAST, akin_min_u64(SETS_MOST, sets));
}

akin_status akin_sample_visits(const akin_join_job *job, uint64_t tokens, const akin_sample *whole, akin_sample *out,
                               akin_error *error)
{
    if (whole && whole->visits <= 0) /* none were sampled for it */
        whole = NULL;
    uint64_t count = job->probes->count, more = akin_min_u64(SETS_AGAIN, count / (whole ? SETS_PIECE : SETS_PART));
    double visits = 0;
    out->postings_probing = akin_sample_postings(job, job->probes, AKIN_PREFIX_PROBING);
    out->postings_indexed = akin_sample_postings(job, job->indexed, AKIN_PREFIX_INDEXED);
    akin_status status = sample_sets(job, akin_sample_sets(job), tokens, whole, out, &visits, error);
    if (status == AKIN_OK && visits < VISITS_FEW && more > SETS_MOST && !has_gpu(job))
        status = sample_sets(job, more, tokens, whole, out, &visits, error);
    return status;
}
