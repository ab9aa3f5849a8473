/* Calls the functions of a device's backend. */
#include "device/backend.h"

#ifdef AKIN_WITH_CUDA
#include "device/cuda_backend.h"

static const akin_device_backend *const built_in = &akin_cuda;
#else
static const akin_device_backend *const built_in = NULL;
#endif

/* Says why there is no GPU in a build without CUDA. */
static akin_status fail_absent(uint32_t number, akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE,
                          "GPU %u was asked for, but this akin was built without CUDA; use the device cpu or auto",
                          number);
}

akin_device_support akin_device_find(void)
{
    return built_in ? built_in->find() : (akin_device_support){.state = "built without CUDA"};
}

int akin_device_has_driver(const akin_device_backend *backend)
{
    if (!backend)
        backend = built_in;
    return backend && backend->has_driver && backend->has_driver();
}

akin_status akin_device_describe(uint32_t number, akin_device_info *out, akin_error *error)
{
    return built_in ? built_in->describe(number, out, error) : fail_absent(number, error);
}

akin_status akin_device_open_by(const akin_device_backend *backend, uint32_t number, uint64_t limit, akin_device **out,
                                akin_error *error)
{
    if (!backend)
        backend = built_in;
    return backend ? backend->open(number, limit, out, error) : fail_absent(number, error);
}

akin_status akin_device_open(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    return akin_device_open_by(NULL, number, limit, out, error);
}

void akin_device_close(akin_device *device)
{
    if (device)
        device->backend->close(device);
}

uint32_t akin_device_number(const akin_device *device)
{
    return device->number;
}

const akin_device_info *akin_device_properties(const akin_device *device)
{
    return &device->info;
}

uint64_t akin_device_limit(const akin_device *device)
{
    return device->limit;
}

void akin_device_bound(akin_device *device, uint64_t limit)
{
    device->backend->bound(device, limit);
}

uint64_t akin_device_room(const akin_device *device)
{
    return device->limit - device->held;
}

uint64_t akin_device_held(const akin_device *device)
{
    return device->held;
}

uint64_t akin_device_peak(const akin_device *device)
{
    return device->peak;
}

int akin_device_lost(const akin_device *device)
{
    return device->lost;
}

akin_device *akin_device_stream_device(const akin_device_stream *stream)
{
    return stream->device;
}

/* ---------------------------------------------------------------------------------------------------------- memory */

akin_status akin_device_reserve(akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
                                const char *what, akin_error *error)
{
    return device->backend->reserve(device, buffer, count, size, what, error);
}

void akin_device_release(akin_device *device, akin_device_buffer *buffer)
{
    device->backend->release(device, buffer);
}

akin_status akin_pinned_reserve(akin_device *device, akin_pinned *pinned, uint64_t count, size_t size, const char *what,
                                akin_error *error)
{
    return device->backend->pinned_reserve(device, pinned, count, size, what, error);
}

void akin_pinned_release(akin_device *device, akin_pinned *pinned)
{
    device->backend->pinned_release(device, pinned);
}

/* ---------------------------------------------------------------------------------------------- streams and events */

akin_status akin_device_stream_create(akin_device *device, akin_device_stream **out, akin_error *error)
{
    return device->backend->stream_create(device, out, error);
}

void akin_device_stream_free(akin_device_stream *stream)
{
    if (stream)
        stream->device->backend->stream_free(stream);
}

akin_status akin_device_event_create(akin_device *device, akin_device_event **out, akin_error *error)
{
    return device->backend->event_create(device, out, error);
}

void akin_device_event_free(akin_device_event *event)
{
    if (event)
        event->device->backend->event_free(event);
}

akin_status akin_device_event_finish(akin_device_event *event, akin_error *error)
{
    return event->device->backend->event_finish(event, error);
}

akin_status akin_device_event_seconds(akin_device_event *first, akin_device_event *last, double *out, akin_error *error)
{
    return first->device->backend->event_seconds(first, last, out, error);
}

/* ------------------------------------------------------------------------------------------ what is put in a stream */

/* clang-format off */
#define PUT(name, parameters, ...)                                                                                     \
    akin_status akin_device_##name parameters                                                                          \
    {                                                                                                                  \
        return stream->device->backend->name(__VA_ARGS__);                                                             \
    }

PUT(stream_finish, (akin_device_stream *stream, akin_error *error), stream, error)
PUT(stream_wait, (akin_device_stream *stream, akin_device_event *event, akin_error *error), stream, event, error)
PUT(event_record, (akin_device_event *event, akin_device_stream *stream, akin_error *error), event, stream, error)
PUT(write, (akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error), stream, to,
    from, bytes, error)
PUT(read, (akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error), stream, to,
    from, bytes, error)
PUT(copy, (akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error), stream, to,
    from, bytes, error)
PUT(upload, (akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error), stream, to,
    from, bytes, error)
PUT(download, (akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error), stream, to,
    from, bytes, error)
PUT(fill, (akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes, akin_error *error), stream, to, value,
    bytes, error)
/* clang-format on */
