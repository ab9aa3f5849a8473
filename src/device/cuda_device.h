/* The inside of an open device, for the files of this room that call CUDA. */
#ifndef AKIN_DEVICE_CUDA_DEVICE_H
#define AKIN_DEVICE_CUDA_DEVICE_H

#include "device/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

struct akin_device {
    akin_device_info info;
    int number;
    int lost;
    char reason[256]; /* why it is lost: the call, and CUDA's words */
    uint64_t held, peak, limit;
};

/* Whether the current device can run the kernels that were built in; loads them. */
cudaError_t akin_device_try_kernels(void);

#ifdef __cplusplus
}
#endif

#endif
