/* Joins bucket by bucket: cut where that pays, and only there; progress goes on from piece to piece. That their pairs
 * are right is for the property tests too. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/memory.h"
#include "sets/sets.h"
#include "unit/test_join_watch.h"
#include "unit/test_sanitizers.h"

#include <stdlib.h>
#include <string.h>

/* Twenty times as slow a machine by the planner's reckoning: so joins of milliseconds are worth a plan of pieces. */
static akin_context context_of(akin_context *self, uint32_t threads)
{
    return (akin_context){.scope = {.context = self, .threads = threads, .cpu = akin_cpu_detect()},
                          .cpu_best = akin_cpu_detect(),
                          .scale = {20, 20, 20}};
}

static akin_sets *generate(uint32_t rows, uint32_t universe, double mean, uint64_t seed)
{
    akin_context context = context_of(&context, 1);
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.rows = rows;
    options.universe = universe;
    options.size_mean = mean;
    options.size_deviation = mean / 8;
    options.duplicates = 0.1;
    options.seed = seed;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, NULL), AKIN_OK);
    return sets;
}

/* The sets of a and those of b, whose tokens are others. */
static akin_sets *both(const akin_sets *a, const akin_sets *b)
{
    akin_context context = context_of(&context, 1);
    uint64_t in_a = a->offsets[a->rows], in_b = b->offsets[b->rows];
    uint64_t *offsets = calloc((size_t)a->rows + b->rows + 1, sizeof *offsets);
    uint32_t *tokens = calloc(in_a + in_b, sizeof *tokens);
    akin_sets *sets = NULL;
    assert_true(offsets && tokens);
    for (uint32_t row = 0; row < a->rows; row++)
        offsets[row + 1] = a->offsets[row + 1];
    for (uint32_t row = 0; row < b->rows; row++)
        offsets[a->rows + row + 1] = in_a + b->offsets[row + 1];
    memcpy(tokens, a->tokens, in_a * sizeof *tokens);
    for (uint64_t i = 0; i < in_b; i++)
        tokens[in_a + i] = 1000000 + b->tokens[i];
    assert_int_equal(akin_sets_from_arrays(&context, a->rows + b->rows, offsets, tokens, &sets, NULL), AKIN_OK);
    free(offsets);
    free(tokens);
    return sets;
}

/* What a join did, and a number that is the same for the same pairs. */
typedef struct outcome {
    uint64_t count, hash, compatible;
    uint32_t steps;
    uint32_t techniques; /* one bit each */
    double planned, joined;
} outcome;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    outcome *o = user;
    for (size_t i = 0; i < count; i++) {
        const uint32_t own[] = {pairs[i].left, pairs[i].right, pairs[i].overlap};
        for (int k = 0; k < 3; k++)
            o->hash = (o->hash ^ own[k]) * UINT64_C(0x100000001b3); /* their order counts */
    }
    return 0;
}

static outcome join(akin_context *context, const akin_sets *left, const akin_sets *right, akin_technique technique)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_summary summary = {.size = sizeof summary};
    akin_join_report *report = NULL;
    akin_error error;
    outcome o = {.hash = 1};
    options.threshold = (akin_ratio){6, 10};
    options.technique = technique;
    akin_status status = akin_join(context, left, right, &options, receive, &o, &o.count, &report, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(akin_join_report_summary(report, &summary, NULL), AKIN_OK);
    o.compatible = summary.pairs_compatible;
    o.steps = akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE);
    for (uint32_t i = 0; i < o.steps; i++) {
        akin_join_step step = {.size = sizeof step};
        assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, NULL), AKIN_OK);
        assert_int_equal(step.parts, 1);
        assert_true(step.predicted_seconds > 0 && step.predicted_candidates >= 0);
        o.techniques |= 1u << step.technique;
        o.planned += step.predicted_seconds;
    }
    akin_join_step whole = {.size = sizeof whole};
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_WEIGHED, 0, &whole, NULL), AKIN_OK);
    o.joined = whole.predicted_seconds;
    akin_join_report_free(report);
    return o;
}

/* Short sets over many tokens need an index, long ones over few signatures alone. */
static void unlike_sizes_are_cut(void **state)
{
    (void)state;
    akin_sets *shorts = generate(40000, 20000, 4, 1), *longs = generate(3000, 500, 100, 2);
    akin_sets *mixed = both(shorts, longs);
    for (uint32_t threads = UNDER_TSAN ? 3 : 1; threads <= 3; threads += 2) {
        akin_context context = context_of(&context, threads);
        outcome cut = join(&context, mixed, NULL, AKIN_AUTO), whole = join(&context, mixed, NULL, AKIN_PPJOIN);
        assert_true(cut.steps > 1 && cut.planned < cut.joined);
        assert_true(cut.techniques & (1u << AKIN_BITMAP) && cut.techniques & ~(1u << AKIN_BITMAP));
        assert_int_equal(whole.steps, 1);
        assert_int_equal(cut.count, whole.count);
        assert_int_equal(cut.hash, whole.hash);
        assert_int_equal(cut.compatible, whole.compatible);
        cut = join(&context, mixed, longs, AKIN_AUTO);
        whole = join(&context, mixed, longs, AKIN_PPJOIN);
        assert_int_equal(cut.count, whole.count);
        assert_int_equal(cut.hash, whole.hash);
    }
    akin_sets_free(mixed);
    akin_sets_free(longs);
    akin_sets_free(shorts);
}

static void like_sizes_are_not(void **state)
{
    (void)state;
    akin_sets *sets = generate(10000, 2000, 30, 3);
    akin_context context = context_of(&context, 1);
    outcome o = join(&context, sets, NULL, AKIN_AUTO);
    assert_int_equal(o.steps, 1);
    akin_sets_free(sets);
}

static void progress_goes_on(void **state)
{
    (void)state;
    akin_sets *sets = generate(3000, 300, 12, 3);
    watcher w = {.calls = 0};
    akin_context context = context_of(&context, 2);
    akin_wishes wishes = {0};
    context.wishes = &wishes;
    wishes.cut_all = 1;
    context.scope.reporter.progress = watch;
    context.scope.reporter.user = &w;
    outcome o = join(&context, sets, NULL, AKIN_AUTO);
    assert_int_equal(w.total, o.compatible);
    assert_true(o.steps > 4 && w.calls >= o.steps);
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unlike_sizes_are_cut),
        cmocka_unit_test(like_sizes_are_not),
        cmocka_unit_test(progress_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
