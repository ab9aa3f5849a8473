/* What the threads of a call have in common: how they are started, and conditions that are waited for, but not long. */
#ifndef AKIN_BASE_THREAD_H
#define AKIN_BASE_THREAD_H

#include <pthread.h>

/* Starts a thread, which the caller is to join; it blocks all signals, so that those go to the caller's threads. 0 if
 * the system starts no more. */
int akin_thread_start(pthread_t *out, void *(*work)(void *), void *argument);

/* A condition whose waits are measured by the clock that never goes back; 0 when memory is short. */
int akin_condition_make(pthread_cond_t *out);

/* Waits until the condition is signalled, but 10 ms at most, as often as a job reports its progress; 0: that long. */
int akin_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock);

#endif
