/* A join cut into shares, pieces of the ranked collections (join/pieces.h), which GPUs and the CPU take from one queue. */
#ifndef AKIN_JOIN_SHARES_H
#define AKIN_JOIN_SHARES_H

#include "join/pieces.h"

typedef struct akin_share {
    akin_piece piece;
    uint64_t pairs; /* of compatible sizes: at least one */
} akin_share;

typedef struct akin_shares {
    akin_share *list;
    uint32_t count, room;
    uint64_t pairs; /* of all of them */
} akin_shares;

/* What a share may have at most, and the bytes that it is predicted to take: those of each token and each set on both
 * sides, of each pair of compatible sizes, and what it takes whatever is in it. */
typedef struct akin_share_bounds {
    double bytes;
    double fixed, a_token, a_set, a_pair;
    uint64_t pairs, tokens; /* 0: any number */
} akin_share_bounds;

/* A job that can be set to a share: a copy of the job, and its sides. */
typedef struct akin_share_view {
    akin_join_job job;
    akin_piece_view sides;
} akin_share_view;

/* Makes a copy of the job with room for views. Whatever it returns, akin_share_view_clear frees what was made. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_share_view_make(const akin_join_job *job, akin_share_view *out, akin_error *error);
void akin_share_view_clear(akin_share_view *view);

/* Sets view->job to a share. */
void akin_share_view_enter(akin_share_view *view, const akin_share *share);

/* Cuts a share in the middle of its weight, and leaves out pieces without pairs; 0 if it has two sets, one with the other.
 * The view is left set to one of the pieces. */
uint32_t akin_share_cut(akin_share_view *view, const akin_share *share, akin_share out[3]);

/* Cuts the job into shares within the bounds, as far as that goes: two sets may be beyond them. The largest come first.
 * Errors: AKIN_E_NOMEM. */
akin_status akin_shares_make(const akin_join_job *job, const akin_share_bounds *bounds, akin_shares *out,
                             akin_error *error);
void akin_shares_clear(akin_shares *shares);

/* What a share is predicted to take. */
double akin_share_bytes(const akin_share_bounds *bounds, uint64_t tokens, uint64_t sets, uint64_t pairs);

/* ------------------------------------------------------------------------------------------------------------ takers */

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
