/* The progress of a join that is done in several steps, told as that of one. */
#ifndef AKIN_JOIN_PROGRESS_H
#define AKIN_JOIN_PROGRESS_H

#include "base/context.h"

typedef struct akin_join_progress {
    akin_context *outer, inner; /* the caller's, and the one that the steps report to */
    uint64_t done, total, now;  /* pairs of compatible sizes: dealt with, all, of the step at hand */
} akin_join_progress;

/* Prepares p->inner, which must stay where it is. */
void akin_join_progress_begin(akin_join_progress *p, akin_context *outer, uint64_t total);

#endif
