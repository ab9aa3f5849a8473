/* Whether the thread sanitizer watches a test. It makes tests thirty times slower, and learns nothing of one thread. */
#ifndef AKIN_TEST_TSAN_H
#define AKIN_TEST_TSAN_H

#ifdef __SANITIZE_THREAD__
#define UNDER_TSAN 1
#else
#define UNDER_TSAN 0
#endif

#endif
