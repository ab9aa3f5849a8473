/* GPUs that a context requires are opened by a thread, on a backend that takes its time: all who want them wait, errors
 * come where they are wanted, a context may go at any time, and a forked process does without. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "device/backend.h"
#include "device/devices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int opened, closed, failures; /* how often; how many openings are still to fail */
static int slow;                            /* milliseconds of an opening */

static int has_driver(void)
{
    return 1;
}

static int has_none(void)
{
    return 0;
}

static akin_device_support find(void)
{
    return (akin_device_support){.state = "ready", .devices = 3};
}

extern const akin_device_backend slow_backend;

static akin_status open_slowly(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    nanosleep(&(struct timespec){.tv_nsec = slow * 1000000L}, NULL);
    if (failures > 0) {
        failures--;
        return akin_fail(error, AKIN_E_DEVICE, "GPU %u has no power", number);
    }
    akin_device *device = calloc(1, sizeof *device);
    if (!device)
        return akin_fail(error, AKIN_E_NOMEM, "not enough memory for a device");
    *device = (akin_device){.backend = &slow_backend, .number = number, .limit = limit};
    *out = device;
    opened++;
    return AKIN_OK;
}

static void close_device(akin_device *device)
{
    free(device);
    closed++;
}

const akin_device_backend slow_backend = {
    .has_driver = has_driver, .find = find, .open = open_slowly, .close = close_device};
static const akin_device_backend quick_backend = {.has_driver = has_none, .open = open_slowly, .close = close_device};

/* A context that requires these devices, which are being opened. */
static akin_context *start(const akin_device_backend *backend, akin_device_wish wish, akin_error *error)
{
    akin_context *context = NULL;
    opened = closed = failures = 0;
    slow = 30;
    assert_int_equal(akin_context_create(NULL, &context, error), AKIN_OK);
    context->backend = backend;
    context->wish = wish;
    context->scope.device_choice = wish.choice = AKIN_DEVICE_CUDA;
    return context;
}

static void all_are_opened(void **state)
{
    (void)state;
    akin_error error;
    akin_devices *devices;
    akin_context *context = start(&slow_backend, (akin_device_wish){.numbers = {2, 1}, .count = 2}, &error);
    assert_int_equal(akin_devices_start(context, &error), AKIN_OK);
    assert_int_equal(akin_devices_of(&context->scope, &devices, &error), AKIN_OK);
    assert_true(devices->count == 2 && opened == 2);
    assert_ptr_equal(devices->device[0], akin_device_opened(&context->scope));
    assert_int_equal(devices->device[1]->number, 1);
    akin_context_free(context);
    assert_int_equal(closed, 2);
}

static void *want(void *context)
{
    akin_device *device = akin_device_opened(&((akin_context *)context)->scope);
    return device;
}

static void several_wait(void **state)
{
    (void)state;
    akin_error error;
    akin_context *context = start(&slow_backend, (akin_device_wish){0}, &error);
    pthread_t threads[4];
    void *found;
    assert_int_equal(akin_devices_start(context, &error), AKIN_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, want, context), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &found), 0);
        assert_non_null(found);
        assert_ptr_equal(found, context->device);
    }
    assert_int_equal(opened, 1);
    akin_context_free(context);
}

/* The error comes where the GPU is wanted. A GPU that can be opened then is. */
static void failing(void **state)
{
    (void)state;
    akin_error error;
    akin_device *device;
    akin_context *context = start(&slow_backend, (akin_device_wish){0}, &error);
    failures = 2;
    assert_int_equal(akin_devices_start(context, &error), AKIN_OK);
    assert_int_equal(akin_device_of(&context->scope, &device, &error), AKIN_E_DEVICE);
    assert_string_equal(error.message, "GPU 0 has no power");
    assert_int_equal(akin_device_of(&context->scope, &device, &error), AKIN_OK);
    assert_non_null(device);
    akin_context_free(context);
    assert_int_equal(closed, 1);
}

static void freed_at_once(void **state)
{
    (void)state;
    akin_error error;
    akin_context *context = start(&slow_backend, (akin_device_wish){0}, &error);
    assert_int_equal(akin_devices_start(context, &error), AKIN_OK);
    akin_context_free(context);
    assert_true(opened == 1 && closed == 1);
}

/* Without a driver nothing is waited for: the error comes at once. */
static void without_a_driver(void **state)
{
    (void)state;
    akin_error error;
    akin_context *context = start(&quick_backend, (akin_device_wish){0}, &error);
    failures = 1;
    assert_int_equal(akin_devices_start(context, &error), AKIN_E_DEVICE);
    assert_string_equal(error.message, "GPU 0 has no power");
    assert_null(context->opening);
    akin_context_free(context);
}

/* The child has no thread to wait for, and cannot use what the parent is opening. */
static void forked(void **state)
{
    (void)state;
    akin_error error;
    akin_device *device = NULL;
    int status = 0;
    akin_context *context = start(&slow_backend, (akin_device_wish){0}, &error);
    assert_int_equal(akin_devices_start(context, &error), AKIN_OK);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int is_refused = akin_device_of(&context->scope, &device, &error) == AKIN_E_DEVICE && !device &&
                               strstr(error.message, "forked") != NULL;
        akin_context_free(context);
        _exit(is_refused && opened == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(akin_device_of(&context->scope, &device, &error), AKIN_OK);
    assert_non_null(device);
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_opened), cmocka_unit_test(several_wait),     cmocka_unit_test(failing),
        cmocka_unit_test(freed_at_once),  cmocka_unit_test(without_a_driver), cmocka_unit_test(forked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
