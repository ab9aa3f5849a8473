/* The columns of a plan: those of the tables, those that are made of others, and what all are cleaned of. */
#ifndef AKIN_DEDUPE_PLAN_COLUMNS_H
#define AKIN_DEDUPE_PLAN_COLUMNS_H

#include "dedupe/plan_made.h"
#include "strings/comparators.h"

/* The number of a column of the tables that the left and the right one call so. It is a new one if it was not named
 * before. */
akin_status akin_plan_column(akin_plan_made *made, const char *left, const char *right, uint32_t *out,
                             akin_error *error);

/* The number of a column, be it combined or of the tables. */
akin_status akin_plan_any_column(akin_plan_made *made, const char *left, const char *right, uint32_t *out,
                                 akin_error *error);

/* The name of such a number. */
const char *akin_plan_column_name(const akin_plan_made *made, uint32_t column);

/* Reads what rows are called: LEFT[=RIGHT]. One of the two may be empty: the rows of that side are called by their
 * numbers. */
akin_status akin_plan_read_id(akin_plan_made *made, const char *word, akin_error *error);

/* Reads the column of sources: COLUMN, or LEFT=RIGHT. No column is combined behind those of the tables yet. */
akin_status akin_plan_read_source(akin_plan_made *made, const char *word, akin_error *error);

/* Reads NAME=COLUMN[+COLUMN...]. */
akin_status akin_plan_read_combine(akin_plan_made *made, const char *word, akin_error *error);

/* Gives combined columns the numbers behind those of the tables, once all are named. */
akin_status akin_plan_number_columns(akin_plan_made *made, akin_error *error);

/* Whether a column is selected by or compared, and not only combined. */
int akin_plan_is_named(const akin_plan_made *made, uint64_t column);

/* The named column that the tables call so; the number of all columns: none is. Columns have their numbers. */
uint64_t akin_plan_named(const akin_plan_made *made, const char *left, const char *right);

/* The first comparator of a column that reads numbers or dates, to which punctuation means something; NULL: none. */
const akin_comparator_row *akin_plan_reader(const akin_plan_made *made, uint64_t column);

/* Reads all words of --fold: COLUMN[:FOLD[+FOLD...]]. Columns have their numbers. */
akin_status akin_plan_read_folds(akin_plan_made *made, const akin_plan_list *words, akin_error *error);

#endif
