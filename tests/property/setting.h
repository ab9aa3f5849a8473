/* The settings of a property test, from the environment. */
#ifndef AKIN_TEST_SETTING_H
#define AKIN_TEST_SETTING_H

#include <stdint.h>
#include <stdlib.h>

/* A variable that is a number; `otherwise` if it is not set, or empty. */
static inline uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* A number of threads, or the most that the environment allows. Tests of hundred thousand jobs ask for it: QEMU 7.2
 * keeps 280 KB of each thread that has ended. */
static inline uint32_t threads_at_most(uint32_t threads)
{
    const uint64_t most = setting("AKIN_TEST_THREADS", threads);
    return most < threads ? (uint32_t)most : threads;
}

#endif
