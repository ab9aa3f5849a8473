/* Takers: GPUs and the CPU, each on a thread of its own, that join the shares of a queue. */
#ifndef AKIN_JOIN_TAKERS_H
#define AKIN_JOIN_TAKERS_H

#include "join/shares.h"

/*
 * A taker takes shares from the queue, on a thread of its own. It takes the largest share that is left. A taker with
 * `wants` takes the smallest one, until `wants` returns 0. `join` does the join that the job is set to. The job's
 * workers and scope belong to the taker and its thread alone; the job reports its progress there, and learns there that
 * it has to stop.
 */
typedef struct akin_share_taker {
    akin_status (*join)(akin_join_job *job, void *user, akin_error *error);
    int (*wants)(akin_join_job *job, void *user,
                 double left); /* NULL: any share. left: of all pairs, those to be joined */
    void *user;
    struct akin_device *device; /* the job's; NULL: it is the CPU */
    uint32_t threads;           /* of its context, and the number of its workers; at least 1 */
    uint64_t done;              /* out: shares that it did */
} akin_share_taker;

/*
 * Joins all shares, by `count` takers, and reports progress to the job's context on the calling thread. The first taker
 * takes any share. The takers have at most job->slots threads together. A share that runs out of memory before it has
 * found a pair is cut and tried again. With job->turns all shares are the same; a taker without the memory for its
 * first task does none. Errors: the first of a taker's; AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_shares_join(akin_join_job *job, const akin_shares *shares, akin_share_taker *takers, uint32_t count,
                             akin_error *error);

#endif
