/* Pairs that were answered with yes, and that no selection has. */
#ifndef AKIN_DEDUPE_ANSWERED_PAIRS_H
#define AKIN_DEDUPE_ANSWERED_PAIRS_H

#include "dedupe/job.h"

/* Adds them, with their levels, to the pairs that the job has gathered. Without a labelling there are none. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_answered_pairs_add(akin_dedupe_job *job, akin_error *error);

#endif
