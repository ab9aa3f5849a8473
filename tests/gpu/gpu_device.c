/* A GPU as the context and the account see it: opened and closed, described, limited, refused. */
#include "gpu/gpu.h"
#include "base/context.h"
#include "device/devices.h"

#define MIB ((uint64_t)1 << 20)

static void contexts(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    for (int round = 0; round < 200; round++) {
        akin_context *context;
        akin_device *device = NULL, *again = NULL;
        akin_device_buffer buffer = {NULL, 0};
        akin_device_stream *stream;
        options.device = round % 3 == 0 ? "cuda" : round % 3 == 1 ? "cuda:0" : "auto";
        OK(akin_context_create(&options, &context, &gpu_error));
        assert_true((akin_device_opened(akin_scope_of(context)) != NULL) == (round % 3 < 2));
        OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
        OK(akin_device_of(akin_scope_of(context), &again, &gpu_error));
        assert_non_null(device);
        assert_ptr_equal(device, again);
        OK(akin_device_stream_create(device, &stream, &gpu_error));
        OK(akin_device_reserve(device, &buffer, 64 * MIB, 1, "a test", &gpu_error));
        OK(akin_device_fill(stream, buffer.data, 1, buffer.bytes, &gpu_error));
        akin_device_stream_free(stream);
        akin_device_release(device, &buffer);
        akin_context_free(context);
    }
}

static void cpu_needs_none(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context;
    akin_device *device = (akin_device *)&options;
    options.device = "cpu";
    OK(akin_context_create(&options, &context, &gpu_error));
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    assert_null(device);
    akin_context_free(context);
}

static void described(void **state)
{
    (void)state;
    akin_context *context;
    akin_info info = {.size = sizeof info};
    OK(akin_context_create(NULL, &context, &gpu_error));
    OK(akin_context_info(context, &info, &gpu_error));
    assert_string_equal(info.device, "ready");
    assert_true(info.devices >= 1 && info.cuda >= 12000 && info.cuda_driver >= info.cuda / 1000 * 1000);
    for (uint32_t number = 0; number < info.devices; number++) {
        akin_device_info gpu = {.size = sizeof gpu};
        OK(akin_context_device_info(context, number, &gpu, &gpu_error));
        assert_true(gpu.name[0] && gpu.memory > 64 * MIB && gpu.capability >= 75 && gpu.multiprocessors > 0);
        assert_true(gpu.shared_memory >= 48 << 10 && gpu.l2 > 0 && gpu.reserved == 0);
    }
    akin_device_info partly = {.size = offsetof(akin_device_info, l2), .l2 = 77};
    OK(akin_context_device_info(context, 0, &partly, &gpu_error));
    assert_true(partly.memory > 0 && partly.l2 == 77);
    partly.size = 1;
    assert_int_equal(akin_context_device_info(context, 0, &partly, &gpu_error), AKIN_E_OPTION);
    assert_int_equal(akin_context_device_info(context, info.devices, &partly, &gpu_error), AKIN_E_OPTION);
    partly.size = sizeof partly;
    assert_int_equal(akin_context_device_info(context, info.devices, &partly, &gpu_error), AKIN_E_DEVICE);
    assert_non_null(
        strstr(gpu_error.message, info.devices == 1 ? "the only one here is GPU 0" : "those here are GPU 0 to"));
    akin_context_free(context);
}

static void number_that_is_not_there(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_device *device;
    options.device = "cuda:9999";
    OK(akin_context_create(&options, &context, &gpu_error));
    for (int call = 0; call < 2; call++) {
        assert_int_equal(akin_device_of(akin_scope_of(context), &device, &gpu_error), AKIN_E_DEVICE);
        assert_non_null(strstr(gpu_error.message, "GPU 9999 was asked for"));
    }
    akin_context_free(context);
}

/* An allocation beyond the limit is refused, and all goes on within it. */
static void limited(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context;
    akin_device *device;
    akin_device_buffer first = {NULL, 0}, second = {NULL, 0};
    options.device = "cuda";
    options.device_memory = 64 * MIB;
    OK(akin_context_create(&options, &context, &gpu_error));
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    assert_int_equal(akin_device_room(device), 64 * MIB);
    OK(akin_device_reserve(device, &first, 40, MIB, "the first", &gpu_error));
    assert_int_equal(akin_device_room(device), 24 * MIB);
    assert_int_equal(akin_device_reserve(device, &second, 24 * MIB + 1, 1, "the second", &gpu_error), AKIN_E_NOMEM);
    assert_string_equal(gpu_error.message,
                        "not enough GPU memory for the second: 25166080 bytes, and of the limit of "
                        "67108864 there are 25165824 left");
    assert_null(second.data);
    assert_int_equal(akin_device_reserve(device, &second, UINT64_MAX, 2, "it", &gpu_error), AKIN_E_NOMEM);
    assert_int_equal(akin_device_reserve(device, &second, UINT64_MAX, 1, "it", &gpu_error), AKIN_E_NOMEM);
    OK(akin_device_reserve(device, &second, 24, MIB, "the second", &gpu_error));
    assert_int_equal(akin_device_room(device), 0);
    void *kept = first.data;
    OK(akin_device_reserve(device, &first, 10, MIB, "less", &gpu_error));
    assert_ptr_equal(first.data, kept);
    /* a buffer that cannot grow is empty */
    assert_int_equal(akin_device_reserve(device, &first, 41, MIB, "more", &gpu_error), AKIN_E_NOMEM);
    assert_null(first.data);
    assert_int_equal(akin_device_held(device), 24 * MIB);
    assert_int_equal(akin_device_peak(device), 64 * MIB);
    /* and a primitive fails that has no room for its scratch */
    akin_device_stream *stream;
    OK(akin_device_stream_create(device, &stream, &gpu_error));
    OK(akin_device_reserve(device, &first, 40, MIB, "the first", &gpu_error));
    assert_int_equal(akin_device_scan32(stream, first.data, MIB, second.data, &gpu_error), AKIN_E_NOMEM);
    assert_non_null(strstr(gpu_error.message, "scratch"));
    akin_device_release(device, &first);
    OK(akin_device_scan32(stream, second.data, MIB, (uint32_t *)second.data + 2 * MIB, &gpu_error));
    OK(akin_device_stream_finish(stream, &gpu_error));
    akin_device_stream_free(stream);
    akin_device_release(device, &second);
    assert_int_equal(akin_device_held(device), 0);
    akin_context_free(context);
}

/* More than there is, by the driver's own account: an error like any other, and the device works. */
static void more_than_there_is(void **state)
{
    (void)state;
    akin_device *device;
    akin_device_buffer buffer = {NULL, 0};
    akin_device_stream *stream;
    akin_device_event *event;
    OK(akin_device_open(0, UINT64_MAX, &device, &gpu_error));
    uint64_t all = akin_device_properties(device)->memory;
    assert_int_equal(akin_device_reserve(device, &buffer, all, 2, "too much", &gpu_error), AKIN_E_NOMEM);
    assert_non_null(strstr(gpu_error.message, "not enough GPU memory for too much: "));
    assert_non_null(strstr(gpu_error.message, "cudaMalloc: out of memory"));
    assert_false(akin_device_lost(device));
    OK(akin_device_stream_create(device, &stream, &gpu_error));
    OK(akin_device_reserve(device, &buffer, MIB, 1, "a little", &gpu_error));
    OK(akin_device_fill(stream, buffer.data, 1, MIB, &gpu_error));
    /* a wrong argument, an event that was never recorded, is no reason to give the device up either */
    double seconds;
    OK(akin_device_event_create(device, &event, &gpu_error));
    assert_int_equal(akin_device_event_seconds(event, event, &seconds, &gpu_error), AKIN_E_DEVICE);
    assert_non_null(strstr(gpu_error.message, "cudaEventElapsedTime: "));
    akin_device_event_free(event);
    assert_false(akin_device_lost(device));
    OK(akin_device_stream_finish(stream, &gpu_error));
    akin_device_stream_free(stream);
    akin_device_release(device, &buffer);
    akin_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts),  cmocka_unit_test(cpu_needs_none),
        cmocka_unit_test(described), cmocka_unit_test(number_that_is_not_there),
        cmocka_unit_test(limited),   cmocka_unit_test(more_than_there_is),
    };
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
