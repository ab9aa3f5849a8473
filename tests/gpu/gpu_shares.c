/* Joins that do not fit a GPU, or that several share: the same pairs as on the CPU, within the limit; one that has too
 * little memory fails with a reason, and the next one works. */
#include "gpu/gpu.h"
#include "akin_papers.h"
#include "base/context.h"
#include "unit/test_join_watch.h"

static akin_wishes wishes; /* of the tests below */

#define MIB ((uint64_t)1 << 20)

/* What a join did, and a number that is the same for the same pairs. */
typedef struct outcome {
    akin_status status;
    uint64_t count, hash, parts, parts_cpu;
    uint32_t devices;
    int any_order;
} outcome;

static int receive(void *user, const akin_pair *pairs, size_t count)
{
    outcome *o = user;
    for (size_t i = 0; i < count; i++) {
        const uint32_t own[] = {pairs[i].left, pairs[i].right, pairs[i].overlap};
        uint64_t hash = o->any_order ? 1 : o->hash;
        for (int k = 0; k < 3; k++)
            hash = (hash ^ own[k]) * UINT64_C(0x9e3779b97f4a7c15);
        o->hash = o->any_order ? o->hash + (hash ^ hash >> 31) : hash; /* else their order counts */
    }
    return 0;
}

static outcome join(akin_context *context, const akin_sets *left, const akin_sets *right, akin_technique technique,
                    int any_order)
{
    akin_join_options options = AKIN_JOIN_OPTIONS_INIT;
    akin_join_report *report = NULL;
    outcome o = {.hash = 1, .any_order = any_order};
    options.threshold = (akin_ratio){6, 10};
    options.technique = technique;
    options.any_order = (uint32_t)any_order;
    o.status = akin_join(context, left, right, &options, receive, &o, &o.count, &report, &gpu_error);
    for (uint32_t i = 0; o.status == AKIN_OK && i < akin_join_report_steps(report, AKIN_JOIN_STEPS_DONE); i++) {
        akin_join_step step = {.size = sizeof step};
        OK(akin_join_report_step(report, AKIN_JOIN_STEPS_DONE, i, &step, &gpu_error));
        o.parts += step.parts;
        o.parts_cpu += step.parts_cpu;
        o.devices = step.gpus > o.devices ? step.gpus : o.devices;
    }
    akin_join_report_free(report);
    return o;
}

static akin_context *create(const char *device, uint64_t device_memory, uint64_t memory)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context;
    options.device = device;
    options.device_memory = device_memory;
    options.memory = memory;
    options.threads = 3;
    OK(akin_context_create(&options, &context, &gpu_error));
    OK(akin_context_use(context, akin_papers(), &gpu_error));
    return context;
}

static akin_sets *generate(uint32_t rows, uint64_t seed)
{
    akin_context *context = create("cpu", 0, 0);
    akin_generate_options options = AKIN_GENERATE_OPTIONS_INIT;
    akin_sets *sets = NULL;
    options.rows = rows;
    options.universe = 20000;
    options.size_mean = 14;
    options.size_deviation = 5;
    options.duplicates = 0.2;
    options.seed = seed;
    OK(akin_sets_generate(context, &options, &sets, &gpu_error));
    akin_context_free(context);
    return sets;
}

/* Collections, and what the CPU finds. */
typedef struct fixture {
    akin_sets *sets[2];
    outcome self, both, any;
} fixture;

static fixture *make(uint32_t rows)
{
    fixture *f = calloc(1, sizeof *f);
    akin_context *cpu = create("cpu", 0, 0);
    f->sets[0] = generate(rows, 1);
    f->sets[1] = generate(rows / 2, 2);
    f->self = join(cpu, f->sets[0], NULL, AKIN_PPJOIN, 0);
    f->both = join(cpu, f->sets[0], f->sets[1], AKIN_PPJOIN, 0);
    f->any = join(cpu, f->sets[0], NULL, AKIN_PPJOIN, 1);
    assert_true(f->self.count > rows / 20 && f->self.devices == 0);
    akin_context_free(cpu);
    return f;
}

static void discard(fixture *f)
{
    akin_sets_free(f->sets[0]);
    akin_sets_free(f->sets[1]);
    free(f);
}

/* Joins in each of three ways find what the CPU found. Returns the outcome with the most parts. */
static outcome check_by(akin_context *context, const fixture *f, akin_technique technique)
{
    const outcome *expected[] = {&f->self, &f->both, &f->any};
    outcome most = {.parts = 0};
    for (int way = 0; way < 3; way++) {
        outcome o = join(context, f->sets[0], way == 1 ? f->sets[1] : NULL, technique, way == 2);
        if (o.status != AKIN_OK)
            fail_msg("%s", gpu_error.message);
        assert_int_equal(o.count, expected[way]->count);
        assert_int_equal(o.hash, expected[way]->hash);
        assert_true(o.devices >= 1);
        if (o.parts > most.parts)
            most = o;
    }
    return most;
}

static outcome check(akin_context *context, const fixture *f)
{
    return check_by(context, f, AKIN_TENSOR);
}

static void within_a_limit(void **state)
{
    (void)state;
    static const uint64_t limits[] = {0, 256, 64, 16, 6, 4};
    fixture *f = make(100000);
    uint64_t parts = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        akin_context *context = create("cuda", limits[i] * MIB, 0);
        outcome o = check(context, f);
        assert_int_equal(o.parts_cpu, 0);
        print_message("a limit of %llu MiB: %llu parts\n", (unsigned long long)limits[i], (unsigned long long)o.parts);
        assert_true(limits[i] == 0 ? o.parts == 1 : o.parts >= parts);
        assert_true(limits[i] == 0 || limits[i] > 16 || o.parts > 1);
        parts = o.parts;
        if (limits[i]) {
            assert_true(akin_device_peak(context->device) <= limits[i] * MIB);
            assert_int_equal(akin_device_held(context->device), 0);
        }
        akin_context_free(context);
    }
    discard(f);
}

/* In one context joins that fit and joins that do not take turns, and each has the memory that it may have. */
static void by_turns(void **state)
{
    (void)state;
    fixture *large = make(100000), *small = make(2000);
    akin_context *context = create("cuda", 64 * MIB, 0);
    for (int round = 0; round < 3; round++) {
        wishes = (akin_wishes){0};
        context->wishes = &wishes;
        wishes.share_tokens = 200000;
        assert_true(check(context, large).parts > 1);
        wishes.share_tokens = 0;
        assert_int_equal(check(context, small).parts, 1);
        assert_int_equal(akin_device_limit(context->device), 64 * MIB);
    }
    akin_context_free(context);
    discard(large);
    discard(small);
}

static void too_little(void **state)
{
    (void)state;
    fixture *f = make(20000);
    akin_context *context = create("cuda", MIB, 0);
    assert_int_equal(join(context, f->sets[0], NULL, AKIN_TENSOR, 0).status, AKIN_E_NOMEM);
    assert_non_null(strstr(gpu_error.message, "1.0 MiB of GPU memory are too little: a join takes at least "));
    akin_device_bound(context->device, 64 * MIB);
    check(context, f);
    /* techniques that are kept to be compared with are not cut */
    assert_int_equal(join(context, f->sets[0], NULL, AKIN_FGSSJOIN, 0).status, AKIN_E_NOMEM);
    assert_non_null(strstr(gpu_error.message, "not enough GPU memory for "));
    assert_int_equal(akin_device_held(context->device), 0);
    check(context, f);
    akin_context_free(context);
    discard(f);
}

/* Those who share one GPU or several, the CPU with them or not. */
static void shared(void **state)
{
    (void)state;
    static const char *const devices[] = {"cuda", "cuda:0", "cuda:all", "cuda:0,1"};
    uint32_t gpus = akin_device_find().devices;
    fixture *f = make(60000);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (i == 3 && gpus < 2) {
            print_message("there is one GPU: %s is left out\n", devices[i]);
            continue;
        }
        for (int bounded = 0; bounded < 2; bounded++) {
            akin_context *context = create(devices[i], 0, bounded ? 24 * MIB : 0);
            wishes = (akin_wishes){0};
            context->wishes = &wishes;
            wishes.share_tokens = 60000;
            wishes.share_all = i == 2 && bounded;
            outcome o = check(context, f);
            assert_true(o.parts > 10 && o.parts_cpu < o.parts);
            assert_int_equal(o.devices, i < 2 ? 1 : i == 2 ? gpus : 2);
            akin_context_free(context);
        }
    }
    discard(f);
}

/* Each GPU has all sets, and all take tasks from one list: many small ones, which stop when their buffer is full. */
static void together(void **state)
{
    (void)state;
    if (akin_device_find().devices < 2)
        skip();
    fixture *f = make(60000);
    static const uint64_t candidates[] = {0, 100000, 4000};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        akin_context *context = create("cuda:0,1", 0, 0);
        wishes = (akin_wishes){0};
        context->wishes = &wishes;
        wishes.share_all = 1;
        wishes.candidates = candidates[i];
        for (int by_prefix = 0; by_prefix < 2; by_prefix++) {
            outcome o = check_by(context, f, by_prefix ? AKIN_PREFIX : AKIN_TENSOR);
            assert_true(o.parts == 1 && o.devices == 2);
            assert_int_equal(akin_device_held(context->device), 0);
        }
        akin_context_free(context);
    }
    discard(f);
}

/* The first GPU of a list need not be the first of the machine. */
static void in_another_order(void **state)
{
    (void)state;
    if (akin_device_find().devices < 2)
        skip();
    fixture *f = make(20000);
    static const char *const devices[] = {"cuda:1", "cuda:1,0"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        akin_context *context = create(devices[i], 0, 0);
        wishes = (akin_wishes){0};
        context->wishes = &wishes;
        wishes.share_tokens = i ? 50000 : 0;
        assert_int_equal(check(context, f).devices, 1 + i);
        assert_int_equal(akin_device_number(context->device), 1); /* the first join opened it */
        akin_context_free(context);
    }
    discard(f);
}

static int after_some(void *user)
{
    return --*(int *)user < 0;
}

/* It stops when it is cancelled, and the next one works; progress is that of one join. */
static void cancelled(void **state)
{
    (void)state;
    fixture *f = make(60000);
    akin_context *context = create("cuda:all", 0, 0);
    wishes = (akin_wishes){0};
    context->wishes = &wishes;
    wishes.share_tokens = 60000;
    for (int calls = 0; calls <= 100; calls = 5 * calls + 1) {
        int left = calls;
        context->scope.reporter.cancel = after_some;
        context->scope.reporter.user = &left;
        outcome o = join(context, f->sets[0], NULL, AKIN_TENSOR, 0);
        assert_true(o.status == AKIN_E_CANCELLED || (o.status == AKIN_OK && o.hash == f->self.hash));
        assert_true(calls > 1 || o.status == AKIN_E_CANCELLED);
    }
    watcher w = {.calls = 0};
    context->scope.reporter.cancel = NULL;
    context->scope.reporter.progress = watch;
    context->scope.reporter.user = &w;
    outcome o = join(context, f->sets[0], NULL, AKIN_TENSOR, 0);
    assert_true(o.hash == f->self.hash && w.calls > 2 && w.total > 0);
    context->scope.reporter.progress = NULL;
    check(context, f);
    akin_context_free(context);
    discard(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_a_limit), cmocka_unit_test(by_turns), cmocka_unit_test(too_little),
        cmocka_unit_test(shared),         cmocka_unit_test(together), cmocka_unit_test(in_another_order),
        cmocka_unit_test(cancelled),
    };
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
