/* The inside of an open device, for the files of this room that call CUDA. */
#ifndef AKIN_DEVICE_CUDA_DEVICE_H
#define AKIN_DEVICE_CUDA_DEVICE_H

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

struct akin_device {
    akin_device_info info;
    int number;
    int lost;
    char reason[256]; /* why it is lost: the call, and CUDA's words */
    uint64_t held, peak, limit;
    akin_device_spares spares, pinned_spares;
    akin_device_stream *streams; /* all that it has, see cuda_stream.c */
};

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
