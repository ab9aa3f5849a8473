/* Work beside the caller: it is done by another thread, or by the caller's if none starts, and its error comes back. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/aside.h"

#include <errno.h>
#include <semaphore.h>

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

static int none_starts;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return none_starts ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

typedef struct job {
    pthread_t by;
    int done, waits;
    sem_t go;
    akin_status status;
} job;

static akin_status work(void *argument, akin_error *error)
{
    job *j = argument;
    while (j->waits && sem_wait(&j->go) != 0) {
    }
    j->by = pthread_self();
    j->done++;
    return j->status == AKIN_OK ? AKIN_OK : akin_fail(error, j->status, "job %d failed", j->done);
}

static void beside(void **state)
{
    akin_aside aside = {.has_begun = 0};
    job j = {.waits = 1};
    (void)state;
    assert_int_equal(sem_init(&j.go, 0, 0), 0);
    akin_aside_begin(&aside, work, &j);
    sem_post(&j.go); /* the caller gets here while the work waits */
    assert_int_equal(akin_aside_end(&aside, NULL), AKIN_OK);
    assert_int_equal(j.done, 1);
    assert_false(pthread_equal(j.by, pthread_self()));
    sem_destroy(&j.go);
}

static void by_the_caller(void **state)
{
    akin_aside aside = {.has_begun = 0};
    job j = {.status = AKIN_OK};
    (void)state;
    none_starts = 1;
    akin_aside_begin(&aside, work, &j);
    none_starts = 0;
    assert_int_equal(j.done, 1);
    assert_true(pthread_equal(j.by, pthread_self()));
    assert_int_equal(akin_aside_end(&aside, NULL), AKIN_OK);
    assert_int_equal(j.done, 1);
}

static void errors(void **state)
{
    akin_aside aside = {.has_begun = 0};
    job j = {.status = AKIN_E_DEVICE};
    (void)state;
    for (none_starts = 0; none_starts < 2; none_starts++) {
        akin_error error = {.code = AKIN_OK};
        akin_aside_begin(&aside, work, &j);
        assert_int_equal(akin_aside_end(&aside, &error), AKIN_E_DEVICE);
        assert_int_equal(error.code, AKIN_E_DEVICE);
        assert_string_equal(error.message, none_starts ? "job 2 failed" : "job 1 failed");
        assert_int_equal(akin_aside_end(&aside, &error), AKIN_OK); /* nothing was begun since */
    }
    akin_aside_begin(&aside, work, &j);
    assert_int_equal(akin_aside_end(&aside, NULL), AKIN_E_DEVICE);
    none_starts = 0;
    j.status = AKIN_OK;
    akin_aside_begin(&aside, work, &j);
    assert_int_equal(akin_aside_end(&aside, NULL), AKIN_OK); /* the error before is forgotten */
}

static void not_begun(void **state)
{
    akin_aside aside = {.has_begun = 0};
    (void)state;
    assert_int_equal(akin_aside_end(&aside, NULL), AKIN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(beside), cmocka_unit_test(by_the_caller),
                                       cmocka_unit_test(errors), cmocka_unit_test(not_begun)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
