/* The progress of a join that is done in several steps, reported as that of one. */
#ifndef AKIN_JOIN_PROGRESS_H
#define AKIN_JOIN_PROGRESS_H

#include "base/scope.h"

typedef struct akin_join_progress {
    const akin_scope *outer;   /* the scope of the whole */
    akin_scope inner;          /* and that of the steps, which report to this struct */
    uint64_t done, total, now; /* pairs of compatible sizes: dealt with, all, of the step at hand */
} akin_join_progress;

/* Prepares p->inner. *p must stay where it is as long as that is used. */
void akin_join_progress_begin(akin_join_progress *p, const akin_scope *outer, uint64_t total);

#endif
