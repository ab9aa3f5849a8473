/* The step of a job that learns its weights. */
#ifndef AKIN_DEDUPE_LEARNER_H
#define AKIN_DEDUPE_LEARNER_H

#include "dedupe/learnt.h"

/* Learns weights from the pairs that the job has gathered, and keeps those that are probable, as pairs of the first
 * worker, with their probabilities. It fills options.clusters, or else out->clusters, where they need other pairs, too.
 * The caller clears *out in any case, which is zero but for its clusters. Errors: AKIN_E_LIMIT (2^32 pairs or more),
 * AKIN_E_NOMEM, AKIN_E_IO, AKIN_E_CANCELLED. */
akin_status akin_dedupe_learn(akin_dedupe_job *job, akin_learnt *out, akin_error *error);

#endif
