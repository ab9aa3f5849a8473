/*
 * Pieces (join/pieces.h) of a join of ranked sets, which are sorted by size: no probe of a piece is smaller than a set
 * of the same collection that it meets. A trimmed piece has only sets whose sizes the other range permits, which with a
 * high threshold soon leaves nothing. The sums of a range have, by class and at the end, the number of tokens in
 * smaller classes; without them the offsets of the side have it.
 */
#ifndef AKIN_JOIN_RANKED_PIECES_H
#define AKIN_JOIN_RANKED_PIECES_H

#include "join/pieces.h"
#include "join/technique.h"

static inline const akin_ranked *akin_piece_ranked(const akin_piece_range *r)
{
    return r->side;
}

uint64_t akin_piece_range_tokens(const akin_piece_range *r);

/* What the sets of a range weigh: their tokens, and three for each set. An akin_piece_weight. */
uint64_t akin_piece_range_weight(const akin_piece_range *r);

/* The sets and tokens of a piece, on both sides. */
uint64_t akin_piece_sets(const akin_piece *piece);
uint64_t akin_piece_tokens(const akin_piece *piece);

/* Leaves the sets that may have a partner. 0 if the piece has no two sets of compatible sizes. */
int akin_piece_trim(const akin_threshold *threshold, akin_piece *piece);

/* The place that leaves `part` of `whole` of the weight before it; 0 if the range has one set. */
uint32_t akin_piece_place_of(const akin_piece_range *range, double part, double whole);

/* Pieces as the sides of a job: views of the ranked collections, whose arrays they share. */
typedef struct akin_piece_view {
    akin_ranked sides[2];
    uint32_t *class_first[2];
} akin_piece_view;

/* Makes room for the pieces of a job. The caller calls akin_piece_view_clear in any case. Errors: AKIN_E_NOMEM. */
akin_status akin_piece_view_make(const akin_join_job *job, akin_piece_view *out, akin_error *error);
void akin_piece_view_clear(akin_piece_view *view);

/* Sets the job to a piece whose ranges have sets. The view must outlive its use. */
void akin_piece_view_enter(akin_piece_view *view, const akin_piece *piece, akin_join_job *job);

/* All of a job's ranked sides as one piece. */
akin_piece akin_piece_whole(const akin_join_job *job);

#endif
