/* Runs the join that was planned for a part. */
#ifndef AKIN_JOIN_STEP_H
#define AKIN_JOIN_STEP_H

#include "join/technique.h"

/*
 * Runs the planned step for the sides that are set in job, whose workers gather the pairs, and fills in the rest.
 * Errors: those of the technique; AKIN_E_NOMEM, AKIN_E_CANCELLED; AKIN_E_IO (pairs cannot be written to a temporary
 * file).
 */
akin_status akin_join_part_run(akin_join_job *job, akin_join_part *part, akin_error *error);

#endif
