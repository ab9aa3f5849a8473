/* What the kernels of the GPU that the host plays have in common (property/host_device.h). */
#ifndef AKIN_TEST_HOST_KERNEL_H
#define AKIN_TEST_HOST_KERNEL_H

#include "property/host_device.h"

#include <stdlib.h>

/* Kernels run at once, so they do not use their streams. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Every call that may fail goes through here. */
akin_status host_enter(akin_error *error);

/* Stops the test if the host launches what no kernel can do. */
static inline void must(int holds)
{
    if (!holds)
        abort();
}

#endif
