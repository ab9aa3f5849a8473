/*
 * The memory and the streams of a GPU that is made of host memory: blocks are just as long as was asked for, and what is put
 * into a stream is done at once. To be included by the one file of a test that plays such a GPU, whose functions the linker
 * puts in the place of the device's.
 */
#ifndef AKIN_TEST_HOST_DEVICE_H
#define AKIN_TEST_HOST_DEVICE_H

#include "base/memory.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* What __wrap_ stands in for is called by names that only the linker knows. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define FILLED ((uint64_t)64 << 10) /* bytes of a block, at most */

struct akin_device {
    int blocks; /* that were not given back */
};

struct akin_device_stream {
    akin_device *device;
};

/* More than any join takes, for it and its twin together. */
uint64_t __wrap_akin_device_room(const akin_device *device)
{
    return (uint64_t)1 << 40;
}

/* Filled with something, as memory is that was used before. */
static akin_status reserve(akin_device *device, void **data, uint64_t *bytes, uint64_t count, size_t size,
                           akin_error *error)
{
    if (*data && count * size <= *bytes)
        return AKIN_OK;
    device->blocks += *data == NULL;
    free(*data);
    *bytes = count * size;
    *data = malloc(*bytes ? *bytes : 1);
    if (!*data)
        return akin_fail_memory(error, "a block");
    memset(*data, 0xa5, *bytes < FILLED ? *bytes : FILLED);
    return AKIN_OK;
}

static void release(akin_device *device, void **data, uint64_t *bytes)
{
    device->blocks -= *data != NULL;
    free(*data);
    *data = NULL;
    *bytes = 0;
}

akin_status __wrap_akin_device_reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                                       const char *what, akin_error *error)
{
    return reserve(device, &buffer->data, &buffer->bytes, count, size, error);
}

void __wrap_akin_device_release(akin_device *device, akin_device_buffer *buffer)
{
    release(device, &buffer->data, &buffer->bytes);
}

akin_status __wrap_akin_pinned_reserve(akin_device *device, akin_pinned *pinned, uint64_t count, size_t size,
                                       const char *what, akin_error *error)
{
    return reserve(device, &pinned->data, &pinned->bytes, count, size, error);
}

void __wrap_akin_pinned_release(akin_device *device, akin_pinned *pinned)
{
    release(device, &pinned->data, &pinned->bytes);
}

akin_status __wrap_akin_device_stream_create(akin_device *device, akin_device_stream **out, akin_error *error)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return akin_fail_memory(error, "a stream");
    (*out)->device = device;
    return AKIN_OK;
}

void __wrap_akin_device_stream_free(akin_device_stream *stream)
{
    free(stream);
}

akin_status __wrap_akin_device_stream_finish(akin_device_stream *stream, akin_error *error)
{
    return AKIN_OK;
}

static akin_status copy(void *to, const void *from, uint64_t bytes)
{
    if (bytes)
        memcpy(to, from, bytes);
    return AKIN_OK;
}

akin_status __wrap_akin_device_write(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                     akin_error *error)
{
    return copy(to, from, bytes);
}

akin_status __wrap_akin_device_read(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                    akin_error *error)
{
    return copy(to, from, bytes);
}

akin_status __wrap_akin_device_upload(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                      akin_error *error)
{
    return copy(to, from, bytes);
}

akin_status __wrap_akin_device_fill(akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes,
                                    akin_error *error)
{
    if (bytes)
        memset(to, value, bytes);
    return AKIN_OK;
}

#endif
