/* What a join finds out, decides and does, as it is gathered. */
#ifndef AKIN_JOIN_REPORT_H
#define AKIN_JOIN_REPORT_H

#include "akin.h"

#define AKIN_REPORT_WEIGHED 16 /* steps kept of all that were weighed */

struct akin_join_report {
    akin_join_summary summary;
    akin_join_step done;
    uint32_t weighed_count;
    akin_join_step weighed[AKIN_REPORT_WEIGHED]; /* cheapest first */
};

/* A report of nothing yet. Errors: AKIN_E_NOMEM. */
akin_status akin_join_report_make(akin_join_report **out, akin_error *error);

/* A step of which nothing is predicted. */
akin_join_step akin_join_step_of(akin_technique technique, uint32_t bits_screen, uint32_t bits);

/* Adds a step to those weighed, of which the cheapest are kept. */
void akin_join_report_weigh(akin_join_report *report, const akin_join_step *step);

#endif
