/* Takers: GPUs and the CPU, each on a thread of its own, that join the shares of a queue. */
#ifndef AKIN_JOIN_TAKERS_H
#define AKIN_JOIN_TAKERS_H

#include "join/shares.h"

/*
 * One who takes shares from the queue, on a thread of its own: the largest that is left, or, if it `wants` to be asked,
 * the smallest, until it wants no more. join does the join that the job is set to, with workers and a scope that are
 * the taker's alone (and that thread's: a job tells its progress there, and is told to stop).
 */
typedef struct akin_share_taker {
    akin_status (*join)(akin_join_job *job, void *user, akin_error *error);
    int (*wants)(akin_join_job *job, void *user,
                 double left); /* NULL: any share. left: of all pairs, those to be joined */
    void *user;
    struct akin_device *device; /* the job's; NULL: it is the CPU */
    uint32_t threads;           /* of its context, and so many workers; at least 1 */
    uint64_t done;              /* out: shares that it did */
} akin_share_taker;

/*
 * Joins all shares, by `count` takers, of which the first takes whatever there is, and whose threads are not more than
 * job->slots together. Tells the job's context of progress, on the calling thread. A share that fails for want of memory
 * before it found a pair is cut and tried again; with job->turns, whose shares are all the same, a taker that had no
 * memory for the first of its tasks does none. Errors: the first of a taker's; AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_shares_join(akin_join_job *job, const akin_shares *shares, akin_share_taker *takers, uint32_t count,
                             akin_error *error);

#endif
