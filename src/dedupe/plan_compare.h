/* Which columns of a plan are compared, and how. */
#ifndef AKIN_DEDUPE_PLAN_COMPARE_H
#define AKIN_DEDUPE_PLAN_COMPARE_H

#include "dedupe/plan_made.h"

/* Reads COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]]. */
akin_status akin_plan_read_compare(akin_plan_made *made, const char *word, akin_error *error);

#endif
