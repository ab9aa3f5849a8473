/* What the planner foresees of joins on the CPU: it is near to what they do, and grows with what they look at. */
#include "base/context.h"
#include "join/weigh.h"
#include "join/technique_rows.h"
#include "sets/generate.h"
#include "test_sets_support.h"

#include <math.h>

/* What a join by a technique was foreseen to do, and did. */
typedef struct outcome {
    akin_join_step done;
    akin_join_summary summary;
} outcome;

static akin_sets *generate(akin_generate_options options)
{
    akin_context context = context_of(&context, 1);
    akin_sets *sets = NULL;
    akin_error error;
    if (akin_sets_generate(&context, &options, &sets, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    return sets;
}

static akin_generate_options options_of(uint32_t rows, uint32_t universe, double mean, double deviation, double zipf)
{
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    options.rows = rows;
    options.universe = universe;
    options.size_mean = mean;
    options.size_deviation = deviation;
    options.zipf = zipf;
    return options;
}

static outcome join_within(akin_context *context, const akin_sets *sets, akin_technique technique, akin_ratio threshold)
{
    outcome o = {.done.size = sizeof o.done, .summary.size = sizeof o.summary};
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    akin_error error;
    options.technique = technique;
    options.threshold = threshold;
    context->scope.device_choice = AKIN_DEVICE_CPU;
    if (akin_join(context, sets, NULL, &options, NULL, NULL, NULL, &report, &error) != AKIN_OK)
        fail_msg("%s", error.message);
    assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &o.done, &error), AKIN_OK);
    assert_int_equal(akin_join_report_summary(report, &o.summary, &error), AKIN_OK);
    akin_join_report_free(report);
    return o;
}

static outcome join(const akin_sets *sets, akin_technique technique, akin_ratio threshold)
{
    akin_context context = context_of(&context, 1);
    return join_within(&context, sets, technique, threshold);
}

/* ---------------------------------------------------------------------------------------------------------- amounts */

static void assert_foreseen(double predicted, double seen, double times)
{
    if (!(predicted < times * (seen + 1000) && seen < times * (predicted + 1000)))
        fail_msg("predicted %g, seen %g", predicted, seen);
}

/* Whatever the sizes are, also where a few large sets make most of the visits. */
static void candidates_are_foreseen(void **state)
{
    akin_generate_options shapes[] = {
        options_of(30000, 20000, 10, 3, 1),  options_of(15000, 20000, 30, 50, 1),
        options_of(20000, 9000, 8, 20, 1.1), options_of(10000, 100000, 100, 120, 0.9),
        options_of(3000, 1000, 60, 15, 0.5),
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        shapes[i].lognormal = i == 1 || i == 2 || i == 3;
        akin_sets *sets = generate(shapes[i]);
        for (uint32_t tenths = 5; tenths < 10; tenths += 2) {
            const outcome all = join(sets, AKIN_ALLPAIRS, (akin_ratio){tenths, 10});
            const outcome placed = join(sets, AKIN_PPJOIN, (akin_ratio){tenths, 10});
            const outcome screened = join(sets, AKIN_SCREENED, (akin_ratio){tenths, 10});
            assert_foreseen(all.done.predicted_candidates, (double)all.done.candidates, 1.5);
            assert_foreseen(placed.done.predicted_candidates, (double)placed.done.candidates, 1.5);
            assert_foreseen(screened.done.predicted_candidates, (double)screened.done.candidates, 4);
        }
        akin_sets_free(sets);
    }
}

/* ----------------------------------------------------------------------------------------------------------- prices */

/* A join of as many sets as there are tokens, as the planner sees it. */
typedef struct facts {
    akin_context context;
    akin_ranked sets;
    uint64_t offsets[2];
    uint32_t size, first[2];
    akin_join_job job;
    akin_join_options options;
    akin_plan_facts facts;
} facts;

static void begin_facts(facts *f, uint32_t count, uint64_t universe)
{
    memset(f, 0, sizeof *f);
    f->context = context_of(&f->context, 1);
    f->options = (akin_join_options)AKIN_JOIN_OPTIONS_INIT;
    f->size = 10;
    f->first[1] = count;
    f->sets = (akin_ranked){.count = count,
                            .classes = 1,
                            .class_size = &f->size,
                            .class_first = f->first,
                            .offsets = f->offsets,
                            .universe = universe};
    f->job = (akin_join_job){
        .scope = &f->context.scope, .probes = &f->sets, .indexed = &f->sets, .self = 1, .same = 1, .threads = 1};
    assert_int_equal(akin_threshold_make(AKIN_JACCARD, (akin_ratio){8, 10}, &f->job.threshold, NULL), AKIN_OK);
    f->facts = (akin_plan_facts){.job = &f->job,
                                 .options = &f->options,
                                 .probes = count,
                                 .tokens = 10.0 * count,
                                 .tokens_a_set = 10,
                                 .compatible = 0.5 * count * count};
    akin_sample *sample = &f->facts.sample;
    sample->visits = sample->met = 5.0 * count;
    sample->kept = sample->groups = sample->projected = 1;
    sample->verified_met = sample->verified_kept = 5;
    sample->postings_probing = sample->live_probing = 3.0 * count;
    sample->postings_indexed = sample->live_indexed = 2.0 * count;
}

static double seconds_of(facts *f, akin_technique technique)
{
    akin_join_part part = akin_join_part_begin();
    const akin_technique_row *row = akin_technique_of(NULL, technique);
    row->weigh_on_cpu(&f->facts, row, &part);
    assert_true(part.weighed_count > 0);
    return part.weighed[0].predicted_seconds;
}

/* The same work takes longer for each set, the more memory it is spread over. */
static void far_memory_costs_more(void **state)
{
    static const akin_technique techniques[] = {AKIN_ALLPAIRS, AKIN_PPJOIN, AKIN_SCREENED};
    (void)state;
    for (size_t i = 0; i < sizeof techniques / sizeof *techniques; i++) {
        double before = 0;
        for (uint32_t count = 30000; count <= 30000000; count *= 10) {
            facts f;
            begin_facts(&f, count, count);
            const double each = seconds_of(&f, techniques[i]) / count;
            assert_true(each > 1.05 * before);
            before = each;
        }
    }
}

/* Tokens that occur once are in no list, and cost nothing there. */
static void tokens_that_occur_once_cost_little(void **state)
{
    facts f;
    (void)state;
    begin_facts(&f, 1000000, 1000000);
    f.facts.sample.visits = f.facts.sample.met = 1000;
    const double all = seconds_of(&f, AKIN_PPJOIN);
    f.facts.sample.live_probing /= 3;
    f.facts.sample.live_indexed /= 3;
    assert_true(seconds_of(&f, AKIN_PPJOIN) < 0.7 * all);
}

/* Pairs that verification looks at for long cost more than those that it soon gives up. */
static void verified_tokens_are_priced(void **state)
{
    facts f;
    (void)state;
    begin_facts(&f, 100000, 50000);
    f.facts.sample.met = f.facts.sample.visits = 1e8;
    const double little = seconds_of(&f, AKIN_ALLPAIRS);
    f.facts.sample.verified_met = 200;
    assert_true(seconds_of(&f, AKIN_ALLPAIRS) > 3 * little);
}

/* ------------------------------------------------------------------------------------------------------ the choice */

/* The factors of a calibration are those of the predicted times, and never change what is found. */
static void calibrations_scale_joins(void **state)
{
    akin_sets *sets = generate(options_of(20000, 20000, 10, 3, 1));
    akin_context context = context_of(&context, 1);
    const akin_calibration factors = {.size = sizeof factors, .index = 3, .screened = 5, .bitmap = 7};
    static const akin_technique techniques[] = {AKIN_ALLPAIRS, AKIN_SCREENED, AKIN_BITMAP};
    static const double times[] = {3, 5, 7};
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(akin_context_calibrate(&context, NULL, NULL), AKIN_OK);
        const outcome before = join_within(&context, sets, techniques[i], (akin_ratio){7, 10});
        assert_int_equal(akin_context_calibrate(&context, &factors, NULL), AKIN_OK);
        const outcome after = join_within(&context, sets, techniques[i], (akin_ratio){7, 10});
        assert_true(fabs(after.done.predicted_seconds / before.done.predicted_seconds - times[i]) < 1e-9);
        assert_int_equal(after.summary.pairs_found, before.summary.pairs_found);
    }
    akin_sets_free(sets);
}

/* Large sets have many tokens on each bit, so narrow signatures tell them from nothing, not even from sets of other
 * sizes. The planner takes wide ones, and few pairs are verified. */
static void unequal_sizes_get_wide_signatures(void **state)
{
    akin_generate_options options = options_of(15000, 20000, 34, 60, 1);
    (void)state;
    options.lognormal = 1;
    options.size_largest = 1014;
    akin_sets *sets = generate(options);
    const outcome screened = join(sets, AKIN_SCREENED, (akin_ratio){5, 10});
    const outcome all = join(sets, AKIN_ALLPAIRS, (akin_ratio){5, 10});
    assert_int_equal(screened.summary.pairs_found, all.summary.pairs_found);
    assert_true(screened.done.candidates < all.done.candidates / 5);
    assert_true(screened.done.bits >= 256);
    akin_sets_free(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_foreseen),
        cmocka_unit_test(far_memory_costs_more),
        cmocka_unit_test(tokens_that_occur_once_cost_little),
        cmocka_unit_test(verified_tokens_are_priced),
        cmocka_unit_test(calibrations_scale_joins),
        cmocka_unit_test(unequal_sizes_get_wide_signatures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
