/* One part of a join, or all of it where no memory bound cuts it: planned, joined, accounted for. */
#ifndef AKIN_JOIN_PART_H
#define AKIN_JOIN_PART_H

#include "join/report.h"
#include "join/technique.h"

/*
 * Plans and runs the join of the sides that are set in job, whose workers gather the pairs, and fills in what is known
 * of it; an empty part comes in. Errors: AKIN_E_NOMEM; AKIN_E_IO (pairs that cannot be put aside); AKIN_E_CANCELLED.
 */
akin_status akin_join_part_run(akin_join_job *job, const akin_join_options *options, akin_join_part *part,
                               akin_error *error);

/* What a summary says of the sides: their sizes, and how many pairs there are. Only classes and counts of the sides are
 * looked at; tokens and universe are the caller's to fill in. */
void akin_join_part_describe(const akin_join_job *job, akin_join_summary *summary);

/*
 * The join under the context's memory bound, which the job's account has for a limit: cut in parts. Fills the report;
 * pairs that are kept go to the sink. Errors: those above, and AKIN_E_NOMEM tells how large a bound would do.
 */
akin_status akin_join_in_parts(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                               akin_join_report *report, akin_error *error);

#endif
