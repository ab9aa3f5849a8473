/* A join cut into shares, pieces of ranked collections (join/ranked_pieces.h). GPUs and the CPU share a queue. */
#ifndef AKIN_JOIN_SHARES_H
#define AKIN_JOIN_SHARES_H

#include "join/ranked_pieces.h"

typedef struct akin_share {
    akin_piece piece;
    uint64_t pairs; /* of compatible sizes: at least one */
} akin_share;

typedef struct akin_shares {
    akin_share *list;
    uint32_t count, room;
    uint64_t pairs; /* of all of them */
} akin_shares;

/* The bounds of a share, and its predicted bytes: for each token and each set on both sides, for each pair of
 * compatible sizes, and a fixed number. */
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

/* Makes a copy of the job with room for views. The caller calls akin_share_view_clear in any case. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_share_view_make(const akin_join_job *job, akin_share_view *out, akin_error *error);
void akin_share_view_clear(akin_share_view *view);

/* Sets view->job to a share. */
void akin_share_view_enter(akin_share_view *view, const akin_share *share);

/* Cuts a share in the middle of its weight, and leaves out pieces without pairs; 0 if it has two sets, one with the
 * other. The view is left set to one of the pieces. */
uint32_t akin_share_cut(akin_share_view *view, const akin_share *share, akin_share out[3]);

/* Cuts the job into shares within the bounds, as far as that goes: two sets may be beyond them. The largest come first.
 * Errors: AKIN_E_NOMEM. */
akin_status akin_shares_make(const akin_join_job *job, const akin_share_bounds *bounds, akin_shares *out,
                             akin_error *error);
void akin_shares_clear(akin_shares *shares);

/* What a share is predicted to take. */
double akin_share_bytes(const akin_share_bounds *bounds, uint64_t tokens, uint64_t sets, uint64_t pairs);

#endif
