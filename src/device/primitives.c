/* Calls the primitives of a device's backend. */
#include "device/primitives.h"

#include "device/backend.h"

/* clang-format off */
#define PUT(name, parameters, ...)                                                                                     \
    akin_status akin_device_##name parameters                                                                          \
    {                                                                                                                  \
        return akin_kernels(stream)->primitives->name(__VA_ARGS__);                                                    \
    }

PUT(sort32,
    (akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint64_t n, uint32_t bits, akin_error *error),
    stream, keys, twin, n, bits, error)
PUT(sort64,
    (akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint64_t n, uint32_t bits, akin_error *error),
    stream, keys, twin, n, bits, error)
PUT(sort_pairs32,
    (akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint32_t **values, uint32_t **values_twin,
     uint64_t n, uint32_t bits, akin_error *error),
    stream, keys, twin, values, values_twin, n, bits, error)
PUT(sort_pairs64,
    (akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint32_t **values, uint32_t **values_twin,
     uint64_t n, uint32_t bits, akin_error *error),
    stream, keys, twin, values, values_twin, n, bits, error)
PUT(scan32,
    (akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint32_t *offsets, akin_error *error), stream,
    counts, n, offsets, error)
PUT(scan64,
    (akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint64_t *offsets, akin_error *error), stream,
    counts, n, offsets, error)
PUT(select32,
    (akin_device_stream *stream, const uint32_t *items, const uint8_t *flags, uint64_t n, uint32_t *out,
     uint64_t *found, akin_error *error),
    stream, items, flags, n, out, found, error)
PUT(select64,
    (akin_device_stream *stream, const uint64_t *items, const uint8_t *flags, uint64_t n, uint64_t *out,
     uint64_t *found, akin_error *error),
    stream, items, flags, n, out, found, error)
PUT(select_positions,
    (akin_device_stream *stream, const uint8_t *flags, uint64_t n, uint32_t *out, uint64_t *found, akin_error *error),
    stream, flags, n, out, found, error)
PUT(count_runs32,
    (akin_device_stream *stream, const uint32_t *keys, uint64_t n, uint32_t *distinct, uint32_t *counts,
     uint64_t *found, akin_error *error),
    stream, keys, n, distinct, counts, found, error)
PUT(count_runs64,
    (akin_device_stream *stream, const uint64_t *keys, uint64_t n, uint64_t *distinct, uint32_t *counts,
     uint64_t *found, akin_error *error),
    stream, keys, n, distinct, counts, found, error)
PUT(segments_of,
    (akin_device_stream *stream, const uint64_t *offsets, uint64_t segments, uint64_t first, uint64_t n, uint32_t *out,
     akin_error *error),
    stream, offsets, segments, first, n, out, error)
PUT(segment_sums,
    (akin_device_stream *stream, const uint32_t *values, const uint64_t *offsets, uint64_t segments, uint64_t n,
     uint64_t *sums, akin_error *error),
    stream, values, offsets, segments, n, sums, error)
/* clang-format on */
