/* Tries whether a GPU can run what was built. */
#ifndef AKIN_DEVICE_PROBE_H
#define AKIN_DEVICE_PROBE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the current device can run the kernels that were built in; loads them. */
cudaError_t akin_cuda_try_kernels(void);

#ifdef __cplusplus
}
#endif

#endif
