/* Starts threads, and waits for conditions, but not for ever. */
#define _POSIX_C_SOURCE 200809L

#include "base/thread.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#define STACK_BYTES      ((size_t)8 << 20)
#define WAIT_NANOSECONDS 10000000L

/* The signals of what a thread itself does wrong: blocked, they would end the process without its handler. */
static const int faults[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL};

int akin_thread_start(pthread_t *out, void *(*work)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(out, &attributes, work, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return !failed;
}

int akin_condition_make(pthread_cond_t *out)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return 0;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int failed = pthread_cond_init(out, &attributes);
    pthread_condattr_destroy(&attributes);
    return !failed;
}

int akin_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += WAIT_NANOSECONDS;
    if (at.tv_nsec >= 1000000000L) {
        at.tv_nsec -= 1000000000L;
        at.tv_sec++;
    }
    return pthread_cond_timedwait(condition, lock, &at) != ETIMEDOUT;
}
