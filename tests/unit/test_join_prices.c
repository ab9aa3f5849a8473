/* What the planner reckons that a GPU takes, and how a calibration changes it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_join_gpu.h"

/* ----------------------------------------------------------------------------------------------------------- prices */

/* Tokens of two bytes where the universe permits it, and offsets. */
static void transfers_are_priced(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
    prices.bytes = 1e3;
    for (int wide = 0; wide < 2; wide++) {
        akin_sets *sets = generate(20000, wide ? 200000 : 20000, 8);
        outcome o = join_with(&context, sets, AKIN_TENSOR, (akin_ratio){8, 10});
        double bytes = (wide ? 4.0 : 2.0) * (double)o.summary.tokens_left;
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
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
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
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
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

/* ------------------------------------------------------------------------------------------------------ calibration */

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

/* It is if it can be, whatever device the options name, and is no reason to fail if it cannot. */
static void a_gpu_is_measured(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
    behaves = FINDS_NOTHING;
    akin_calibration measured = measure(&context);
    assert_true(joined > 3);
    assert_true(measured.gpu_open > 0 && measured.gpu_transfer > 0);
    assert_true(measured.gpu_compare > 0 && measured.gpu_verify > 0);
    context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
    behaves = FAILS;
    assert_true(measure(&context).gpu_transfer == 0);
    assert_int_equal(joined, 1);
}

/* What was measured scales the prices. */
static void calibrations_scale_prices(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_are_priced),      cmocka_unit_test(exact_signatures_are_known),
        cmocka_unit_test(widths_are_weighed),        cmocka_unit_test(a_gpu_is_measured),
        cmocka_unit_test(calibrations_scale_prices),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
