/* Of a GPU that the host plays (property/host_device.h): calls that fail when told to, and the memory that it has. */
#ifndef AKIN_TEST_HOST_CALLS_H
#define AKIN_TEST_HOST_CALLS_H

#include "akin.h"

#include <stdatomic.h>

typedef struct host_device_state {
    _Atomic uint64_t calls; /* that may fail, so far */
    uint64_t failing;       /* the one that does, the first being 1, and unless it is alone all behind it; 0: none */
    akin_status status;     /* as which */
    int alone;
    uint64_t room;  /* bytes, as the device tells it; 0: more than any job takes */
    uint64_t limit; /* bytes of its memory that blocks may take, and then the rest of them is its room; 0: any number */
} host_device_state;

extern host_device_state host_device;

#define HOST_DEVICE_FAILED "the GPU that the host plays has failed"

#endif
