/* Whether the thread sanitizer watches a test. It makes tests thirty times slower, and learns nothing of one thread. */
#ifndef AKIN_TEST_TSAN_H
#define AKIN_TEST_TSAN_H

#ifdef __SANITIZE_THREAD__
#define UNDER_TSAN 1
#else
#define UNDER_TSAN 0
#endif

/* Runs a table of tests; under the thread sanitizer only the first `threaded` of them. */
#define RUN_TESTS(tests, threaded, set_up, tear_down)                                                                  \
    _cmocka_run_group_tests(#tests, tests, UNDER_TSAN ? (threaded) : sizeof(tests) / sizeof *(tests), set_up, tear_down)

#endif
