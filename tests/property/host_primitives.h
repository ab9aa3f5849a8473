/* Primitives of the GPU that the host plays, for its backend. Names are those of device/primitives.h. */
#ifndef AKIN_TEST_HOST_PRIMITIVES_H
#define AKIN_TEST_HOST_PRIMITIVES_H

#include "device/primitives.h"

__typeof__(akin_device_sort32) host_sort32;
__typeof__(akin_device_sort64) host_sort64;
__typeof__(akin_device_sort_pairs32) host_sort_pairs32;
__typeof__(akin_device_sort_pairs64) host_sort_pairs64;
__typeof__(akin_device_scan32) host_scan32;
__typeof__(akin_device_scan64) host_scan64;
__typeof__(akin_device_select32) host_select32;
__typeof__(akin_device_select64) host_select64;
__typeof__(akin_device_select_positions) host_select_positions;
__typeof__(akin_device_count_runs32) host_count_runs32;
__typeof__(akin_device_count_runs64) host_count_runs64;
__typeof__(akin_device_segments_of) host_segments_of;
__typeof__(akin_device_segment_sums) host_segment_sums;

#endif
