/* Joins that are free to choose the GPU: the CPU does what the GPU lacks memory for, and is measured. That CPU and GPU
 * share a join is for the property tests. */
#include "gpu/gpu.h"
#include "base/context.h"
#include "join/price.h"

static akin_wishes wishes; /* of the tests below */

/* As if it took no time. */
static const akin_gpu_prices prices = {.bytes = 1e30,
                                       .tokens = 1e30,
                                       .compare = {1e30, 1e30, 1e30, 1e30},
                                       .decide = {1e30, 1e30, 1e30, 1e30},
                                       .candidates = 1e30,
                                       .verified = 1e30,
                                       .fetched = 1e30,
                                       .drained = 1e30,
                                       .staged = 1e30,
                                       .bounds = 1e30,
                                       .postings = 1e-30, /* of the prefix index: never */
                                       .visits = 1e-30,
                                       .merged = 1e-30};

static akin_context *create(const char *device, uint64_t memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    options.device = device;
    options.device_memory = memory;
    OK(akin_context_create(&options, &context, &gpu_error));
    context->wishes = &wishes;
    wishes.gpu_prices = &prices;
    wishes.gpu_opens = 1e-30;
    return context;
}

typedef struct outcome {
    uint64_t count, hash;
    akin_join_step done;
    char failure[256]; /* of the device */
} outcome;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    outcome *o = user;
    for (size_t i = 0; i < count; i++)
        o->hash = (o->hash ^ pairs[i].left ^ (uint64_t)pairs[i].right << 32 ^ (uint64_t)pairs[i].overlap << 16) *
                  UINT64_C(0x9e3779b97f4a7c15); /* their order counts */
    return 0;
}

static outcome join(akin_context *context, const akin_sets *sets)
{
    akin_join_summary summary = {.size = sizeof summary};
    akin_join_report *report = NULL;
    outcome o = {.hash = 1, .done = {.size = sizeof o.done}};
    OK(akin_join(context, sets, NULL, NULL, receive, &o, &o.count, &report, &gpu_error));
    OK(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &o.done, &gpu_error));
    OK(akin_join_report_summary(report, &summary, &gpu_error));
    if (summary.device_failure)
        strncpy(o.failure, summary.device_failure, sizeof o.failure - 1);
    akin_join_report_free(report);
    return o;
}

static void the_cpu_does_what_does_not_fit(void **state)
{
    (void)state;
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_context *cpu = create("cpu", 0), *little = create("auto", 65536), *enough = create("auto", 0);
    akin_context *asked = create("cuda", 65536);
    akin_sets *sets = NULL;
    options.rows = 20000;
    options.duplicates = 0.2;
    OK(akin_sets_generate(cpu, &options, &sets, &gpu_error));
    outcome expected = join(cpu, sets);
    assert_true(expected.count > 100);
    for (int again = 0; again < 2; again++) {
        outcome here = join(little, sets), there = join(enough, sets);
        assert_int_equal(here.done.device, 0);
        assert_int_equal(here.done.instead, 1);
        assert_non_null(strstr(here.failure, "of GPU memory are too little"));
        assert_int_equal(there.done.device, 1);
        assert_int_equal(there.done.instead, 0);
        assert_string_equal(there.failure, "");
        assert_true(here.count == expected.count && here.hash == expected.hash);
        assert_true(there.count == expected.count && there.hash == expected.hash);
    }
    assert_int_equal(akin_join(asked, sets, NULL, NULL, NULL, NULL, NULL, NULL, &gpu_error), AKIN_E_NOMEM);
    assert_non_null(strstr(gpu_error.message, "of GPU memory are too little"));
    akin_sets_free(sets);
    akin_context_free(asked);
    akin_context_free(enough);
    akin_context_free(little);
    akin_context_free(cpu);
}

static void it_is_measured(void **state)
{
    (void)state;
    akin_calibration measured = {.size = sizeof measured};
    akin_context *context = create("auto", 0);
    context->wishes = &wishes;
    wishes.gpu_prices = NULL;
    OK(akin_context_measure(context, &measured, &gpu_error));
    print_message("times as long: open %.2f, transfer %.2f, compare %.2f, verify %.2f\n", measured.gpu_open,
                  measured.gpu_transfer, measured.gpu_compare, measured.gpu_verify);
    assert_true(measured.gpu_open > 0 && measured.gpu_transfer > 0);
    assert_true(measured.gpu_compare > 0 && measured.gpu_verify > 0);
    OK(akin_context_calibrate(context, &measured, &gpu_error));
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_does_what_does_not_fit),
        cmocka_unit_test(it_is_measured),
    };
    int absent = gpu_absent();
    return absent ? absent : cmocka_run_group_tests(tests, NULL, NULL);
}
