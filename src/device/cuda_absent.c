/* Stands in for the GPU where akin was built without CUDA: there is no device, and what would need one is never
 * reached. */
#include "device/primitives.h"

akin_device_support akin_device_find(void)
{
    return (akin_device_support){.state = "built without CUDA"};
}

static akin_status absent(uint32_t number, akin_error *error)
{
    return akin_error_set(error, AKIN_E_DEVICE, AKIN_REASON_NO_DEVICE,
                          "GPU %u was asked for, but this akin was built without CUDA; use the device cpu or auto",
                          number);
}

#pragma GCC diagnostic ignored "-Wunused-parameter"

akin_status akin_device_describe(uint32_t number, akin_device_info *out, akin_error *error)
{
    return absent(number, error);
}

akin_status akin_device_open(uint32_t number, uint64_t limit, akin_device **out, akin_error *error)
{
    return absent(number, error);
}

void akin_device_close(akin_device *device)
{
}

int akin_device_lost(const akin_device *device)
{
    return 1;
}

/* A line for each. */
/* clang-format off */
#define ABSENT(name, ...) akin_status name(__VA_ARGS__) { return absent(0, error); }
#define NOTHING(type, name, ...) type name(__VA_ARGS__) { return 0; }
#define NEVER(name, ...) void name(__VA_ARGS__) { }

NOTHING(uint32_t, akin_device_number, const akin_device *device)
NOTHING(const akin_device_info *, akin_device_properties, const akin_device *device)
NOTHING(uint64_t, akin_device_limit, const akin_device *device)
NEVER(akin_device_bound, akin_device *device, uint64_t limit)
NOTHING(uint64_t, akin_device_room, const akin_device *device)
NOTHING(uint64_t, akin_device_held, const akin_device *device)
NOTHING(uint64_t, akin_device_peak, const akin_device *device)
ABSENT(akin_device_reserve, akin_device *device, akin_device_buffer *buffer, uint64_t count, size_t size,
       const char *what, akin_error *error)
NEVER(akin_device_release, akin_device *device, akin_device_buffer *buffer)
ABSENT(akin_pinned_reserve, akin_device *device, akin_pinned *pinned, uint64_t count, size_t size, const char *what,
       akin_error *error)
NEVER(akin_pinned_release, akin_device *device, akin_pinned *pinned)

ABSENT(akin_device_stream_create, akin_device *device, akin_device_stream **out, akin_error *error)
NEVER(akin_device_stream_free, akin_device_stream *stream)
NOTHING(akin_device *, akin_device_stream_device, const akin_device_stream *stream)
ABSENT(akin_device_stream_finish, akin_device_stream *stream, akin_error *error)
ABSENT(akin_device_write, akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
ABSENT(akin_device_read, akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
ABSENT(akin_device_copy, akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
ABSENT(akin_device_fill, akin_device_stream *stream, void *to, uint8_t value, uint64_t bytes, akin_error *error)
ABSENT(akin_device_upload, akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)
ABSENT(akin_device_download, akin_device_stream *stream, void *to, const void *from, uint64_t bytes, akin_error *error)

ABSENT(akin_device_event_create, akin_device *device, akin_device_event **out, akin_error *error)
NEVER(akin_device_event_free, akin_device_event *event)
ABSENT(akin_device_event_record, akin_device_event *event, akin_device_stream *stream, akin_error *error)
ABSENT(akin_device_stream_wait, akin_device_stream *stream, akin_device_event *event, akin_error *error)
ABSENT(akin_device_event_finish, akin_device_event *event, akin_error *error)
ABSENT(akin_device_event_seconds, akin_device_event *first, akin_device_event *last, double *out, akin_error *error)

ABSENT(akin_device_sort32, akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint64_t n, uint32_t bits,
       akin_error *error)
ABSENT(akin_device_sort64, akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint64_t n, uint32_t bits,
       akin_error *error)
ABSENT(akin_device_sort_pairs32, akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint32_t **values,
       uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error)
ABSENT(akin_device_sort_pairs64, akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint32_t **values,
       uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error)
ABSENT(akin_device_scan32, akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint32_t *offsets,
       akin_error *error)
ABSENT(akin_device_scan64, akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint64_t *offsets,
       akin_error *error)
ABSENT(akin_device_select32, akin_device_stream *stream, const uint32_t *items, const uint8_t *flags, uint64_t n,
       uint32_t *out, uint64_t *found, akin_error *error)
ABSENT(akin_device_select64, akin_device_stream *stream, const uint64_t *items, const uint8_t *flags, uint64_t n,
       uint64_t *out, uint64_t *found, akin_error *error)
ABSENT(akin_device_select_positions, akin_device_stream *stream, const uint8_t *flags, uint64_t n, uint32_t *out,
       uint64_t *found, akin_error *error)
ABSENT(akin_device_count_runs32, akin_device_stream *stream, const uint32_t *keys, uint64_t n, uint32_t *distinct,
       uint32_t *counts, uint64_t *found, akin_error *error)
ABSENT(akin_device_count_runs64, akin_device_stream *stream, const uint64_t *keys, uint64_t n, uint64_t *distinct,
       uint32_t *counts, uint64_t *found, akin_error *error)
ABSENT(akin_device_segments_of, akin_device_stream *stream, const uint64_t *offsets, uint64_t segments, uint64_t first,
       uint64_t n, uint32_t *out, akin_error *error)
ABSENT(akin_device_segment_sums, akin_device_stream *stream, const uint32_t *values, const uint64_t *offsets,
       uint64_t segments, uint64_t n, uint64_t *sums, akin_error *error)
/* clang-format on */
