/* The inside of an open device, for the files of this room that call CUDA. */
#ifndef AKIN_DEVICE_CUDA_DEVICE_H
#define AKIN_DEVICE_CUDA_DEVICE_H

#include "device/backend.h"
#include "device/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks that were released, kept for whoever needs one of that size next: allocating takes a fraction of a millisecond
 * each time, device memory or pinned, and jobs take a dozen. */
#define AKIN_DEVICE_SPARES 48
typedef struct akin_device_spares {
    struct akin_device_spare {
        void *data;
        uint64_t bytes;
    } blocks[AKIN_DEVICE_SPARES];
    uint32_t count;
    uint64_t bytes; /* of all of them */
} akin_device_spares;

typedef struct akin_cuda_device {
    akin_device base;
    char reason[256]; /* why it is lost: the call, and CUDA's words */
    akin_device_spares spares, pinned_spares;
    struct akin_cuda_stream *streams; /* all that it has, see cuda_stream.c */
} akin_cuda_device;

static inline akin_cuda_device *akin_cuda_device_of(akin_device *device)
{
    return (akin_cuda_device *)device;
}

/* The functions of the backend: each has the type of the one of device.h or primitives.h that calls it. */
__typeof__(akin_device_find) akin_cuda_find;
__typeof__(akin_device_describe) akin_cuda_describe;
__typeof__(akin_device_open) akin_cuda_open;
__typeof__(akin_device_close) akin_cuda_close;
__typeof__(akin_device_bound) akin_cuda_bound;
__typeof__(akin_device_reserve) akin_cuda_reserve;
__typeof__(akin_device_release) akin_cuda_release;
__typeof__(akin_pinned_reserve) akin_cuda_pinned_reserve;
__typeof__(akin_pinned_release) akin_cuda_pinned_release;
__typeof__(akin_device_stream_create) akin_cuda_stream_create;
__typeof__(akin_device_stream_free) akin_cuda_stream_free;
__typeof__(akin_device_stream_finish) akin_cuda_stream_finish;
__typeof__(akin_device_stream_wait) akin_cuda_stream_wait;
__typeof__(akin_device_write) akin_cuda_write;
__typeof__(akin_device_read) akin_cuda_read;
__typeof__(akin_device_copy) akin_cuda_copy;
__typeof__(akin_device_fill) akin_cuda_fill;
__typeof__(akin_device_upload) akin_cuda_upload;
__typeof__(akin_device_download) akin_cuda_download;
__typeof__(akin_device_event_create) akin_cuda_event_create;
__typeof__(akin_device_event_free) akin_cuda_event_free;
__typeof__(akin_device_event_record) akin_cuda_event_record;
__typeof__(akin_device_event_finish) akin_cuda_event_finish;
__typeof__(akin_device_event_seconds) akin_cuda_event_seconds;
__typeof__(akin_device_sort32) akin_cuda_sort32;
__typeof__(akin_device_sort64) akin_cuda_sort64;
__typeof__(akin_device_sort_pairs32) akin_cuda_sort_pairs32;
__typeof__(akin_device_sort_pairs64) akin_cuda_sort_pairs64;
__typeof__(akin_device_scan32) akin_cuda_scan32;
__typeof__(akin_device_scan64) akin_cuda_scan64;
__typeof__(akin_device_select32) akin_cuda_select32;
__typeof__(akin_device_select64) akin_cuda_select64;
__typeof__(akin_device_select_positions) akin_cuda_select_positions;
__typeof__(akin_device_count_runs32) akin_cuda_count_runs32;
__typeof__(akin_device_count_runs64) akin_cuda_count_runs64;
__typeof__(akin_device_segments_of) akin_cuda_segments_of;
__typeof__(akin_device_segment_sums) akin_cuda_segment_sums;

/* Waits for all work of the device: that of its streams, not of a twin's, which goes on. */
void akin_device_wait(akin_device *device);

/* Frees the blocks that are kept. */
void akin_device_drop_spares(akin_device *device);

/* Whether the current device can run the kernels that were built in; loads them. */
cudaError_t akin_device_try_kernels(void);

#ifdef __cplusplus
}
#endif

#endif
