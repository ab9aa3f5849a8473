/* What a value that is missing contributes, on the CPU; kernels have the same in gpu_look.h and gpu_screen.h. */
#ifndef AKIN_DEDUPE_MISSING_H
#define AKIN_DEDUPE_MISSING_H

#include "akin.h"

#include <math.h>

/* The similarity of two values if one or both are missing; NAN: the column does not count. */
static inline double akin_missing_similarity(akin_missing missing, int is_in_both)
{
    switch (missing) {
    case AKIN_MISSING_ZERO:
        return 0.0;
    case AKIN_MISSING_SKIP:
        return NAN;
    case AKIN_MISSING_EQUAL:
        return is_in_both ? 1.0 : 0.0;
    }
    return 0.0;
}

/* Whether a column with a missing value does not count, so that weights differ from pair to pair. */
static inline int akin_missing_skips(akin_missing missing)
{
    return isnan(akin_missing_similarity(missing, 0)) != 0;
}

#endif
