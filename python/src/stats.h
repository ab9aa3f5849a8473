/* What jobs did, as dictionaries. */
#ifndef AKIN_PYTHON_STATS_H
#define AKIN_PYTHON_STATS_H

#include "module.h"

/* New dictionaries; NULL, and an exception. The list of warnings is taken over. */
PyObject *stats_of_join(const akin_join_report *report, PyObject *warnings);
PyObject *stats_of_match(const akin_match_report *report);
PyObject *stats_of_duplicates(const akin_duplicates_report *report, PyObject *warnings);
/* With what `clusters`, which are closed, come to. */
PyObject *stats_of_dedupe(const akin_dedupe_plan *plan, uint32_t tables, const akin_dedupe_report *report,
                          const akin_clusters *clusters);

/* An akin_warning_sink, whose user is a list. It adds the text, with what is not UTF-8 replaced. The list is NULL
 * afterwards, and there is an exception, if there is no memory. */
void stats_add_warning(void *user, const char *text);

/* The tuple of both, which are taken over; NULL, and an exception, if one of them is. */
PyObject *stats_beside(PyObject *made, PyObject *stats);

#endif
