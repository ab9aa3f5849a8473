/* What a join finds out, decides and does, as it is gathered. */
#ifndef AKIN_JOIN_REPORT_H
#define AKIN_JOIN_REPORT_H

#include "akin.h"

#define AKIN_JOIN_FIGURES (sizeof(((akin_join_step *)0)->annex_figures) / sizeof(double))

#define AKIN_REPORT_WEIGHED 20   /* steps kept of all that were weighed */
#define AKIN_REPORT_REASON  256  /* bytes of a message */
#define AKIN_REPORT_DONE    1000 /* and of those done; later ones are added to them */

/* What is found out, decided and done for one part of a join, or for all of it at once. */
typedef struct akin_join_part {
    akin_join_summary summary;
    akin_join_step done; /* technique AKIN_AUTO: there was nothing to do */
    uint32_t weighed_count;
    akin_join_step weighed[AKIN_REPORT_WEIGHED]; /* cheapest first */
    uint32_t bits_asked;                         /* the width that the caller named; 0: none */
    akin_join_step on_cpu;                   /* the cheapest of them on the CPU; technique AKIN_AUTO: there is none */
    char device_failure[AKIN_REPORT_REASON]; /* as in akin_join_summary; empty: none */
} akin_join_part;

struct akin_join_report {
    akin_join_part all; /* the summary of all parts, and the weighed steps of the one predicted to take longest */
    akin_join_step *done;
    uint32_t done_count, done_room;
};

/* A report of nothing yet. Errors: AKIN_E_NOMEM. */
akin_status akin_join_report_make(akin_join_report **out, akin_error *error);

/* A step without predictions. */
akin_join_step akin_join_step_of(akin_technique technique, uint32_t bits_screen, uint32_t bits);

/* A part about which nothing is known yet. */
akin_join_part akin_join_part_begin(void);

/* Adds a step to the weighed ones, and keeps the cheapest of them. */
void akin_join_part_weigh(akin_join_part *part, const akin_join_step *step);

/* Adds what a part took, found and did to the report. What else the summary says is left alone: it is of the sides, not
 * of their parts. Errors: AKIN_E_NOMEM. */
akin_status akin_join_report_add(akin_join_report *report, const akin_join_part *part, akin_error *error);

#endif
