/* Seconds from the system's clocks. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double akin_clock(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double akin_clock_of_thread(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
