/* What the tests on a GPU share: a device with a stream, arrays that go there and back, and what to do without one. */
#ifndef AKIN_TESTS_GPU_GPU_H
#define AKIN_TESTS_GPU_GPU_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "device/primitives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GPU_SKIPPED 77 /* the exit status that ctest takes for a skipped test */

/* The call succeeds, or the test fails with its message. */
static akin_error gpu_error;
#define OK(call) gpu_ok((call), #call, __FILE__, __LINE__)

static inline void gpu_ok(akin_status status, const char *call, const char *file, int line)
{
    if (status != AKIN_OK)
        print_error("%s\n    %s\n", call, gpu_error.message);
    _assert_int_equal((LargestIntegralType)status, AKIN_OK, file, line);
}

/* Sizes around those of warps and blocks, and some with many blocks. */
static const uint64_t gpu_sizes[] = {0, 1, 31, 32, 33, 127, 128, 129, 1000, 2047, 2048, 2049, 100003, 1 << 20};
#define GPU_SIZES (sizeof gpu_sizes / sizeof *gpu_sizes)

typedef struct gpu {
    akin_device *device;
    akin_device_stream *stream;
    akin_device_buffer buffers[8]; /* for the arrays of a test; they grow */
    akin_random random;
} gpu;

static inline int gpu_setup(void **state)
{
    gpu *g = calloc(1, sizeof *g);
    akin_random_seed(&g->random, 1);
    *state = g;
    OK(akin_device_open(0, 0, &g->device, &gpu_error));
    OK(akin_device_stream_create(g->device, &g->stream, &gpu_error));
    return 0;
}

static inline int gpu_teardown(void **state)
{
    gpu *g = *state;
    for (size_t i = 0; i < sizeof g->buffers / sizeof *g->buffers; i++)
        akin_device_release(g->device, &g->buffers[i]);
    akin_device_stream_free(g->stream);
    uint64_t held = akin_device_held(g->device);
    akin_device_close(g->device);
    free(g);
    return held == 0 ? 0 : -1;
}

/* Room for n items on the device, filled with garbage. */
static inline void *gpu_array(gpu *g, int buffer, uint64_t n, size_t size)
{
    OK(akin_device_reserve(g->device, &g->buffers[buffer], n, size, "a test", &gpu_error));
    OK(akin_device_fill(g->stream, g->buffers[buffer].data, 0xa5, n * size, &gpu_error));
    return g->buffers[buffer].data;
}

/* n items of the host's, on the device. */
static inline void *gpu_put(gpu *g, int buffer, const void *items, uint64_t n, size_t size)
{
    void *data = gpu_array(g, buffer, n, size);
    OK(akin_device_upload(g->stream, data, items, n * size, &gpu_error));
    return data;
}

/* n items of the device's, to be freed by the caller. */
static inline void *gpu_get(gpu *g, const void *items, uint64_t n, size_t size)
{
    void *data = malloc(n * size + 1);
    assert_non_null(data);
    memset(data, 0x5a, n * size + 1);
    OK(akin_device_download(g->stream, data, items, n * size, &gpu_error));
    assert_int_equal(((unsigned char *)data)[n * size], 0x5a);
    return data;
}

/* n items of the device's are those of the host's. */
static inline void gpu_expect(gpu *g, const void *items, const void *expected, uint64_t n, size_t size)
{
    unsigned char *got = gpu_get(g, items, n, size);
    const unsigned char *bytes = expected;
    for (uint64_t i = 0; i < n * size; i++)
        if (got[i] != bytes[i])
            fail_msg("item %llu of %llu differs", (unsigned long long)(i / size), (unsigned long long)n);
    free(got);
}

/* A random number of at most `bits` bits. */
static inline uint64_t gpu_random(gpu *g, unsigned bits)
{
    return akin_random_next(&g->random) >> (64 - bits);
}

/* To begin main with: 0 if there is a GPU. Otherwise it prints the reason, and returns the exit status GPU_SKIPPED. */
static inline int gpu_absent(void)
{
    akin_device_support support = akin_device_find();
    if (support.devices > 0)
        return 0;
    printf("skipped: %s\n", support.state);
    return GPU_SKIPPED;
}

#endif
