/* The backend of CUDA, of a build with it. */
#ifndef AKIN_DEVICE_CUDA_BACKEND_H
#define AKIN_DEVICE_CUDA_BACKEND_H

#include "device/backend.h"

extern const akin_device_backend akin_cuda;

#endif
