/* The insides of a device, a stream and an event of CUDA. */
#ifndef AKIN_DEVICE_CUDA_HANDLES_H
#define AKIN_DEVICE_CUDA_HANDLES_H

#include "device/backend.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_cuda_event {
    akin_device_event base;
    cudaEvent_t cuda;
} akin_cuda_event;

/* The staging buffers, taken in turn, are made when first needed. A stage is free once its event has come. */
typedef struct akin_cuda_stream {
    akin_device_stream base;
    struct akin_cuda_stream *next; /* of the device's */
    cudaStream_t cuda;
    akin_device_buffer scratch;
    akin_pinned stage[2];
    akin_device_event *staged[2];
} akin_cuda_stream;

/* Released blocks, kept for the next need of their size. An allocation takes a fraction of a millisecond, for device
 * memory or pinned memory, and a job makes a dozen. */
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
    akin_cuda_stream *streams; /* all that it has */
} akin_cuda_device;

static inline akin_cuda_device *akin_cuda_device_of(akin_device *device)
{
    return (akin_cuda_device *)device;
}

#ifdef __cplusplus
}
#endif

#endif
