/* Which pairs of records a plan compares: readers for the rows of akin_selections. */
#ifndef AKIN_DEDUPE_PLAN_PAIRS_H
#define AKIN_DEDUPE_PLAN_PAIRS_H

#include "dedupe/selection_row.h"

/* Reads the word of a selection: see akin_selection_row. */
akin_status akin_plan_read_all(akin_plan_made *made, const akin_selection_row *row, const char *word,
                               akin_error *error);
akin_status akin_plan_read_window(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                  akin_error *error);
akin_status akin_plan_read_block(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                 akin_error *error);
akin_status akin_plan_read_similar(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                   akin_error *error);
akin_status akin_plan_read_nearest(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                   akin_error *error);
akin_status akin_plan_read_given(akin_plan_made *made, const akin_selection_row *row, const char *word,
                                 akin_error *error);

#endif
