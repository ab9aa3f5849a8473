/* Seconds from the system's monotonic clock. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"

#include <time.h>

double akin_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
