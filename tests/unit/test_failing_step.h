/* How many calls a long test of failures goes on by. Each call fails once, except where a sanitizer makes it slow. */
#ifndef AKIN_TEST_FAILING_STEP_H
#define AKIN_TEST_FAILING_STEP_H

#include "test_sanitizers.h"

#define FAILING_STEP (UNDER_TSAN ? 41 : UNDER_ASAN ? 13 : 1)

#endif
