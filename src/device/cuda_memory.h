/* Memory of a device of CUDA, and pinned memory: functions with the types and contracts of those of device.h. */
#ifndef AKIN_DEVICE_CUDA_MEMORY_H
#define AKIN_DEVICE_CUDA_MEMORY_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

__typeof__(akin_device_bound) akin_cuda_bound;
__typeof__(akin_device_reserve) akin_cuda_reserve;
__typeof__(akin_device_release) akin_cuda_release;
__typeof__(akin_pinned_reserve) akin_cuda_pinned_reserve;
__typeof__(akin_pinned_release) akin_cuda_pinned_release;

/* Frees the blocks that are kept. */
void akin_cuda_drop_spares(akin_device *device);

#ifdef __cplusplus
}
#endif

#endif
