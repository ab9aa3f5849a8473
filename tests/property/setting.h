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

#endif
