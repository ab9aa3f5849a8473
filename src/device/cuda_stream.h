/* Streams and events of CUDA: functions with the types and contracts of those of device.h. */
#ifndef AKIN_DEVICE_CUDA_STREAM_H
#define AKIN_DEVICE_CUDA_STREAM_H

#include "device/device.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* Waits for all work of the device: that of its streams, not of a twin's, which goes on. */
void akin_cuda_wait(akin_device *device);

#ifdef __cplusplus
}
#endif

#endif
