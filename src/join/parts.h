/* A join under a memory bound, cut into parts that fit it. */
#ifndef AKIN_JOIN_PARTS_H
#define AKIN_JOIN_PARTS_H

#include "join/technique.h"

/*
 * The join under the scope's memory bound, which the job's account has for a limit: cut in parts. Fills the report;
 * pairs that are kept go to the sink. Errors: those of
 * akin_join_part_run; the message of AKIN_E_NOMEM names a bound that is large enough.
 */
akin_status akin_join_in_parts(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                               akin_join_report *report, akin_error *error);

#endif
