/* The parallel-for: tasks from one shared counter, threads that live for one loop. */
#define _POSIX_C_SOURCE 200809L

#include "base/parallel.h"

#include "base/clock.h"
#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#define STACK_BYTES        ((size_t)8 << 20)
#define REPORT_NANOSECONDS 10000000L

typedef struct loop {
    akin_context *context;
    const char *phase;
    akin_task task;
    void *argument;
    uint64_t tasks;
    _Atomic uint64_t next; /* the lowest task that nobody has taken */
    _Atomic uint64_t done;
    atomic_int stop;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t ended; /* a helper has: told to the leader, who waits for all of them */
    uint32_t helpers_ended;
    uint64_t failed; /* the lowest task that failed, if status says that one did */
    akin_status status;
} loop;

typedef struct worker {
    loop *loop;
    pthread_t handle;
    uint32_t thread;
} worker;

static void fail(loop *l, uint64_t task, akin_status status)
{
    atomic_store_explicit(&l->stop, 1, memory_order_relaxed);
    pthread_mutex_lock(&l->lock);
    if (l->status == AKIN_OK || task < l->failed) {
        l->status = status;
        l->failed = task;
    }
    pthread_mutex_unlock(&l->lock);
}

/*
 * Takes a task and does it; 0 when there is none left, or the loop has stopped. A task once taken is done, whatever
 * others meet: so when a task fails, all lower ones are done or failed by the end, and which one is the lowest does not
 * depend on the number of threads.
 */
static int step(loop *l, uint32_t thread)
{
    if (atomic_load_explicit(&l->stop, memory_order_relaxed))
        return 0;
    uint64_t task = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
    if (task >= l->tasks)
        return 0;
    akin_status status = l->task(l->argument, task, thread);
    atomic_fetch_add_explicit(&l->done, 1, memory_order_relaxed);
    if (status != AKIN_OK)
        fail(l, task, status);
    return 1;
}

static void *work(void *argument)
{
    worker *w = argument;
    loop *l = w->loop;
    while (step(l, w->thread)) {
    }
    pthread_mutex_lock(&l->lock);
    l->helpers_ended++;
    pthread_cond_signal(&l->ended);
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* Reports progress, and stops the loop if asked to. */
static akin_status report(loop *l)
{
    uint64_t done = atomic_load_explicit(&l->done, memory_order_relaxed);
    akin_status status = akin_context_report(l->context, l->phase, done, l->tasks);
    if (status != AKIN_OK)
        atomic_store_explicit(&l->stop, 1, memory_order_relaxed);
    return status;
}

/* The calling thread's share. Returns AKIN_E_CANCELLED when it was asked to stop. */
static akin_status lead(loop *l)
{
    double reported = akin_clock();
    while (step(l, 0)) {
        double now = akin_clock();
        if (now - reported < REPORT_NANOSECONDS * 1e-9)
            continue;
        reported = now;
        if (report(l) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

/* The moment of the next report, as pthread_cond_timedwait wants it. */
static struct timespec next_report(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += REPORT_NANOSECONDS;
    if (at.tv_nsec >= 1000000000L) {
        at.tv_nsec -= 1000000000L;
        at.tv_sec++;
    }
    return at;
}

/* Waits until the helpers have done the tasks that they had taken; reports meanwhile, unless `asked` says that the loop
 * is cancelled already. Returns AKIN_E_CANCELLED if it is by then. */
static akin_status await(loop *l, uint32_t helpers, akin_status asked)
{
    struct timespec at = next_report();
    pthread_mutex_lock(&l->lock);
    while (l->helpers_ended < helpers) {
        if (pthread_cond_timedwait(&l->ended, &l->lock, &at) != ETIMEDOUT)
            continue;
        if (asked == AKIN_OK) {
            pthread_mutex_unlock(&l->lock);
            asked = report(l);
            pthread_mutex_lock(&l->lock);
        }
        at = next_report();
    }
    pthread_mutex_unlock(&l->lock);
    return asked;
}

/* Makes the lock and the condition, whose waits are measured by the clock that never goes back. */
static akin_status open_loop(loop *l)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return AKIN_E_NOMEM;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int failed = pthread_cond_init(&l->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    if (failed)
        return AKIN_E_NOMEM;
    if (pthread_mutex_init(&l->lock, NULL) == 0)
        return AKIN_OK;
    pthread_cond_destroy(&l->ended);
    return AKIN_E_NOMEM;
}

static void close_loop(loop *l)
{
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->ended);
}

/* Starts threads 1 .. count and returns how many of them run. They block all signals: those go to the caller's threads.
 */
static uint32_t start(loop *l, worker *workers, uint32_t count)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    uint32_t started = 0;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < count) {
        worker *w = &workers[started];
        w->loop = l;
        w->thread = started + 1;
        if (pthread_create(&w->handle, &attributes, work, w) != 0)
            break;
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

akin_status akin_parallel(akin_context *context, const char *phase, uint64_t tasks, akin_task task, void *argument)
{
    loop l = {.context = context, .phase = phase, .task = task, .argument = argument, .tasks = tasks};
    uint32_t helpers = 0;
    worker *workers = NULL;
    if (akin_context_report(context, phase, 0, tasks) != AKIN_OK)
        return AKIN_E_CANCELLED;
    if (open_loop(&l) != AKIN_OK)
        return AKIN_E_NOMEM;
    if (context->threads > 1 && tasks > 1) {
        helpers = tasks < context->threads ? (uint32_t)(tasks - 1) : context->threads - 1;
        workers = akin_alloc(NULL, helpers, sizeof *workers);
        helpers = workers ? start(&l, workers, helpers) : 0;
    }
    akin_status asked = await(&l, helpers, lead(&l));
    for (uint32_t i = 0; i < helpers; i++)
        pthread_join(workers[i].handle, NULL);
    akin_free(workers);
    close_loop(&l);
    return l.status != AKIN_OK ? l.status : asked;
}
