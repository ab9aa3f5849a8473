/* The best partners of each left row, range by range. */
#ifndef AKIN_MATCH_BEST_H
#define AKIN_MATCH_BEST_H

#include "match/job.h"

/* Finds and delivers them. Errors: AKIN_E_NOMEM, AKIN_E_CANCELLED. */
akin_status akin_match_best(akin_match_job *job, akin_error *error);

#endif
