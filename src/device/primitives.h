/*
 * Data-parallel building blocks on the GPU: sort, scan, select, count runs, search, sum segments.
 *
 * All of them are put into a stream and done later (see device.h). Arrays are in device memory, aligned to their items,
 * owned by the caller, and do not overlap unless it says so; `n` counts items and may be 0; numbers that a function
 * finds out (`*found`) are written to device memory, too, so that the host need not wait for them. Scratch memory is
 * the stream's, and grows to the largest call: a call that needs more waits for the device, later ones allocate
 * nothing.
 * Results depend on the arguments alone: all is integer arithmetic, and no order is left to chance.
 *
 * Errors: AKIN_E_LIMIT (more than AKIN_DEVICE_ITEMS items), AKIN_E_NOMEM (scratch memory beyond the account's limit),
 * AKIN_E_DEVICE.
 */
#ifndef AKIN_DEVICE_PRIMITIVES_H
#define AKIN_DEVICE_PRIMITIVES_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most items of a call: a job cuts its work in parts that are smaller. */
#define AKIN_DEVICE_ITEMS ((uint64_t)INT32_MAX)

/*
 * Sorts by bits [0, bits) of the keys, rising and stable, by radix: the fewer bits, the faster. Each array has a twin
 * of n items as working space, and the sorted one is in *keys (*values) afterwards: pointers and twins are exchanged
 * as needed, when the function returns, that is, before the work is done.
 * Scratch: some MiB.
 */
akin_status akin_device_sort32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint64_t n, uint32_t bits,
                               akin_error *error);
akin_status akin_device_sort64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint64_t n, uint32_t bits,
                               akin_error *error);
akin_status akin_device_sort_pairs32(akin_device_stream *stream, uint32_t **keys, uint32_t **twin, uint32_t **values,
                                     uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error);
akin_status akin_device_sort_pairs64(akin_device_stream *stream, uint64_t **keys, uint64_t **twin, uint32_t **values,
                                     uint32_t **values_twin, uint64_t n, uint32_t bits, akin_error *error);

/* Offsets of n counts: offsets[i] is the sum of the counts before i, and offsets[n] of all, so there are n + 1 of them.
 * That the sums of scan32 fit 32 bits is the caller's business: they wrap. */
akin_status akin_device_scan32(akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint32_t *offsets,
                               akin_error *error);
akin_status akin_device_scan64(akin_device_stream *stream, const uint32_t *counts, uint64_t n, uint64_t *offsets,
                               akin_error *error);

/* The items whose flag is not 0, in their order, in out[0 .. *found); room for all n must be there. */
akin_status akin_device_select32(akin_device_stream *stream, const uint32_t *items, const uint8_t *flags, uint64_t n,
                                 uint32_t *out, uint64_t *found, akin_error *error);
akin_status akin_device_select64(akin_device_stream *stream, const uint64_t *items, const uint8_t *flags, uint64_t n,
                                 uint64_t *out, uint64_t *found, akin_error *error);
/* The same, of the positions 0 .. n-1 themselves. */
akin_status akin_device_select_positions(akin_device_stream *stream, const uint8_t *flags, uint64_t n, uint32_t *out,
                                         uint64_t *found, akin_error *error);

/* The distinct keys of a sorted array, rising, and how often each is there; room for n of each must be there. */
akin_status akin_device_count_runs32(akin_device_stream *stream, const uint32_t *keys, uint64_t n, uint32_t *distinct,
                                     uint32_t *counts, uint64_t *found, akin_error *error);
akin_status akin_device_count_runs64(akin_device_stream *stream, const uint64_t *keys, uint64_t n, uint64_t *distinct,
                                     uint32_t *counts, uint64_t *found, akin_error *error);

/*
 * Load-balancing search: which segment an item is in. Segment s has the items [offsets[s], offsets[s + 1]), rising, so
 * that there are segments + 1 offsets; a segment may be empty, or have all items. For each item i in [first, first +
 * n), a range within [offsets[0], offsets[segments]): out[i - first] is its segment. Work is dealt evenly, however long
 * the segments are.
 */
akin_status akin_device_segments_of(akin_device_stream *stream, const uint64_t *offsets, uint64_t segments,
                                    uint64_t first, uint64_t n, uint32_t *out, akin_error *error);

/* Segmented sum: sums[s] is that of values[offsets[s] .. offsets[s + 1]), modulo 2^64, 0 for an empty segment. Segments
 * are as above, with offsets[0] = 0 and offsets[segments] = n. */
akin_status akin_device_segment_sums(akin_device_stream *stream, const uint32_t *values, const uint64_t *offsets,
                                     uint64_t segments, uint64_t n, uint64_t *sums, akin_error *error);

/* What a backend has for them: each function is called by the one above that has its name. */
typedef struct akin_primitive_kernels {
    __typeof__(akin_device_sort32) *sort32;
    __typeof__(akin_device_sort64) *sort64;
    __typeof__(akin_device_sort_pairs32) *sort_pairs32;
    __typeof__(akin_device_sort_pairs64) *sort_pairs64;
    __typeof__(akin_device_scan32) *scan32;
    __typeof__(akin_device_scan64) *scan64;
    __typeof__(akin_device_select32) *select32;
    __typeof__(akin_device_select64) *select64;
    __typeof__(akin_device_select_positions) *select_positions;
    __typeof__(akin_device_count_runs32) *count_runs32;
    __typeof__(akin_device_count_runs64) *count_runs64;
    __typeof__(akin_device_segments_of) *segments_of;
    __typeof__(akin_device_segment_sums) *segment_sums;
} akin_primitive_kernels;

#ifdef __cplusplus
}
#endif

#endif
