/*
 * Several takers join the shares of a job at once, each on a thread of its own. One queue has all shares, the largest
 * first:
 *
 *     | taken | first: next for any taker ...  end - 1: next for the taker with `wants` | taken |
 *
 * The thread that called the job is one taker, and the only one that reports progress. The jobs of the others have
 * scopes whose reporters note their progress. These reporters stop a job when the caller cancels, or when a taker has
 * failed.
 */
#include "join/takers.h"

#include "base/bits.h"
#include "join/shares.h"

#include <pthread.h>
#include <string.h>

typedef struct queue {
    akin_join_job *job;
    const akin_shares *shares;
    akin_share_taker *takers;
    struct at_work *works; /* one for each taker */
    uint32_t count;        /* of them */
    akin_scope scope;      /* of the threads: asked on the calling one */
    pthread_mutex_t lock;  /* of what follows */
    uint32_t first, end;   /* shares that nobody has taken */
    akin_error error;      /* of what failed first; code AKIN_OK so far */
    atomic_int stop;       /* something failed, or the caller wants to stop */
    atomic_int cancelled;  /* it was the caller */
    _Atomic uint64_t done; /* pairs of shares that are joined */
    uint64_t told;         /* of them the caller */
} queue;

/* A taker while it works. */
typedef struct at_work {
    queue *queue;
    akin_share_taker *taker;
    akin_scope scope; /* its job's */
    akin_share_view view;
    int caller;           /* it works on the calling thread */
    int refused;          /* memory, so it takes no more shares */
    uint64_t pairs;       /* of the share at hand */
    _Atomic uint64_t now; /* of these, about as many are joined */
} at_work;

/* ---------------------------------------------------------------------------------------------------------- progress
 */

/* Reports the progress of all takers to the caller, and learns whether to stop; on the calling thread. */
static akin_status report_takers(queue *q)
{
    uint64_t done = q->done, most = 0;
    for (uint32_t t = 0; t < q->count; t++) {
        done += q->job->turns ? 0 : q->works[t].now;
        most = akin_max_u64(most, q->works[t].now);
    }
    done = q->job->turns ? akin_max_u64(done, most) : done; /* with turns each taker counts the progress of all */
    q->told =
        akin_max_u64(q->told, akin_min_u64(done, q->shares->pairs)); /* a share may just change from now to done */
    akin_status status = akin_scope_report(q->job->scope, "joining", q->told, q->shares->pairs);
    if (status != AKIN_OK) {
        q->cancelled = 1;
        q->stop = 1;
    }
    return status;
}

/* The progress callback of a taker's context. */
static void note_share(void *user, const akin_progress *progress)
{
    at_work *w = user;
    if (progress->total && strcmp(progress->phase, "joining") == 0)
        w->now = (uint64_t)((double)w->pairs * (double)progress->done / (double)progress->total);
}

/* The cancel callback of a taker's context. */
static int must_stop(void *user)
{
    at_work *w = user;
    if (w->caller && !w->queue->stop)
        (void)report_takers(w->queue);
    return w->queue->stop;
}

/* What the threads ask, on the calling one, between tasks and while the others are waited for. */
static int all_must_stop(void *user)
{
    queue *q = user;
    return q->stop || report_takers(q) != AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ shares
 */

/* Puts the share back that the one taker at the end of the queue has taken there. */
static void put_back(queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->end++;
    pthread_mutex_unlock(&q->lock);
}

/* Joins a share, or if there was no memory for it, its pieces. */
static akin_status join_share(at_work *w, const akin_share *share, akin_error *error)
{
    akin_share_taker *taker = w->taker;
    akin_join_job *job = &w->view.job;
    akin_share pieces[3];
    uint64_t found = akin_join_found(job);
    akin_error own = {.code = AKIN_OK};
    w->pairs = share->pairs;
    job->took_turn = 0;
    akin_share_view_enter(&w->view, share);
    akin_status status = taker->join(job, taker->user, &own);
    akin_join_marks_clear(job);
    w->now = 0;
    if (status == AKIN_OK) {
        if (job->turns)
            w->queue->done = share->pairs;
        else
            w->queue->done += share->pairs;
        taker->done += !job->turns || job->took_turn;
        return status;
    }
    uint32_t count = 0;
    int refused = status == AKIN_E_NOMEM && akin_join_found(job) == found && !w->queue->stop;
    if (refused && job->turns && !job->took_turn) /* all tasks are left to the others */
        return AKIN_OK;
    if (refused && taker->wants) { /* others may have the memory: it is theirs */
        put_back(w->queue);
        w->refused = 1;
        return AKIN_OK;
    }
    if (refused && !job->turns)
        count = akin_share_cut(&w->view, share, pieces);
    if (count == 0)
        return akin_fail_again(error, status, &own);
    status = AKIN_OK;
    for (uint32_t k = 0; k < count && status == AKIN_OK; k++)
        status = join_share(w, &pieces[k], error);
    return status;
}

/* The share that a taker would have next; 0 if none is left. */
static int look_for_share(queue *q, int last, akin_share *out)
{
    pthread_mutex_lock(&q->lock);
    int there = q->first < q->end && !q->stop;
    if (there)
        *out = q->shares->list[last ? q->end - 1 : q->first];
    pthread_mutex_unlock(&q->lock);
    return there;
}

/* Takes it: there is one taker at most at the end of the queue, so there it is the same share, if it is still there. */
static int take_share(queue *q, int last, akin_share *out)
{
    pthread_mutex_lock(&q->lock);
    int there = q->first < q->end && !q->stop;
    if (there)
        *out = q->shares->list[last ? --q->end : q->first++];
    pthread_mutex_unlock(&q->lock);
    return there;
}

/* Whether a taker who is asked wants the next share of its. */
static int taker_wants(at_work *w)
{
    queue *q = w->queue;
    akin_share share;
    if (!look_for_share(q, 1, &share))
        return 0;
    w->pairs = 0;
    akin_share_view_enter(&w->view, &share);
    return w->taker->wants(&w->view.job, w->taker->user, 1 - (double)q->done / (double)q->shares->pairs);
}

static void fail_taker(queue *q, const akin_error *error)
{
    pthread_mutex_lock(&q->lock);
    if (q->error.code == AKIN_OK && !(error->code == AKIN_E_CANCELLED && q->stop))
        q->error = *error;
    q->stop = 1;
    pthread_mutex_unlock(&q->lock);
}

/* Everything that a taker does. */
static akin_status work_as_taker(void *argument, uint64_t task, uint32_t thread)
{
    queue *q = argument;
    at_work *w = &q->works[task];
    akin_share share;
    int asked = w->taker->wants != NULL;
    w->caller = thread == 0;
    while ((!asked || (!w->refused && taker_wants(w))) && take_share(q, asked, &share)) {
        akin_error error = {.code = AKIN_OK};
        if (join_share(w, &share, &error) != AKIN_OK)
            fail_taker(q, &error);
        if (q->job->turns) /* it did what it could of all */
            break;
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- whole
 */

/* Gives each taker a job: a copy of the caller's with workers and a scope of its own. */
static akin_status make_works(queue *q, akin_error *error)
{
    uint32_t slot = 0;
    akin_status status = AKIN_OK;
    for (uint32_t t = 0; t < q->count && status == AKIN_OK; t++) {
        at_work *w = &q->works[t];
        w->queue = q;
        w->taker = &q->takers[t];
        w->taker->done = 0;
        w->scope =
            akin_scope_narrow(q->job->scope, (akin_narrowing){.threads = w->taker->threads,
                                                              .reporter = &(akin_reporter){note_share, must_stop, w}});
        status = akin_share_view_make(q->job, &w->view, error);
        w->view.job.scope = &w->scope;
        w->view.job.device = w->taker->device;
        w->view.job.gpu = w->taker->device ? w->taker->device : q->job->gpu;
        w->view.job.place = w->taker->device ? AKIN_JOIN_ON_GPU : AKIN_JOIN_ON_CPU;
        w->view.job.devices = NULL;
        w->view.job.threads = w->view.job.slots = w->taker->threads;
        w->view.job.workers = q->job->workers + slot;
        slot += w->taker->threads;
    }
    return status;
}

static akin_status run_taker(queue *q, akin_error *error)
{
    akin_status status = make_works(q, error);
    if (status != AKIN_OK)
        return status;
    q->scope = akin_scope_narrow(
        q->job->scope, (akin_narrowing){.threads = q->count, .reporter = &(akin_reporter){NULL, all_must_stop, q}});
    status = akin_parallel(&q->scope, NULL, q->count, work_as_taker, q);
    if (q->error.code != AKIN_OK)
        return akin_fail_again(error, q->error.code, &q->error);
    if (q->cancelled)
        status = AKIN_E_CANCELLED;
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "the shares of the join");
}

akin_status akin_shares_join(akin_join_job *job, const akin_shares *shares, akin_share_taker *takers, uint32_t count,
                             akin_error *error)
{
    queue q = {.job = job, .shares = shares, .takers = takers, .count = count, .end = shares->count};
    q.works = akin_alloc_zero(job->account, count, sizeof *q.works);
    if (!q.works)
        return akin_fail_memory(error, "the shares of the join");
    if (pthread_mutex_init(&q.lock, NULL) != 0) {
        akin_free(q.works);
        return akin_fail_memory(error, "the shares of the join");
    }
    akin_status status = run_taker(&q, error);
    for (uint32_t t = 0; t < count; t++)
        akin_share_view_clear(&q.works[t].view);
    pthread_mutex_destroy(&q.lock);
    akin_free(q.works);
    return status;
}
