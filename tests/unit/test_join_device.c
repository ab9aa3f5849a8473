/*
 * Where joins are done: which of CPU and GPU is chosen, when a GPU is looked for, and what happens when it fails. There is
 * no GPU here: the linker puts the functions below in the place of those that open one and join on it (--wrap), and
 * what it takes is what the prices say that a test gives.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "device/device.h"
#include "join/gpu.h"
#include "join/price.h"
#include "sets/sets.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------ a made-up GPU */

akin_status __wrap_akin_device_of(akin_context *context, akin_device **out, akin_error *error);
akin_status __wrap_akin_join_tensor(akin_join_job *job, akin_error *error);

/* How it joins. */
typedef enum behaviour {
    WORKS,
    LACKS_MEMORY,
    FAILS,
    FAILS_IN_TURN,         /* every other time, from the first on */
    FAILS_AFTER_ALL_FOUND, /* and not before */
    FINDS_NOTHING,         /* at once */
    IS_CANCELLED
} behaviour;

static uint64_t no_device[1]; /* what its address stands for is never looked at */
#define GPU ((akin_device *)(void *)no_device)

static int there; /* the machine has one */
static behaviour behaves;
static uint32_t asked, joined; /* how often it was looked for, and had to join */

akin_status __wrap_akin_device_of(akin_context *context, akin_device **out, akin_error *error)
{
    asked++;
    *out = there && context->device_choice != AKIN_DEVICE_CPU ? GPU : NULL;
    context->device = *out;
    if (!*out && context->device_choice == AKIN_DEVICE_CUDA)
        return akin_fail(error, AKIN_E_DEVICE, "there is no GPU");
    return AKIN_OK;
}

akin_status __wrap_akin_join_tensor(akin_join_job *job, akin_error *error)
{
    assert_ptr_equal(job->device, GPU);
    assert_int_equal(job->technique, AKIN_TENSOR);
    assert_true(job->bits >= AKIN_TENSOR_BITS_LEAST);
    joined++;
    if (behaves == FINDS_NOTHING)
        return AKIN_OK;
    if (behaves == IS_CANCELLED)
        return akin_fail(error, AKIN_E_CANCELLED, "cancelled");
    if (behaves == LACKS_MEMORY)
        return akin_fail(error, AKIN_E_NOMEM, "not enough GPU memory for the signatures");
    if (behaves == FAILS || (behaves == FAILS_IN_TURN && joined % 2 == 1))
        return akin_fail(error, AKIN_E_DEVICE, "GPU 0 is lost: it fell off the bus");
    akin_status status = akin_join_ppjoin(job, error);
    if (status == AKIN_OK && behaves == FAILS_AFTER_ALL_FOUND)
        return akin_fail(error, AKIN_E_DEVICE, "GPU 0 is lost: too late");
    return status;
}

/* Prices of a GPU that takes no time, and of one that is worth nothing. */
static akin_gpu_prices priceless(void)
{
    return (akin_gpu_prices){.bytes = 1e30,
                             .tokens = 1e30,
                             .compare = {1e30, 1e30, 1e30, 1e30},
                             .candidates = 1e30,
                             .fetched = 1e30,
                             .counters = 1e30,
                             .counter_bits = 1e30};
}

static akin_gpu_prices worthless(void)
{
    akin_gpu_prices prices = priceless();
    prices.start = 1e6;
    return prices;
}

static akin_context context_of(akin_device_choice choice, const akin_gpu_prices *prices)
{
    asked = joined = 0;
    there = 1;
    behaves = WORKS;
    return (akin_context){.threads = 2,
                          .cpu = akin_cpu_detect(),
                          .cpu_best = akin_cpu_detect(),
                          .device_choice = choice,
                          .gpu_prices = prices};
}

/* -------------------------------------------------------------------------------------------------------------- joins */

static akin_sets *some; /* of sizes from about 2 to 30 */

static akin_sets *generate(uint32_t rows, uint32_t universe, double mean)
{
    akin_context context = context_of(AKIN_DEVICE_CPU, NULL);
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.rows = rows;
    options.universe = universe;
    options.size_mean = mean;
    options.size_deviation = mean / 2;
    options.duplicates = 0.1;
    options.zipf = 0.5;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, NULL), AKIN_OK);
    return sets;
}

static int make(void **state)
{
    (void)state;
    some = generate(4000, 3000, 12);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    akin_sets_free(some);
    return 0;
}

#define STEPS 64

/* What a join did, and its pairs as a number that tells whether they are the same. */
typedef struct outcome {
    akin_status status;
    akin_error error;
    uint64_t count, hash;
    uint32_t done_count, weighed_count;
    akin_join_step done[STEPS], weighed[STEPS];
    akin_join_summary summary;
    char failure[256]; /* of the device */
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

static void read_steps(const akin_join_report *report, akin_join_step_kind kind, uint32_t *count, akin_join_step *steps)
{
    *count = akin_join_report_steps(report, kind);
    assert_true(*count <= STEPS);
    for (uint32_t i = 0; i < *count; i++) {
        steps[i].size = sizeof steps[i];
        assert_int_equal(akin_join_report_step(report, kind, i, &steps[i], NULL), AKIN_OK);
    }
}

static outcome join_with(akin_context *context, const akin_sets *sets, akin_technique technique, akin_ratio threshold)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    outcome o = {.hash = 1, .summary = {.size = sizeof o.summary}};
    options.threshold = threshold;
    options.technique = technique;
    o.status = akin_join(context, sets, NULL, &options, receive, &o, &o.count, &report, &o.error);
    if (o.status != AKIN_OK)
        return o;
    read_steps(report, AKIN_JOIN_STEPS_DONE, &o.done_count, o.done);
    read_steps(report, AKIN_JOIN_STEPS_WEIGHED, &o.weighed_count, o.weighed);
    assert_int_equal(akin_join_report_summary(report, &o.summary, NULL), AKIN_OK);
    if (o.summary.device_failure)
        strncpy(o.failure, o.summary.device_failure, sizeof o.failure - 1);
    akin_join_report_free(report);
    return o;
}

static outcome join(akin_context *context)
{
    outcome o = join_with(context, some, AKIN_AUTO, (akin_ratio){6, 10});
    if (o.status != AKIN_OK)
        fail_msg("%s", o.error.message);
    return o;
}

/* The same on the CPU alone. */
static outcome join_on_cpu(void)
{
    akin_context context = context_of(AKIN_DEVICE_CPU, NULL);
    outcome o = join(&context);
    assert_int_equal(asked, 0);
    assert_true(o.count > 100);
    return o;
}

static void assert_same_pairs(const outcome *a, const outcome *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->hash, b->hash);
}

static uint32_t count_device(const akin_join_step *steps, uint32_t count, uint32_t device)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += steps[i].device == device;
    return found;
}

/* ------------------------------------------------------------------------------------------------------------- choice */

static void the_cheaper_one_is_taken(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_AUTO, &prices);
    outcome o = join(&context);
    assert_int_equal(joined, 1);
    assert_int_equal(o.done_count, 1);
    assert_int_equal(o.done[0].technique, AKIN_TENSOR);
    assert_int_equal(o.done[0].device, 1);
    assert_int_equal(o.done[0].instead, 0);
    assert_null(o.summary.device_failure);
    assert_int_equal(count_device(o.weighed, o.weighed_count, 1), AKIN_GPU_WIDTHS);
    assert_int_equal(count_device(o.weighed, o.weighed_count, 0), expected.weighed_count);
    assert_same_pairs(&o, &expected);
    prices = worthless();
    o = join(&context); /* it is open, and that makes no difference */
    assert_int_equal(joined, 1);
    assert_int_equal(o.done[0].device, 0);
    assert_same_pairs(&o, &expected);
}

static void the_number_of_the_gpu_is_told(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CUDA, &prices);
    context.device_number = 3;
    assert_int_equal(join(&context).done[0].device, 4);
}

/* It is looked for if what it saves is more than opening it takes, and once it is open that is no matter. */
static void opening_is_weighed(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    double seconds = join_on_cpu().weighed[0].predicted_seconds;
    akin_context context = context_of(AKIN_DEVICE_AUTO, &prices);
    prices.open = 1.01 * seconds;
    assert_int_equal(join(&context).done[0].device, 0);
    assert_int_equal(asked, 0);
    prices.open = 0.99 * seconds;
    assert_int_equal(join(&context).done[0].device, 1);
    assert_int_equal(asked, 1);
    prices.open = 1e6;
    assert_int_equal(join(&context).done[0].device, 1);
    context.device = NULL;
    prices.open = 0.5 * seconds;
    prices.start = 0.51 * seconds; /* both together are too much */
    asked = 0;
    assert_int_equal(join(&context).done[0].device, 0);
    assert_int_equal(asked, 0);
}

/* Nothing is planned otherwise where there is none. */
static void without_a_gpu_all_is_as_on_the_cpu(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_AUTO, &prices);
    there = 0;
    outcome o = join(&context);
    assert_int_equal(asked, 1);
    assert_int_equal(joined, 0);
    assert_int_equal(o.weighed_count, expected.weighed_count);
    for (uint32_t i = 0; i < o.weighed_count; i++) {
        assert_int_equal(o.weighed[i].technique, expected.weighed[i].technique);
        assert_true(o.weighed[i].predicted_seconds == expected.weighed[i].predicted_seconds);
        assert_true(o.weighed[i].predicted_candidates == expected.weighed[i].predicted_candidates);
    }
    assert_same_pairs(&o, &expected);
}

static void who_asks_for_one_gets_it(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CPU, &prices);
    outcome o = join(&context);
    assert_int_equal(asked, 0);
    assert_int_equal(count_device(o.weighed, o.weighed_count, 1), 0);
    prices = worthless();
    context = context_of(AKIN_DEVICE_CUDA, &prices);
    o = join(&context);
    assert_int_equal(o.done[0].device, 1);
    assert_int_equal(o.weighed_count, AKIN_GPU_WIDTHS);
    assert_int_equal(count_device(o.weighed, o.weighed_count, 1), AKIN_GPU_WIDTHS);
    context = context_of(AKIN_DEVICE_AUTO, &prices);
    o = join_with(&context, some, AKIN_TENSOR, (akin_ratio){6, 10});
    assert_int_equal(o.done[0].device, 1);
    o = join_with(&context, some, AKIN_BITMAP, (akin_ratio){6, 10});
    assert_int_equal(o.status, AKIN_OK);
    assert_int_equal(o.done[0].device, 0);
}

/* The pieces of one join are done here and there. */
static void devices_take_turns(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_AUTO, &prices);
    prices.start = expected.weighed[0].predicted_seconds / 20;
    context.cut_all = 1;
    outcome o = join(&context);
    uint32_t gpu = count_device(o.done, o.done_count, 1);
    assert_true(gpu > 0 && gpu < o.done_count);
    assert_int_equal(joined, gpu);
    assert_int_equal(asked, 1);
    assert_same_pairs(&o, &expected);
}

/* A join that is cut for the memory bound opens the GPU for all its parts, each of which alone would not. */
static void parts_share_the_opening(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_AUTO, &prices);
    prices.open = expected.weighed[0].predicted_seconds / 2;
    context.memory = (uint64_t)32 << 20;
    context.part_tokens = some->offsets[some->rows] / 3;
    outcome o = join(&context);
    assert_true(o.done_count > 3);
    assert_int_equal(asked, 1);
    assert_true(joined > o.done_count / 2);
    for (uint32_t i = 0; i < o.done_count; i++)
        assert_true(o.done[i].predicted_seconds < prices.open);
    assert_same_pairs(&o, &expected);
}

/* ------------------------------------------------------------------------------------------------------------- prices */

/* Tokens of two bytes where the universe permits it, and offsets. */
static void transfers_are_priced(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CUDA, &prices);
    prices.bytes = 1e3;
    for (int wide = 0; wide < 2; wide++) {
        akin_sets *sets = generate(20000, wide ? 200000 : 20000, 8);
        outcome o = join_with(&context, sets, AKIN_TENSOR, (akin_ratio){8, 10});
        double bytes = (wide ? 4.0 : 2.0) * (double)o.summary.tokens_left + 8.0 * o.summary.rows_left;
        assert_true((o.summary.universe > 65536) == wide);
        assert_true(o.weighed[0].predicted_seconds > 0.999 * bytes / prices.bytes);
        assert_true(o.weighed[0].predicted_seconds < 1.001 * bytes / prices.bytes);
        akin_sets_free(sets);
    }
}

/* Where signatures are the sets themselves, what they leave is what qualifies, and nothing is verified. */
static void exact_signatures_are_known(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CUDA, &prices);
    akin_sets *sets = generate(3000, 250, 60);
    prices.candidates = 1; /* a second each */
    outcome o = join_with(&context, sets, AKIN_AUTO, (akin_ratio){2, 10});
    assert_int_equal(o.status, AKIN_OK);
    for (uint32_t i = 0; i < o.weighed_count; i++) {
        assert_true(o.weighed[i].exact);
        assert_true(o.weighed[i].predicted_seconds < 1);
        assert_true(o.weighed[i].predicted_candidates == o.weighed[0].predicted_candidates);
    }
    assert_true(o.done[0].exact);
    assert_true(o.done[0].predicted_candidates > 0.5 * (double)o.count);
    assert_true(o.done[0].predicted_candidates < 2.0 * (double)o.count);
    akin_sets_free(sets);
}

/* Narrow signatures leave more, and wide ones take longer. */
static void widths_are_weighed(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CUDA, &prices);
    akin_sets *sets = generate(3000, 4000, 200);
    prices.compare[0] = prices.compare[1] = prices.compare[2] = prices.compare[3] = 1e12;
    prices.candidates = 1e5;
    uint32_t wide = join_with(&context, sets, AKIN_AUTO, (akin_ratio){5, 10}).done[0].bits;
    prices.compare[1] = prices.compare[2] = prices.compare[3] = 1;
    uint32_t narrow = join_with(&context, sets, AKIN_AUTO, (akin_ratio){5, 10}).done[0].bits;
    assert_true(wide > 256);
    assert_int_equal(narrow, 256);
    akin_sets_free(sets);
}

/* ---------------------------------------------------------------------------------------------------------- calibration */

static akin_calibration measure(akin_context *context)
{
    akin_calibration measured = {.size = sizeof measured};
    akin_error error;
    akin_status status = akin_context_measure(context, &measured, &error);
    if (status != AKIN_OK)
        fail_msg("%s", error.message);
    assert_true(measured.index > 0 && measured.screened > 0 && measured.bitmap > 0);
    assert_int_equal(akin_context_calibrate(context, &measured, NULL), AKIN_OK);
    return measured;
}

/* It is if it can be, whatever device was asked for, and is no reason to fail if it cannot. */
static void a_gpu_is_measured(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CUDA, &prices);
    behaves = FINDS_NOTHING;
    akin_calibration measured = measure(&context);
    assert_true(joined > 3);
    assert_true(measured.gpu_open > 0 && measured.gpu_transfer > 0);
    assert_true(measured.gpu_compare > 0 && measured.gpu_verify > 0);
    context = context_of(AKIN_DEVICE_AUTO, &prices);
    behaves = FAILS;
    assert_true(measure(&context).gpu_transfer == 0);
    assert_int_equal(joined, 1);
}

/* What was measured scales the prices. */
static void calibrations_scale_prices(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CUDA, &prices);
    akin_calibration calibration = {
        .size = sizeof calibration, .index = 1, .screened = 1, .bitmap = 1, .gpu_transfer = 2, .gpu_compare = 5};
    prices.bytes = 1e3;
    double before = join(&context).weighed[0].predicted_seconds;
    assert_int_equal(akin_context_calibrate(&context, &calibration, NULL), AKIN_OK);
    double after = join(&context).weighed[0].predicted_seconds;
    assert_true(after > 1.999 * before && after < 2.001 * before);
    prices.bytes = 1e30;
    for (int width = 0; width < AKIN_GPU_WIDTHS; width++)
        prices.compare[width] = 1e3;
    after = join(&context).weighed[0].predicted_seconds;
    assert_int_equal(akin_context_calibrate(&context, NULL, NULL), AKIN_OK);
    before = join(&context).weighed[0].predicted_seconds;
    assert_true(after > 4.999 * before && after < 5.001 * before);
    static const double wrong[] = {-1, 0.019, 50.1, 1.0 / 0.0, 0.0 / 0.0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        akin_error error;
        calibration.gpu_verify = wrong[i];
        assert_int_equal(akin_context_calibrate(&context, &calibration, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, "or 0 where it is not known"));
    }
}

/* ------------------------------------------------------------------------------------------------------------ failing */

/* Where the device is open to choice the CPU does what the GPU could not, and the report says so. */
static void the_cpu_does_it_instead(void **state)
{
    (void)state;
    static const struct {
        behaviour behaves;
        const char *message;
    } cases[] = {
        {LACKS_MEMORY, "not enough GPU memory"}, {FAILS, "fell off the bus"}, {FAILS_IN_TURN, "fell off the bus"}};
    outcome expected = join_on_cpu();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int cut = 0; cut < 2; cut++) {
            akin_gpu_prices prices = priceless();
            akin_context context = context_of(AKIN_DEVICE_AUTO, &prices);
            behaves = cases[i].behaves;
            context.cut_all = cut;
            outcome o = join(&context);
            uint32_t instead = 0, failed = behaves == FAILS_IN_TURN ? (joined + 1) / 2 : joined;
            for (uint32_t k = 0; k < o.done_count; k++) {
                assert_true(!o.done[k].instead || o.done[k].device == 0);
                assert_true(o.done[k].technique != AKIN_TENSOR || o.done[k].device == 1);
                assert_true(o.done[k].probes > 0 && o.done[k].probes_smallest > 0);
                instead += o.done[k].instead;
            }
            assert_true(joined > 0);
            assert_int_equal(instead, failed);
            assert_non_null(strstr(o.failure, cases[i].message));
            assert_same_pairs(&o, &expected);
        }
}

static void what_was_found_is_not_found_again(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_AUTO, &prices);
    behaves = FAILS_AFTER_ALL_FOUND;
    outcome o = join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10});
    assert_int_equal(o.status, AKIN_E_DEVICE);
    assert_int_equal(o.error.code, AKIN_E_DEVICE);
    assert_non_null(strstr(o.error.message, "too late"));
    behaves = IS_CANCELLED;
    assert_int_equal(join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10}).status, AKIN_E_CANCELLED);
    behaves = WORKS;
    assert_int_equal(join(&context).done[0].device, 1);
}

/* Who asks for a GPU is told. */
static void a_gpu_asked_for_may_not_fail(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(AKIN_DEVICE_CUDA, &prices);
    behaves = LACKS_MEMORY;
    outcome o = join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10});
    assert_int_equal(o.status, AKIN_E_NOMEM);
    assert_non_null(strstr(o.error.message, "not enough GPU memory"));
    behaves = FAILS;
    assert_int_equal(join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10}).status, AKIN_E_DEVICE);
    context.device_choice = AKIN_DEVICE_AUTO;
    assert_int_equal(join_with(&context, some, AKIN_TENSOR, (akin_ratio){6, 10}).status, AKIN_E_DEVICE);
    there = 0;
    context.device_choice = AKIN_DEVICE_CUDA;
    assert_int_equal(join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10}).status, AKIN_E_DEVICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheaper_one_is_taken),     cmocka_unit_test(the_number_of_the_gpu_is_told),
        cmocka_unit_test(opening_is_weighed),           cmocka_unit_test(without_a_gpu_all_is_as_on_the_cpu),
        cmocka_unit_test(who_asks_for_one_gets_it),     cmocka_unit_test(devices_take_turns),
        cmocka_unit_test(parts_share_the_opening),      cmocka_unit_test(transfers_are_priced),
        cmocka_unit_test(exact_signatures_are_known),   cmocka_unit_test(widths_are_weighed),
        cmocka_unit_test(the_cpu_does_it_instead),      cmocka_unit_test(what_was_found_is_not_found_again),
        cmocka_unit_test(a_gpu_asked_for_may_not_fail), cmocka_unit_test(a_gpu_is_measured),
        cmocka_unit_test(calibrations_scale_prices),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
