/*
 * The sides of a join under a memory bound: the classes of their sets, and, if the counts of their tokens fit the
 * bound, all sets ranked once, into arrays that may be in temporary files (sets/ranked_store.h).
 */
#ifndef AKIN_JOIN_PART_SIDES_H
#define AKIN_JOIN_PART_SIDES_H

#include "join/pieces.h"
#include "join/technique.h"
#include "sets/ranked_store.h"

/* One side: its sets by size, ranked if there is room for that. */
typedef struct akin_part_side {
    const akin_sets *sets;
    akin_ranked_store store;
    uint64_t *before; /* by class, and at the end: the tokens of the sets in smaller classes */
} akin_part_side;

typedef struct akin_part_sides {
    akin_part_side side[2]; /* the second one is empty in a self-join */
    int are_ranked;         /* and parts can be views of them */
    uint64_t bound;         /* the largest token of both + 1 */
    uint64_t universe;      /* distinct tokens of both; 0: they are not counted */
} akin_part_sides;

/* Makes the sides of a job, and sets them in it. The caller calls akin_part_sides_clear in any case. Errors:
 * AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_part_sides_make(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                                 const akin_join_options *options, akin_part_sides *out, akin_error *error);
void akin_part_sides_clear(akin_part_sides *sides);

/* All of their sets. */
akin_piece akin_part_sides_whole(const akin_part_sides *sides);

/* The collection that a range is of. */
const akin_sets *akin_part_sides_sets(const akin_part_sides *sides, const akin_piece_range *range);

#endif
