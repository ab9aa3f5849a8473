/*
 * A plan of deduplication in the making: what was said of each option, and what it is read into.
 *
 *     said      the words of each option, in their order (plan.c); objects of JSON have become words (plan_forms.c)
 *     made      columns (plan_columns.c), attributes (plan_compare.c), selections (plan_pairs.c), synonyms
 *               (plan_synonyms.c), and the options over them
 *
 * Lists grow while words are read. So what points into a list is set when all of them are complete, in plan_finish.c.
 */
#ifndef AKIN_DEDUPE_PLAN_H
#define AKIN_DEDUPE_PLAN_H

#include "base/choice.h"
#include "dedupe/plan_made.h"

/* The options that a plan has beside the selections, which are the rows of akin_selections. */
extern const akin_choice_table akin_plan_options;

/* Their places in that table; and the place of what was said of all selections. */
enum {
    AKIN_PLAN_MAX_BLOCK,
    AKIN_PLAN_COMPARE,
    AKIN_PLAN_COMBINE,
    AKIN_PLAN_FOLD,
    AKIN_PLAN_SYNONYMS,
    AKIN_PLAN_MISSING,
    AKIN_PLAN_EVIDENCE,
    AKIN_PLAN_WEIGHTS,
    AKIN_PLAN_THRESHOLD,
    AKIN_PLAN_PRECISION,
    AKIN_PLAN_ONE_TO_ONE,
    AKIN_PLAN_ONE_PER_SOURCE,
    AKIN_PLAN_CLUSTER,
    AKIN_PLAN_ID,
    AKIN_PLAN_SELECTIONS,
    AKIN_PLAN_OPTIONS
};

struct akin_dedupe_plan {
    const akin_annex *annex;
    akin_plan_list said[AKIN_PLAN_OPTIONS]; /* akin_plan_said */
    akin_plan_made made;
};

/* Reads the words of a plan that may lack rules, in which weights will be such, and forgets what they say: words that
 * akin_dedupe_plan_finish refuses are refused early. Errors: those of akin_dedupe_plan_finish. */
akin_status akin_plan_check(akin_dedupe_plan *plan, akin_weighting weights, akin_error *error);

/* Writes what was said as members of an object of JSON. Errors: AKIN_E_NOMEM. */
akin_status akin_plan_write_members(akin_dedupe_plan *plan, akin_error *error);

#endif
