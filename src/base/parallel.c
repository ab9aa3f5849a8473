/* The parallel-for: tasks from one shared counter, threads that live for one loop. */
#include "base/parallel.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"

#include <string.h>

#define REPORT_SECONDS 0.01
#define CANCEL_SECONDS 0.02
#define TASK_WEIGHT    ((uint64_t)1 << 18)
#define COPY_BYTES     ((uint64_t)1 << 20)

typedef struct loop {
    const akin_scope *scope;
    const char *phase;
    akin_task task;
    void *argument;
    uint64_t tasks;
    _Atomic uint64_t next; /* the lowest task that nobody has taken */
    _Atomic uint64_t done;
    atomic_int stop, *cancelled; /* cancelled: for the tasks to see; may be NULL */
    pthread_mutex_t lock;        /* of what follows */
    pthread_cond_t ended;        /* signals the leader, who waits for all helpers, that one has ended */
    uint32_t helpers_ended;
    uint64_t failed; /* the lowest task that failed, if status says that one did */
    akin_status status;
} loop;

typedef struct worker {
    loop *loop;
    pthread_t handle;
    uint32_t thread;
} worker;

static void fail_loop(loop *l, uint64_t task, akin_status status)
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
 * Takes a task and does it; returns 0 when none is left, or the loop has stopped. A task that was taken is completed,
 * even if others fail. So when a task fails, all lower ones are done or failed by the end, and the lowest failed task
 * does not depend on the number of threads.
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
        fail_loop(l, task, status);
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
    akin_status status = akin_scope_report_pieces(l->scope, l->phase, done, l->tasks);
    if (status != AKIN_OK)
        atomic_store_explicit(&l->stop, 1, memory_order_relaxed);
    if (status != AKIN_OK && l->cancelled)
        atomic_store_explicit(l->cancelled, 1, memory_order_relaxed);
    return status;
}

/* The calling thread's share. Returns AKIN_E_CANCELLED when it was asked to stop. */
static akin_status lead(loop *l)
{
    double reported = akin_clock();
    while (step(l, 0)) {
        double now = akin_clock();
        if (now - reported < REPORT_SECONDS)
            continue;
        reported = now;
        if (report(l) != AKIN_OK)
            return AKIN_E_CANCELLED;
    }
    return AKIN_OK;
}

/* Waits until the helpers have done the tasks that they had taken; reports meanwhile, unless `asked` says that the loop
 * is cancelled already. Returns AKIN_E_CANCELLED if it is by then. */
static akin_status await(loop *l, uint32_t helpers, akin_status answer)
{
    pthread_mutex_lock(&l->lock);
    while (l->helpers_ended < helpers) {
        if (akin_condition_wait(&l->ended, &l->lock) || answer != AKIN_OK)
            continue;
        pthread_mutex_unlock(&l->lock);
        answer = report(l);
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    return answer;
}

static akin_status open_loop(loop *l)
{
    if (!akin_condition_make(&l->ended))
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

/* Starts threads 1 .. count and returns how many of them run. */
static uint32_t start(loop *l, worker *workers, uint32_t count)
{
    uint32_t started = 0;
    for (; started < count; started++) {
        worker *w = &workers[started];
        w->loop = l;
        w->thread = started + 1;
        if (!akin_thread_start(&w->handle, work, w))
            break;
    }
    return started;
}

akin_status akin_parallel(const akin_scope *scope, const char *phase, uint64_t tasks, akin_task task, void *argument)
{
    return akin_parallel_long(scope, phase, tasks, task, argument, NULL);
}

akin_status akin_parallel_long(const akin_scope *scope, const char *phase, uint64_t tasks, akin_task task,
                               void *argument, atomic_int *cancelled)
{
    loop l = {
        .scope = scope, .phase = phase, .task = task, .argument = argument, .tasks = tasks, .cancelled = cancelled};
    uint32_t helpers = 0;
    worker *workers = NULL;
    if (akin_scope_report_pieces(scope, phase, 0, tasks) != AKIN_OK)
        return AKIN_E_CANCELLED;
    if (open_loop(&l) != AKIN_OK)
        return AKIN_E_NOMEM;
    if (scope->threads > 1 && tasks > 1) {
        helpers = tasks < scope->threads ? (uint32_t)(tasks - 1) : scope->threads - 1;
        workers = akin_alloc(NULL, helpers, sizeof *workers);
        helpers = workers ? start(&l, workers, helpers) : 0;
    }
    akin_status answer = await(&l, helpers, lead(&l));
    for (uint32_t i = 0; i < helpers; i++)
        pthread_join(workers[i].handle, NULL);
    akin_free(workers);
    close_loop(&l);
    return l.status != AKIN_OK ? l.status : answer;
}

akin_status akin_parallel_or_alone(const akin_scope *scope, const char *phase, uint64_t tasks, akin_task task,
                                   void *argument)
{
    akin_status status = AKIN_OK;
    if (scope)
        return akin_parallel(scope, phase, tasks, task, argument);
    for (uint64_t i = 0; i < tasks && status == AKIN_OK; i++)
        status = task(argument, i, 0);
    return status;
}

int akin_goes_on(void *cancellation)
{
    akin_cancellation *a = cancellation;
    if (a->thread == 0 && akin_clock() - a->reported_at > CANCEL_SECONDS) {
        if (akin_scope_report(a->scope, NULL, 0, 0) != AKIN_OK)
            atomic_store(a->cancelled, 1);
        a->reported_at = akin_clock();
    }
    return !atomic_load_explicit(a->cancelled, memory_order_relaxed);
}

uint64_t akin_weighed_tasks(akin_weight before, const void *of, uint32_t count)
{
    return count ? akin_ceil_div(before(of, count), TASK_WEIGHT) : 0;
}

uint32_t akin_weighed_begin(akin_weight before, const void *of, uint32_t count, uint64_t task)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (before(of, middle) < task * TASK_WEIGHT)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct copying {
    char *to;
    const char *from;
    uint64_t bytes;
} copying;

static akin_status copy_piece(void *argument, uint64_t task, uint32_t thread)
{
    const copying *c = argument;
    const uint64_t begin = task * COPY_BYTES;
    (void)thread;
    memcpy(c->to + begin, c->from + begin, (size_t)akin_min_u64(COPY_BYTES, c->bytes - begin));
    return AKIN_OK;
}

akin_status akin_copy_long(const akin_scope *scope, void *to, const void *from, uint64_t bytes)
{
    copying c = {to, from, bytes};
    return akin_parallel(scope, NULL, akin_ceil_div(bytes, COPY_BYTES), copy_piece, &c);
}
