/* Tests of the public context: options, devices, SIMD levels, and what it reports of itself. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"
#include "akin.h"
#include "base/context.h"
#include "device/devices.h"
#include "device/worth.h"

#include <stdlib.h>
#include <string.h>

static akin_status create(const akin_context_options *options, akin_context **out, akin_error *error)
{
    *out = NULL;
    memset(error, 0, sizeof *error);
    akin_status status = akin_context_create(options, out, error);
    assert_int_equal(error->code, status);
    assert_true((status == AKIN_OK) == (*out != NULL));
    return status;
}

static void defaults(void **state)
{
    (void)state;
    akin_context *context;
    akin_error error;
    assert_int_equal(create(NULL, &context, &error), AKIN_OK);
    assert_true(context->scope.threads >= 1);
    assert_int_equal(context->scope.cpu, context->cpu_best);
    assert_int_equal(context->cpu_best, akin_cpu_detect());
    assert_null(context->scope.reporter.cancel);
    assert_null(context->scope.reporter.progress);
    akin_context_free(context);
    akin_context_free(NULL);
}

static void threads(void **state)
{
    (void)state;
    akin_context *context;
    akin_error error;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.threads = 3;
    assert_int_equal(create(&options, &context, &error), AKIN_OK);
    assert_int_equal(context->scope.threads, 3);
    akin_context_free(context);
    options.threads = UINT32_MAX;
    assert_int_equal(create(&options, &context, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "4294967295"));
}

static void devices(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        akin_status status;
    } cases[] = {
        {NULL, AKIN_OK},
        {"auto", AKIN_OK},
        {"cpu", AKIN_OK},
        {"", AKIN_E_OPTION},
        {"gpu", AKIN_E_OPTION},
        {"CPU", AKIN_E_OPTION},
        {"cuda:", AKIN_E_OPTION},
        {"cuda:x", AKIN_E_OPTION},
        {"cuda:-1", AKIN_E_OPTION},
        {"cuda:0 ", AKIN_E_OPTION},
        {"cuda:99999", AKIN_E_OPTION},
        {"cuda:ALL", AKIN_E_OPTION},
        {"cuda:,", AKIN_E_OPTION},
        {"cuda:0,", AKIN_E_OPTION},
        {"cuda:,1", AKIN_E_OPTION},
        {"cuda:0,,1", AKIN_E_OPTION},
        {"cuda:0, 1", AKIN_E_OPTION},
        {"cuda:0,all", AKIN_E_OPTION},
        {"cuda:1,99999", AKIN_E_OPTION},
        {"cuda0", AKIN_E_OPTION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_context *context;
        akin_error error;
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        options.device = cases[i].device;
        assert_int_equal(create(&options, &context, &error), cases[i].status);
        if (cases[i].status != AKIN_OK)
            assert_non_null(strstr(error.message, "expected auto, cpu, cuda, cuda:N, cuda:N,M,... or cuda:all"));
        akin_context_free(context);
    }
}

/* Of several GPUs each is named once, and there are not too many: whether they are there or not. */
static void several_devices(void **state)
{
    (void)state;
    static const struct {
        const char *device, *message;
    } cases[] = {
        {"cuda:0,0", "device 'cuda:0,0': GPU 0 is named twice"},
        {"cuda:3,1,2,1", "device 'cuda:3,1,2,1': GPU 1 is named twice"},
        {"cuda:1,01", "device 'cuda:1,01': GPU 1 is named twice"},
        {"cuda:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "expected at most 16 GPUs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        akin_context *context;
        akin_error error;
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        options.device = cases[i].device;
        assert_int_equal(create(&options, &context, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, cases[i].message));
    }
}

/* The description of GPUs agrees with the error of a context that names a GPU, in each state that a machine can be
 * in. */
static void absent_gpu_is_a_clear_error(void **state)
{
    (void)state;
    static const char *const names[] = {"cuda", "cuda:0", "cuda:7", "cuda:9999", "cuda:7,9", "cuda:all"};
    static const struct {
        const char *state, *message;
    } states[] = {
        {"built without CUDA", "this akin was built without CUDA"},
        {"no NVIDIA driver", "there is no NVIDIA driver here"},
        {"driver too old", "the NVIDIA driver is too old: it can run CUDA "},
        {"no GPU", "the NVIDIA driver finds no GPU here"},
        {"failed", "cudaGetDeviceCount: "},
    };
    const char *message = NULL;
    akin_context *context;
    akin_error error;
    akin_info info = {.size = sizeof info};
    akin_device_info gpu = {.size = sizeof gpu};
    assert_int_equal(create(NULL, &context, &error), AKIN_OK);
    assert_int_equal(akin_context_info(context, &info, NULL), AKIN_OK);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(info.device, states[i].state) == 0)
            message = states[i].message;
    assert_true((message == NULL) == (strcmp(info.device, "ready") == 0));
    assert_true((message == NULL) == (info.devices > 0));
    assert_true((info.cuda == 0) == (strcmp(info.device, "built without CUDA") == 0));
    assert_true(info.cuda != 0 || info.cuda_driver == 0);
    if (!message)
        skip();
    assert_int_equal(akin_context_device_info(context, 0, &gpu, &error), AKIN_E_DEVICE);
    assert_non_null(strstr(error.message, message));
    akin_context_free(context);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        options.device = names[i];
        akin_devices *opened;
        akin_status status = create(&options, &context, &error);
        if (status == AKIN_OK) /* there is a driver: the error comes where the GPUs are wanted */
            status = akin_devices_of(akin_scope_of(context), &opened, &error);
        akin_context_free(context);
        assert_int_equal(status, AKIN_E_DEVICE);
        assert_non_null(strstr(error.message, message));
        assert_non_null(strstr(error.message, "cpu or auto"));
    }
}

/* `auto` does without a GPU, and the report of a job says so. */
static void auto_needs_no_gpu(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "auto", "cpu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        akin_context *context;
        akin_error error;
        akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
        akin_device *device = (akin_device *)&options;
        options.device = names[i];
        assert_int_equal(create(&options, &context, &error), AKIN_OK);
        assert_null(context->device); /* not before it is needed */
        for (int again = 0; again < 2; again++) {
            assert_int_equal(akin_device_of(akin_scope_of(context), &device, &error), AKIN_OK);
            assert_true(device == NULL || (i < 2 && akin_device_find().devices > 0));
        }
        akin_context_free(context);
    }
}

static void simd_levels(void **state)
{
    (void)state;
    static const char *const names[] = {"scalar", "neon", "avx2", "avx512"};
    akin_cpu best = akin_cpu_detect();
    int found = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        akin_context *context;
        akin_error error;
        setenv("AKIN_CPU", names[i], 1);
        if (found <= (int)best && strcmp(names[i], akin_cpu_name((akin_cpu)found)) == 0) {
            assert_int_equal(create(NULL, &context, &error), AKIN_OK);
            assert_int_equal(context->scope.cpu, found++);
            assert_int_equal(context->cpu_best, best);
            akin_context_free(context);
        } else { /* of a wider CPU, or of another architecture */
            assert_int_equal(create(NULL, &context, &error), AKIN_E_OPTION);
            assert_non_null(strstr(error.message, names[i]));
            assert_non_null(strstr(error.message, akin_cpu_name(best)));
        }
    }
    assert_int_equal(found, (int)best + 1);
    unsetenv("AKIN_CPU");
}

static void simd_levels_that_are_none(void **state)
{
    (void)state;
    static const char *const names[] = {"sse", "AVX2", "avx", " avx2", "avx512 ", "0", "NEON", "asimd"};
    akin_context *context;
    akin_error error;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv("AKIN_CPU", names[i], 1);
        assert_int_equal(create(NULL, &context, &error), AKIN_E_OPTION);
        assert_non_null(strstr(error.message, "expected scalar, neon, avx2 or avx512"));
    }
    setenv("AKIN_CPU", "", 1); /* as if it were not set */
    assert_int_equal(create(NULL, &context, &error), AKIN_OK);
    assert_int_equal(context->scope.cpu, context->cpu_best);
    akin_context_free(context);
    unsetenv("AKIN_CPU");
}

/* The compiler's own idea of the CPU must agree with ours. */
static void simd_levels_are_true(void **state)
{
    (void)state;
#if defined(__x86_64__)
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2");
    int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                 __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi") &&
                 __builtin_cpu_supports("avx512vpopcntdq");
    assert_int_equal(akin_cpu_detect() >= AKIN_CPU_AVX2, avx2 != 0);
    assert_int_equal(akin_cpu_detect() >= AKIN_CPU_AVX512, avx512 != 0);
#else
    assert_int_equal(akin_cpu_detect(), AKIN_CPU_LEVELS - 1);
#endif
}

static void sizes_of_options(void **state)
{
    (void)state;
    akin_context *context;
    akin_error error;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    struct {
        akin_context_options known;
        uint64_t later;
    } longer = {AKIN_CONTEXT_OPTIONS_INIT, 0};

    options.size = 0;
    assert_int_equal(create(&options, &context, &error), AKIN_E_OPTION);
    options.size = sizeof options - 1;
    assert_int_equal(create(&options, &context, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "akin_context_options"));
    longer.known.size = sizeof longer;
    longer.known.threads = 2;
    assert_int_equal(create(&longer.known, &context, &error), AKIN_OK);
    assert_int_equal(context->scope.threads, 2);
    akin_context_free(context);
    longer.later = 1;
    assert_int_equal(create(&longer.known, &context, &error), AKIN_E_OPTION);
}

static void information(void **state)
{
    (void)state;
    akin_context *context;
    akin_error error;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.threads = 5;
    assert_int_equal(create(&options, &context, &error), AKIN_OK);
    akin_info info = {.size = sizeof info};
    assert_int_equal(akin_context_info(context, &info, NULL), AKIN_OK);
    assert_string_equal(akin_context_cpu(context), info.cpu);
    assert_int_equal(akin_context_threads(context), info.threads);
    assert_int_equal(info.size, sizeof info);
    assert_string_equal(info.version, AKIN_VERSION_STRING);
    assert_string_equal(info.version, akin_version());
    assert_string_equal(info.cpu, akin_cpu_name(context->scope.cpu));
    assert_string_equal(info.cpu_best, akin_cpu_name(context->cpu_best));
    assert_int_equal(info.threads, 5);
    assert_true(strlen(info.device) > 0);
    assert_true(info.zlib[0] == '1' && info.zstd[0] == '1' && info.xxhash[0] == '0');
    assert_true(info.utf8proc[0] == '2' && atoi(info.unicode) >= 13);

    akin_info partly = {.size = offsetof(akin_info, threads), .threads = 77, .device = "untouched"};
    assert_int_equal(akin_context_info(context, &partly, NULL), AKIN_OK);
    assert_string_equal(partly.version, AKIN_VERSION_STRING);
    assert_int_equal(partly.size, offsetof(akin_info, threads));
    assert_int_equal(partly.threads, 77);
    assert_string_equal(partly.device, "untouched");

    partly.size = 0;
    assert_int_equal(akin_context_info(context, &partly, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "akin_info"));
    akin_context_free(context);
}

static void memory(void **state)
{
    (void)state;
    akin_context *context;
    akin_error error;
    char directory[] = "/some/directory";
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.memory = AKIN_MEMORY_LEAST;
    options.temporary = directory;
    assert_int_equal(create(&options, &context, &error), AKIN_OK);
    assert_int_equal(context->scope.memory, AKIN_MEMORY_LEAST);
    directory[1] = 'x'; /* a copy was taken */
    assert_string_equal(akin_context_temporary(akin_scope_of(context)), "/some/directory");
    akin_context_free(context);
    options.memory--;
    assert_int_equal(create(&options, &context, &error), AKIN_E_OPTION);
    assert_non_null(strstr(error.message, "16 MiB"));
    options.memory = 0;
    options.temporary = NULL;
    assert_int_equal(create(&options, &context, &error), AKIN_OK);
    assert_int_equal(context->scope.memory, 0);
    assert_string_equal(akin_context_temporary(akin_scope_of(context)), "/tmp");
    akin_context_free(context);
}

static int answer(void *user)
{
    return ++*(int *)user;
}

static void told(void *user, const akin_progress *progress)
{
    *(int *)user += (int)(progress->done * 10 + progress->total * 100);
}

static void callbacks(void **state)
{
    (void)state;
    akin_context *context;
    akin_error error;
    int cancelled = 0, told_to = 0;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    options.progress = told;
    options.user = &told_to;
    assert_int_equal(create(&options, &context, &error), AKIN_OK);
    assert_int_equal(akin_scope_report(akin_scope_of(context), "x", 2, 3), AKIN_OK);
    assert_int_equal(told_to, 320);
    assert_int_equal(akin_scope_report(akin_scope_of(context), NULL, 2, 3), AKIN_OK);
    assert_int_equal(told_to, 320);
    akin_context_free(context);

    options.progress = NULL;
    options.cancel = answer;
    options.user = &cancelled;
    assert_int_equal(create(&options, &context, &error), AKIN_OK);
    assert_int_equal(akin_scope_report(akin_scope_of(context), "x", 2, 3), AKIN_E_CANCELLED);
    assert_int_equal(akin_scope_report(akin_scope_of(context), NULL, 0, 0), AKIN_E_CANCELLED);
    assert_int_equal(cancelled, 2);
    akin_context_free(context);
}

/* Opening counts once, bringing too, and a calibration changes what opening takes. */
static void a_gpu_is_worth_what_it_saves(void **state)
{
    (void)state;
    akin_context context = {.scope = {.context = &context, .threads = 1}};
    const akin_scope *scope = akin_scope_of(&context);
    const double opens = AKIN_DEVICE_OPENS;
    assert_true(akin_device_opening(scope) == opens);
    assert_false(akin_device_is_worth(scope, &(akin_device_estimate){.here = 0.99 * opens}));
    assert_true(akin_device_is_worth(scope, &(akin_device_estimate){.here = 1.01 * opens}));
    assert_false(akin_device_is_worth(scope, &(akin_device_estimate){.here = 1.01 * opens, .there = 0.02 * opens}));
    assert_false(akin_device_is_worth(scope, &(akin_device_estimate){.here = 1.01 * opens, .bring = 0.02 * opens}));
    assert_true(akin_device_is_worth(
        scope, &(akin_device_estimate){.here = 0.3 * opens, .there = 0.1 * opens, .bring = 0.5 * opens, .times = 8}));
    assert_false(akin_device_is_worth(
        scope, &(akin_device_estimate){.here = 0.3 * opens, .there = 0.1 * opens, .bring = 0.7 * opens, .times = 8}));
    context.scale[AKIN_CALIBRATED_OPENING] = 2;
    assert_true(akin_device_opening(scope) == 2 * opens);
    assert_false(akin_device_is_worth(scope, &(akin_device_estimate){.here = 1.99 * opens}));
    assert_true(akin_device_is_worth(scope, &(akin_device_estimate){.here = 2.01 * opens}));
    assert_false(akin_device_is_quick(scope, 1e-3, 1e-2));
    context.device = (akin_device *)&context; /* any: it is open */
    assert_true(akin_device_opening(scope) == 0);
    assert_true(akin_device_is_quick(scope, 1e-3, 1e-2));
    assert_false(akin_device_is_quick(scope, 1e-2, 1e-3));
    assert_true(akin_device_seconds(scope, &(akin_device_estimate){.there = 2, .bring = 6, .times = 3}) == 4);
    const double bringing = akin_device_bringing(scope, 1e9);
    context.scale[AKIN_CALIBRATED_TRANSFER] = 3;
    assert_true(bringing > 0 && akin_device_bringing(scope, 1e9) == 3 * bringing);
    assert_true(akin_device_is_worth(scope, &(akin_device_estimate){.here = 1e-3}));
    context.scope.device_choice = AKIN_DEVICE_CPU;
    assert_false(akin_device_is_worth(scope, &(akin_device_estimate){.here = 1e6}));
    assert_false(akin_device_is_quick(scope, 1e-3, 1e-2));
    context.scope.device_choice = AKIN_DEVICE_CUDA;
    assert_true(akin_device_is_worth(scope, &(akin_device_estimate){.there = 1e6}));
}

/* An environment may name a level for other tests; these choose for themselves. */
static int forget_level(void **state)
{
    (void)state;
    return unsetenv("AKIN_CPU");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(threads),
        cmocka_unit_test(devices),
        cmocka_unit_test(several_devices),
        cmocka_unit_test(absent_gpu_is_a_clear_error),
        cmocka_unit_test(auto_needs_no_gpu),
        cmocka_unit_test(simd_levels),
        cmocka_unit_test(simd_levels_that_are_none),
        cmocka_unit_test(simd_levels_are_true),
        cmocka_unit_test(sizes_of_options),
        cmocka_unit_test(information),
        cmocka_unit_test(memory),
        cmocka_unit_test(callbacks),
        cmocka_unit_test(a_gpu_is_worth_what_it_saves),
    };
    return cmocka_run_group_tests(tests, forget_level, NULL);
}
