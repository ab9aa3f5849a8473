/*
 * A GPU that the host plays, for tests of what the hybrid join does on the host: a backend (device/backend.h) whose
 * streams do their work when they are waited for, and not before. So what does not wait finds garbage. Two threads that
 * use it at the same time fail the test.
 */
#ifndef AKIN_TESTS_GPU_HOST_GPU_H
#define AKIN_TESTS_GPU_HOST_GPU_H

#include "device/backend.h"

#include <stdatomic.h>

extern const akin_device_backend host_gpu_backend;

/* Calls that succeed before one fails, and all after it, with AKIN_E_DEVICE and the message HOST_GPU_LOST. */
extern atomic_long host_gpu_calls_left;
#define HOST_GPU_NEVER LONG_MAX
#define HOST_GPU_LOST  "the GPU that the host plays is lost"

/* Buffers, streams and pinned blocks that are there. */
extern atomic_long host_gpu_held;

/* Called by every kernel, by whichever thread waits for it; NULL: nothing is. */
extern void (*host_gpu_kernel)(void);

#endif
