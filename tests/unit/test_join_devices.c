/*
 * Joins on GPUs that are not there: a backend of this file, and techniques whose functions the linker replaces by those
 * below. A GPU here is a number of bytes, and does what the CPU does, if that would fit. So these tests show which GPU
 * does which part of a join, and with how much memory. That GPUs find the right pairs is for tests/gpu.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "akin_papers.h"
#include "base/context.h"
#include "device/backend.h"
#include "device/devices.h"
#include "join/gpu.h"
#include "join/part.h"
#include "join/tensor.h"
#include "sets/sets.h"
#include "unit/test_sanitizers.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define MIB  ((uint64_t)1 << 20)
#define GPUS 3

/* Devices are pointers to these: the first ones, and the twin of each. */
typedef struct gpu {
    akin_device base;
    atomic_int busy; /* a thread uses it */
    _Atomic uint64_t shares;
    uint64_t largest; /* bytes that a share took */
    int full;         /* another process has its memory */
    int fills;        /* and takes it while a task is at work */
    int worked;       /* it had a task of those in common */
} gpu;
static gpu gpus[GPUS], twins[GPUS];
static uint64_t memory;      /* of each GPU */
static double underestimate; /* what its data take of what is predicted */

static int waits;          /* GPUs begin when the CPU has planned a share */
static atomic_int planned; /* it has */
static uint32_t all_probes;
static uint32_t meet; /* GPUs that have to have a task before any goes on */
static _Atomic uint32_t arrived;

akin_status __real_akin_join_part_plan(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                                       akin_join_part *part, akin_sample *sample, akin_error *error);
akin_status __wrap_akin_join_part_plan(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                                       akin_join_part *part, akin_sample *sample, akin_error *error);
akin_status __wrap_akin_join_tensor(akin_join_job *job, akin_error *error);
akin_status __wrap_akin_join_in_blocks(akin_join_job *job, akin_error *error);

static gpu *gpu_of(const akin_device *device)
{
    return (gpu *)(uintptr_t)device;
}

static akin_device *device_of(gpu *gpu)
{
    return &gpu->base;
}

/* A device and its twin never have more than there is. */
static void bound_gpu(akin_device *device, uint64_t limit)
{
    device->limit = limit;
    assert_true(gpus[device->number].base.limit + twins[device->number].base.limit <= memory);
}

/* Only twins are opened. */
static akin_status open_twin(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    (void)limit;
    (void)error;
    assert_true(number < GPUS);
    *out = device_of(&twins[number]);
    return AKIN_OK;
}

static void close_gpu(akin_device *device)
{
    (void)device;
}

static const akin_device_backend made_up = {.open = open_twin, .close = close_gpu, .bound = bound_gpu};

akin_status __wrap_akin_join_part_plan(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                                       akin_join_part *part, akin_sample *sample, akin_error *error)
{
    akin_status status = __real_akin_join_part_plan(job, options, whole, part, sample, error);
    planned |= !job->device && job->probes->count < all_probes;
    return status;
}

/* Joins a piece of the probes with all that they may meet. */
static akin_status join_piece(akin_join_job *job, uint32_t first, uint32_t end, akin_error *error)
{
    akin_share_view view;
    const akin_piece_range piece = {job->probes, NULL, first, end};
    const akin_piece_range others = {job->indexed, NULL, 0, job->self ? first : job->indexed->count};
    akin_share own = {{piece, piece, 1}, 0}, rest = {{piece, others, 0}, 0};
    akin_status status = akin_share_view_make(job, &view, error);
    if (status == AKIN_OK && job->self) {
        akin_share_view_enter(&view, &own);
        status = akin_join_ppjoin(&view.job, error);
        akin_join_marks_clear(&view.job);
    }
    if (status == AKIN_OK && others.end > 0) {
        akin_share_view_enter(&view, &rest);
        status = akin_join_ppjoin(&view.job, error);
        akin_join_marks_clear(&view.job);
    }
    akin_share_view_clear(&view);
    return status;
}

#define TASKS 24

/* Does tasks of those in common; none goes on before all that `meet` have one. */
static akin_status join_in_turns(akin_join_job *job, gpu *g, akin_error *error)
{
    akin_status status = AKIN_OK;
    uint64_t count = job->probes->count;
    while (status == AKIN_OK) {
        uint64_t task = akin_join_next(job, 0, 1, TASKS);
        if (task == TASKS)
            break;
        if (g->worked++ == 0)
            arrived++;
        for (int k = 0; arrived < meet && k < 1000000; k++)
            sched_yield();
        job->workers[0].compared += 1000000000;
        if (g->fills)
            return akin_fail(error, AKIN_E_NOMEM, "not enough GPU memory any more");
        status = akin_scope_report(job->scope, "joining", task, TASKS);
        if (status == AKIN_OK)
            status = join_piece(job, (uint32_t)(count * task / TASKS), (uint32_t)(count * (task + 1) / TASKS), error);
    }
    return status;
}

static akin_status join_on(akin_join_job *job, akin_error *error)
{
    gpu *g = gpu_of(job->device);
    akin_share_bounds bounds = {0};
    uint64_t pairs = 0, tokens = akin_ranked_tokens(job->probes), sets = job->probes->count;
    akin_tensor_bounds(job, g->base.limit, &bounds);
    for (uint32_t c = 0; c < job->probes->classes; c++)
        pairs += akin_join_class_pairs(job, c);
    tokens += job->self ? 0 : akin_ranked_tokens(job->indexed);
    sets += job->self ? 0 : job->indexed->count;
    double data = akin_share_bytes(&bounds, tokens, sets, pairs) - bounds.fixed;
    uint64_t bytes = (uint64_t)(bounds.fixed + underestimate * data);
    g->shares++;
    g->largest = bytes > g->largest ? bytes : g->largest;
    if (g->base.lost)
        return akin_fail(error, AKIN_E_DEVICE, "it is lost");
    if (bytes > g->base.limit || g->full)
        return akin_fail(error, AKIN_E_NOMEM, "not enough GPU memory");
    return job->turns ? join_in_turns(job, g, error) : akin_join_ppjoin(job, error);
}

akin_status __wrap_akin_join_tensor(akin_join_job *job, akin_error *error)
{
    gpu *g = gpu_of(job->device);
    assert_int_equal(atomic_fetch_add(&g->busy, 1), 0);
    for (int k = 0; waits && !planned && k < 1000000; k++)
        sched_yield();
    akin_status status = join_on(job, error);
    sched_yield();
    atomic_fetch_sub(&g->busy, 1);
    return status;
}

/* One that takes the whole memory of the first GPU. */
akin_status __wrap_akin_join_in_blocks(akin_join_job *job, akin_error *error)
{
    assert_ptr_equal(job->device, device_of(&gpus[0]));
    return gpus[0].base.limit == memory ? akin_join_ppjoin(job, error) : akin_fail(error, AKIN_E_NOMEM, "half of it");
}

/* --------------------------------------------------------------------------------------------------------------------
 */

static akin_sets *generate(uint32_t rows, uint64_t seed)
{
    akin_context context = {.scope = {.context = &context, .threads = 1, .cpu = akin_cpu_detect()}};
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.rows = rows;
    options.universe = 3000;
    options.size_mean = 12;
    options.size_deviation = 5;
    options.duplicates = 0.2;
    options.seed = seed;
    assert_int_equal(akin_sets_generate(&context, &options, &sets, NULL), AKIN_OK);
    return sets;
}

typedef struct outcome {
    akin_status status;
    akin_error error;
    uint64_t count, hash;
    akin_join_step step;
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
    akin_join_report *report = NULL;
    outcome o = {.hash = 1, .step = {.size = sizeof o.step}};
    options.threshold = (akin_ratio){6, 10};
    options.technique = technique;
    options.bits = technique == AKIN_TENSOR ? 256 : 0;
    o.status = akin_join(context, left, right, &options, receive, &o, &o.count, &report, &o.error);
    if (o.status == AKIN_OK)
        assert_int_equal(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, 0, &o.step, NULL), AKIN_OK);
    akin_join_report_free(report);
    return o;
}

/* A machine of some GPUs with so much memory each, and a context that has them all. */
typedef struct machine {
    akin_context context;
    akin_wishes wishes;
    akin_devices devices;
} machine;

static void start(machine *m, uint32_t count, uint64_t bytes)
{
    memset(gpus, 0, sizeof gpus);
    memset(twins, 0, sizeof twins);
    memory = bytes;
    underestimate = 1;
    meet = 0;
    arrived = 0;
    *m = (machine){.context = {.scope = {.context = &m->context,
                                         .threads = 3,
                                         .cpu = akin_cpu_detect(),
                                         .device_choice = AKIN_DEVICE_CUDA},
                               .cpu_best = akin_cpu_detect(),
                               .wishes = &m->wishes,
                               .annex = akin_papers(),
                               .device = device_of(&gpus[0]),
                               .devices = &m->devices},
                   .devices = {.count = count}};
    for (uint32_t i = 0; i < count; i++) {
        gpus[i].base = (akin_device){.backend = &made_up, .number = i, .limit = bytes};
        twins[i].base = (akin_device){.backend = &made_up, .number = i};
        m->devices.device[i] = device_of(&gpus[i]);
    }
}

/* The collections, and what the CPU finds. */
static akin_sets *left, *right;
static outcome self, both;

static int setup(void **state)
{
    (void)state;
    akin_context cpu = {
        .scope = {.context = &cpu, .threads = 1, .cpu = akin_cpu_detect(), .device_choice = AKIN_DEVICE_CPU}};
    left = generate(20000, 1);
    right = generate(9000, 2);
    self = join(&cpu, left, NULL, AKIN_PPJOIN);
    both = join(&cpu, left, right, AKIN_PPJOIN);
    return self.count > 100 && self.step.gpus == 0 && self.step.parts == 1 ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    akin_sets_free(left);
    akin_sets_free(right);
    return 0;
}

static outcome check(machine *m)
{
    outcome o = join(&m->context, left, right, AKIN_TENSOR);
    if (o.status != AKIN_OK)
        fail_msg("%s", o.error.message);
    assert_int_equal(o.count, both.count);
    assert_int_equal(o.hash, both.hash);
    o = join(&m->context, left, NULL, AKIN_TENSOR);
    assert_int_equal(o.status, AKIN_OK);
    assert_int_equal(o.count, self.count);
    assert_int_equal(o.hash, self.hash);
    assert_true(o.step.gpus > 0);
    return o;
}

static void one_that_has_room(void **state)
{
    (void)state;
    machine m;
    start(&m, 1, 200 * MIB);
    outcome o = check(&m);
    assert_true(o.step.parts == 1 && o.step.gpus == 1 && o.step.parts_cpu == 0);
    assert_true(gpus[0].shares == 2 && twins[0].shares == 0 && gpus[0].base.limit == memory);
}

/* In one taker where halves would be small, else with the twin. */
static void one_that_has_not(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {4 * MIB, 5 * MIB, 4500000};
    machine m;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        start(&m, 1, sizes[i]);
        outcome o = check(&m);
        assert_true(o.step.parts > 3 && o.step.gpus == 1);
        assert_true(twins[0].shares == 0 && gpus[0].largest <= memory);
    }
    start(&m, 1, 70 * MIB);
    m.wishes.share_tokens = 40000;
    outcome o = check(&m);
    assert_true(o.step.parts > 10 && twins[0].shares > 0 && gpus[0].shares > 0);
    assert_true(gpus[0].base.limit == 35 * MIB && twins[0].base.limit == 35 * MIB);
    /* and what comes after has all of it */
    assert_int_equal(join(&m.context, left, NULL, AKIN_FGSSJOIN).hash, self.hash);
    assert_true(gpus[0].base.limit == memory && twins[0].base.limit == 0);
}

/* What was taken to fit does not, once or all the time. */
static void predicted_too_low(void **state)
{
    (void)state;
    machine m;
    start(&m, 1, 8 * MIB);
    uint64_t parts = check(&m).step.parts;
    underestimate = 2;
    assert_true(check(&m).step.parts > parts);
    start(&m, 1, 80 * MIB);
    assert_int_equal(check(&m).step.parts, 1);
    underestimate = 40;
    assert_true(check(&m).step.parts > 1);
    underestimate = 1e9;
    outcome o = join(&m.context, left, NULL, AKIN_TENSOR);
    assert_int_equal(o.status, AKIN_E_NOMEM);
    assert_string_equal(o.error.message, "not enough GPU memory");
    underestimate = 1;
    check(&m);
}

static void too_little(void **state)
{
    (void)state;
    machine m;
    start(&m, 1, MIB);
    outcome o = join(&m.context, left, NULL, AKIN_TENSOR);
    assert_int_equal(o.status, AKIN_E_NOMEM);
    assert_int_equal(o.error.reason, AKIN_REASON_DEVICE_MEMORY);
    assert_non_null(strstr(o.error.message, "1.0 MiB of GPU memory are too little: a join takes at least "));
    uint64_t least = strtoull(strstr(o.error.message, "least ") + 6, NULL, 10);
    assert_int_equal(gpus[0].shares, 0);
    start(&m, 1, least * MIB); /* would do */
    check(&m);
}

static void several(void **state)
{
    (void)state;
    machine m;
    for (int bounded = 0; bounded < 2; bounded++)
        for (uint32_t threads = UNDER_TSAN ? 9 : 1; threads <= 9; threads += 4) {
            start(&m, GPUS, 200 * MIB);
            m.context.scope.threads = threads;
            m.context.scope.memory = bounded ? 32 * MIB : 0;
            outcome o = check(&m);
            assert_true(o.step.parts == 1 && o.step.gpus == 1); /* it is short */
            m.wishes.share_tokens = 20000;
            o = check(&m);
            assert_true(o.step.parts > 20 && o.step.gpus == GPUS && o.step.parts_cpu == 0);
            for (int i = 0; i < GPUS; i++)
                assert_true(gpus[i].base.limit == memory / 2 && twins[i].base.limit == memory / 2);
        }
}

/* A join. Each of its `count` GPUs begins a task before any goes on. */
static outcome join_met(machine *m, uint32_t count)
{
    for (int i = 0; i < GPUS; i++)
        gpus[i].worked = 0;
    arrived = 0;
    meet = count;
    outcome o = join(&m->context, left, NULL, AKIN_TENSOR);
    meet = 0;
    return o;
}

/* Each has all sets, and they take tasks from one list. */
static void together(void **state)
{
    (void)state;
    machine m;
    for (uint32_t threads = UNDER_TSAN ? 9 : 1; threads <= 9; threads += 8) {
        start(&m, GPUS, 200 * MIB);
        m.context.scope.threads = threads;
        m.wishes.share_all = 1;
        outcome o = join_met(&m, GPUS);
        assert_true(o.hash == self.hash && o.step.parts == 1 && o.step.gpus == GPUS && o.step.parts_cpu == 0);
        for (int i = 0; i < GPUS; i++)
            assert_true(gpus[i].worked > 0 && twins[i].shares == 0 && gpus[i].base.limit == memory);
        check(&m);
        /* one that is full leaves all to the others */
        gpus[1].full = 1;
        o = join_met(&m, GPUS - 1);
        assert_true(o.hash == self.hash && o.step.parts == 1 && o.step.gpus == GPUS - 1);
        assert_true(o.step.compared >= TASKS * UINT64_C(1000000000));
        check(&m);
        /* one that fills when it has a task loses no pair: the join fails, or is done again */
        gpus[1].full = 0;
        gpus[1].fills = 1;
        o = join_met(&m, GPUS);
        assert_true(o.status == AKIN_E_NOMEM || (o.status == AKIN_OK && o.hash == self.hash));
        gpus[0].fills = gpus[2].fills = 1;
        o = join_met(&m, GPUS);
        assert_true(o.status == AKIN_OK && o.hash == self.hash);
        assert_true(o.step.parts > GPUS && o.step.compared < 1000000000);
        gpus[0].fills = gpus[1].fills = gpus[2].fills = 0;
        /* one that is lost fails the join */
        gpus[2].base.lost = 1;
        o = join(&m.context, left, NULL, AKIN_TENSOR);
        assert_int_equal(o.status, AKIN_E_DEVICE);
        assert_string_equal(o.error.message, "cuda:2: it is lost");
        gpus[2].base.lost = 0;
        check(&m);
    }
    /* where none has the room that it was taken to have, or one is known not to, it is cut */
    start(&m, GPUS, 80 * MIB);
    m.wishes.share_all = 1;
    underestimate = 40;
    assert_true(check(&m).step.parts > GPUS);
    start(&m, GPUS, 80 * MIB);
    m.wishes.share_all = 1;
    gpus[1].base.limit = 5 * MIB;
    assert_true(check(&m).step.parts > GPUS);
}

/* The CPU joins in where it is predicted to be fast enough. */
static void with_the_cpu(void **state)
{
    (void)state;
    machine m;
    for (uint32_t count = 1; count <= GPUS; count += UNDER_TSAN ? 2 : 1)
        for (int fast = 0; fast < 2; fast++) {
            double scale = fast ? 1e-5 : 1e5;
            start(&m, count, 200 * MIB);
            m.wishes.share_tokens = 20000;
            m.context.wish.all = 1;
            m.context.scale[0] = m.context.scale[1] = m.context.scale[2] = scale;
            waits = fast; /* else the CPU is known to be of no help before any share */
            planned = 0;
            all_probes = left->rows;
            outcome o = join(&m.context, left, NULL, AKIN_TENSOR);
            waits = 0;
            assert_true(o.status == AKIN_OK && o.hash == self.hash && planned == fast);
            assert_true(o.step.parts > 20 && o.step.gpus == count);
            assert_true((o.step.parts_cpu > 0) == fast && o.step.parts_cpu < o.step.parts);
            assert_int_equal(o.step.technique, AKIN_TENSOR);
            /* and if it need not be cut, it is cut for the CPU if that is fast */
            m.wishes.share_tokens = 0;
            m.context.scale[AKIN_CALIBRATED_COMPARE] = 1e6; /* it is long */
            o = check(&m);
            assert_true((o.step.parts > 1) == fast && o.step.gpus == count);
        }
}

/* Where bringing the sets is most of it one GPU does it alone, however long. */
static void bringing_is_not_shared(void **state)
{
    (void)state;
    machine m;
    for (int most = 0; most < 2; most++) {
        start(&m, GPUS, 200 * MIB);
        m.context.scale[AKIN_CALIBRATED_TRANSFER] = most ? 1e4 : 1;
        m.context.scale[AKIN_CALIBRATED_COMPARE] = most ? 1 : 1e6;
        outcome o = check(&m);
        assert_int_equal(o.step.gpus, most ? 1 : GPUS);
        assert_true(o.step.predicted_seconds > 0.1 && o.step.parts == 1);
    }
}

static int calls;

static int at_that_call(void *user)
{
    return ++calls == *(const int *)user;
}

/* Who says once that the join is to end is heard, whatever is weighed or joined just then. */
static void cancelled(void **state)
{
    (void)state;
    machine m;
    for (int all = 0; all < 2; all++)
        for (int call = 1; call < 200; call += UNDER_TSAN ? 57 : UNDER_ASAN ? 13 : 3) {
            start(&m, 1 + (uint32_t)call % GPUS, 200 * MIB);
            m.context.wish.all = all;
            m.context.scale[AKIN_CALIBRATED_COMPARE] = 1e6;
            m.context.scope.reporter.cancel = at_that_call;
            m.context.scope.reporter.user = &call;
            calls = 0;
            outcome o = join(&m.context, left, NULL, AKIN_TENSOR);
            assert_int_equal(o.status, calls >= call ? AKIN_E_CANCELLED : AKIN_OK);
            if (calls < call)
                break;
        }
}

static void one_is_lost(void **state)
{
    (void)state;
    machine m;
    start(&m, GPUS, 200 * MIB);
    m.wishes.share_tokens = 20000;
    for (int i = 0; i < GPUS; i++)
        gpus[i].base.lost = twins[i].base.lost = 1;
    outcome o = join(&m.context, left, NULL, AKIN_TENSOR);
    assert_int_equal(o.status, AKIN_E_DEVICE);
    assert_non_null(strstr(o.error.message, ": it is lost"));
    assert_memory_equal(o.error.message, "cuda:", 5);
    for (int i = 0; i < GPUS; i++)
        gpus[i].base.lost = twins[i].base.lost = 0;
    check(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several),
        cmocka_unit_test(together),
        cmocka_unit_test(with_the_cpu),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(one_is_lost),
        /* a GPU at a time, or a GPU and its twin */
        cmocka_unit_test(one_that_has_room),
        cmocka_unit_test(one_that_has_not),
        cmocka_unit_test(predicted_too_low),
        cmocka_unit_test(too_little),
        cmocka_unit_test(bringing_is_not_shared),
    };
    return RUN_TESTS(tests, 5, setup, teardown);
}
