/*
 * A join cut into smaller ones. Sets are sorted by size. A piece joins a range of sets with itself, or with another
 * range, and is cut where one of its ranges is:
 *
 *     [a, c) with itself     =  [a, b) with itself  +  [b, c) with itself  +  [b, c) with [a, b)      a <= b <= c
 *     [a, c) with [d, e)     =  [a, b) with [d, e)  +  [b, c) with [d, e)
 *
 * So every pair is met in one piece, and no probe of a piece is smaller than a set of the same collection that it meets.
 * A trimmed piece has only sets whose sizes the other range permits, which with a high threshold soon leaves nothing.
 * The memory bound (parts.c), the shares of GPUs (shares.c) and buckets of sizes (buckets.c) decide where to cut, and
 * which pieces are joined as they are.
 */
#ifndef AKIN_JOIN_PIECES_H
#define AKIN_JOIN_PIECES_H

#include "join/technique.h"

/* Sets [first, end) of a side. `before` has, by class and at the end, the number of tokens in smaller classes; NULL: the
 * offsets of the side have it. */
typedef struct akin_piece_range {
    const akin_ranked *side;
    const uint64_t *before;
    uint32_t first, end;
} akin_piece_range;

/* The ranges are the same if is_self. */
typedef struct akin_piece {
    akin_piece_range probes, indexed;
    int is_self;
} akin_piece;

static inline uint32_t akin_piece_range_sets(const akin_piece_range *r)
{
    return r->end - r->first;
}

uint64_t akin_piece_range_tokens(const akin_piece_range *r);

/* What the sets of a range weigh: their tokens, and three for each set. */
uint64_t akin_piece_range_weight(const akin_piece_range *r);

/* The sets and tokens of a piece, on both sides. */
uint64_t akin_piece_sets(const akin_piece *piece);
uint64_t akin_piece_tokens(const akin_piece *piece);

/* Whether a piece joins one set with another one, so that it cannot be cut. */
static inline int akin_piece_is_single(const akin_piece *piece)
{
    return !piece->is_self && akin_piece_range_sets(&piece->probes) == 1 && akin_piece_range_sets(&piece->indexed) == 1;
}

/* Leaves the sets that may have a partner. 0 if the piece has no two sets of compatible sizes. */
int akin_piece_trim(const akin_threshold *threshold, akin_piece *piece);

/* Chooses where a range is cut: first < place < end; 0: nowhere. */
typedef uint32_t akin_piece_place(void *user, const akin_piece_range *range);

/* The place that leaves `part` of `whole` of the weight before it; 0 if the range has one set. */
uint32_t akin_piece_place_of(const akin_piece_range *range, double part, double whole);

/* Cuts the heavier range of a piece, or the other one where that cannot be cut. Returns the number of pieces: 2, 3, or 0
 * if neither range can be cut. */
uint32_t akin_piece_cut(const akin_piece *piece, akin_piece_place *place, void *user, akin_piece out[3]);

/* How a join is cut. */
typedef struct akin_piece_policy {
    akin_piece_place *place;
    /* Takes a trimmed piece, or leaves it to be cut (*taken = 0). A piece of one set with another one cannot be cut: it is
     * taken, or an error says why not. Errors: those of the policy. */
    akin_status (*take)(void *user, const akin_piece *piece, int *taken, akin_error *error);
    void *user;
} akin_piece_policy;

/* Offers the piece to the policy, and the pieces of each that it leaves. Errors: those of the policy. */
akin_status akin_pieces_walk(const akin_threshold *threshold, const akin_piece_policy *policy, akin_piece piece,
                             akin_error *error);

/* Pieces as the sides of a job: views of the ranked collections, whose arrays they share. */
typedef struct akin_piece_view {
    akin_ranked sides[2];
    uint32_t *class_first[2];
} akin_piece_view;

/* Makes room for the pieces of a job. Whatever it returns, akin_piece_view_clear frees what was made. Errors:
 * AKIN_E_NOMEM. */
akin_status akin_piece_view_make(const akin_join_job *job, akin_piece_view *out, akin_error *error);
void akin_piece_view_clear(akin_piece_view *view);

/* Sets the job to a piece whose ranges have sets. The view must outlive its use. */
void akin_piece_view_enter(akin_piece_view *view, const akin_piece *piece, akin_join_job *job);

/* All of a job's ranked sides as one piece. */
akin_piece akin_piece_whole(const akin_join_job *job);

#endif
