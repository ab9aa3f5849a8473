/* A GPU that is lost, by a kernel that follows a wild pointer: calls fail at once, nothing aborts, the CPU goes on. The
 * process has no GPU afterwards, so this is a program of its own. */
#include "gpu/gpu.h"
#include "base/context.h"
#include "device/devices.h"

static akin_context *create(const char *device)
{
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context;
    options.device = device;
    OK(akin_context_create(&options, &context, &gpu_error));
    return context;
}

static void lost(void **state)
{
    (void)state;
    akin_context *context = create("auto"), *cuda = create("cuda");
    akin_device *device;
    akin_device_stream *stream, *other;
    akin_device_event *event;
    akin_device_buffer buffer = {NULL, 0}, later = {NULL, 0};
    akin_pinned pinned = {NULL, 0};
    OK(akin_device_of(akin_scope_of(context), &device, &gpu_error));
    OK(akin_device_stream_create(device, &stream, &gpu_error));
    OK(akin_device_event_create(device, &event, &gpu_error));
    OK(akin_device_reserve(device, &buffer, 1 << 20, 1, "a test", &gpu_error));
    OK(akin_pinned_reserve(device, &pinned, 1 << 20, 1, "a test", &gpu_error));

    /* the kernel is launched, and the wait for it fails */
    const uint64_t *wild = (const uint64_t *)(uintptr_t)0x10;
    OK(akin_device_segments_of(stream, wild, 1000, 0, 1000, buffer.data, &gpu_error));
    assert_int_equal(akin_device_stream_finish(stream, &gpu_error), AKIN_E_DEVICE);
    assert_non_null(strstr(gpu_error.message, "GPU 0 is lost: cudaStreamSynchronize: "));
    assert_true(akin_device_lost(device));

    /* all else fails at once, by the same reason */
    assert_int_equal(akin_device_stream_finish(stream, &gpu_error), AKIN_E_DEVICE);
    assert_int_equal(akin_device_reserve(device, &later, 1, 1, "a test", &gpu_error), AKIN_E_DEVICE);
    assert_int_equal(akin_device_fill(stream, buffer.data, 0, 1, &gpu_error), AKIN_E_DEVICE);
    assert_int_equal(akin_device_upload(stream, buffer.data, &later, 8, &gpu_error), AKIN_E_DEVICE);
    assert_int_equal(akin_device_download(stream, &later, buffer.data, 8, &gpu_error), AKIN_E_DEVICE);
    assert_int_equal(akin_device_event_record(event, stream, &gpu_error), AKIN_E_DEVICE);
    assert_int_equal(akin_device_scan32(stream, buffer.data, 9, buffer.data, &gpu_error), AKIN_E_DEVICE);
    assert_int_equal(akin_device_stream_create(device, &other, &gpu_error), AKIN_E_DEVICE);
    assert_non_null(strstr(gpu_error.message, "GPU 0 is lost: cudaStreamSynchronize: "));

    /* `auto` takes the CPU from now on; a job on the GPU fails with a message */
    akin_device *none = device;
    OK(akin_device_of(akin_scope_of(context), &none, &gpu_error));
    assert_null(none);
    OK(akin_device_of(akin_scope_of(cuda), &none, &gpu_error));
    assert_int_equal(akin_device_stream_create(none, &other, &gpu_error), AKIN_E_DEVICE);

    akin_device_event_free(event);
    akin_device_stream_free(stream);
    akin_device_release(device, &buffer);
    akin_pinned_release(device, &pinned);
    assert_int_equal(akin_device_held(device), 0);
    akin_context_free(context);
    akin_context_free(cuda);
}

static void new_contexts_are_told(void **state)
{
    (void)state;
    akin_context_options options = AKIN_CONTEXT_OPTIONS_INIT;
    akin_context *context = NULL;
    akin_device *device;
    options.device = "cuda";
    OK(akin_context_create(&options, &context, &gpu_error));
    assert_int_equal(akin_device_of(akin_scope_of(context), &device, &gpu_error), AKIN_E_DEVICE);
    assert_true(strlen(gpu_error.message) > 0);
    akin_context_free(context);
}

static void cpu_goes_on(void **state)
{
    (void)state;
    akin_context *context = create("auto");
    static const uint64_t offsets[] = {0, 3, 6, 9};
    static const uint32_t tokens[] = {1, 2, 3, 1, 2, 3, 7, 8, 9};
    akin_sets *sets;
    uint64_t count = 0;
    OK(akin_sets_from_arrays(context, 3, offsets, tokens, &sets, &gpu_error));
    OK(akin_join(context, sets, NULL, NULL, NULL, NULL, &count, NULL, &gpu_error));
    assert_int_equal(count, 1);
    akin_sets_free(sets);
    akin_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost),
        cmocka_unit_test(new_contexts_are_told),
        cmocka_unit_test(cpu_goes_on),
    };
    return gpu_absent() ? GPU_SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
