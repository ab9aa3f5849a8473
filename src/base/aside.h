/*
 * Work that goes on beside its caller, in a thread of its own: a GPU gets a portion, say, while all threads make the
 * next one.
 *
 *     caller    begin 0 | portion 1 | end 0, begin 1 | portion 2 | end 1, ...
 *     aside             | work 0             | work 1
 */
#ifndef AKIN_BASE_ASIDE_H
#define AKIN_BASE_ASIDE_H

#include "base/error.h"

#include <pthread.h>

/* What is done. It has no callbacks of the job's caller: only the thread of the job calls those. */
typedef akin_status (*akin_aside_work)(void *argument, akin_error *error);

/* Zeros at first. It stays where it is from `begin` to `end`. */
typedef struct akin_aside {
    akin_aside_work work;
    void *argument;
    pthread_t thread;
    int has_begun, has_thread;
    akin_status status;
    akin_error error;
} akin_aside;

/* Begins work; what was begun before has ended. If no thread starts, the work is done when this returns. */
void akin_aside_begin(akin_aside *aside, akin_aside_work work, void *argument);

/* Waits for the work, and returns its status, with its error. AKIN_OK if none was begun since the last call. */
akin_status akin_aside_end(akin_aside *aside, akin_error *error);

#endif
