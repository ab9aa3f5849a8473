/* A parallel-for over pthreads: tasks 0 .. tasks-1 are taken in rising order by threads that live for the one call. */
#ifndef AKIN_BASE_PARALLEL_H
#define AKIN_BASE_PARALLEL_H

#include <stdatomic.h>

#include "base/scope.h"

/* Does task `task` on thread `thread` (0 .. threads-1; 0 is the calling thread). An answer other than AKIN_OK stops the
 * loop: no new tasks are taken. */
typedef akin_status (*akin_task)(void *argument, uint64_t task, uint32_t thread);

/*
 * Runs every task, each once, on at most scope->threads threads. A thread gets its tasks in rising order. If some
 * threads cannot be started, the others (at least the caller) do the work; they block all signals. The calling thread
 * reports progress under `phase` (tasks done of tasks; NULL: no progress) and calls the cancel callback. It does so
 * before its first task, and then every 10 ms or so, between tasks and while it waits for the last tasks of the others.
 * Tasks that have begun are completed all the same, so a task should be short.
 *
 * Returns AKIN_OK, AKIN_E_CANCELLED, or the status of the failed task with the lowest number. This is the same task
 * with any number of threads.
 */
akin_status akin_parallel(const akin_scope *scope, const char *phase, uint64_t tasks, akin_task task, void *argument);

/* The same; *cancelled is set when the caller cancels, so that long tasks can see it and end. */
akin_status akin_parallel_long(const akin_scope *scope, const char *phase, uint64_t tasks, akin_task task,
                               void *argument, atomic_int *cancelled);

/* The same as akin_parallel; without a scope (NULL) the caller's thread does the tasks, and nobody can cancel. */
akin_status akin_parallel_or_alone(const akin_scope *scope, const char *phase, uint64_t tasks, akin_task task,
                                   void *argument);

/* How a long task of a thread learns that it should end: thread 0 calls the cancel callback now and then, and
 * `cancelled` carries the answer to the other threads. */
typedef struct akin_cancellation {
    const akin_scope *scope;
    atomic_int *cancelled;
    uint32_t thread;
    double reported_at; /* when thread 0 last asked the caller; 0 at first */
} akin_cancellation;

/* `cancellation` is an akin_cancellation. Returns 0 if the task should end. */
int akin_goes_on(void *cancellation);

/* On the calling thread, in a loop that has come to item `i`: whether to stop. It reports to the caller at every
 * 65536th item. */
static inline int akin_is_stopped(const akin_scope *scope, uint64_t i)
{
    return i % 65536 == 65535 && akin_scope_report(scope, NULL, 0, 0) != AKIN_OK;
}

/* Copies many bytes, by all threads. Errors, without a message: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_copy_long(const akin_scope *scope, void *to, const void *from, uint64_t bytes);

/* Tasks of about equal weight. before(of, i) is the weight of items 0 to i - 1, in bytes or so. The functions return
 * how many tasks `count` items make, and the first item of a task. A task ends where the next one begins. */
typedef uint64_t (*akin_weight)(const void *of, uint32_t i);
uint64_t akin_weighed_tasks(akin_weight before, const void *of, uint32_t count);
uint32_t akin_weighed_begin(akin_weight before, const void *of, uint32_t count, uint64_t task);

#endif
