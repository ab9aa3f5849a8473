/* The primitives by CUDA: functions with the types and contracts of those of primitives.h. Each file of kernels defines
 * some of them. */
#ifndef AKIN_DEVICE_CUDA_PRIMITIVES_H
#define AKIN_DEVICE_CUDA_PRIMITIVES_H

#include "device/primitives.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
