/* Where joins are done: which of CPU and GPU is chosen, when a GPU is looked for, and what happens when it fails. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "unit/test_join_gpu.h"

/* ----------------------------------------------------------------------------------------------------------- choice */

static void the_cheaper_one_is_taken(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
    outcome o = join(&context);
    assert_int_equal(joined, 1);
    assert_int_equal(o.done_count, 1);
    assert_int_equal(o.done[0].technique, AKIN_TENSOR);
    assert_int_equal(o.done[0].device, 1);
    assert_int_equal(o.done[0].instead, 0);
    assert_null(o.summary.device_failure);
    assert_int_equal(count_device(o.weighed, o.weighed_count, 1), AKIN_GPU_WIDTHS + 1);
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
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
    context.wish.numbers[0] = 3;
    assert_int_equal(join(&context).done[0].device, 4);
}

/* It is looked for if what it saves is more than opening it takes, and once it is open that is no matter. */
static void opening_is_weighed(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    double seconds = join_on_cpu().weighed[0].predicted_seconds;
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
    wishes.gpu_opens = 1.01 * seconds;
    assert_int_equal(join(&context).done[0].device, 0);
    assert_int_equal(asked, 0);
    wishes.gpu_opens = 0.99 * seconds;
    assert_int_equal(join(&context).done[0].device, 1);
    assert_int_equal(asked, 1);
    wishes.gpu_opens = 1e6;
    assert_int_equal(join(&context).done[0].device, 1);
    context.device = NULL;
    context.device_tried = 0;
    wishes.gpu_opens = 0.5 * seconds;
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
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
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
    akin_context context = context_of(&context, AKIN_DEVICE_CPU, &prices);
    outcome o = join(&context);
    assert_int_equal(asked, 0);
    assert_int_equal(count_device(o.weighed, o.weighed_count, 1), 0);
    prices = worthless();
    context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
    o = join(&context);
    assert_int_equal(o.done[0].device, 1);
    assert_int_equal(o.weighed_count, AKIN_GPU_WIDTHS + 1);
    assert_int_equal(count_device(o.weighed, o.weighed_count, 1), AKIN_GPU_WIDTHS + 1);
    context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
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
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
    prices.start = expected.weighed[0].predicted_seconds / 20;
    wishes.cut_all = 1;
    outcome o = join(&context);
    uint32_t gpu = count_device(o.done, o.done_count, 1);
    assert_true(gpu > 0 && gpu < o.done_count);
    assert_int_equal(joined, gpu);
    assert_int_equal(asked, 1);
    assert_same_pairs(&o, &expected);
}

/* Nor does a technique that both have go astray: bitmaps of the CPU are none of a GPU's in blocks. */
static void bitmaps_stay_on_the_cpu(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = worthless();
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
    const double scale[] = {50, 50, 0.02}; /* on a CPU that does nothing better */
    uint32_t bitmaps = 0, on_gpu = 0;
    memcpy(context.scale, scale, sizeof scale);
    wishes.cut_all = 1;
    double seconds = join(&context).weighed[0].predicted_seconds;
    for (double share = 0.05; share < 0.95 && !(bitmaps && on_gpu); share += 0.05) {
        context.device = NULL;
        context.device_tried = 0;
        prices.start = share * seconds;
        outcome o = join(&context);
        assert_same_pairs(&o, &expected);
        on_gpu = count_device(o.done, o.done_count, 1);
        bitmaps = 0;
        for (uint32_t i = 0; i < o.done_count; i++)
            bitmaps += o.done[i].technique == AKIN_BITMAP;
    }
    assert_true(bitmaps && on_gpu);
}

/* A join that is cut for the memory bound opens the GPU for all its parts, though no part would open it alone. */
static void parts_share_the_opening(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
    wishes.gpu_opens = expected.weighed[0].predicted_seconds / 2;
    context.scope.memory = (uint64_t)32 << 20;
    wishes.part_tokens = some->offsets[some->rows] / 3;
    outcome o = join(&context);
    assert_true(o.done_count > 3);
    assert_int_equal(asked, 1);
    assert_true(joined > o.done_count / 2);
    for (uint32_t i = 0; i < o.done_count; i++)
        assert_true(o.done[i].predicted_seconds < wishes.gpu_opens);
    assert_same_pairs(&o, &expected);
}

/* ---------------------------------------------------------------------------------------------------------- failing */

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
            akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
            behaves = cases[i].behaves;
            wishes.cut_all = cut;
            outcome o = join(&context);
            uint32_t instead = 0, failed = behaves == FAILS_IN_TURN ? (joined + 1) / 2 : joined;
            for (uint32_t k = 0; k < o.done_count; k++) {
                assert_true(!o.done[k].instead || o.done[k].device == 0);
                assert_true(o.done[k].technique != AKIN_TENSOR || o.done[k].device == 1);
                assert_true(o.done[k].probes > 0 && o.done[k].probes_smallest > 0);
                instead += o.done[k].instead;
            }
            assert_true(joined > 0);
            if (behaves == LACKS_MEMORY) /* smaller parts are tried before */
                failed = o.done_count;
            assert_int_equal(instead, failed);
            assert_non_null(strstr(o.failure, cases[i].message));
            assert_same_pairs(&o, &expected);
        }
}

/* Nor is the width of the options forgotten where the CPU was not even weighed. */
static void the_cpu_does_it_with_that_width(void **state)
{
    (void)state;
    outcome expected = join_on_cpu();
    akin_gpu_prices prices = priceless();
    for (uint32_t bits = 256; bits <= 1024; bits *= 2) {
        akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
        context.device = GPU;
        prices.quick = 1e9;
        behaves = FAILS;
        width = bits;
        outcome o = join(&context);
        assert_int_equal(count_device(o.weighed, o.weighed_count, 0), 0);
        assert_true(o.done[0].instead == 1 && o.done[0].device == 0);
        assert_int_equal(o.done[0].bits, bits);
        assert_same_pairs(&o, &expected);
    }
}

static void what_was_found_is_not_found_again(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(&context, AKIN_DEVICE_AUTO, &prices);
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

/* A join that must run on a GPU gets the reason why it cannot. */
static void a_gpu_asked_for_may_not_fail(void **state)
{
    (void)state;
    akin_gpu_prices prices = priceless();
    akin_context context = context_of(&context, AKIN_DEVICE_CUDA, &prices);
    behaves = LACKS_MEMORY;
    outcome o = join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10});
    assert_int_equal(o.status, AKIN_E_NOMEM);
    assert_non_null(strstr(o.error.message, "not enough GPU memory"));
    behaves = FAILS;
    assert_int_equal(join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10}).status, AKIN_E_DEVICE);
    context.scope.device_choice = AKIN_DEVICE_AUTO;
    assert_int_equal(join_with(&context, some, AKIN_TENSOR, (akin_ratio){6, 10}).status, AKIN_E_DEVICE);
    there = 0;
    context.device = NULL;
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    assert_int_equal(join_with(&context, some, AKIN_AUTO, (akin_ratio){6, 10}).status, AKIN_E_DEVICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheaper_one_is_taken),     cmocka_unit_test(the_number_of_the_gpu_is_told),
        cmocka_unit_test(opening_is_weighed),           cmocka_unit_test(without_a_gpu_all_is_as_on_the_cpu),
        cmocka_unit_test(who_asks_for_one_gets_it),     cmocka_unit_test(devices_take_turns),
        cmocka_unit_test(bitmaps_stay_on_the_cpu),      cmocka_unit_test(parts_share_the_opening),
        cmocka_unit_test(the_cpu_does_it_instead),      cmocka_unit_test(what_was_found_is_not_found_again),
        cmocka_unit_test(a_gpu_asked_for_may_not_fail), cmocka_unit_test(the_cpu_does_it_with_that_width),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
