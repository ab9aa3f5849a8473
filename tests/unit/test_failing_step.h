/* How many calls a long test of failures goes on by. Each call fails once, except where a sanitizer makes it slow. */
#ifndef AKIN_TEST_FAILING_STEP_H
#define AKIN_TEST_FAILING_STEP_H

#include "test_tsan.h"

#if UNDER_TSAN
#define FAILING_STEP 20
#elif defined(__SANITIZE_ADDRESS__)
#define FAILING_STEP 7
#else
#define FAILING_STEP 1
#endif

#endif
