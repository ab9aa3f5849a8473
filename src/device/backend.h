/*
 * What a device is made of: a table of functions, as a backend fills it, and the tables of kernels of the rooms.
 *
 *     device.h                   what all rooms call
 *     device.c                   calls the function of the device's table
 *     cuda_*.c, *.cu             the backend of this build, if it has CUDA
 *
 * A test has a backend of its own, which plays a GPU in host memory. A build without CUDA has no backend: no device is
 * ever open, so nobody looks for a table.
 *
 * Each file of kernels fills one table, which the header of its room declares. A room calls a kernel like this:
 *
 *     akin_kernels(stream)->rank->best(stream, lists, asked, error)
 */
#ifndef AKIN_DEVICE_BACKEND_H
#define AKIN_DEVICE_BACKEND_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels of a backend, by file. */
typedef struct akin_device_kernels {
    const struct akin_primitive_kernels *primitives; /* device/primitives.h */
    const struct akin_trie_kernels *trie;
    const struct akin_forest_kernels *forest;
    const struct akin_sets_kernels *sets;
    const struct akin_tensor_side_kernels *tensor_sides;
    const struct akin_tensor_kernels *tensor;
    const struct akin_posting_kernels *postings;
    const struct akin_strings_kernels *strings;
    const struct akin_dedupe_texts_kernels *dedupe_texts;
    const struct akin_dedupe_screen_kernels *dedupe_screens;
    const struct akin_dedupe_score_kernels *dedupe_scores;
    const struct akin_terms_look_kernels *terms_look;
    const struct akin_terms_tally_kernels *terms_tally;
    const struct akin_rank_kernels *rank;
    const struct akin_invert_kernels *invert;
    const struct akin_ranges_kernels *ranges;
    const struct akin_nearest_kernels *nearest;
    const struct akin_corpus_kernels *corpus;
    const struct akin_annex_kernels *annex; /* papers/kernels.h; NULL: the annex has those of CUDA */
} akin_device_kernels;

/* Each function is called by the one of device.h that has its name, and keeps what that promises. */
typedef struct akin_device_backend {
    int (*has_driver)(void); /* for akin_device_has_driver; NULL: it is not known so soon */
    __typeof__(akin_device_find) *find;
    __typeof__(akin_device_describe) *describe;
    __typeof__(akin_device_open) *open;
    __typeof__(akin_device_close) *close; /* of a device, not NULL; the same holds for all that is freed */
    __typeof__(akin_device_bound) *bound;

    __typeof__(akin_device_reserve) *reserve;
    __typeof__(akin_device_release) *release;
    __typeof__(akin_pinned_reserve) *pinned_reserve;
    __typeof__(akin_pinned_release) *pinned_release;

    __typeof__(akin_device_stream_create) *stream_create;
    __typeof__(akin_device_stream_free) *stream_free;
    __typeof__(akin_device_stream_finish) *stream_finish;
    __typeof__(akin_device_stream_wait) *stream_wait;
    __typeof__(akin_device_write) *write;
    __typeof__(akin_device_read) *read;
    __typeof__(akin_device_copy) *copy;
    __typeof__(akin_device_fill) *fill;
    __typeof__(akin_device_upload) *upload;
    __typeof__(akin_device_download) *download;

    __typeof__(akin_device_event_create) *event_create;
    __typeof__(akin_device_event_free) *event_free;
    __typeof__(akin_device_event_record) *event_record;
    __typeof__(akin_device_event_finish) *event_finish;
    __typeof__(akin_device_event_seconds) *event_seconds;

    const akin_device_kernels *kernels;
} akin_device_backend;

/* What every backend has first in its devices, streams and events. */
struct akin_device {
    const akin_device_backend *backend;
    akin_device_info info;
    uint32_t number;
    int lost;
    uint64_t held, peak, limit; /* bytes of buffers: now, at most so far, and at most ever */
};

struct akin_device_stream {
    akin_device *device;
};

struct akin_device_event {
    akin_device *device;
};

static inline const akin_device_kernels *akin_kernels_of(const akin_device *device)
{
    return device->backend->kernels;
}

static inline const akin_device_kernels *akin_kernels(const akin_device_stream *stream)
{
    return akin_kernels_of(stream->device);
}

#ifdef __cplusplus
}
#endif

#endif
