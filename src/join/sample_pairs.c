/* Samples the pairs of sets whose sizes fit, for the planner. */
#include "join/sample.h"

#include "base/bits.h"
#include "base/parallel.h"
#include "base/random.h"
#include "join/left.h"

#include <string.h>

#define PAIRS_LEAST  200
#define PAIRS_MOST   8000
#define PAIRS_TOKENS 2e6
#define PAIRS_PART   0.25 /* of them, for a part of a join that has been sampled as a whole, and for a GPU */
#define SEEN_ENOUGH  8    /* pairs; from here on the observed share is used */

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
    akin_left_add(tally->left, akin_left_weigh(job, probe, set, drawing->stride), 1);
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
    akin_left_shares(all.drawn, expected ? expected->left : NULL, all.left);
    extrapolate_sample(job->indexed->universe, all.drawn, none, all.left);
    akin_left_fill(stride, all.left);
    memcpy(out->left, all.left, sizeof all.left);
    double spread = all.drawn > 0 ? 5.5 * all.distance / all.size : 1;
    out->projected = spread < 1 ? spread * (1 - spread / 2 + spread * spread / 6) : 1 - 0.37 / (spread * spread);
    return AKIN_OK;
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
    return take_sampled_pairs(job, compatible, (uint64_t)pairs, akin_left_stride(job), whole, out, error);
}
