/* Finds GPUs by CUDA, and opens them: functions with the types and contracts of those of device.h. */
#ifndef AKIN_DEVICE_CUDA_DEVICE_H
#define AKIN_DEVICE_CUDA_DEVICE_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

int akin_cuda_has_driver(void);
__typeof__(akin_device_find) akin_cuda_find;
__typeof__(akin_device_describe) akin_cuda_describe;
__typeof__(akin_device_open) akin_cuda_open;
__typeof__(akin_device_close) akin_cuda_close;

#ifdef __cplusplus
}
#endif

#endif
