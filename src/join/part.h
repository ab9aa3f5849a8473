/* One part of a join, or all of it where no memory bound cuts it: planned, joined, accounted for. */
#ifndef AKIN_JOIN_PART_H
#define AKIN_JOIN_PART_H

#include "join/report.h"
#include "join/sample.h"

/*
 * Plans the join of the sides that are set in job (whole and sample: see akin_plan_choose) and fills in what is known
 * of it by then; an empty part comes in, and stays without a technique if no two sets can match. Errors: AKIN_E_NOMEM,
 * AKIN_E_CANCELLED.
 */
akin_status akin_join_part_plan(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                                akin_join_part *part, akin_sample *sample, akin_error *error);

/* What the report says of the sides of a step, those that are set in job. There are pairs, and so sets, on both. */
void akin_join_step_describe(const akin_join_job *job, akin_join_step *step);

/*
 * (step.c) Runs what was planned for the sides that are set in job, whose workers gather the pairs, and fills in the rest.
 * Errors: those above; AKIN_E_IO (pairs that cannot be put aside).
 */
akin_status akin_join_part_run(akin_join_job *job, akin_join_part *part, akin_error *error);

/*
 * The join of the sides that are set in job, as it was planned for all of them, or bucket by bucket where that is
 * cheaper: see buckets.c. Adds what was done to the report. Errors: those above.
 */
akin_status akin_join_in_buckets(akin_join_job *job, const akin_join_options *options, akin_join_report *report,
                                 akin_error *error);

/* What a summary says of the sides: their sizes, and how many pairs there are. Only classes and counts of the sides are
 * looked at; tokens and universe are the caller's to fill in. */
void akin_join_part_describe(const akin_join_job *job, akin_join_summary *summary);

/*
 * The join under the scope's memory bound, which the job's account has for a limit: cut in parts. Fills the report;
 * pairs that are kept go to the sink. Errors: those above, and AKIN_E_NOMEM tells how large a bound would do.
 */
akin_status akin_join_in_parts(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                               const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                               akin_join_report *report, akin_error *error);

#endif
