/* Sets of a side that are drawn at random, for a sample. */
#ifndef AKIN_JOIN_DRAWN_SETS_H
#define AKIN_JOIN_DRAWN_SETS_H

#include "join/prefix.h"

/*
 * Sets drawn from a side. A few large sets may make most of the visits, so a set is drawn the more likely the longer
 * its prefix is: half by that, and half as likely as any other. What is seen counts the more the less likely it was
 * drawn, 1 on average.
 *
 *     weights of the sets, by size    | 1 | 1 | 1 | 1 | 1.5 | 1.5 | 3 |
 *     one of each equal part              ^          ^          ^
 */
typedef struct akin_drawn_sets {
    uint32_t *set; /* ascending, and distinct */
    double *counts;
    uint32_t count;
    double times; /* how many sets one that counts 1 stands for */
} akin_drawn_sets;

/* Draws up to `count` sets: one from each of `count` parts of equal weight. The caller clears *out in any case. Errors,
 * without a message: AKIN_E_NOMEM. */
akin_status akin_drawn_sets_make(const akin_join_job *job, const akin_ranked *ranked, akin_prefix_side side,
                                 uint64_t seed, uint32_t count, akin_drawn_sets *out);
void akin_drawn_sets_clear(akin_drawn_sets *drawn);

#endif
