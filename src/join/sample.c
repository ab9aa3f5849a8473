/* Samples pairs and sets of a join for the planner. */
#include "join/sample.h"

#include "base/bits.h"
#include "base/random.h"
#include "device/devices.h"
#include "join/kernels.h"
#include "signature/parity.h"

#include <string.h>

#define WORDS         (AKIN_PARITY_BITS_MOST / 64)
#define PAIRS_LEAST   200
#define PAIRS_MOST    8000
#define PAIRS_TOKENS  2e6
#define PAIRS_PART    0.25 /* of them, for a part of a join that has been sampled as a whole, and for a GPU */
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
 * Compares a pair's signature distances with the distance that its sizes permit. Bit i of the result is set if the i-th
 * width leaves the pair. Widths of more than `stride` words are left out: they would leave hardly fewer pairs.
 */
static uint32_t weigh_pair(const akin_join_job *job, uint32_t probe, uint32_t set, uint32_t stride)
{
    static const uint64_t nothing[WORDS] = {0};
    akin_hamming hamming = akin_hamming_choose(job->scope->cpu);
    const akin_ranked *probes = job->probes, *sets = job->indexed;
    uint64_t x[WORDS], r = akin_ranked_size(probes, probe), s = akin_ranked_size(sets, set);
    uint64_t need = akin_join_need(job, r, s);
    uint32_t left = 0;
    memset(x, 0, stride * sizeof *x);
    akin_parity_add(x, stride, probes->tokens + probes->offsets[probe], (uint32_t)r);
    akin_parity_add(x, stride, sets->tokens + sets->offsets[set], (uint32_t)s);
    for (uint32_t index = AKIN_SCREEN_WIDTHS, words = WORDS; index-- > 0; words /= 2) {
        if (words > stride)
            continue;
        left |= (uint32_t)(hamming(x, nothing, words) + 2 * need <= r + s) << index;
        for (uint32_t w = 0; w < words / 2; w++)
            x[w] ^= x[w + words / 2];
    }
    return left;
}

/* Adds `what` to the sums of the widths that leave a pair. */
static void add_left(double *sum, uint32_t left, double what)
{
    for (uint32_t index = 0; index < AKIN_SCREEN_WIDTHS; index++)
        sum[index] += (left >> index & 1) * what;
}

/* Copies what was found for the widest signature looked at to those beyond it. */
static void fill_up(uint32_t stride, double *left)
{
    for (uint32_t index = 1; index < AKIN_SCREEN_WIDTHS; index++)
        if (1u << index > stride)
            left[index] = left[index - 1];
}

/*
 * Estimates the share of the drawn items that were seen. Half an item is added: an item that did not occur in n draws
 * may still occur once in 2 n. A larger sample that contains this one may show that the item is rarer (the mean of a
 * gamma distribution of shape 1/2 about the expected number, once it has seen the draws).
 */
static double share_of_sample(double seen, double n, double expected)
{
    return (seen + 0.5) / (n + 0.5 / expected);
}

/* Turns counts into shares of n, for each width. */
static void share_out(double n, const double *expected, double *left)
{
    for (uint32_t index = 0; index < AKIN_SCREEN_WIDTHS; index++)
        left[index] = share_of_sample(left[index], n, expected ? expected[index] : 0.5);
}

#define SEEN_ENOUGH 8 /* pairs; from here on the observed share is used */

/* Extrapolates to wider signatures. If doubling the width divided the number of pairs left by some factor, doubling it
 * again will, too. This holds for unlike pairs, which are too rare in the sample at widths that leave hardly any. If
 * the first doubling left none of the drawn pairs, each half of the bits is assumed to leave the share that the least
 * width leaves. Where the universe fits the width, the pairs left are those that qualify, and a wider signature leaves
 * as much. */
static void extrapolate_sample(uint64_t universe, double drawn, int none, double *left)
{
    if (none && universe > 128 && left[0] * left[0] < left[1])
        left[1] = left[0] * left[0];
    for (uint32_t index = 2; index < AKIN_SCREEN_WIDTHS; index++) {
        double expected = left[index - 1] * left[index - 1] / left[index - 2];
        int known = universe <= (uint64_t)64 << index && left[index] * drawn >= SEEN_ENOUGH;
        left[index] = expected < left[index] && !known ? expected : left[index];
    }
}

#define PAIRS_A_TASK 256

/* Sets of which no token may differ may still have equal projections, if they are small: a quarter of a token more. */
#define EQUAL_PROJECTIONS 0.25

/* What some of the drawn pairs add up to; whole numbers and quarters, so that the order of adding does not matter. */
typedef struct tally {
    double left[AKIN_SCREEN_WIDTHS], drawn;
    double distance, size; /* the distance that pairs may have, and half the sum of their sizes */
} tally;

/* Pairs drawn by several threads. */
typedef struct drawing {
    const akin_join_job *job;
    uint64_t *until; /* by class: the number of pairs that probes of it and of smaller ones take part in */
    uint64_t compatible, count;
    uint32_t stride;
    tally *tallies; /* one for each task */
} drawing;

/* Draws one pair, about uniformly (in a self-join the first sets of a class come up too often). It draws a class of
 * probes, weighted by its number of pairs, then one of its members, and then a partner of this member. */
static void draw_pair(const drawing *drawing, akin_random *random, tally *tally)
{
    const akin_join_job *job = drawing->job;
    const akin_ranked *probes = job->probes;
    uint64_t at = akin_random_below(random, drawing->compatible);
    uint32_t low = 0, high = probes->classes - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (drawing->until[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    uint32_t first = probes->class_first[low];
    uint32_t probe = first + (uint32_t)akin_random_below(random, probes->class_first[low + 1] - first);
    akin_join_range range = akin_join_partners(job, probe);
    if (range.first >= range.end)
        return;
    uint32_t set = range.first + (uint32_t)akin_random_below(random, range.end - range.first);
    uint64_t r = akin_ranked_size(probes, probe), s = akin_ranked_size(job->indexed, set);
    add_left(tally->left, weigh_pair(job, probe, set, drawing->stride), 1);
    tally->distance += EQUAL_PROJECTIONS + (double)(r + s) - 2 * (double)akin_join_need(job, r, s);
    tally->size += (double)(r + s) / 2;
    tally->drawn++;
}

static akin_status draw_some_sets(void *argument, uint64_t task, uint32_t thread)
{
    const drawing *drawing = argument;
    uint64_t end = akin_min_u64((task + 1) * PAIRS_A_TASK, drawing->count);
    akin_random random;
    (void)thread;
    akin_random_seed(&random, 2 + task);
    for (uint64_t i = task * PAIRS_A_TASK; i < end; i++)
        draw_pair(drawing, &random, &drawing->tallies[task]);
    return AKIN_OK;
}

/*
 * Draws `count` pairs. What projections would leave is guessed from the distance that pairs may have, relative to
 * their size; the curve fits what was measured on text (docs/how-joins.md).
 */
static akin_status take_sampled_pairs(const akin_join_job *job, uint64_t compatible, uint64_t count, uint32_t stride,
                                      const akin_sample *expected, akin_sample *out, akin_error *error)
{
    const akin_ranked *probes = job->probes;
    uint64_t tasks = akin_ceil_div(count, PAIRS_A_TASK);
    drawing drawing = {.job = job, .compatible = compatible, .count = count, .stride = stride};
    tally all = {0};
    akin_status status = AKIN_E_NOMEM;
    drawing.until = akin_alloc(job->account, probes->classes, sizeof *drawing.until);
    drawing.tallies = akin_alloc_zero(job->account, tasks, sizeof *drawing.tallies);
    if (drawing.until && drawing.tallies) {
        for (uint32_t c = 0; c < probes->classes; c++)
            drawing.until[c] = akin_join_class_pairs(job, c) + (c ? drawing.until[c - 1] : 0);
        status = akin_parallel(job->scope, "planning", tasks, draw_some_sets, &drawing);
    }
    for (uint64_t task = 0; task < tasks && status == AKIN_OK; task++) {
        const tally *tally = &drawing.tallies[task];
        for (uint32_t index = 0; index < AKIN_SCREEN_WIDTHS; index++)
            all.left[index] += tally->left[index];
        all.drawn += tally->drawn;
        all.distance += tally->distance;
        all.size += tally->size;
    }
    akin_free(drawing.until);
    akin_free(drawing.tallies);
    if (status != AKIN_OK)
        return akin_fail_stopped(error, status, "the plan");
    int none = all.left[1] < 1;
    share_out(all.drawn, expected ? expected->left : NULL, all.left);
    extrapolate_sample(job->indexed->universe, all.drawn, none, all.left);
    fill_up(stride, all.left);
    memcpy(out->left, all.left, sizeof all.left);
    double spread = all.drawn > 0 ? 5.5 * all.distance / all.size : 1;
    out->projected = spread < 1 ? spread * (1 - spread / 2 + spread * spread / 6) : 1 - 0.37 / (spread * spread);
    return AKIN_OK;
}

/*
 * Sets drawn from a side. A few large sets may make most of the visits, so a set is drawn the more likely the longer
 * its prefix is: half by that, and half as likely as any other. What is seen counts the more the less likely it was
 * drawn, 1 on average.
 *
 *     weights of the sets, by size    | 1 | 1 | 1 | 1 | 1.5 | 1.5 | 3 |
 *     one of each equal part              ^          ^          ^
 */
typedef struct drawn {
    uint32_t *set; /* ascending, and distinct */
    double *counts;
    uint32_t count;
    double times; /* how many sets one that counts 1 stands for */
} drawn;

/* How much likelier than the average set one of a class is drawn. */
static double class_weight(const akin_ranked *ranked, uint32_t c, const uint32_t *lengths, double postings)
{
    return 0.5 + 0.5 * lengths[c] * ranked->count / (postings > 0 ? postings : 1);
}

/* Draws up to `count` sets: one from each of `count` parts of equal weight. */
static akin_status draw_sets(const akin_join_job *job, const akin_ranked *ranked, akin_prefix_side side, uint64_t seed,
                             uint32_t count, drawn *out)
{
    uint32_t *lengths = akin_alloc(job->account, ranked->classes, sizeof *lengths);
    akin_random random;
    double postings = 0, begin = 0, part = (double)ranked->count / count;
    *out = (drawn){akin_alloc(job->account, count, sizeof *out->set),
                   akin_alloc(job->account, count, sizeof *out->counts), 0, part};
    if (!lengths || !out->set || !out->counts) {
        akin_free(lengths);
        return AKIN_E_NOMEM;
    }
    for (uint32_t c = 0; c < ranked->classes; c++) {
        lengths[c] = akin_prefix_length(job, ranked->class_size[c], side);
        postings += (double)lengths[c] * (ranked->class_first[c + 1] - ranked->class_first[c]);
    }
    akin_random_seed(&random, seed);
    double point = akin_random_unit(&random) * part;
    for (uint32_t c = 0, k = 0; c < ranked->classes; c++) {
        const uint32_t first = ranked->class_first[c], sets = ranked->class_first[c + 1] - first;
        const double weight = class_weight(ranked, c, lengths, postings);
        for (uint32_t last = UINT32_MAX; k < count && point < begin + weight * sets;) {
            const uint32_t at = akin_min_u32((uint32_t)((point - begin) / weight), sets - 1);
            if (at != last) {
                out->set[out->count] = first + at;
                out->counts[out->count++] = weight < part ? 1 / weight : 1 / part;
            }
            last = at;
            k++;
            point = (k + akin_random_unit(&random)) * part;
        }
        begin += weight * sets;
    }
    akin_free(lengths);
    return AKIN_OK;
}

static void drop_drawn(drawn *drawn)
{
    akin_free(drawn->set);
    akin_free(drawn->counts);
}

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
    drawn sets, probes;
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
    add_left(out->left_of_met, left, counts);
    add_left(out->verified, left, counts * tokens);
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
            uint32_t left = weigh_pair(job, probe, set, visitor->stride);
            add_left(out->left_of_visits, left, counts);
            add_left(out->marked, left, counts * akin_min_u32(size, MARKED_MOST));
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

static uint64_t average_size(const akin_ranked *sets)
{
    return sets->count ? akin_ranked_tokens(sets) / sets->count : 0;
}

/* Turns sums of tokens into averages. Half an item of average size is added, as in share_of_sample. */
static void share_tokens(const visitor *visitor, akin_sample *out)
{
    const double probe = (double)average_size(visitor->job->probes), set = (double)average_size(visitor->job->indexed);
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
    akin_status status = draw_sets(job, job->indexed, AKIN_PREFIX_INDEXED, 3, set_count, &visitor->sets);
    if (status == AKIN_OK)
        status = draw_sets(job, job->probes, AKIN_PREFIX_PROBING, 4, probe_count, &visitor->probes);
    status = status == AKIN_OK ? list_sets(visitor, error) : akin_fail_memory(error, "the plan");
    if (status != AKIN_OK)
        return status;
    /* Sizes rise with the number, and the visits may be enough before the sample ends: so no part of it comes first. */
    uint32_t taken = 0, count = visitor->probes.count, step = spread_step(count);
    for (uint64_t at = 0; taken < count && visitor->seen < VISITS_MOST; taken++, at = (at + step) % count)
        visit_lists(visitor, (uint32_t)at, out);
    share_tokens(visitor, out);
    share_out(visitor->weighed, expected ? expected->left_of_visits : NULL, out->left_of_visits);
    share_out(visitor->pairs, expected ? expected->left_of_met : NULL, out->left_of_met);
    fill_up(visitor->stride, out->left_of_visits);
    fill_up(visitor->stride, out->left_of_met);
    fill_up(visitor->stride, out->marked);
    fill_up(visitor->stride, out->verified);
    out->apart = visitor->apart / (visitor->visits + 0.5);
    out->large = visitor->pairs > 0 ? visitor->large / visitor->pairs : 0;
    out->visits = (visitor->visits + 0.5) * count / taken * visitor->probes.times * visitor->sets.times;
    out->live_probing = out->postings_probing * share_alive(visitor, 0);
    out->live_indexed = out->postings_indexed * share_alive(visitor, 1);
    out->met = out->visits *
               share_of_sample(visitor->pairs, visitor->weighed, expected ? expected->met / expected->visits : 0.5);
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

/* Beyond about sixteen bits a token hardly any two tokens fall on the same bit. */
static uint32_t widest_signature(const akin_join_job *job)
{
    uint64_t size = average_size(job->probes), stride = 1;
    while (stride < WORDS && stride * 64 < 16 * size)
        stride *= 2;
    return (uint32_t)stride;
}

/* Samples the visits of `sets` sets; *visits becomes their number. */
static akin_status sample_sets(const akin_join_job *job, uint64_t sets, uint64_t budget, const akin_sample *whole,
                               akin_sample *out, double *visits, akin_error *error)
{
    visitor visitor = {.job = job, .stride = widest_signature(job), .budget = budget};
    visitor.widest = akin_screen_width(64 * visitor.stride);
    /* Half a visit is added here, too: of two sets of average size. */
    visitor.apart = 0.5 * tokens_apart(job, average_size(job->probes), average_size(job->indexed));
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
    drop_drawn(&visitor.probes);
    drop_drawn(&visitor.sets);
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

akin_status akin_sample_pairs(const akin_join_job *job, uint64_t compatible, const akin_sample *whole, akin_sample *out,
                              akin_error *error)
{
    if (whole && whole->left[0] <= 0) /* no pairs were drawn for it */
        whole = NULL;
    double tokens = (double)akin_ranked_tokens(job->probes), size = tokens / job->probes->count;
    double pairs = (0.1 * (double)compatible + 5 * tokens) * 0.01 / (100 + 2 * size);
    double least = size < PAIRS_TOKENS / PAIRS_LEAST ? PAIRS_LEAST : 1 + PAIRS_TOKENS / size;
    pairs = (whole || job->place == AKIN_JOIN_ON_GPU ? PAIRS_PART : 1) * (pairs > PAIRS_MOST ? PAIRS_MOST : pairs);
    pairs = pairs < least ? least : pairs;
    return take_sampled_pairs(job, compatible, (uint64_t)pairs, widest_signature(job), whole, out, error);
}
