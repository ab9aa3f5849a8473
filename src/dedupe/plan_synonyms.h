/* The synonyms of a plan: where those of each column come from, and these. */
#ifndef AKIN_DEDUPE_PLAN_SYNONYMS_H
#define AKIN_DEDUPE_PLAN_SYNONYMS_H

#include "dedupe/plan_made.h"

/* Reads all words of --synonyms: [COLUMN:]FILE, or COLUMN::GROUP[+GROUP...]. Columns have their numbers. Synonyms
 * have no groups yet. */
akin_status akin_plan_read_synonyms(akin_plan_made *made, const akin_plan_list *words, akin_error *error);

/* Adds the groups to the synonyms, each file being read once. After an error they have none. Errors: those of
 * akin_synonyms_read. */
akin_status akin_plan_load_synonyms(akin_context *context, akin_plan_made *made, akin_error *error);

#endif
