/* A small sample of a join, taken before the join runs. It estimates how many pairs each signature width leaves, and
 * the work of an index. */
#ifndef AKIN_JOIN_SAMPLE_H
#define AKIN_JOIN_SAMPLE_H

#include "join/prefix.h"
#include "join/technique.h"
#include "signature/screen.h"

typedef struct akin_sample {
    double left[AKIN_SCREEN_WIDTHS];           /* share of the length-compatible pairs that a width leaves */
    double projected;                          /* share of them that a projection would leave, about */
    double visits;                             /* postings that all probes visit in their lists */
    double left_of_visits[AKIN_SCREEN_WIDTHS]; /* share of those pairs that a width leaves */
    double met;                                /* pairs that meet in some list: visits, but each pair once */
    double left_of_met[AKIN_SCREEN_WIDTHS];    /* share of them that a width leaves */
    double marked[AKIN_SCREEN_WIDTHS];         /* tokens of probes, for each visit that a width leaves */
    double verified[AKIN_SCREEN_WIDTHS]; /* tokens that verifying looks at, for each pair met that a width leaves */
    double verified_met;                 /* the same for each pair met */
    double kept;                         /* share of the pairs met that the positional filter keeps */
    double verified_kept;                /* tokens that verifying looks at, for each of these */
    double apart;  /* tokens of a visit's two sets that a GPU merges until it is clear that they are not alike */
    double large;  /* share of the pairs met that are alike, and too large for a thread of a GPU to find that out */
    double groups; /* share of the probes that begin a group of GroupJoin's: the set before differs in size or prefix */
    double postings_probing, postings_indexed; /* prefix tokens of all sets, on each side, */
    double live_probing, live_indexed;         /* and those of tokens that occur more than once */
} akin_sample;

#define AKIN_SAMPLE_TOKENS 400000 /* of visits that are weighed, at most: a millisecond's work */

/* How many sets are drawn for visits, or at first. */
uint64_t akin_sample_sets(const akin_join_job *job);

/* The prefix tokens of all sets of a side. */
double akin_sample_postings(const akin_join_job *job, const akin_ranked *ranked, akin_prefix_side side);

/*
 * Fills in the figures of the index: the visits that sets drawn at random make to each other's lists, scaled up by the
 * square. To see what signatures leave, it weighs only as many visits as have `tokens` tokens together. All sampling
 * should cost a percent or two of the join. It draws by a fixed seed, so a plan is reproducible. `whole` is NULL, or
 * the sample of a larger join that contains this one. Then fewer pairs are drawn, and things too rare to be seen are
 * expected as in the larger join. Errors: AKIN_E_NOMEM.
 */
akin_status akin_sample_visits(const akin_join_job *job, uint64_t tokens, const akin_sample *whole, akin_sample *out,
                               akin_error *error);

/* Fills in the rest, from pairs drawn at random of all length-compatible ones; there are `compatible`, above 0.
 * Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_sample_pairs(const akin_join_job *job, uint64_t compatible, const akin_sample *whole, akin_sample *out,
                              akin_error *error);

#endif
