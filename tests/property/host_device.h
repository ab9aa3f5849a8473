/*
 * A GPU that the host plays: a backend (device/backend.h) whose memory is the host's, and whose kernels do on the host
 * what those of CUDA do, with the same headers. A context with `.backend = &host_backend` opens such GPUs; one with
 * `.device = host_gpu()` has one that is open.
 *
 *     host_device.c       memory, streams and events
 *     host_primitives.c   sort, scan, select and the others
 *     host_ROOM.c         the kernels of a room
 *
 * What a stream is given is done at once. But what it reads arrives when the stream is waited for, and what it writes
 * must stay the same until then. Blocks have exactly the requested size, so that sanitizers see accesses beyond it.
 */
#ifndef AKIN_TEST_HOST_DEVICE_H
#define AKIN_TEST_HOST_DEVICE_H

#include "device/backend.h"

#include <stdatomic.h>

/* What a test makes of its GPUs, and what they count. */
typedef struct host_device_state {
    _Atomic uint64_t calls; /* that may fail, so far */
    uint64_t failing;       /* the one that does, the first being 1, and unless it is alone all behind it; 0: none */
    akin_status status;     /* as which */
    int alone;
    int is_absent;            /* there is no GPU to be opened */
    uint64_t room;            /* bytes that a GPU says it has left, whatever it holds; 0: more than any job takes */
    uint64_t limit;           /* bytes of its memory that blocks may take; 0: any number */
    uint64_t opened;          /* GPUs, so far */
    _Atomic uint64_t streams; /* created, so far */
} host_device_state;

extern const akin_device_backend host_backend;
extern host_device_state host_device;

#define HOST_DEVICE_FAILED "the GPU that the host plays has failed"

/* A GPU that is always open. */
akin_device *host_gpu(void);

/* Blocks of memory of all these GPUs that were not given back. */
int host_device_holds(void);

/* Changes the state while GPUs are open: all that is there, or only what they have of memory. */
#define host_device_set(...) host_device_become((host_device_state){__VA_ARGS__})
void host_device_become(host_device_state state);
void host_device_give(uint64_t room, uint64_t limit);

#endif
