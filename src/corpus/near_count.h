/* The first pass of near-duplicates: in how many documents hashes are. */
#ifndef AKIN_CORPUS_NEAR_COUNT_H
#define AKIN_CORPUS_NEAR_COUNT_H

#include "corpus/near_job.h"

/* Counts in how many documents each hash is. If the job has GPUs, they get the bags. Errors: AKIN_E_INPUT,
 * AKIN_E_LIMIT, AKIN_E_NOMEM, AKIN_E_CANCELLED, AKIN_E_DEVICE. */
akin_status akin_near_count(akin_near_job *j, akin_error *error);

/* Finds the tokens that are in too many documents. From then on no document has them. Errors: the same. */
akin_status akin_near_find_frequent(akin_near_job *j, akin_error *error);

#endif
