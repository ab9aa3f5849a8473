/* The limits that a context has set. */
#ifndef AKIN_BASE_LIMITED_H
#define AKIN_BASE_LIMITED_H

#include <stdint.h>

#define AKIN_LIMIT_COUNT 7 /* values of akin_limit */

typedef struct akin_limited {
    uint64_t most[AKIN_LIMIT_COUNT]; /* by akin_limit; 0: there is none */
} akin_limited;

#endif
