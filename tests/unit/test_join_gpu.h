/*
 * A GPU that is not there: a backend that can be opened, and techniques whose functions the linker replaces by those
 * below (--wrap). What it takes is what the prices say that a test gives. And joins whose report is looked at.
 */
#ifndef AKIN_TEST_JOIN_GPU_H
#define AKIN_TEST_JOIN_GPU_H

#include "akin_papers.h"
#include "base/context.h"
#include "device/backend.h"
#include "device/devices.h"
#include "join/gpu.h"
#include "join/price.h"
#include "sets/sets.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------------- a made-up GPU */

akin_status __wrap_akin_devices_of(const akin_scope *scope, akin_devices **out, akin_error *error);
akin_status __wrap_akin_join_tensor(akin_join_job *job, akin_error *error);
akin_status __wrap_akin_join_in_blocks(akin_join_job *job, akin_error *error);

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

static akin_wishes wishes; /* of the context at hand */
static int there;          /* the machine has one */
static behaviour behaves;
static uint32_t asked, joined; /* how often it was looked for, and had to join */
static uint32_t width;         /* of signatures, in the options of joins */

static akin_status open_gpu(uint32_t number, uint64_t limit, akin_device **out, akin_error *error);

static void close_gpu(akin_device *device)
{
    (void)device;
}

static const akin_device_backend made_up = {.open = open_gpu, .close = close_gpu};

/* It has more memory than any join takes. */
static akin_device gpu = {.backend = &made_up, .limit = (uint64_t)1 << 40};
#define GPU (&gpu)

static akin_status open_gpu(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    (void)limit;
    asked++;
    if (!there)
        return akin_fail(error, AKIN_E_DEVICE, "there is no GPU");
    gpu.number = number;
    *out = GPU;
    return AKIN_OK;
}

/* Its joins are not cut into shares (test_join_devices.c has those). */
akin_status __wrap_akin_devices_of(const akin_scope *scope, akin_devices **out, akin_error *error)
{
    (void)scope;
    (void)error;
    *out = NULL;
    return AKIN_OK;
}

akin_status __wrap_akin_join_tensor(akin_join_job *job, akin_error *error)
{
    assert_ptr_equal(job->device, GPU);
    assert_int_equal(job->technique->choice.value, AKIN_TENSOR);
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

/* Is never chosen. */
akin_status __wrap_akin_join_in_blocks(akin_join_job *job, akin_error *error)
{
    fail_msg("%s in blocks", job->technique->choice.name);
    return akin_fail(error, AKIN_E_DEVICE, "never chosen");
}

/* Prices of a GPU that takes no time, and of one that is worth nothing. */
static inline akin_gpu_prices priceless(void)
{
    return (akin_gpu_prices){.bytes = 1e30,
                             .tokens = 1e30,
                             .compare = {1e30, 1e30, 1e30, 1e30},
                             .decide = {1e30, 1e30, 1e30, 1e30},
                             .candidates = 1e30,
                             .fetched = 1e30,
                             .drained = 1e30,
                             .staged = 1e30,
                             .bounds = 1e30,
                             .verified = 1e30,
                             .merged = 1e30,
                             .postings = 1e-30, /* there is nobody who could do it */
                             .visits = 1e-30};
}

static inline akin_gpu_prices worthless(void)
{
    akin_gpu_prices prices = priceless();
    prices.start = 1e6;
    return prices;
}

static inline akin_context context_of(akin_context *self, akin_device_choice choice, const akin_gpu_prices *prices)
{
    asked = joined = 0;
    there = 1;
    width = 0;
    behaves = WORKS;
    if (prices)
        wishes = (akin_wishes){.gpu_prices = prices, .gpu_opens = 1e-30}; /* seconds: none, about */
    return (akin_context){.scope = {.context = self, .threads = 1, .cpu = akin_cpu_detect(), .device_choice = choice},
                          .cpu_best = akin_cpu_detect(),
                          .annex = akin_papers(),
                          .backend = &made_up,
                          .wishes = prices ? &wishes : NULL};
}

/* ------------------------------------------------------------------------------------------------------------ joins */

static akin_sets *some; /* of sizes from about 2 to 30 */

static inline akin_sets *generate(uint32_t rows, uint32_t universe, double mean)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CPU, NULL);
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

static inline int make(void **state)
{
    (void)state;
    some = generate(4000, 3000, 12);
    return 0;
}

static inline int unmake(void **state)
{
    (void)state;
    akin_sets_free(some);
    return 0;
}

#define STEPS 64

/* What a join did, and a number that is the same for the same pairs. */
typedef struct outcome {
    akin_status status;
    akin_error error;
    uint64_t count, hash;
    uint32_t done_count, weighed_count;
    akin_join_step done[STEPS], weighed[STEPS];
    akin_join_summary summary;
    char failure[256]; /* of the device */
} outcome;

static inline int receive(void *user, const akin_pair *pairs, size_t count)
{
    outcome *o = user;
    for (size_t i = 0; i < count; i++) {
        const uint32_t own[] = {pairs[i].left, pairs[i].right, pairs[i].overlap};
        for (int k = 0; k < 3; k++)
            o->hash = (o->hash ^ own[k]) * UINT64_C(0x100000001b3); /* their order counts */
    }
    return 0;
}

static inline void read_steps(const akin_join_report *report, akin_join_step_kind kind, uint32_t *count,
                              akin_join_step *steps)
{
    *count = akin_join_report_steps(report, kind);
    assert_true(*count <= STEPS);
    for (uint32_t i = 0; i < *count; i++) {
        steps[i].size = sizeof steps[i];
        assert_int_equal(akin_join_report_step(report, kind, i, &steps[i], NULL), AKIN_OK);
    }
}

static inline outcome join_with(akin_context *context, const akin_sets *sets, akin_technique technique,
                                akin_ratio threshold)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    outcome o = {.hash = 1, .summary = {.size = sizeof o.summary}};
    options.threshold = threshold;
    options.technique = technique;
    options.bits = width;
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

static inline outcome join(akin_context *context)
{
    outcome o = join_with(context, some, AKIN_AUTO, (akin_ratio){6, 10});
    if (o.status != AKIN_OK)
        fail_msg("%s", o.error.message);
    return o;
}

/* The same on the CPU alone. */
static inline outcome join_on_cpu(void)
{
    akin_context context = context_of(&context, AKIN_DEVICE_CPU, NULL);
    outcome o = join(&context);
    assert_int_equal(asked, 0);
    assert_true(o.count > 100);
    return o;
}

static inline void assert_same_pairs(const outcome *a, const outcome *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->hash, b->hash);
}

static inline uint32_t count_device(const akin_join_step *steps, uint32_t count, uint32_t device)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += steps[i].device == device;
    return found;
}

#endif
