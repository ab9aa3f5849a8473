/* Blocks of a file through all threads. */
#include "base/pipeline.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/thread.h"

#define SLOTS_A_THREAD 3
#define SLOTS_LEAST    2

uint32_t akin_pipeline_slots(const akin_scope *scope, uint64_t bytes, akin_budget_share share)
{
    const uint32_t threads = akin_scope_threads(scope);
    if (threads == 1 || threads > UINT32_MAX / SLOTS_A_THREAD)
        return 0;
    const uint32_t slots = akin_budget_blocks(scope, bytes, share, threads * SLOTS_A_THREAD);
    return slots < SLOTS_LEAST ? 0 : slots;
}

/* A block in the order of the file, of those that are not joined yet. */
typedef struct place {
    uint32_t slot;
    int worked; /* whether it has been worked on */
} place;

/*
 * A run. Blocks are numbered from 0 on, and block b is in places[b % slots]:
 *
 *     | joined: done, or being copied | taken: worked on, or being so | ready to be worked on | read, but waiting |
 *     0                             joined                          taken                   ready               read
 */
typedef struct run {
    const akin_scope *scope;
    const akin_pipeline *steps;
    atomic_int cancelled;
    pthread_mutex_t lock;  /* of what follows */
    pthread_cond_t wanted; /* signals to a helper that there is something to do, */
    pthread_cond_t free;   /* to the calling thread that a slot is free, or that it can join, */
    pthread_cond_t alone;  /* and to the thread that joins that nobody copies */
    place *places;
    uint32_t *free_slots;
    uint32_t free_count;
    uint64_t joined, taken, ready, read;
    int ended;        /* no more blocks are read */
    int joining;      /* a thread is joining block `joined` */
    uint32_t copying; /* threads that copy */
    int stopped;
    akin_status status, read_status;
    akin_error *error, read_error;
} run;

/* What a thread does next. */
typedef enum turn { TURN_READ, TURN_WORK, TURN_JOIN, TURN_WAIT, TURN_LEAVE } turn;

static place *place_of(const run *r, uint64_t block)
{
    return &r->places[block % r->steps->slots];
}

static int is_joinable(const run *r)
{
    return !r->joining && r->joined < r->taken && place_of(r, r->joined)->worked;
}

static int can_join(const run *r, uint32_t thread)
{
    return (thread == 0 || !r->steps->writes) && is_joinable(r);
}

static turn choose(const run *r, uint32_t thread)
{
    const int reads = thread == 0 && !r->ended && r->free_count > 0;
    if (r->stopped || (r->ended && r->joined == r->read))
        return TURN_LEAVE;
    if (reads && r->ready - r->taken < r->scope->threads) /* else the others have enough to do for a while */
        return TURN_READ;
    if (can_join(r, thread))
        return TURN_JOIN;
    if (r->taken < r->ready)
        return TURN_WORK;
    return reads ? TURN_READ : TURN_WAIT;
}

/* Wakes all threads, for them to leave. */
static void wake_all(run *r)
{
    pthread_cond_broadcast(&r->wanted);
    pthread_cond_signal(&r->free);
}

/* Blocks are joined in order, so the first failure is the first in that order, too. */
static void stop(run *r, akin_status status, const akin_error *error)
{
    if (r->stopped)
        return;
    r->stopped = 1;
    r->status = akin_fail_again(r->error, status, error);
    wake_all(r);
}

/* ----------------------------------------------------------------------------------------------------------- steps */

static akin_status fail_cancelled(const run *r, akin_error *error)
{
    return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while %s", r->steps->name,
                     r->steps->writes ? "writing" : "reading");
}

/* The lock is held before and after these functions, and not while a step runs. */

static void free_slot(run *r, uint32_t slot)
{
    r->free_slots[r->free_count++] = slot;
    pthread_cond_signal(&r->free);
}

static void read_block(run *r)
{
    const uint32_t slot = r->free_slots[--r->free_count];
    int waits = 0, ended = 0;
    pthread_mutex_unlock(&r->lock);
    const akin_status status = r->steps->read(r->steps->job, slot, &waits, &ended, &r->read_error);
    pthread_mutex_lock(&r->lock);
    if (status == AKIN_E_CANCELLED)
        stop(r, status, &r->read_error);
    r->read_status = status;
    r->ended = ended || status != AKIN_OK;
    if (r->ended)
        free_slot(r, slot);
    else
        *place_of(r, r->read++) = (place){.slot = slot};
    for (const uint64_t ready = r->ended || !waits ? r->read : r->read - 1; r->ready < ready; r->ready++)
        pthread_cond_signal(&r->wanted);
    if (r->ended && r->joined == r->read)
        wake_all(r);
}

static void work_on(run *r)
{
    place *own = place_of(r, r->taken++);
    pthread_mutex_unlock(&r->lock);
    r->steps->work(r->steps->job, own->slot);
    pthread_mutex_lock(&r->lock);
    own->worked = 1;
    if (r->steps->writes && is_joinable(r))
        pthread_cond_signal(&r->free);
}

/* Joins the next block, alone if it does not fit. */
static akin_status join_alone(run *r, uint32_t slot, akin_error *error)
{
    const int fits = r->steps->fits(r->steps->job, slot);
    pthread_mutex_lock(&r->lock);
    while (!fits && r->copying > 0)
        akin_condition_wait(&r->alone, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return r->steps->join(r->steps->job, slot, error);
}

static void join_block(run *r)
{
    const uint32_t slot = place_of(r, r->joined)->slot;
    akin_error error;
    r->joining = 1;
    pthread_mutex_unlock(&r->lock);
    const akin_status status = join_alone(r, slot, &error);
    pthread_mutex_lock(&r->lock);
    r->joining = 0;
    if (status != AKIN_OK) {
        stop(r, status, &error);
        return;
    }
    r->joined++;
    r->copying++;
    if (r->ended && r->joined == r->read)
        wake_all(r);
    else if (is_joinable(r))
        pthread_cond_signal(&r->wanted);
    pthread_mutex_unlock(&r->lock);
    r->steps->copy(r->steps->job, slot);
    pthread_mutex_lock(&r->lock);
    r->copying--;
    if (r->copying == 0)
        pthread_cond_signal(&r->alone);
    free_slot(r, slot);
}

/* All that a thread does in the run. */
static akin_status take_turns(void *argument, uint64_t task, uint32_t thread)
{
    run *r = argument;
    akin_cancellation cancellation = {.scope = r->scope, .cancelled = &r->cancelled, .thread = thread};
    (void)task;
    pthread_mutex_lock(&r->lock);
    for (turn next; (next = choose(r, thread)) != TURN_LEAVE;) {
        if (next == TURN_READ)
            read_block(r);
        else if (next == TURN_WORK)
            work_on(r);
        else if (next == TURN_JOIN)
            join_block(r);
        else
            akin_condition_wait(thread == 0 ? &r->free : &r->wanted, &r->lock);
        if (thread != 0)
            continue;
        pthread_mutex_unlock(&r->lock);
        const int goes_on = akin_goes_on(&cancellation);
        pthread_mutex_lock(&r->lock);
        if (!goes_on) {
            akin_error error;
            stop(r, fail_cancelled(r, &error), &error);
        }
    }
    pthread_mutex_unlock(&r->lock);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ runs */

#define CONDITIONS 3

/* Makes the lock and the conditions, or none of them. */
static int open_lock(run *r)
{
    pthread_cond_t *const conditions[CONDITIONS] = {&r->wanted, &r->free, &r->alone};
    int made = 0;
    while (made < CONDITIONS && akin_condition_make(conditions[made]))
        made++;
    if (made == CONDITIONS && pthread_mutex_init(&r->lock, NULL) == 0)
        return 1;
    while (made > 0)
        pthread_cond_destroy(conditions[--made]);
    return 0;
}

static void close_lock(run *r)
{
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->wanted);
    pthread_cond_destroy(&r->free);
    pthread_cond_destroy(&r->alone);
}

static akin_status run_threads(run *r)
{
    const uint32_t slots = r->steps->slots;
    r->places = akin_alloc(NULL, slots, sizeof *r->places);
    r->free_slots = akin_alloc(NULL, slots, sizeof *r->free_slots);
    if (!r->places || !r->free_slots || !open_lock(r))
        return AKIN_E_NOMEM;
    while (r->free_count < slots) {
        r->free_slots[r->free_count] = slots - 1 - r->free_count;
        r->free_count++;
    }
    const akin_status status = akin_parallel(r->scope, NULL, r->scope->threads, take_turns, r);
    close_lock(r);
    return status;
}

akin_status akin_pipeline_run(const akin_scope *scope, const akin_pipeline *pipeline, akin_error *error)
{
    run r = {.scope = scope, .steps = pipeline, .error = error};
    const akin_status status = run_threads(&r);
    akin_free(r.places);
    akin_free(r.free_slots);
    if (r.status != AKIN_OK)
        return r.status;
    if (status == AKIN_E_CANCELLED)
        return fail_cancelled(&r, error);
    if (status != AKIN_OK)
        return akin_fail_memory(error, pipeline->writes ? "writing a file" : "reading a file");
    return r.read_status == AKIN_OK ? AKIN_OK : akin_fail_again(error, r.read_status, &r.read_error);
}
