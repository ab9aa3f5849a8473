/* Tests of the parallel-for. */
#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/context.h"
#include "base/parallel.h"
#include "test_base_cancel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MOST 8

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

typedef struct job {
    atomic_uint *runs;           /* of each task */
    uint64_t last[THREADS_MOST]; /* task + 1 of each thread */
    uint32_t threads;
    atomic_int wrong;
} job;

static akin_status count(void *argument, uint64_t task, uint32_t thread)
{
    job *j = argument;
    atomic_fetch_add(&j->runs[task], 1);
    if (thread >= j->threads || task < j->last[thread])
        atomic_store(&j->wrong, 1);
    else
        j->last[thread] = task + 1;
    return AKIN_OK;
}

static void run_counted(uint32_t threads, uint64_t tasks)
{
    akin_context context = {.scope = {.context = &context, .threads = threads}};
    job j = {.runs = calloc(tasks + 1, sizeof(atomic_uint)), .threads = threads};
    assert_non_null(j.runs);
    assert_int_equal(akin_parallel(akin_scope_of(&context), "counting", tasks, count, &j), AKIN_OK);
    for (uint64_t i = 0; i < tasks; i++)
        assert_int_equal(j.runs[i], 1);
    assert_int_equal(j.runs[tasks], 0);
    assert_int_equal(j.wrong, 0);
    free(j.runs);
}

static void every_task_runs_once(void **state)
{
    (void)state;
    static const uint64_t tasks[] = {0, 1, 2, 3, 7, 8, 9, 100, 5000};
    for (uint32_t threads = 1; threads <= THREADS_MOST; threads++)
        for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
            run_counted(threads, tasks[i]);
}

static akin_status on_caller(void *argument, uint64_t task, uint32_t thread)
{
    (void)task;
    return thread == 0 && pthread_equal(*(pthread_t *)argument, pthread_self()) ? AKIN_OK : AKIN_E_IO;
}

static void one_task_or_thread_stays_on_the_caller(void **state)
{
    (void)state;
    pthread_t self = pthread_self();
    akin_context one = {.scope = {.context = &one, .threads = 1}}, many = {.scope = {.context = &many, .threads = 8}};
    assert_int_equal(akin_parallel(akin_scope_of(&one), NULL, 1000, on_caller, &self), AKIN_OK);
    assert_int_equal(akin_parallel(akin_scope_of(&many), NULL, 1, on_caller, &self), AKIN_OK);
}

static akin_status fail_some(void *argument, uint64_t task, uint32_t thread)
{
    (void)thread;
    atomic_fetch_add((atomic_uint *)argument, 1);
    switch (task) {
    case 37:
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* lets others fail first */
        return AKIN_E_LIMIT;
    case 38:
    case 39:
    case 60:
        return AKIN_E_IO;
    default:
        return AKIN_OK;
    }
}

static void lowest_failure_is_returned(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
        akin_context context = {.scope = {.context = &context, .threads = threads}};
        atomic_uint runs = 0;
        assert_int_equal(akin_parallel(akin_scope_of(&context), NULL, 1000000, fail_some, &runs), AKIN_E_LIMIT);
        assert_true(runs >= 38);
        assert_true(runs < 1000000);
    }
}

typedef struct watcher {
    pthread_t caller;
    uint32_t calls;
    uint32_t stop_at; /* the call of cancel that says stop; 0: none */
    uint64_t done;
    uint64_t total;
    const char *phase;
    int wrong;
} watcher;

static void watch(void *user, const akin_progress *progress)
{
    watcher *w = user;
    w->wrong |=
        !pthread_equal(w->caller, pthread_self()) || progress->done < w->done || progress->done > progress->total;
    w->done = progress->done;
    w->total = progress->total;
    w->phase = progress->phase;
}

static int ask(void *user)
{
    watcher *w = user;
    w->wrong |= !pthread_equal(w->caller, pthread_self());
    return ++w->calls == w->stop_at;
}

static akin_status doze(void *argument, uint64_t task, uint32_t thread)
{
    (void)task;
    (void)thread;
    atomic_fetch_add((atomic_uint *)argument, 1);
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return AKIN_OK;
}

static void cancel_stops_all(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        for (uint32_t stop = 1; stop <= 3; stop++) {
            watcher w = {.caller = pthread_self(), .stop_at = stop};
            akin_context context = {.scope = {.context = &context,
                                              .threads = threads,
                                              .reporter = {.progress = watch, .cancel = ask, .user = &w}}};
            atomic_uint runs = 0;
            assert_int_equal(akin_parallel(akin_scope_of(&context), "dozing", 10000000, doze, &runs), AKIN_E_CANCELLED);
            assert_int_equal(w.calls, stop);
            assert_string_equal(w.phase, "dozing");
            assert_int_equal(w.total, 10000000);
            assert_int_equal(w.wrong, 0);
            assert_true(stop == 1 ? runs == 0 : runs > 0);
        }
    }
}

static void without_a_phase_only_cancel_is_asked(void **state)
{
    (void)state;
    watcher w = {.caller = pthread_self()};
    akin_context context = {
        .scope = {.context = &context, .threads = 2, .reporter = {.progress = watch, .cancel = ask, .user = &w}}};
    atomic_uint runs = 0;
    assert_int_equal(akin_parallel(akin_scope_of(&context), NULL, 300, doze, &runs), AKIN_OK);
    assert_int_equal(runs, 300);
    assert_true(w.calls > 0);
    assert_null(w.phase);
}

typedef struct vigil {
    asking asking; /* first: the context's callbacks get it */
    atomic_uint present;
    uint64_t done;
    const char *phase;
} vigil;

#define ASKED_ENOUGH 5

static void see(void *user, const akin_progress *progress)
{
    vigil *v = user;
    v->done = progress->done;
    v->phase = progress->phase;
}

/* Of two tasks on two threads, the caller's ends at once, the other one when the caller has asked often enough (or
 * never does: then the test is to fail, not to hang). */
static akin_status linger(void *argument, uint64_t task, uint32_t thread)
{
    vigil *v = argument;
    (void)task;
    atomic_fetch_add(&v->present, 1);
    while (atomic_load(&v->present) < 2)
        nap();
    for (int i = 0; thread != 0 && i < 10000 && atomic_load(&v->asking.asked) < ASKED_ENOUGH; i++)
        nap();
    return AKIN_OK;
}

static void last_tasks_are_waited_for_with_reports(void **state)
{
    (void)state;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        vigil v = {.asking.stop_at = cancelled ? ASKED_ENOUGH : 0};
        akin_context context = {.scope = {.context = &context,
                                          .threads = 2,
                                          .reporter = {.progress = see, .cancel = asking_answer, .user = &v}}};
        assert_int_equal(akin_parallel(akin_scope_of(&context), "lingering", 2, linger, &v),
                         cancelled ? AKIN_E_CANCELLED : AKIN_OK);
        assert_true(v.asking.asked >= ASKED_ENOUGH);
        assert_true(!cancelled || v.asking.asked == ASKED_ENOUGH);
        assert_string_equal(v.phase, "lingering");
        assert_true(v.done >= 1);
    }
}

typedef struct meeting {
    atomic_uint present;
    atomic_int blocked[2];
} meeting;

/* Both tasks run at once, hence on two threads. */
static akin_status meet(void *argument, uint64_t task, uint32_t thread)
{
    meeting *m = argument;
    sigset_t mask;
    (void)task;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    atomic_store(&m->blocked[thread], sigismember(&mask, SIGINT));
    atomic_fetch_add(&m->present, 1);
    while (atomic_load(&m->present) < 2)
        nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    return AKIN_OK;
}

static void workers_leave_signals_to_the_caller(void **state)
{
    (void)state;
    meeting m = {0};
    akin_context context = {.scope = {.context = &context, .threads = 2}};
    assert_int_equal(akin_parallel(akin_scope_of(&context), NULL, 2, meet, &m), AKIN_OK);
    assert_int_equal(m.blocked[0], 0);
    assert_int_equal(m.blocked[1], 1);
}

/* Runs `body` in a child process, after loops in this one, and expects it to say 1. */
static void in_child(int (*body)(void))
{
    run_counted(4, 1000);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(body() ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int loop_in_child(void)
{
    akin_context context = {.scope = {.context = &context, .threads = 4}};
    atomic_uint runs = 0;
    return akin_parallel(akin_scope_of(&context), NULL, 100, doze, &runs) == AKIN_OK && runs == 100;
}

static void process_may_fork_between_loops(void **state)
{
    (void)state;
    in_child(loop_in_child);
}

/* With hardly any address space left no stack can be had for a thread. */
static int loop_without_threads(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        return 0;
    fclose(file);
    rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (1 << 20);
    if (setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) != 0)
        return 0;
    akin_context context = {.scope = {.context = &context, .threads = 64}};
    atomic_uint runs = 0;
    return akin_parallel(akin_scope_of(&context), NULL, 500, doze, &runs) == AKIN_OK && runs == 500;
}

static void threads_that_do_not_start_are_no_error(void **state)
{
    (void)state;
    if (SANITIZED)
        skip(); /* the sanitizers need address space of their own */
    in_child(loop_without_threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(one_task_or_thread_stays_on_the_caller),
        cmocka_unit_test(lowest_failure_is_returned),
        cmocka_unit_test(cancel_stops_all),
        cmocka_unit_test(without_a_phase_only_cancel_is_asked),
        cmocka_unit_test(last_tasks_are_waited_for_with_reports),
        cmocka_unit_test(workers_leave_signals_to_the_caller),
        cmocka_unit_test(process_may_fork_between_loops),
        cmocka_unit_test(threads_that_do_not_start_are_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
