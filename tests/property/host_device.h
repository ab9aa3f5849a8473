/*
 * The memory and the streams of a GPU that is made of host memory: blocks are just as long as was asked for, and what is put
 * into a stream is done at once, but what is read arrives when the stream is waited for, and what was written must be the same until then.
 * To be included by the one file of a test that plays such a GPU, whose functions the linker puts in the place of the device's.
 */
#ifndef AKIN_TEST_HOST_DEVICE_H
#define AKIN_TEST_HOST_DEVICE_H

#include "base/memory.h"
#include "device/device.h"
#include "property/host_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What __wrap_ stands in for is called by names that only the linker knows. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define FILLED ((uint64_t)64 << 10) /* bytes of a block, at most */
#define READS  8                    /* and writes, under way, of a device */

/* What is read or written, as it was then. */
typedef struct host_read {
    void *to; /* NULL: it is written */
    const void *from;
    void *data;
    uint64_t bytes, number; /* they are numbered */
    const akin_device_stream *stream;
} host_read;

struct akin_device {
    int blocks;    /* that were not given back */
    uint64_t held; /* bytes of them, of the device's memory */
    host_read reads[READS];
    uint32_t read_count;
    uint64_t numbered;
};

struct akin_device_stream {
    akin_device *device;
};

host_device_state host_device;

/* Every call that may fail goes through here. */
static akin_status enter(akin_error *error)
{
    uint64_t call = atomic_fetch_add(&host_device.calls, 1) + 1, failing = host_device.failing;
    if (failing == 0 || call < failing || (host_device.alone && call > failing))
        return AKIN_OK;
    return akin_fail(error, host_device.status, HOST_DEVICE_FAILED);
}

/* What was written has arrived, and so must not have been changed. */
static void must_be_same(const host_read *read)
{
    if (read->bytes > 0 && memcmp(read->from, read->data, read->bytes) != 0) {
        fprintf(stderr, "what was written to a GPU has been changed before it was there\n");
        abort();
    }
}

/* What a stream has read arrives, of any stream if it is NULL, and up to read `end`. */
static void arrive_some(akin_device *device, const akin_device_stream *stream, uint64_t end)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < device->read_count; i++) {
        host_read *read = &device->reads[i];
        if ((stream && read->stream != stream) || read->number >= end) {
            device->reads[left++] = *read;
            continue;
        }
        if (read->to)
            memcpy(read->to, read->data, read->bytes);
        else
            must_be_same(read);
        free(read->data);
    }
    device->read_count = left;
}

static void arrive(akin_device *device)
{
    arrive_some(device, NULL, UINT64_MAX);
}

/* If not told otherwise, more than any job takes, for it and its twin together. */
uint64_t __wrap_akin_device_room(const akin_device *device)
{
    if (host_device.limit)
        return host_device.limit > device->held ? host_device.limit - device->held : 0;
    return host_device.room ? host_device.room : (uint64_t)1 << 40;
}

static void release(akin_device *device, void **data, uint64_t *bytes)
{
    arrive(device);
    device->blocks -= *data != NULL;
    free(*data);
    *data = NULL;
    *bytes = 0;
}

/* Filled with something, as memory is that was used before. */
static akin_status reserve(akin_device *device, void **data, uint64_t *bytes, uint64_t count, size_t size,
                           akin_error *error)
{
    akin_status status = enter(error);
    if (status != AKIN_OK || (*data && count * size <= *bytes))
        return status;
    release(device, data, bytes);
    uint64_t wanted = count * size;
    *data = malloc(wanted ? wanted : 1);
    if (!*data)
        return akin_fail_memory(error, "a block");
    *bytes = wanted;
    device->blocks++;
    memset(*data, 0xa5, *bytes < FILLED ? *bytes : FILLED);
    return AKIN_OK;
}

void __wrap_akin_device_release(akin_device *device, akin_device_buffer *buffer)
{
    device->held -= buffer->data ? buffer->bytes : 0;
    release(device, &buffer->data, &buffer->bytes);
}

akin_status __wrap_akin_device_reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                                       const char *what, akin_error *error)
{
    uint64_t before = buffer->data ? buffer->bytes : 0, bytes = count * size;
    if (host_device.limit && bytes > before && device->held - before + bytes > host_device.limit) {
        __wrap_akin_device_release(device, buffer);
        return akin_fail(error, AKIN_E_NOMEM, "not enough memory of the GPU that the host plays");
    }
    akin_status status = reserve(device, &buffer->data, &buffer->bytes, count, size, error);
    device->held += (buffer->data ? buffer->bytes : 0) - before;
    return status;
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
    akin_status status = enter(error);
    akin_device_stream *stream = status == AKIN_OK ? malloc(sizeof *stream) : NULL;
    if (status == AKIN_OK && !stream)
        status = akin_fail_memory(error, "a stream");
    if (status != AKIN_OK)
        return status;
    stream->device = device;
    *out = stream;
    return AKIN_OK;
}

void __wrap_akin_device_stream_free(akin_device_stream *stream)
{
    if (stream)
        arrive(stream->device);
    free(stream);
}

akin_status __wrap_akin_device_stream_finish(akin_device_stream *stream, akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK)
        arrive(stream->device);
    return status;
}

/* What is put into a stream is done at once, so none has to wait for another. */
struct akin_device_event {
    int recorded;
    const akin_device_stream *stream;
    uint64_t numbered; /* reads and writes were, then */
};

akin_status __wrap_akin_device_event_create(akin_device *device, akin_device_event **out, akin_error *error)
{
    akin_status status = enter(error);
    akin_device_event *event = status == AKIN_OK ? calloc(1, sizeof *event) : NULL;
    if (status == AKIN_OK && !event)
        status = akin_fail_memory(error, "an event");
    *out = status == AKIN_OK ? event : *out;
    return status;
}

void __wrap_akin_device_event_free(akin_device_event *event)
{
    free(event);
}

akin_status __wrap_akin_device_event_record(akin_device_event *event, akin_device_stream *stream, akin_error *error)
{
    event->recorded = 1;
    event->stream = stream;
    event->numbered = stream->device->numbered;
    return enter(error);
}

akin_status __wrap_akin_device_event_finish(akin_device_event *event, akin_error *error)
{
    akin_status status = enter(error);
    if (status == AKIN_OK && event->recorded)
        arrive_some(event->stream->device, event->stream, event->numbered);
    return status;
}

akin_status __wrap_akin_device_stream_wait(akin_device_stream *stream, akin_device_event *event, akin_error *error)
{
    return enter(error);
}

static akin_status copy(void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = enter(error);
    if (bytes && status == AKIN_OK)
        memcpy(to, from, bytes);
    return status;
}

akin_status __wrap_akin_device_copy(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                    akin_error *error)
{
    return copy(to, from, bytes, error);
}

/* Puts what is read or written among what is under way; `way` tells where it comes from, and where it is to arrive. */
static akin_status begin(const akin_device_stream *stream, host_read way, akin_error *error)
{
    akin_device *device = stream->device;
    way.data = malloc(way.bytes ? way.bytes : 1);
    akin_status status =
        way.data ? copy(way.data, way.from, way.bytes, error) : akin_fail_memory(error, "what is under way");
    if (status != AKIN_OK) {
        free(way.data);
        return status;
    }
    if (device->read_count == READS)
        arrive(device);
    way.number = device->numbered++;
    way.stream = stream;
    device->reads[device->read_count++] = way;
    return AKIN_OK;
}

akin_status __wrap_akin_device_read(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                    akin_error *error)
{
    akin_status status = begin(stream, (host_read){.to = to, .from = from, .bytes = bytes}, error);
    if (status == AKIN_OK)
        memset(to, 0xa5, bytes);
    return status;
}

akin_status __wrap_akin_device_write(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                     akin_error *error)
{
    akin_status status = begin(stream, (host_read){.from = from, .bytes = bytes}, error);
    if (status == AKIN_OK && bytes > 0)
        memcpy(to, from, bytes);
    return status;
}

akin_status __wrap_akin_device_upload(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                      akin_error *error)
{
    return copy(to, from, bytes, error);
}

akin_status __wrap_akin_device_download(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                        akin_error *error)
{
    akin_status status = copy(to, from, bytes, error);
    if (status == AKIN_OK)
        arrive(stream->device);
    return status;
}

akin_status __wrap_akin_device_fill(akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes,
                                    akin_error *error)
{
    akin_status status = enter(error);
    if (bytes && status == AKIN_OK)
        memset(to, value, bytes);
    return status;
}

#endif
