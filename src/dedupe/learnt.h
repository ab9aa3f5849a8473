/* What a job has learnt, or knows by a model. */
#ifndef AKIN_DEDUPE_LEARNT_H
#define AKIN_DEDUPE_LEARNT_H

#include "dedupe/training.h"

/* What is learnt, and how the pairs found were chosen. */
typedef struct akin_learnt {
    akin_training training; /* its `found` becomes the job's */
    double *probabilities;  /* of each pair of the training; of a part of the pairs that compete: weights, in nats */
    double prior;           /* the odds of a pair before its values are known */
    akin_partners partners;
    int are_marked;       /* the pairs, by akin_training_mark */
    uint64_t *candidates; /* pairs of the training that a threshold decides on: where a record has one partner, of its
                             pairs the most probable one alone; ascending */
    uint64_t candidate_count, kept; /* kept: of the pairs found the first ones, which a selection has */
    akin_clusters *clusters;        /* of a report, for a job without any; NULL: none are wanted */
    int are_clusters_made;          /* the clusters, the job's or these, have all their pairs */
} akin_learnt;

void akin_learnt_clear(akin_learnt *learnt);

#endif
