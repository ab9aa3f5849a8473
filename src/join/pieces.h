/*
 * A join cut into smaller ones. A piece joins a range of rows with itself, or with another range, and is cut where one
 * of its ranges is:
 *
 *     [a, c) with itself     =  [a, b) with itself  +  [b, c) with itself  +  [b, c) with [a, b)      a <= b <= c
 *     [a, c) with [d, e)     =  [a, b) with [d, e)  +  [b, c) with [d, e)
 *
 * So every pair is in one piece. A policy decides where to cut, and which pieces are joined whole. Sets have three
 * policies: the memory bound (parts.c), the shares of GPUs (shares.c) and buckets of sizes (buckets.c). Sets are sorted
 * by size, and ranked_pieces.h makes use of that. Strings have one policy, their memory bound (match/pieces.c).
 */
#ifndef AKIN_JOIN_PIECES_H
#define AKIN_JOIN_PIECES_H

#include "akin.h"

/* Rows [first, end) of a side. The policy knows the type of the side, and what sums over it are. */
typedef struct akin_piece_range {
    const void *side;
    const uint64_t *sums; /* NULL: there are none */
    uint32_t first, end;
} akin_piece_range;

/* The ranges are the same if is_self. */
typedef struct akin_piece {
    akin_piece_range probes, indexed;
    int is_self;
} akin_piece;

static inline uint32_t akin_piece_rows(const akin_piece_range *r)
{
    return r->end - r->first;
}

/* Whether a piece joins one row with another one, so that it cannot be cut. */
static inline int akin_piece_is_single(const akin_piece *piece)
{
    return !piece->is_self && akin_piece_rows(&piece->probes) == 1 && akin_piece_rows(&piece->indexed) == 1;
}

/* Whether a piece has any pair of rows. */
static inline int akin_piece_has_pairs(const akin_piece *piece)
{
    const uint32_t least = piece->is_self ? 2 : 1;
    return akin_piece_rows(&piece->probes) >= least && akin_piece_rows(&piece->indexed) >= least;
}

/* What a range weighs: the heavier range of a piece is cut. */
typedef uint64_t akin_piece_weight(const akin_piece_range *range);

/* Chooses where a range is cut: first < place < end; 0: nowhere. */
typedef uint32_t akin_piece_place(void *user, const akin_piece_range *range);

/* Cuts the heavier range of a piece, or the other one where that cannot be cut. Returns the number of pieces: 2, 3, or
 * 0 if neither range can be cut. */
uint32_t akin_piece_cut(const akin_piece *piece, akin_piece_weight *weight, akin_piece_place *place, void *user,
                        akin_piece out[3]);

/* How a join is cut. */
typedef struct akin_piece_policy {
    akin_piece_weight *weight;
    akin_piece_place *place;
    int (*trim)(void *user, akin_piece *piece); /* leaves out rows without partners; 0: none is left */
    /* Takes a trimmed piece, or leaves it to be cut (*taken = 0). A piece of one row with another one cannot be cut: it
     * is taken, or an error says why not. Errors: those of the policy. */
    akin_status (*take)(void *user, const akin_piece *piece, int *taken, akin_error *error);
    void *user;
} akin_piece_policy;

/* Offers the piece to the policy, and the pieces of each that it leaves. Errors: those of the policy; AKIN_E_LIMIT: it
 * leaves a piece with pairs, and finds no place to cut it. */
akin_status akin_pieces_walk(const akin_piece_policy *policy, akin_piece piece, akin_error *error);

#endif
