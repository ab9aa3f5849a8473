/* One part of a join, or all of it where no memory bound cuts it: planned, joined, accounted for. */
#ifndef AKIN_JOIN_PART_H
#define AKIN_JOIN_PART_H

#include "join/report.h"
#include "join/sample.h"

/*
 * Plans the join of the sides that are set in job (whole and sample: see akin_plan_choose), and fills in the part as
 * far as it is known by then. The part is empty before. It keeps no technique if no two sets can match. Errors:
 * AKIN_E_NOMEM, AKIN_E_CANCELLED.
 */
akin_status akin_join_part_plan(akin_join_job *job, const akin_join_options *options, const akin_sample *whole,
                                akin_join_part *part, akin_sample *sample, akin_error *error);

/* What the report says of the sides of a step, those that are set in job. There are pairs, and so sets, on both. */
void akin_join_step_describe(const akin_join_job *job, akin_join_step *step);

/* What a summary says of the sides: their sizes, and how many pairs there are. Only classes and counts of the sides are
 * looked at; tokens and universe are the caller's to fill in. */
void akin_join_part_describe(const akin_join_job *job, akin_join_summary *summary);

#endif
