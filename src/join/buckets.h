/* A join by buckets of sizes, where that is cheaper than all of it by one technique. */
#ifndef AKIN_JOIN_BUCKETS_H
#define AKIN_JOIN_BUCKETS_H

#include "join/technique.h"

/*
 * The join of the sides that are set in job, as it was planned for all of them, or bucket by bucket where that is
 * cheaper: Adds what was done to the report. Errors: those of akin_join_part_plan
 * and akin_join_part_run.
 */
akin_status akin_join_in_buckets(akin_join_job *job, const akin_join_options *options, akin_join_report *report,
                                 akin_error *error);

#endif
