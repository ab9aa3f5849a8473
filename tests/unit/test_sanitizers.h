/* Which sanitizer watches a test. That of threads makes tests thirty times slower, and learns nothing of one thread;
 * that of addresses makes them several times slower, and learns nothing of a path that it has seen. */
#ifndef AKIN_TEST_SANITIZERS_H
#define AKIN_TEST_SANITIZERS_H

#ifdef __SANITIZE_THREAD__
#define UNDER_TSAN 1
#else
#define UNDER_TSAN 0
#endif

#ifdef __SANITIZE_ADDRESS__
#define UNDER_ASAN 1
#else
#define UNDER_ASAN 0
#endif

#define UNDER_SANITIZER (UNDER_TSAN || UNDER_ASAN)

/* Runs a table of tests; under the thread sanitizer only the first `threaded` of them. */
#define RUN_TESTS(tests, threaded, set_up, tear_down)                                                                  \
    _cmocka_run_group_tests(#tests, tests, UNDER_TSAN ? (threaded) : sizeof(tests) / sizeof *(tests), set_up, tear_down)

#endif
