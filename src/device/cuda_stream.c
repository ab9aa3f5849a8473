/* Streams and events: work in order, copies beside it, and staging for host memory that is not pinned. */
#include "device/cuda_stream.h"

#include "base/memory.h"
#include "device/cuda_handles.h"
#include "device/kernel.h"

#include <string.h>

#define STAGE ((uint64_t)4 << 20) /* bytes of a staging buffer: at 50 GB/s one takes 80 us, to start it far less */

static akin_cuda_stream *cuda_stream_of(akin_device_stream *stream)
{
    return (akin_cuda_stream *)stream;
}

static cudaStream_t handle_of_stream(const akin_device_stream *stream)
{
    return ((const akin_cuda_stream *)stream)->cuda;
}

static cudaEvent_t handle_of(const akin_device_event *event)
{
    return ((const akin_cuda_event *)event)->cuda;
}

static akin_status enter_stream_device(akin_device_stream *stream, akin_error *error)
{
    return akin_device_enter(stream->device, error);
}

akin_status akin_cuda_stream_create(akin_device *device, akin_device_stream **out, akin_error *error)
{
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK)
        return status;
    akin_cuda_stream *stream = akin_alloc_zero(NULL, 1, sizeof *stream);
    if (!stream)
        return akin_fail_memory(error, "a stream");
    stream->base.device = device;
    cudaError_t code = cudaStreamCreateWithFlags(&stream->cuda, cudaStreamNonBlocking);
    status = akin_device_check(device, code, "cudaStreamCreateWithFlags", error);
    if (status == AKIN_OK) {
        stream->next = akin_cuda_device_of(device)->streams;
        akin_cuda_device_of(device)->streams = stream;
        *out = &stream->base;
    } else {
        akin_free(stream);
    }
    return status;
}

void akin_cuda_wait(akin_device *device)
{
    for (akin_cuda_stream *stream = akin_cuda_device_of(device)->streams; stream; stream = stream->next)
        (void)cudaStreamSynchronize(stream->cuda);
}

void akin_cuda_stream_free(akin_device_stream *stream)
{
    akin_device *device = stream->device;
    akin_cuda_stream *freed = cuda_stream_of(stream);
    (void)cudaSetDevice((int)device->number);
    (void)cudaStreamSynchronize(freed->cuda);
    (void)cudaStreamDestroy(freed->cuda);
    (void)cudaGetLastError();
    akin_cuda_stream **link = &akin_cuda_device_of(device)->streams;
    while (*link != freed)
        link = &(*link)->next;
    *link = freed->next;
    akin_device_release(device, &freed->scratch);
    for (int turn = 0; turn < 2; turn++) {
        akin_device_event_free(freed->staged[turn]);
        akin_pinned_release(device, &freed->stage[turn]);
    }
    akin_free(freed);
}

akin_status akin_cuda_stream_finish(akin_device_stream *stream, akin_error *error)
{
    akin_status status = enter_stream_device(stream, error);
    if (status == AKIN_OK)
        status = akin_device_check(stream->device, cudaStreamSynchronize(handle_of_stream(stream)),
                                   "cudaStreamSynchronize", error);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- copies */

static akin_status copy_by_stream(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                                  enum cudaMemcpyKind kind, akin_error *error)
{
    akin_status status = enter_stream_device(stream, error);
    if (status != AKIN_OK || bytes == 0)
        return status;
    cudaError_t code = cudaMemcpyAsync(to, from, bytes, kind, handle_of_stream(stream));
    return akin_device_check(stream->device, code, "cudaMemcpyAsync", error);
}

akin_status akin_cuda_write(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    return copy_by_stream(stream, to, from, bytes, cudaMemcpyHostToDevice, error);
}

akin_status akin_cuda_read(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    return copy_by_stream(stream, to, from, bytes, cudaMemcpyDeviceToHost, error);
}

akin_status akin_cuda_copy(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    return copy_by_stream(stream, to, from, bytes, cudaMemcpyDeviceToDevice, error);
}

akin_status akin_cuda_fill(akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes, akin_error *error)
{
    akin_status status = enter_stream_device(stream, error);
    if (status != AKIN_OK || bytes == 0)
        return status;
    cudaError_t code = cudaMemsetAsync(to, value, bytes, handle_of_stream(stream));
    return akin_device_check(stream->device, code, "cudaMemsetAsync", error);
}

/* Makes sure that the staging buffers are there, or the one that a small copy needs. */
static akin_status prepare_staging(akin_device_stream *stream, uint64_t bytes, akin_error *error)
{
    akin_status status = enter_stream_device(stream, error);
    for (int turn = 0; turn < 2 && status == AKIN_OK && (turn == 0 || bytes > STAGE); turn++) {
        if (!cuda_stream_of(stream)->staged[turn])
            status = akin_device_event_create(stream->device, &cuda_stream_of(stream)->staged[turn], error);
        if (status == AKIN_OK)
            status =
                akin_pinned_reserve(stream->device, &cuda_stream_of(stream)->stage[turn], STAGE, 1, "staging", error);
    }
    return status;
}

static uint64_t stage_piece(uint64_t at, uint64_t bytes)
{
    return bytes - at < STAGE ? bytes - at : STAGE;
}

akin_status akin_cuda_upload(akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
{
    akin_status status = prepare_staging(stream, bytes, error);
    for (uint64_t at = 0; at < bytes && status == AKIN_OK; at += STAGE) {
        uint64_t turn = at / STAGE % 2;
        status = akin_device_event_finish(cuda_stream_of(stream)->staged[turn], error);
        if (status != AKIN_OK)
            break;
        memcpy(cuda_stream_of(stream)->stage[turn].data, (const char *)from + at, stage_piece(at, bytes));
        status = akin_device_write(stream, (char *)to + at, cuda_stream_of(stream)->stage[turn].data,
                                   stage_piece(at, bytes), error);
        if (status == AKIN_OK)
            status = akin_device_event_record(cuda_stream_of(stream)->staged[turn], stream, error);
    }
    return status;
}

/* While the bus fills one stage, the CPU empties the one before. */
akin_status akin_cuda_download(akin_device_stream *stream, void *to, const void *from, uint64_t bytes,
                               akin_error *error)
{
    akin_status status = prepare_staging(stream, bytes, error);
    uint64_t pieces = (bytes + STAGE - 1) / STAGE;
    for (uint64_t i = 0; i <= pieces && status == AKIN_OK && bytes > 0; i++) {
        uint64_t at = i * STAGE, turn = i % 2;
        if (i < pieces)
            status = akin_device_read(stream, cuda_stream_of(stream)->stage[turn].data, (const char *)from + at,
                                      stage_piece(at, bytes), error);
        if (i < pieces && status == AKIN_OK)
            status = akin_device_event_record(cuda_stream_of(stream)->staged[turn], stream, error);
        if (i == 0 || status != AKIN_OK)
            continue;
        at -= STAGE;
        status = akin_device_event_finish(cuda_stream_of(stream)->staged[turn ^ 1], error);
        if (status == AKIN_OK)
            memcpy((char *)to + at, cuda_stream_of(stream)->stage[turn ^ 1].data, stage_piece(at, bytes));
    }
    return status == AKIN_OK && bytes == 0 ? akin_device_stream_finish(stream, error) : status;
}

/* ---------------------------------------------------------------------------------------------------------- events */

akin_status akin_cuda_event_create(akin_device *device, akin_device_event **out, akin_error *error)
{
    akin_status status = akin_device_enter(device, error);
    if (status != AKIN_OK)
        return status;
    akin_cuda_event *event = akin_alloc_zero(NULL, 1, sizeof *event);
    if (!event)
        return akin_fail_memory(error, "an event");
    event->base.device = device;
    status = akin_device_check(device, cudaEventCreate(&event->cuda), "cudaEventCreate", error);
    if (status == AKIN_OK)
        *out = &event->base;
    else
        akin_free(event);
    return status;
}

void akin_cuda_event_free(akin_device_event *event)
{
    (void)cudaSetDevice((int)event->device->number);
    (void)cudaEventDestroy(handle_of(event));
    (void)cudaGetLastError();
    akin_free(event);
}

akin_status akin_cuda_event_record(akin_device_event *event, akin_device_stream *stream, akin_error *error)
{
    akin_status status = enter_stream_device(stream, error);
    if (status == AKIN_OK)
        status = akin_device_check(stream->device, cudaEventRecord(handle_of(event), handle_of_stream(stream)),
                                   "cudaEventRecord", error);
    return status;
}

akin_status akin_cuda_stream_wait(akin_device_stream *stream, akin_device_event *event, akin_error *error)
{
    akin_status status = enter_stream_device(stream, error);
    if (status != AKIN_OK)
        return status;
    cudaError_t code = cudaStreamWaitEvent(handle_of_stream(stream), handle_of(event), 0);
    return akin_device_check(stream->device, code, "cudaStreamWaitEvent", error);
}

akin_status akin_cuda_event_finish(akin_device_event *event, akin_error *error)
{
    akin_status status = akin_device_enter(event->device, error);
    if (status == AKIN_OK)
        status =
            akin_device_check(event->device, cudaEventSynchronize(handle_of(event)), "cudaEventSynchronize", error);
    return status;
}

akin_status akin_cuda_event_seconds(akin_device_event *first, akin_device_event *last, double *out, akin_error *error)
{
    float milliseconds = 0;
    akin_status status = akin_device_enter(first->device, error);
    if (status != AKIN_OK)
        return status;
    cudaError_t code = cudaEventElapsedTime(&milliseconds, handle_of(first), handle_of(last));
    status = akin_device_check(first->device, code, "cudaEventElapsedTime", error);
    if (status == AKIN_OK)
        *out = milliseconds / 1e3;
    return status;
}
